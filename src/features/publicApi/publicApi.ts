import { registerCommand } from '../../platform/contributions';
import { DisposableStore } from '../../platform/disposables';
import { onceDisposable } from '../../platform/once';
import type { Feature } from '../../services/services';
import type { InferenceDeskApi } from './logic/inferenceDesk';

/** The API for other extensions. Loaded when the first one connects. */
export const publicApiFeature: Feature = (services) => {
  const store = new DisposableStore();
  const load = onceDisposable(store, async () => new (await import('./apiServices')).ApiServices(services));
  const connect: InferenceDeskApi['connect'] = async (extensionId, signal) =>
    (await load()).connect(extensionId, signal);
  store.add(registerCommand(services, 'inferenceDesk.manageExtensionAccess', async () => (await load()).manage()));
  store.add(services.entryPoints.handle('connect', connect));
  return store;
};
