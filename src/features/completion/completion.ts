import type { CommandId, Commands } from '../../platform/commands';
import { registerCommand, restorePanels } from '../../platform/contributions';
import { DisposableStore } from '../../platform/disposables';
import { once, onceDisposable } from '../../platform/once';
import type { Feature } from '../../services/services';
import type { Completing } from './completing';

/** Completes the selected text, or the text before the cursor. The page for its parameters is a tab. Loaded at first use. */
export const completionFeature: Feature = (services) => {
  const store = new DisposableStore();
  // One for the commands and the page, so that each hears of the other's changes.
  const settings = once(async () =>
    (await import('./settings/openCompletionSettings')).openCompletionSettings(services),
  );
  const load = onceDisposable(store, async () => {
    const { Completing } = await import('./completing');
    return new Completing(services, await settings());
  });
  const pages = onceDisposable(store, async () => {
    const { SettingsPages } = await import('./settings/settingsPage');
    return new SettingsPages(services, await settings());
  });
  const register = <Id extends CommandId>(id: Id, work: (completing: Completing, argument?: unknown) => unknown) => {
    const handler = async (argument?: unknown) => void (await work(await load(), argument));
    store.add(registerCommand(services, id, handler as Commands[Id]));
  };

  register('inferenceDesk.complete.insert', (completing) => completing.run('insert'));
  register('inferenceDesk.complete.replace', (completing) => completing.run('replace'));
  register('inferenceDesk.complete.beside', (completing) => completing.run('beside'));
  register('inferenceDesk.complete.stop', (completing) => completing.stop());
  register('inferenceDesk.complete.alternatives', (completing) => completing.showAlternatives());
  register('inferenceDesk.complete.goOn', (completing, result) => completing.goOn(result));
  register('inferenceDesk.complete.showFacts', (completing, result) => completing.showFacts(result));
  register('inferenceDesk.complete.hideFacts', (completing, result) => completing.hideFacts(result));
  register('inferenceDesk.complete.showTokens', ({ tokens }) => tokens.show());
  register('inferenceDesk.complete.hideTokens', ({ tokens }) => tokens.hide());
  register('inferenceDesk.complete.nextUnsure', ({ tokens }) => tokens.goToUnsure(1));
  register('inferenceDesk.complete.previousUnsure', ({ tokens }) => tokens.goToUnsure(-1));
  store.add(registerCommand(services, 'inferenceDesk.complete.settings', async () => (await pages()).open()));
  store.add(restorePanels('inferenceDesk.completionSettings', async (panel) => (await pages()).restore(panel)));
  return store;
};
