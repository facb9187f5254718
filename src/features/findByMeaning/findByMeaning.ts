import { registerCommand } from '../../platform/contributions';
import { onceDisposable } from '../../platform/once';
import { DisposableStore } from '../../platform/disposables';
import type { Feature } from '../../services/services';

/** Finds passages of the workspace's files by meaning. Loaded at first use. */
export const findByMeaningFeature: Feature = (services) => {
  const store = new DisposableStore();
  const load = onceDisposable(store, async () => new (await import('./findController')).FindController(services));
  store.add(registerCommand(services, 'inferenceDesk.findByMeaning', async (question) => (await load()).ask(question)));
  // For other extensions, which report errors themselves.
  const run = 'command:inferenceDesk.findByMeaning.run';
  store.add(services.entryPoints.handle(run, async (request: unknown) => (await load()).run(request)));
  return store;
};
