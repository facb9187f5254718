import * as vscode from 'vscode';
import { registerCommand } from '../../platform/contributions';
import { DisposableStore } from '../../platform/disposables';
import type { Feature } from '../../services';
import { registerAttachCommands } from './attachments/attachCommands';
import type { ChatRuntime } from './chatRuntime';

/** The Chat view and its commands. The rest is loaded when the view is first shown. */
export const chatFeature: Feature = (services) => {
  const store = new DisposableStore();
  let loading: Promise<ChatRuntime> | undefined;
  const load = (): Promise<ChatRuntime> => {
    loading ??= import('./chatRuntime').then(({ createChatRuntime }) => store.add(createChatRuntime(services)));
    return loading;
  };

  store.add(
    vscode.window.registerWebviewViewProvider('inferenceDesk.chat', {
      async resolveWebviewView(view) {
        (await load()).show(view);
      },
    }),
  );
  store.add(
    registerCommand(services, 'inferenceDesk.chat.open', async () => {
      // Made by the editor for every view: shows it and gives it the focus.
      await vscode.commands.executeCommand('inferenceDesk.chat.focus');
      (await load()).focusComposer();
    }),
  );
  store.add(
    registerCommand(services, 'inferenceDesk.chat.conversations', async () => {
      await vscode.commands.executeCommand('inferenceDesk.chat.focus');
      (await load()).showConversations();
    }),
  );
  store.add(registerCommand(services, 'inferenceDesk.chat.new', async () => (await load()).startNew()));
  store.add(registerCommand(services, 'inferenceDesk.chat.stop', async () => (await load()).stop()));
  store.add(registerCommand(services, 'inferenceDesk.chat.export', async () => (await load()).exportConversation()));
  store.add(registerCommand(services, 'inferenceDesk.chat.addBatchLine', async () => (await load()).addBatchLine()));
  store.add(
    registerCommand(services, 'inferenceDesk.chat.applyReplacement', async (proposal) =>
      (await load()).code.apply(proposal),
    ),
  );
  store.add(
    registerCommand(services, 'inferenceDesk.chat.discardReplacement', async (proposal) =>
      (await load()).code.discard(proposal),
    ),
  );
  store.add(registerAttachCommands(services, load));
  return store;
};
