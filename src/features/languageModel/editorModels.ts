import * as vscode from 'vscode';
import { countMessageTokens } from '../../core/tokens/countTokens';
import { estimateTokens } from '../../core/tokens/estimate';
import { DisposableStore } from '../../platform/disposables';
import type { Disposable } from '../../platform/disposables';
import type { Services } from '../../services/services';
import { createAnswering } from './answering';
import type { EditorAsks } from './answering';
import { createCapabilityMemory } from './capabilityMemory';
import type { CapabilityMemory } from './capabilityMemory';
import { chosenModels } from './chosenModels';
import { toMessageParams } from './editorMessages';
import type { EditorMessage } from './editorMessages';
import { toInformation } from './modelInformation';
import { showMessage } from '../../platform/notify';

/** Provides the account's chat models to the editor. */
export interface EditorModels extends Disposable {
  readonly capabilities: CapabilityMemory;
  /** Returns the models the person chose. Unless `silent`, asks a person who is not signed in to sign in. */
  information(
    options: { readonly silent: boolean },
    token: vscode.CancellationToken,
  ): Promise<vscode.LanguageModelChatInformation[]>;
  /** Throws `LanguageModelError` with a message for the person. */
  respond(...asked: EditorAsks): Promise<void>;
  /** Counts the tokens of a text or message for `model`, including the model's own thinking. */
  countTokens(model: EditorAsks[0], text: string | EditorMessage): number;
  forgetRefusals(): Promise<void>;
}

/** `onNews` is called when the information the editor has about the models is outdated. */
export function createEditorModels(services: Services, onOutdated: () => void): EditorModels {
  const { models, profiles, settings, log } = services;
  const store = new DisposableStore();
  const capabilities = createCapabilityMemory(services);
  const answering = createAnswering({
    services,
    capabilities,
    onOutdated,
  });
  store.add(
    settings.onDidChange((name) => {
      if (name !== 'models.capabilities') return;
      capabilities.forgetOverruled().catch((error: unknown) => log.warn(String(error)));
    }),
  );

  return {
    capabilities,
    async information({ silent }, token) {
      const state = await models.ready();
      if (state.session !== 'signedIn') {
        if (silent || token.isCancellationRequested) return [];
        const signedIn = await vscode.commands.executeCommand<boolean>('inferenceDesk.signIn');
        if (!signedIn || token.isCancellationRequested) return [];
        await models.ensureFresh();
      }
      const { id: profile = '', name: profileName = '' } = profiles.active ?? {};
      return Promise.all(
        chosenModels(models.state).map(async (model) =>
          toInformation(model, await capabilities.of({ profile, model: model.id }), profileName),
        ),
      );
    },
    respond: (...asked) => answering(...asked),
    countTokens: ({ id }, text) =>
      typeof text === 'string'
        ? estimateTokens(text)
        : toMessageParams([text], id).reduce((sum, message) => sum + countMessageTokens(message), 0),
    async forgetRefusals() {
      const count = await capabilities.forgetAll();
      if (count > 0) onOutdated();
      void showMessage(
        'information',
        count === 0
          ? vscode.l10n.t('No model was seen to refuse anything.')
          : vscode.l10n.t('Forgotten. The models are asked for tools, pictures and long answers again.'),
      );
    },
    dispose: () => store.dispose(),
  };
}
