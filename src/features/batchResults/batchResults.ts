import * as vscode from 'vscode';
import { registerCommand, restorePanels } from '../../platform/contributions';
import { DisposableStore } from '../../platform/disposables';
import { onceDisposable } from '../../platform/once';
import { hasLinks } from './logic/hasLinks';
import type { Feature } from '../../services/services';

/** The results of batches: a page per run, answers on the lines of batch files, retries of failed requests. Loaded on first use. */
export const batchResultsFeature: Feature = (services) => {
  const store = new DisposableStore();
  const load = onceDisposable(store, async () => (await import('./batchResultsRuntime')).createBatchResults(services));
  const look = ({ languageId, uri }: vscode.TextDocument) => {
    if (languageId !== 'jsonl' || uri.scheme !== 'file') return;
    load().catch((error: unknown) => services.log.error('Answers are not shown on the lines of batch files.', error));
  };
  for (const document of vscode.workspace.textDocuments) look(document);
  // A linked run may have ended while VS Code was closed.
  if (hasLinks(services.context.globalState)) {
    load().catch((error: unknown) => services.log.error('Linked runs are not compared when they end.', error));
  }
  store.add(vscode.workspace.onDidOpenTextDocument(look));

  store.add(
    registerCommand(services, 'inferenceDesk.batches.openResults', async (of, customId) =>
      (await load()).openResults(of, customId),
    ),
  );
  store.add(
    registerCommand(services, 'inferenceDesk.batches.retryFailed', async (of) => (await load()).retryFailed(of)),
  );
  store.add(
    registerCommand(services, 'inferenceDesk.batches.runAgain', async (of, choice) =>
      (await load()).runAgain(of, choice),
    ),
  );
  store.add(
    registerCommand(services, 'inferenceDesk.batches.compare', async (of, others) =>
      (await load()).compare(of, others),
    ),
  );
  store.add(
    registerCommand(services, 'inferenceDesk.batchFile.chooseAnswers', async (file) =>
      (await load()).chooseAnswers(file),
    ),
  );
  for (const screen of ['batchResults', 'batchCompare'] as const) {
    store.add(
      restorePanels(`inferenceDesk.${screen}`, async (panel, state) => (await load()).restore(screen, panel, state)),
    );
  }
  return store;
};
