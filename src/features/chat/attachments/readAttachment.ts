import * as vscode from 'vscode';
import type { Attachment, AttachmentKind } from '../../../core/conversation/attachment';
import { estimateTokens } from '../../../core/tokens/estimate';
import { numberText } from '../../../platform/displayText';
import { UserError } from '../../../platform/userError';
import { decodeText } from './decodeText';

/** About 100,000 tokens of code: few models read more in one request, and fewer read it well. */
const maxLength = 400_000;

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
  const label = `${nameOf(document.uri)}:${selection.start.line + 1}-${lastLine}`;
  return toAttachment('selection', label, document.languageId, document.getText(selection));
}

/** A file as its editor shows it, or as it is on disk. Throws in words for a folder, and for what is no text or too long. */
export async function readFile(uri: vscode.Uri): Promise<Attachment> {
  const label = nameOf(uri);
  checkTrust();
  const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
  if (open) return toAttachment('file', label, open.languageId, open.getText());
  const { type, size } = await vscode.workspace.fs.stat(uri);
  if ((type & vscode.FileType.Directory) !== 0) {
    throw refused(label, vscode.l10n.t('It is a folder. Choose files in it.'));
  }
  // No character takes more than four bytes.
  if (size > maxLength * 4) throw tooLong(label);
  const text = decodeText(await vscode.workspace.fs.readFile(uri));
  if (text === undefined) throw refused(label, vscode.l10n.t('It is not a text file in UTF-8.'));
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
  return toAttachment('problems', vscode.l10n.t('Problems in {0}', label), '', lines.join('\n'));
}

function toAttachment(kind: AttachmentKind, label: string, language: string, text: string): Attachment {
  checkTrust();
  if (text.length > maxLength) throw tooLong(label);
  if (text.trim() === '') throw refused(label, vscode.l10n.t('It is empty.'));
  return { kind, label, language, text, tokens: estimateTokens(text) };
}

/** In Restricted Mode a person has not yet said that the folder may be worked with; its contents stay on the machine. */
function checkTrust(): void {
  if (vscode.workspace.isTrusted) return;
  throw new UserError(
    vscode.l10n.t('Nothing is attached in Restricted Mode'),
    vscode.l10n.t('Trust this workspace first: what is attached is sent to the service.'),
  );
}

function nameOf(uri: vscode.Uri): string {
  return vscode.workspace.asRelativePath(uri);
}

/** The ending stands for the language: the editor would have to open the file to say more. */
function languageOf(uri: vscode.Uri): string {
  return /\.(\w{1,20})$/.exec(uri.path)?.[1] ?? '';
}

function refused(label: string, reason: string): UserError {
  return new UserError(vscode.l10n.t('{0} was not attached', label), reason);
}

function tooLong(label: string): UserError {
  const most = numberText(maxLength, vscode.env.language);
  return refused(
    label,
    vscode.l10n.t('It is longer than {0} characters. Select the part the question is about.', most),
  );
}
