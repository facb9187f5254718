import { registerCommand } from '../../platform/contributions';
import { DisposableStore } from '../../platform/disposables';
import type { Feature } from '../../services/services';

/** Introduces new users: the walkthrough and the samples. Loaded at first use. */
export const firstRunFeature: Feature = (services) => {
  const store = new DisposableStore();
  const load = async () => (await import('./firstRunRuntime')).createFirstRun(services);
  store.add(registerCommand(services, 'inferenceDesk.getStarted', async () => (await load()).getStarted()));
  store.add(registerCommand(services, 'inferenceDesk.samples.open', async () => (await load()).openSamples()));
  store.add(registerCommand(services, 'inferenceDesk.takeStep', async (name) => (await load()).takeStep(name)));
  return store;
};
