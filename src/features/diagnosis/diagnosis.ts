import { registerCommand } from '../../platform/contributions';
import { DisposableStore } from '../../platform/disposables';
import { loadOnce } from '../../platform/loadOnce';
import type { Feature } from '../../services/services';

/** What a person hands to whoever is to mend a problem. */
export const diagnosisFeature: Feature = (services) => {
  const store = new DisposableStore();
  const load = loadOnce(store, async () => (await import('./problemReports')).createProblemReports(services));
  store.add(registerCommand(services, 'inferenceDesk.reportProblem', async () => (await load()).show()));
  store.add(registerCommand(services, 'inferenceDesk.copyReport', async () => (await load()).copy()));
  return store;
};
