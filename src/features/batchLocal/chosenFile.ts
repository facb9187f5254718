import * as l10n from '@vscode/l10n';
import path from 'node:path';
import * as vscode from 'vscode';
import { UserError } from '../../platform/errors/userError';
import { refuseUntrusted } from '../../platform/workspace/workspaceTrust';
import { showMessage } from '../../platform/notify';
import { foreign } from '../../core/text/foreignText';

/**
 * Returns the menu's batch file, else that of the active tab, else the one the user picks; saved if it is open. `undefined` if the
 * user picks none or declines to save it. Throws if it is not on disk, or in a folder that is not trusted.
 */
export async function chosenFile(file: unknown): Promise<string | undefined> {
  const uri = file instanceof vscode.Uri ? file : (activeFile() ?? (await ask()));
  if (!uri) return undefined;
  if (uri.scheme !== 'file') {
    throw new UserError(l10n.t("This file isn't on disk"), l10n.t('Save the file on this machine first.'));
  }
  refuseUntrusted(uri);
  return (await isSaved(uri)) ? uri.fsPath : undefined;
}

/** Uses the active tab because the editor may refuse to open its file. */
function activeFile(): vscode.Uri | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  const uri = input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom ? input.uri : undefined;
  return uri?.path.endsWith('.jsonl') ? uri : undefined;
}

async function ask(): Promise<vscode.Uri | undefined> {
  const chosen = await vscode.window.showOpenDialog({
    title: l10n.t('Run Batch File Now'),
    openLabel: l10n.t('Run'),
    filters: { [l10n.t('JSON Lines')]: ['jsonl'], [l10n.t('All Files')]: ['*'] },
  });
  return chosen?.[0];
}

async function isSaved(uri: vscode.Uri): Promise<boolean> {
  const document = vscode.workspace.textDocuments.find((one) => one.uri.toString() === uri.toString());
  if (!document?.isDirty) return true;
  const save = l10n.t('Save and Continue');
  const message = l10n.t('{0} has unsaved changes', foreign(path.basename(uri.fsPath)));
  const detail = l10n.t('The run uses the saved file.');
  if ((await showMessage('information', message, { modal: true, detail }, save)) !== save) return false;
  return document.save();
}
