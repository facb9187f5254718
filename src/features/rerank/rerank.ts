import * as vscode from 'vscode';
import { registerCommand, restorePanels } from '../../platform/contributions';
import { DisposableStore } from '../../platform/disposables';
import { onceDisposable } from '../../platform/once';
import type { Feature } from '../../services/services';
import type { ScoreGutter } from './editor/scoreGutter';

/** Reranks texts by a query: a page with the scores, which can also be shown in the text and its gutter. Loaded at first use. */
export const rerankFeature: Feature = (services) => {
  const store = new DisposableStore();
  const tabs = onceDisposable(store, async () => new (await import('./rerankTabs')).RerankTabs(services));
  store.add(
    registerCommand(services, 'inferenceDesk.rerank.clearScores', async () => clearScores(tabs.loaded?.gutter)),
  );
  store.add(
    registerCommand(services, 'inferenceDesk.rerank.selection', async (query) => (await tabs()).rankSelection(query)),
  );
  store.add(registerCommand(services, 'inferenceDesk.rerank.open', async (start) => (await tabs()).askAndOpen(start)));
  store.add(
    registerCommand(services, 'inferenceDesk.rerank.files', async (file, files) =>
      (await tabs()).rankFiles(file, files),
    ),
  );
  store.add(
    registerCommand(services, 'inferenceDesk.rerank.openJudgements', async () => (await tabs()).openJudgements()),
  );
  store.add(restorePanels('inferenceDesk.rerank', async (panel, state) => (await tabs()).restore(panel, state)));
  return store;
};

/** Clears the scores of the active editor; if it has none, of all editors. `gutter` is `undefined` while no scores were ever shown. */
export function clearScores(gutter: ScoreGutter | undefined): void {
  const uri = vscode.window.activeTextEditor?.document.uri;
  if (uri && gutter?.isShown(uri)) gutter.clear(uri);
  else gutter?.clear();
}
