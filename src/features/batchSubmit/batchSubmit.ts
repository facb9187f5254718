import { registerCommand, restorePanels } from '../../platform/contributions';
import { DisposableStore } from '../../platform/disposables';
import { onceDisposable } from '../../platform/once';
import type { Feature } from '../../services/services';

/** The page for reviewing and submitting a batch. Loaded when the first one is opened. */
export const batchSubmitFeature: Feature = (services) => {
  const store = new DisposableStore();
  const load = onceDisposable(store, async () => (await import('./submitController')).createSubmitPages(services));
  store.add(
    registerCommand(services, 'inferenceDesk.batches.submit', async (file, files) => (await load()).open(file, files)),
  );
  store.add(restorePanels('inferenceDesk.batchSubmit', async (panel, state) => (await load()).restore(panel, state)));
  return store;
};
