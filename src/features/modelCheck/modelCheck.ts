import { registerCommand, restorePanels } from '../../platform/contributions';
import { DisposableStore } from '../../platform/disposables';
import { onceDisposable } from '../../platform/once';
import type { Feature } from '../../services/services';

/** The page that checks what a model really does. Loaded when first opened. */
export const modelCheckFeature: Feature = (services) => {
  const store = new DisposableStore();
  const load = onceDisposable(store, async () => (await import('./checkController')).createCheckPages(services));
  store.add(registerCommand(services, 'inferenceDesk.models.check', async (model) => (await load()).open(model)));
  store.add(
    registerCommand(services, 'inferenceDesk.models.editCapabilities', async (model) => (await load()).edit(model)),
  );
  store.add(restorePanels('inferenceDesk.modelCheck', async (panel, state) => (await load()).restore(panel, state)));
  return store;
};
