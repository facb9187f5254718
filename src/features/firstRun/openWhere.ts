import * as vscode from 'vscode';
import { l10n } from 'vscode';
import { askPick } from '../../platform/quickInput';

/** Opens a folder: in this window if none is open, otherwise in the window the person picks. */
export async function openWhere(folder: vscode.Uri): Promise<void> {
  const open = vscode.workspace.workspaceFolders ?? [];
  if (open.some(({ uri }) => uri.toString() === folder.toString())) {
    await vscode.commands.executeCommand('workbench.view.explorer');
    return;
  }
  const inNewWindow = open.length === 0 ? false : await askNewWindow();
  if (inNewWindow === undefined) return;
  const where = inNewWindow ? { forceNewWindow: true } : { forceReuseWindow: true };
  await vscode.commands.executeCommand('vscode.openFolder', folder, where);
}

async function askNewWindow(): Promise<boolean | undefined> {
  const asked = await askPick<boolean>({
    title: l10n.t('Open Sample Workspace'),
    placeholder: l10n.t('A folder is open here. Where are the samples to be opened?'),
    canGoBack: false,
    items: [
      { label: l10n.t('In a New Window'), iconPath: new vscode.ThemeIcon('empty-window'), value: true },
      { label: l10n.t('In This Window'), iconPath: new vscode.ThemeIcon('window'), value: false },
    ],
  });
  return asked.kind === 'value' ? asked.value : undefined;
}
