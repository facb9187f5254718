import { registerCommand, restorePanels } from '../../platform/contributions';
import { DisposableStore } from '../../platform/disposables';
import { onceDisposable } from '../../platform/once';
import type { Feature } from '../../services/services';

/** The page that reviews a recording and uploads it as a voice style. Loaded when first opened. */
export const voiceUploadFeature: Feature = (services) => {
  const store = new DisposableStore();
  const load = onceDisposable(store, async () => new (await import('./uploadPanels')).UploadPanels(services));
  store.add(registerCommand(services, 'inferenceDesk.voices.upload', async (file) => (await load()).open(file)));
  store.add(restorePanels('inferenceDesk.voiceUpload', async (panel, state) => (await load()).restore(panel, state)));
  return store;
};
