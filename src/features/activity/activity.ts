import { registerCommand, restorePanels } from '../../platform/contributions';
import { DisposableStore } from '../../platform/disposables';
import { onceDisposable } from '../../platform/once';
import type { Feature } from '../../services/services';

/** The page with all work and spending. Loaded when first opened. */
export const activityFeature: Feature = (services) => {
  const store = new DisposableStore();
  const load = onceDisposable(store, async () => (await import('./activityController')).createActivityPage(services));
  store.add(registerCommand(services, 'inferenceDesk.activity.open', async () => (await load()).open()));
  store.add(restorePanels('inferenceDesk.activity', async (panel) => (await load()).restore(panel)));
  return store;
};
