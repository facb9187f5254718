import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { UserError } from '../errors/userError';

/** Throws a `UserError` if the file that would be sent is in a workspace that is not trusted. */
export function refuseUntrusted(uri: vscode.Uri): void {
  if (vscode.workspace.isTrusted || !vscode.workspace.getWorkspaceFolder(uri)) return;
  throw new UserError(l10n.t("This workspace isn't trusted"), l10n.t('Trust this workspace first.'));
}
