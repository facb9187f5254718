import { registerCommand } from '../../platform/contributions';
import { DisposableStore } from '../../platform/disposables';
import { onceDisposable } from '../../platform/once';
import type { Feature } from '../../services/services';

/** Creates a problem report to hand to whoever is to fix the problem. */
export const diagnosisFeature: Feature = (services) => {
  const store = new DisposableStore();
  const load = onceDisposable(store, async () => (await import('./problemReports')).createProblemReports(services));
  store.add(registerCommand(services, 'inferenceDesk.reportProblem', async () => (await load()).show()));
  store.add(registerCommand(services, 'inferenceDesk.copyReport', async () => (await load()).copy()));
  return store;
};
