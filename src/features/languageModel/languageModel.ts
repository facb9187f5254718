import * as vscode from 'vscode';
import { registerCommand, restorePanels } from '../../platform/contributions';
import { DisposableStore } from '../../platform/disposables';
import { onceDisposable } from '../../platform/once';
import type { CatalogueState } from '../../services/models/modelCatalogue';
import type { Feature } from '../../services/services';
import { openAfterRestart } from './logic/restartNote';
import { vendor } from './logic/vendor';

/**
 * Provides the account's chat models to the editor's own Chat and to other extensions. Loaded once there is a model and the editor asks for
 * it.
 */
export const languageModelFeature: Feature = (services) => {
  const { models, settings, log, context } = services;
  const store = new DisposableStore();
  const changed = store.add(new vscode.EventEmitter<void>());
  const load = onceDisposable(store, async () =>
    (await import('./editorModels')).createEditorModels(services, () => changed.fire()),
  );

  store.add(
    vscode.lm.registerLanguageModelChatProvider(vendor, {
      onDidChangeLanguageModelChatInformation: changed.event,
      async provideLanguageModelChatInformation(options, token) {
        const { session, pins, defaults } = await models.ready();
        const hasNone = session !== 'signedIn' || (pins.length === 0 && defaults.chat === undefined);
        return options.silent && hasNone ? [] : (await load()).information(options, token);
      },
      provideLanguageModelChatResponse: async (...args) => (await load()).respond(...args),
      provideTokenCount: async (model, text) => (await load()).countTokens(model, text),
    }),
  );
  let subject = subjectOf(models.state);
  store.add(
    models.onDidChange((state) => {
      const before = subject;
      subject = subjectOf(state);
      if (subject !== before) changed.fire();
    }),
  );
  store.add(settings.onDidChange((name) => name === 'models.capabilities' && changed.fire()));

  const page = onceDisposable(store, async () =>
    (await import('./editorChatPage')).createEditorChatPage(services, load),
  );
  store.add(registerCommand(services, 'inferenceDesk.editorChat.open', async () => (await page()).open()));
  store.add(restorePanels('inferenceDesk.editorChat', async (panel) => (await page()).restore(panel)));
  const chat = () => import('./useInEditorChat');
  store.add(
    registerCommand(services, 'inferenceDesk.models.useInEditorChat', async () =>
      (await chat()).useInEditorChat(services, undefined),
    ),
  );
  store.add(
    registerCommand(services, 'inferenceDesk.models.useRowInEditorChat', async (row) =>
      (await chat()).useInEditorChat(services, row),
    ),
  );
  store.add(
    registerCommand(services, 'inferenceDesk.editorChat.manage', async () =>
      (await import('./manageModels')).manageModels(services, await load()),
    ),
  );
  store.add(
    registerCommand(services, 'inferenceDesk.editorChat.forgetRefusals', async () => (await load()).forgetRefusals()),
  );
  openAfterRestart(context, async (modelId) => (await chat()).goOn(modelId)).catch((error: unknown) =>
    log.warn(String(error)),
  );
  return store;
};

/** Returns a key of everything the list of models depends on. */
function subjectOf({ session, profileId, pins, defaults, fetchedAt }: CatalogueState): string {
  return JSON.stringify([session, profileId, pins, defaults.chat, fetchedAt]);
}
