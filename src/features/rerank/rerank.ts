import { registerCommand, restorePanels } from '../../platform/contributions';
import { DisposableStore } from '../../platform/disposables';
import { loadOnce } from '../../platform/loadOnce';
import type { Feature } from '../../services/services';
import { registerScoreCommands } from './editor/scoreCommands';
import type { RerankRuntime } from './rerankRuntime';

/** Reranks texts by a query: a page with the scores, which can also be shown in the text and its gutter. Loaded at first use. */
export const rerankFeature: Feature = (services) => {
  const store = new DisposableStore();
  let loaded: RerankRuntime | undefined;
  const load = loadOnce(store, async () => (loaded = new (await import('./rerankRuntime')).RerankRuntime(services)));
  store.add(registerScoreCommands(services, () => loaded?.gutter));
  store.add(
    registerCommand(services, 'inferenceDesk.rerank.selection', async (query) => (await load()).selection(query)),
  );
  store.add(registerCommand(services, 'inferenceDesk.rerank.open', async (start) => (await load()).open(start)));
  store.add(
    registerCommand(services, 'inferenceDesk.rerank.files', async (file, files) => (await load()).files(file, files)),
  );
  store.add(
    registerCommand(services, 'inferenceDesk.rerank.openJudgements', async () => (await load()).openJudgements()),
  );
  store.add(restorePanels('inferenceDesk.rerank', async (panel, state) => (await load()).restore(panel, state)));
  return store;
};
