import { registerCommand, restorePanels } from '../../platform/contributions';
import { DisposableStore } from '../../platform/disposables';
import { onceDisposable } from '../../platform/once';
import type { Feature } from '../../services/services';

/** The page with all generated files and their recipes. Loaded when first opened. */
export const galleryFeature: Feature = (services) => {
  const store = new DisposableStore();
  const load = onceDisposable(store, async () => (await import('./galleryPage')).createGallery(services));
  store.add(registerCommand(services, 'inferenceDesk.gallery.open', async () => (await load()).open()));
  store.add(restorePanels('inferenceDesk.gallery', async (panel) => (await load()).restore(panel)));
  return store;
};
