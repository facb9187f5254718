import * as vscode from 'vscode';
import { UserError } from '../../../platform/errors/userError';

/**
 * Returns the files to check: the menu's selection, else the active file, else those the user picks. `undefined` if the user
 * picks none. Throws `UserError` if one is not on disk.
 */
export async function chooseFiles(file: unknown, files: unknown): Promise<readonly vscode.Uri[] | undefined> {
  const handed = Array.isArray(files) && files.length > 0 ? files : [file];
  const uris = handed.filter((one) => one instanceof vscode.Uri);
  const chosen = uris.length > 0 ? uris : (activeFile() ?? (await ask()));
  if (!chosen) return undefined;
  if (chosen.every(({ scheme }) => scheme === 'file')) return chosen;
  throw new UserError(
    vscode.l10n.t('This file is not on disk'),
    vscode.l10n.t('Save it in a folder of this machine, then check it.'),
  );
}

/** Uses the active tab because the editor may refuse to open its file. */
function activeFile(): readonly vscode.Uri[] | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  const uri = input instanceof vscode.TabInputText ? input.uri : undefined;
  return uri?.path.endsWith('.jsonl') ? [uri] : undefined;
}

async function ask(): Promise<readonly vscode.Uri[] | undefined> {
  return vscode.window.showOpenDialog({
    canSelectMany: true,
    title: vscode.l10n.t('Check Batch File'),
    openLabel: vscode.l10n.t('Check'),
    filters: { [vscode.l10n.t('JSON Lines')]: ['jsonl'], [vscode.l10n.t('All Files')]: ['*'] },
  });
}
