import { registerCommand, restorePanels } from '../../platform/contributions';
import { DisposableStore } from '../../platform/disposables';
import { onceDisposable } from '../../platform/once';
import type { Feature } from '../../services/services';

/** The page that generates images. Loaded when first opened. */
export const imagesFeature: Feature = (services) => {
  const store = new DisposableStore();
  const load = onceDisposable(store, async () => (await import('./imagesController')).createImages(services));
  store.add(registerCommand(services, 'inferenceDesk.images.open', async (start) => (await load()).open(start)));
  store.add(registerCommand(services, 'inferenceDesk.images.retry', async (ids) => (await load()).retry(ids)));
  store.add(restorePanels('inferenceDesk.images', async (panel) => (await load()).restore(panel)));
  return store;
};
