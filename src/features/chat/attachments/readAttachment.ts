import * as vscode from 'vscode';
import type { Attachment } from '../../../core/conversation/attachment';
import { UserError } from '../../../platform/errors/userError';
import { maxAttachedCharacters } from '../../../protocol/chatOffers';
import { decodeText } from '../../../core/workspace/decodeText';
import { readFile as readAnyFile } from '../../../platform/workspace/workspaceGuard';
import type { WorkspaceGuard } from '../../../platform/workspace/workspaceGuard';
import { readFolder } from './readFolder';
import { checkTrust, nameOf, notOpen, notText, refused, toAttachment, tooLong } from './toAttachment';
import { foreign } from '../../../core/text/foreignText';

/** The selected text. Throws in words where nothing is selected, it is too long, or the workspace is not trusted. */
export function readSelection(editor: vscode.TextEditor | undefined): Attachment {
  if (!editor || editor.selection.isEmpty) {
    throw new UserError(
      vscode.l10n.t('Nothing is selected'),
      vscode.l10n.t('Select in an editor what should go along with the question.'),
    );
  }
  const { document, selection } = editor;
  // A selection that ends at the start of a line has nothing of that line.
  const lastLine = selection.end.character === 0 ? selection.end.line : selection.end.line + 1;
  const firstLine = selection.start.line + 1;
  const lines = lastLine > firstLine ? `${firstLine}-${lastLine}` : `${firstLine}`;
  const label = `${nameOf(document.uri)}:${lines}`;
  return toAttachment('selection', label, document.languageId, document.getText(selection));
}

/**
 * A file as its editor shows it, or as it is on disk; of a folder what files it has. Throws in words for what is no text or too long,
 * and for what the guard refuses; without one a person picked it.
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

/** What the editor complains of in a document, a line each. Throws in words where there is nothing. */
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

/** The ending stands for the language: the editor would have to open the file to say more. */
function languageOf(uri: vscode.Uri): string {
  return /\.(\w{1,20})$/.exec(uri.path)?.[1] ?? '';
}
