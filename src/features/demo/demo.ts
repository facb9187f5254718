import { registerCommand } from '../../platform/contributions';
import { DisposableStore } from '../../platform/disposables';
import { onceDisposable } from '../../platform/once';
import type { Profile } from '../../services/account/account';
import type { Feature } from '../../services/services';

/** The whole service on this machine, to try the extension without a key. Loaded when it is first started or used. */
export const demoFeature: Feature = (services) => {
  const store = new DisposableStore();
  const load = onceDisposable(store, async () => new (await import('./demoRuntime')).DemoRuntime(services));
  store.add(registerCommand(services, 'inferenceDesk.demo.start', async () => (await load()).start()));
  store.add(registerCommand(services, 'inferenceDesk.demo.stop', async () => (await load()).stop()));
  store.add(
    services.connections.onBeforeUse(async (profile) => {
      if (isHere(profile)) await (await load()).beforeUse(profile);
    }),
  );
  if (services.profiles.list.some(isHere)) {
    load()
      .then((runtime) => runtime.restoreKey())
      .catch((error: unknown) => services.log.warn(`Demo service: ${String(error)}`));
  }
  return store;
};

/** The demo service only listens there; whether a profile is the demo's is for `DemoProfile` to decide. */
const isHere = ({ baseUrl }: Profile) => baseUrl.startsWith('http://127.0.0.1:');
