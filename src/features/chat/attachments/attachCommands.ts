import * as vscode from 'vscode';
import { registerCommand, runCommand } from '../../../platform/contributions';
import { DisposableStore } from '../../../platform/disposables';
import type { Disposable } from '../../../platform/disposables';
import type { Services } from '../../../services/services';
import type { ChatRuntime } from '../chatRuntime';
import type { Attachments } from './attachments';

/**
 * The commands that attach something, from the palette and the menus of editors, terminals and the Explorer. They then show the
 * chat.
 */
export function registerAttachCommands(services: Services, load: () => Promise<ChatRuntime>): Disposable {
  const store = new DisposableStore();
  const attach = async (add: (attachments: Attachments) => Promise<void>) => {
    await add((await load()).locations.current.attachments);
    await runCommand('inferenceDesk.chat.open');
  };
  store.add(registerCommand(services, 'inferenceDesk.chat.attach', () => attach((owner) => owner.choose())));
  store.add(
    registerCommand(services, 'inferenceDesk.chat.attachSelection', () =>
      attach((owner) => owner.add({ from: 'selection' })),
    ),
  );
  store.add(
    registerCommand(services, 'inferenceDesk.chat.attachTerminal', () =>
      attach((owner) => owner.add({ from: 'terminal' })),
    ),
  );
  store.add(
    registerCommand(services, 'inferenceDesk.chat.attachFile', (file, files) => {
      const uris = chosenUris(file, files);
      return attach((owner) => owner.add(uris.length > 0 ? { from: 'uris', uris } : { from: 'openFile' }));
    }),
  );
  store.add(
    registerCommand(services, 'inferenceDesk.chat.attachFolder', (folder, folders) => {
      const uris = chosenUris(folder, folders);
      return attach((owner) => (uris.length > 0 ? owner.add({ from: 'uris', uris }) : owner.chooseFolder()));
    }),
  );
  return store;
}

/** Returns the whole selection of the menu, or else the single item. */
function chosenUris(one: unknown, several: unknown): readonly vscode.Uri[] {
  const all = Array.isArray(several) ? several.filter((uri) => uri instanceof vscode.Uri) : [];
  if (all.length > 0) return all;
  return one instanceof vscode.Uri ? [one] : [];
}
