import { DisposableStore } from '../platform/disposables';
import type { Disposable } from '../platform/disposables';
import type { Feature, Services } from '../services/services';

/** Starts each feature. One that fails does not prevent the others; the failure is logged and reported to the user. */
export function startFeatures(services: Services, features: Readonly<Record<string, Feature>>): Disposable {
  const store = new DisposableStore();
  const failed: string[] = [];
  for (const [name, feature] of Object.entries(features)) {
    try {
      store.add(feature(services));
    } catch (error) {
      failed.push(name);
      services.log.error(`The feature "${name}" did not start.`, error);
    }
  }
  if (failed.length > 0) {
    import('./notStarted')
      .then(({ notStarted }) => services.report(notStarted(failed)))
      .catch((error: unknown) => services.log.error(String(error)));
  }
  return store;
}
