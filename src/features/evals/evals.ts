import * as vscode from 'vscode';
import { registerCommand, restorePanels } from '../../platform/contributions';
import { DisposableStore } from '../../platform/disposables';
import { onceDisposable } from '../../platform/once';
import type { Feature } from '../../services/services';

const evalFile = /promptfooconfig[^/\\]*\.(?:ya?ml|json)$/i;

/** Eval files. Loaded when the first one is opened or a command is run. */
export const evalsFeature: Feature = (services) => {
  const store = new DisposableStore();
  const load = onceDisposable(store, async () => {
    const [{ EvalsRuntime }, runs] = await Promise.all([import('./evalsRuntime'), services.evals()]);
    return new EvalsRuntime(services, runs, evalFile);
  });
  const look = ({ uri }: vscode.TextDocument) => {
    if (!evalFile.test(uri.path)) return;
    load().catch((error: unknown) => services.log.error('Eval files are not checked.', error));
  };
  vscode.workspace.textDocuments.forEach(look);
  store.add(vscode.workspace.onDidOpenTextDocument(look));
  store.add(restorePanels('inferenceDesk.evalResults', async (panel, state) => (await load()).restore(panel, state)));
  for (const name of ['smokeTest', 'run', 'results', 'create'] as const)
    store.add(
      registerCommand(services, `inferenceDesk.evals.${name}`, async (file?: unknown) => (await load())[name](file)),
    );
  return store;
};
