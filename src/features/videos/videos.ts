import { registerCommand, restorePanels } from '../../platform/contributions';
import { DisposableStore } from '../../platform/disposables';
import { onceDisposable } from '../../platform/once';
import { toMediaStart } from '../../services/media/media';
import type { Feature } from '../../services/services';

/** The page that submits, tracks and plays videos. Loaded when first opened. */
export const videosFeature: Feature = (services) => {
  const store = new DisposableStore();
  const load = onceDisposable(store, async () => (await import('./videosController')).createVideos(services));
  store.add(
    registerCommand(services, 'inferenceDesk.videos.open', async (start) => (await load()).open(toMediaStart(start))),
  );
  store.add(restorePanels('inferenceDesk.videos', async (panel) => (await load()).restore(panel)));
  return store;
};
