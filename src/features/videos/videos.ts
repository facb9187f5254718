import { registerCommand, restorePanels } from '../../platform/contributions';
import { DisposableStore } from '../../platform/disposables';
import { loadOnce } from '../../platform/loadOnce';
import { toMediaStart } from '../../services/media/media';
import type { Feature } from '../../services/services';

/** The page that submits, tracks and plays videos. Loaded when first opened. */
export const videosFeature: Feature = (services) => {
  const store = new DisposableStore();
  const load = loadOnce(store, async () => (await import('./videosController')).createVideos(services));
  store.add(
    registerCommand(services, 'inferenceDesk.videos.open', async (start) => (await load()).open(toMediaStart(start))),
  );
  store.add(restorePanels('inferenceDesk.videos', async (panel) => (await load()).restore(panel)));
  return store;
};
