import { registerCommand } from '../../platform/contributions';
import { DisposableStore } from '../../platform/disposables';
import type { Disposable } from '../../platform/disposables';
import { loadOnce } from '../../platform/loadOnce';
import type { Services } from '../../services/services';
import type { InferenceDeskApi } from './inferenceDesk';

/** The API for other extensions. Loaded when the first one connects. */
export interface PublicApi extends Disposable {
  readonly api: InferenceDeskApi;
}

export function createPublicApi(services: Services): PublicApi {
  const store = new DisposableStore();
  const load = loadOnce(store, async () => new (await import('./apiServices')).ApiServices(services));
  store.add(registerCommand(services, 'inferenceDesk.manageExtensionAccess', async () => (await load()).manage()));
  return {
    api: Object.freeze<InferenceDeskApi>({
      version: 1,
      connect: async (extensionId, signal) => (await load()).connect(extensionId, signal),
    }),
    dispose: () => store.dispose(),
  };
}
