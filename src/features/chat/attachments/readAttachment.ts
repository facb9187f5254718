import * as vscode from 'vscode';
import type { Attachment } from '../../../core/conversation/attachment';
import { UserError } from '../../../platform/errors/userError';
import { maxAttachedCharacters } from '../../../protocol/chatBounds';
import { decodeText } from '../../../core/workspace/decodeText';
import { readFile as readAnyFile } from '../../../platform/workspace/workspaceGuard';
import type { WorkspaceGuard } from '../../../platform/workspace/workspaceGuard';
import { readFolder } from './readFolder';
import { checkTrust, nameOf, notOpen, notText, refused, toAttachment, tooLong } from './toAttachment';
import { foreign } from '../../../core/text/foreignText';

/** Reads the selected text. Throws a localized error if nothing is selected, it is too long, or the workspace is not trusted. */
export function readSelection(editor: vscode.TextEditor | undefined): Attachment {
  if (!editor || editor.selection.isEmpty) {
    throw new UserError(
      vscode.l10n.t('Nothing is selected'),
      vscode.l10n.t('Select in an editor what should go along with the question.'),
    );
  }
  const { document, selection } = editor;
  // A selection that ends at the start of a line contains nothing of that line.
  const lastLine = selection.end.character === 0 ? selection.end.line : selection.end.line + 1;
  const firstLine = selection.start.line + 1;
  const lines = lastLine > firstLine ? `${firstLine}-${lastLine}` : `${firstLine}`;
  const label = `${nameOf(document.uri)}:${lines}`;
  return toAttachment('selection', label, document.languageId, document.getText(selection));
}

/**
 * Reads a file from its editor or else from disk, or the list of files in a folder. Throws a localized error if it is not text, too
 * long, or refused by the guard. No guard is needed for a file the user picked.
 */
export async function readFile(uri: vscode.Uri, guard?: WorkspaceGuard): Promise<Attachment> {
  const label = nameOf(uri);
  checkTrust();
  const checked = await guard?.check(uri);
  if (checked && 'refusal' in checked) throw notOpen(label, checked);
  const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
  if (open) return toAttachment('file', label, open.languageId, open.getText());
  const { type } = await vscode.workspace.fs.stat(uri);
  if ((type & vscode.FileType.Directory) !== 0) return readFolder(uri);
  // No character takes more than four bytes.
  const mostBytes = maxAttachedCharacters * 4;
  const bytes = await (guard ? guard.read(uri, mostBytes) : readAnyFile(uri, mostBytes));
  if (bytes === 'tooLarge') throw tooLong(label);
  if ('refusal' in bytes) throw notOpen(label, bytes);
  const text = decodeText(bytes);
  if (text === undefined) throw notText(label);
  return toAttachment('file', label, languageOf(uri), text);
}

/** Lists a document's diagnostics, one per line. Throws a localized error if there are none. */
export function readProblems(document: vscode.TextDocument): Attachment {
  const label = nameOf(document.uri);
  const problems = vscode.languages.getDiagnostics(document.uri);
  if (problems.length === 0) throw refused(label, vscode.l10n.t('The editor shows no problems in it.'));
  const severities = ['error', 'warning', 'info', 'hint'];
  const lines = problems.map(({ range, severity, message, source }) => {
    const { line, character } = range.start;
    const from = source === undefined ? '' : `${source}: `;
    return `${line + 1}:${character + 1} ${severities[severity]}: ${from}${message}`;
  });
  return toAttachment('problems', vscode.l10n.t('Problems in {0}', foreign(label)), '', lines.join('\n'));
}

/** Uses the file extension as the language: knowing the language id would require opening the file. */
function languageOf(uri: vscode.Uri): string {
  return /\.(\w{1,20})$/.exec(uri.path)?.[1] ?? '';
}
