import * as vscode from 'vscode';
import { registerCommand } from '../../platform/contributions';
import { DisposableStore } from '../../platform/disposables';
import { loadOnce } from '../../platform/loadOnce';
import type { Feature } from '../../services/services';
import { isPromptFile } from './isPromptFile';

/** Prompt files. Loaded when the first one is opened or a command is run. */
export const promptsFeature: Feature = (services) => {
  const store = new DisposableStore();
  let before = vscode.window.activeTextEditor;
  const load = loadOnce(store, async () => new (await import('./promptsRuntime')).PromptsRuntime(services, before));
  const look = ({ uri }: vscode.TextDocument) => {
    if (!isPromptFile(uri)) return;
    load().catch((error: unknown) => services.log.error('Prompt files are not checked.', error));
  };

  vscode.workspace.textDocuments.forEach(look);
  store.add(vscode.workspace.onDidOpenTextDocument(look));
  // The editor that a prompt is about is the one that was active before it.
  store.add(
    vscode.window.onDidChangeActiveTextEditor((editor) => {
      if (editor && !isPromptFile(editor.document.uri)) before = editor;
    }),
  );
  store.add(
    vscode.workspace.onDidCloseTextDocument(() => {
      if (before?.document.isClosed) before = undefined;
    }),
  );
  for (const name of ['run', 'compare', 'addBatchLine', 'newFromRows'] as const) {
    store.add(
      registerCommand(services, `inferenceDesk.prompts.${name}`, async (file?: unknown) => (await load())[name](file)),
    );
  }
  store.add(registerCommand(services, 'inferenceDesk.prompts.new', async () => (await load()).create()));
  return store;
};
