import * as vscode from 'vscode';
import { l10n } from 'vscode';
import { UserError } from '../../../platform/errors/userError';
import { foreign } from '../../../core/text/foreignText';

/** Opens the source of documents. Throws `UserError` if it no longer exists; `stays` says what is not lost with it. */
export async function openSource(uri: string, name: string, stays: string): Promise<vscode.TextDocument> {
  try {
    return await vscode.workspace.openTextDocument(vscode.Uri.parse(uri, true));
  } catch {
    throw new UserError(
      l10n.t('{0} cannot be opened', foreign(name)),
      l10n.t('It was moved, closed without being saved, or deleted. {0}', stays),
    );
  }
}
