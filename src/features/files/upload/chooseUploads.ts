import * as vscode from 'vscode';
import { UserError } from '../../../platform/errors/userError';

/**
 * Returns the files to upload: those passed by a menu or a drop, otherwise the one in the active tab, otherwise those a person picks.
 * `undefined` if they pick none. Throws `UserError` if one is not on disk.
 */
export async function chooseUploads(file: unknown, files: unknown): Promise<readonly string[] | undefined> {
  const handed = Array.isArray(files) && files.length > 0 ? files : [file];
  const uris = handed.filter((one) => one instanceof vscode.Uri);
  const chosen = uris.length > 0 ? uris : (activeFile() ?? (await ask()));
  return chosen && pathsOf(chosen);
}

/** Returns each path once. Throws `UserError` if one is not on disk. */
export function pathsOf(uris: readonly vscode.Uri[]): readonly string[] {
  const elsewhere = uris.find(({ scheme }) => scheme !== 'file');
  if (elsewhere) {
    throw new UserError(
      vscode.l10n.t('This file is not on disk'),
      vscode.l10n.t(
        '{0} cannot be uploaded from where it is. Save it in a folder of this machine first.',
        elsewhere.path,
      ),
    );
  }
  return [...new Set(uris.map(({ fsPath }) => fsPath))];
}

/** Also works for a tab whose file the editor refuses to open. */
function activeFile(): readonly vscode.Uri[] | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  const uri = input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom ? input.uri : undefined;
  return uri?.scheme === 'file' && uri.path.endsWith('.jsonl') ? [uri] : undefined;
}

async function ask(): Promise<readonly vscode.Uri[] | undefined> {
  return vscode.window.showOpenDialog({
    canSelectMany: true,
    title: vscode.l10n.t('Upload Batch File'),
    openLabel: vscode.l10n.t('Upload'),
    filters: { [vscode.l10n.t('JSON Lines')]: ['jsonl'], [vscode.l10n.t('All Files')]: ['*'] },
  });
}
