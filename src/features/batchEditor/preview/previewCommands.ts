import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { registerCommand, restorePanels } from '../../../platform/contributions';
import { DisposableStore } from '../../../platform/disposables';
import type { Disposable } from '../../../platform/disposables';
import { onceDisposable } from '../../../platform/once';
import type { Services } from '../../../services/services';

/** Registers the preview command and the serializer that restores previews after a reload. The rest is loaded on first use. */
export function registerPreview(services: Services): Disposable {
  const store = new DisposableStore();
  const load = onceDisposable(store, async () => (await import('./previewController')).createPreviews(services));
  store.add(
    registerCommand(services, 'inferenceDesk.batchFile.preview', async (file) => {
      const uri = file instanceof vscode.Uri ? file : (openFile() ?? (await chooseFile()));
      if (uri) await (await load()).open(uri);
    }),
  );
  store.add(restorePanels('inferenceDesk.batchPreview', async (panel, state) => (await load()).restore(panel, state)));
  return store;
}

/** Returns the file in the active tab, even if it is too large for extensions to see its text. */
function openFile(): vscode.Uri | undefined {
  const { input } = vscode.window.tabGroups.activeTabGroup.activeTab ?? {};
  return input instanceof vscode.TabInputText && isJsonLines(input.uri) ? input.uri : undefined;
}

function isJsonLines(uri: vscode.Uri): boolean {
  const open = vscode.workspace.textDocuments.find((one) => one.uri.toString() === uri.toString());
  return open?.languageId === 'jsonl' || uri.path.endsWith('.jsonl');
}

async function chooseFile(): Promise<vscode.Uri | undefined> {
  const chosen = await vscode.window.showOpenDialog({
    title: l10n.t('Preview Batch File'),
    openLabel: l10n.t('Preview'),
    filters: { 'JSON Lines': ['jsonl'] },
  });
  return chosen?.[0];
}
