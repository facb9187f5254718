import { posix } from 'node:path';
import * as vscode from 'vscode';
import { l10n } from 'vscode';
import { numberText } from '../../../platform/displayText';
import { UserError } from '../../../platform/errors/userError';
import { mostCharacters } from './rerankSource';
import type { SourceText } from './rerankSource';
import { foreign } from '../../../core/text/foreignText';

/** Returns the text of a range, or of the whole document. Throws `UserError` if it is too long. */
export function textOf(document: vscode.TextDocument, range?: vscode.Range): SourceText {
  const text = document.getText(range);
  const name = nameOf(document.uri);
  if (text.length > mostCharacters) throw tooMuch(name);
  const { line, character } = range?.start ?? { line: 0, character: 0 };
  return { text, name, languageId: document.languageId, at: { uri: document.uri.toString(), line, character } };
}

/** Path relative to the workspace; outside of it, just the file name. */
export function nameOf(uri: vscode.Uri): string {
  return vscode.workspace.getWorkspaceFolder(uri) ? vscode.workspace.asRelativePath(uri) : posix.basename(uri.path);
}

export function tooMuch(name: string): UserError {
  return new UserError(
    l10n.t('{0} is too long to rank', foreign(name)),
    l10n.t(
      'The limit is {0} characters. Select the part to rank, then try again.',
      numberText(mostCharacters, vscode.env.language),
    ),
  );
}

/** Throws in Restricted Mode: until the user trusts the folder, its contents stay on the machine. */
export function checkTrust(): void {
  if (vscode.workspace.isTrusted) return;
  throw new UserError(
    l10n.t('Reranking is disabled in Restricted Mode'),
    l10n.t('Reranking sends text to the service. Trust this workspace to use it.'),
  );
}
