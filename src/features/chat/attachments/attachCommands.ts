import * as vscode from 'vscode';
import { registerCommand, runCommand } from '../../../platform/contributions';
import { DisposableStore } from '../../../platform/disposables';
import type { Disposable } from '../../../platform/disposables';
import type { Services } from '../../../services';
import type { Attachments } from './attachments';

export interface AttachmentsOwner {
  readonly attachments: Pick<Attachments, 'addSelection' | 'addFiles' | 'choose'>;
}

/** The commands that attach something, from the palette and from the menus of editors and the Explorer. They show the chat then. */
export function registerAttachCommands(
  services: Pick<Services, 'report'>,
  load: () => Promise<AttachmentsOwner>,
): Disposable {
  const store = new DisposableStore();
  const attach = async (add: (owner: AttachmentsOwner) => void | Promise<void>) => {
    await add(await load());
    await runCommand('inferenceDesk.chat.open');
  };
  store.add(
    registerCommand(services, 'inferenceDesk.chat.attach', () => attach((owner) => owner.attachments.choose())),
  );
  store.add(
    registerCommand(services, 'inferenceDesk.chat.attachSelection', () =>
      attach((owner) => owner.attachments.addSelection()),
    ),
  );
  store.add(
    registerCommand(services, 'inferenceDesk.chat.attachFile', (file, files) =>
      attach((owner) => owner.attachments.addFiles(chosenFiles(file, files))),
    ),
  );
  return store;
}

/** All that are selected where the menu was opened on one of them. */
function chosenFiles(file: unknown, files: unknown): readonly vscode.Uri[] {
  const all = Array.isArray(files) ? files.filter((one) => one instanceof vscode.Uri) : [];
  if (all.length > 0) return all;
  return file instanceof vscode.Uri ? [file] : [];
}
