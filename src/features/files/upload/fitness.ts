import { stat } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { reasonText } from '../../../platform/errors/fileErrorMessages';
import { UserError } from '../../../platform/errors/userError';
import { foreign } from '../../../core/text/foreignText';

/** Throws `UserError` if the file cannot be sent: missing, a folder, empty, unreadable, or in an untrusted workspace. */
export async function refuseUnfit(file: string): Promise<void> {
  const isOfWorkspace = vscode.workspace.getWorkspaceFolder(vscode.Uri.file(file)) !== undefined;
  if (isOfWorkspace && !vscode.workspace.isTrusted) {
    throw notUploaded(file, vscode.l10n.t('Trust this workspace first: its files stay on the machine until then.'));
  }
  const found = await stat(file).catch((error: NodeJS.ErrnoException) => {
    throw notUploaded(file, reasonText(error));
  });
  if (found.isDirectory()) {
    throw notUploaded(file, vscode.l10n.t('It is a folder. Drop or choose the files in it.'));
  }
  if (!found.isFile()) throw notUploaded(file, vscode.l10n.t('It is not a file.'));
  if (found.size === 0) {
    throw notUploaded(file, vscode.l10n.t('It is empty. A batch file holds one request per line, as JSON.'));
  }
}

export function notUploaded(file: string, why: string): UserError {
  return new UserError(vscode.l10n.t('{0} was not uploaded', foreign(path.basename(file))), why);
}

export function changedMeanwhile(file: string): UserError {
  return notUploaded(file, vscode.l10n.t('It was written to meanwhile. Upload it again when it is finished.'));
}
