import { registerCommand, restorePanels } from '../../../platform/contributions';
import { DisposableStore } from '../../../platform/disposables';
import { onceDisposable } from '../../../platform/once';
import type { Feature } from '../../../services/services';

/** The page for completion parameters. Loaded when first opened. */
export const completionSettingsFeature: Feature = (services) => {
  const store = new DisposableStore();
  const load = onceDisposable(store, async () => {
    const [{ SettingsPages }, { openCompletionSettings }] = await Promise.all([
      import('./settingsPage'),
      import('./openCompletionSettings'),
    ]);
    return new SettingsPages(services, await openCompletionSettings(services));
  });
  store.add(registerCommand(services, 'inferenceDesk.complete.settings', async () => (await load()).open()));
  store.add(restorePanels('inferenceDesk.completionSettings', async (panel) => (await load()).restore(panel)));
  return store;
};
