import { registerCommand } from '../../platform/contributions';
import { DisposableStore } from '../../platform/disposables';
import { onceDisposable } from '../../platform/once';
import type { Feature } from '../../services/services';

const acts = [
  'trigger',
  'toggle',
  'snooze',
  'resume',
  'toggleForLanguage',
  'toggleForFile',
  'chooseModel',
  'menu',
  'accepted',
] as const;

/** Inline suggestions with the user's own key. Loaded once they are turned on. Until then nothing listens to typing. */
export const ghostTextFeature: Feature = (services) => {
  const store = new DisposableStore();
  const { settings, log } = services;
  const before = settings.get('ghostText.mode');
  const load = onceDisposable(store, async () => new (await import('./ghostTextRuntime')).GhostText(services, before));
  for (const act of acts) {
    store.add(registerCommand(services, `inferenceDesk.ghostText.${act}`, async () => (await load())[act]()));
  }
  const look = () => {
    if (settings.get('ghostText.mode') !== 'off') load().catch((error: unknown) => log.error(String(error)));
  };
  store.add(settings.onDidChange((name) => name === 'ghostText.mode' && look()));
  look();
  return store;
};
