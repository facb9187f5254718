import * as vscode from 'vscode';
import { registerCommand } from '../../platform/contributions';
import { DisposableStore } from '../../platform/disposables';
import { onceDisposable } from '../../platform/once';
import { createLastEditor } from '../../platform/workspace/lastEditor';
import type { Feature } from '../../services/services';
import { isPromptFile } from './logic/isPromptFile';

/** Prompt files. Loaded when the first one is opened or a command is run. */
export const promptsFeature: Feature = (services) => {
  const store = new DisposableStore();
  // From the start, because a prompt refers to the editor that was active before it.
  const lastEditor = store.add(createLastEditor());
  const load = onceDisposable(
    store,
    async () => new (await import('./promptsRuntime')).PromptsRuntime(services, lastEditor),
  );
  const look = ({ uri }: vscode.TextDocument) => {
    if (!isPromptFile(uri)) return;
    load().catch((error: unknown) => services.log.error('Prompt files are not checked.', error));
  };

  vscode.workspace.textDocuments.forEach(look);
  store.add(vscode.workspace.onDidOpenTextDocument(look));
  for (const name of ['run', 'compare', 'addBatchLine', 'newFromRows'] as const) {
    store.add(
      registerCommand(services, `inferenceDesk.prompts.${name}`, async (file?: unknown) => (await load())[name](file)),
    );
  }
  store.add(registerCommand(services, 'inferenceDesk.prompts.new', async () => (await load()).create()));
  return store;
};
