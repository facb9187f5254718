import * as vscode from 'vscode';
import type { Voice } from '../../core/api/voices/voices.schema';
import { registerCommand } from '../../platform/contributions';
import { shortened } from '../../platform/displayText';
import { DisposableStore } from '../../platform/disposables';
import { insertAtCursor } from '../../platform/insertAtCursor';
import { factsTooltip } from '../../platform/factsTooltip';
import { createListView } from '../../platform/listView';
import type { Feature } from '../../services';

/** The Voice Styles view: voices recorded for speech. */
export const voicesFeature: Feature = (services) => {
  const store = new DisposableStore();
  const view = store.add(
    createListView<Voice>(services, {
      viewId: 'inferenceDesk.voices',
      rowsKey: 'inferenceDesk.voicesRows',
      load: async (client, _rounds, signal) => ({ items: await client.voices.list(signal), hasMore: false }),
      toItem: toVoiceItem,
    }),
  );
  store.add(registerCommand(services, 'inferenceDesk.voices.refresh', () => view.refresh()));
  store.add(
    registerCommand(services, 'inferenceDesk.voices.copyUri', async (row) => {
      const voice = view.itemOf(row);
      if (voice) await vscode.env.clipboard.writeText(voice.uri);
    }),
  );
  store.add(
    registerCommand(services, 'inferenceDesk.voices.insertUri', async (row) => {
      const voice = view.itemOf(row);
      if (voice) await insertAtCursor(voice.uri);
    }),
  );
  return store;
};

export function toVoiceItem({ uri, customName, model, text }: Voice): vscode.TreeItem {
  const name = customName || shortened(uri);
  const item = new vscode.TreeItem(name);
  item.id = uri;
  item.contextValue = 'voice';
  item.iconPath = new vscode.ThemeIcon('mic');
  item.description = model ?? '';
  item.tooltip = factsTooltip(name, [
    [vscode.l10n.t('URI'), uri],
    [vscode.l10n.t('Model'), model],
    [vscode.l10n.t('Spoken text'), text],
  ]);
  item.accessibilityInformation = { label: [name, model].filter(Boolean).join(', ') };
  return item;
}
