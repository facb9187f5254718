import { registerCommand, restorePanels } from '../../platform/contributions';
import { DisposableStore } from '../../platform/disposables';
import { loadOnce } from '../../platform/loadOnce';
import type { Feature } from '../../services/services';

/** All that was made, with how it was made. Loaded when it is opened first. */
export const galleryFeature: Feature = (services) => {
  const store = new DisposableStore();
  const load = loadOnce(store, async () => (await import('./galleryRuntime')).createGallery(services));
  store.add(registerCommand(services, 'inferenceDesk.gallery.open', async () => (await load()).open()));
  store.add(restorePanels('inferenceDesk.gallery', async (panel) => (await load()).restore(panel)));
  return store;
};
