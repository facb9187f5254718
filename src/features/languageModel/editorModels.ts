import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { env } from 'vscode';
import type { LanguageModelChatInformation } from 'vscode';
import { countMessageTokens } from '../../core/tokens/countTokens';
import { estimateTokens } from '../../core/tokens/estimate';
import { DisposableStore } from '../../platform/disposables';
import type { Disposable } from '../../platform/disposables';
import type { Services } from '../../services/services';
import { Answering } from './answering';
import type { EditorAsks } from './answering';
import { createCapabilityMemory } from './capabilityMemory';
import type { CapabilityMemory, KnownModel } from './capabilityMemory';
import { chosenModels } from './logic/chosenModels';
import { toMessageParams } from './editorMessages';
import type { EditorMessage } from './editorMessages';
import { showMessage } from '../../platform/notify';
import { nameOf } from '../../core/catalogue/model';
import type { CatalogueModel } from '../../core/catalogue/model';
import { mostPromptTokens } from '../../core/editorChat/chatRequest';
import { foreign } from '../../core/text/foreignText';
import { numberText } from '../../platform/displayText';
import { listText } from '../../protocol/formats';
import { forgetMessageLimits } from '../../services/parameters/messageLimit';

/** Provides the account's chat models to the editor. */
export interface EditorModels extends Disposable {
  readonly capabilities: CapabilityMemory;
  /** Returns the models the user chose. Unless `silent`, asks a user who is not signed in to sign in. */
  information(
    options: { readonly silent: boolean },
    token: vscode.CancellationToken,
  ): Promise<vscode.LanguageModelChatInformation[]>;
  /** Throws `LanguageModelError` with a message for the user. */
  respond(...args: EditorAsks): Promise<void>;
  /** Counts the tokens of a text or message for `model`, including the model's own thinking. */
  countTokens(model: EditorAsks[0], text: string | EditorMessage): number;
  forgetRefusals(): Promise<void>;
}

/** `onOutdated` is called when the information the editor has about the models is outdated. */
export function createEditorModels(services: Services, onOutdated: () => void): EditorModels {
  const { account, models, settings, log, usage } = services;
  const store = new DisposableStore();
  const capabilities = createCapabilityMemory(services);
  const answering = new Answering(services, capabilities, onOutdated);
  store.add(
    settings.onDidChange((name) => {
      if (name === 'prices') onOutdated();
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
      const { id: profile, name: profileName } = account.current;
      const prices = await (await usage()).readyPrices();
      return Promise.all(
        chosenModels(models.state).map(async (model) =>
          toInformation(model, await capabilities.of({ profile, model: model.id }), {
            profileName,
            price: prices.perMillion(model.id, profile),
          }),
        ),
      );
    },
    respond: (...args) => answering.respond(...args),
    countTokens: ({ id }, text) =>
      typeof text === 'string'
        ? estimateTokens(text)
        : toMessageParams([text], id).reduce((sum, message) => sum + countMessageTokens(message.content), 0),
    async forgetRefusals() {
      const models = await capabilities.forgetAll();
      if (models > 0) onOutdated();
      const count = models + (await forgetMessageLimits(services));
      void showMessage(
        'information',
        count === 0 ? l10n.t('No learned limits.') : l10n.t('Learned limits have been reset.'),
      );
    },
    dispose: () => store.dispose(),
  };
}

/** A property that VS Code versions newer than the typings read: the user's own key pays, so no VS Code plan is required. */
type OwnKeyInformation = LanguageModelChatInformation & { readonly isBYOK: true };

/**
 * Returns how VS Code shows a model, whose ID must be plain, and what it can send to it. Omits edit hints, because VS Code rejects them.
 */
function toInformation(
  model: CatalogueModel,
  known: KnownModel,
  { profileName, price }: { readonly profileName: string; readonly price: string | undefined },
): OwnKeyInformation {
  const { name, tier } = nameOf(model.id, model.ownedBy);
  const { tools, images, outputTokens } = known.capabilities;
  return {
    id: model.id,
    name: tier === undefined ? name : `${name} (${tier})`,
    family: name,
    version: '1',
    detail: foreign(profileName),
    tooltip: tooltipOf(model.id, known, price),
    maxInputTokens: mostPromptTokens(known.capabilities),
    maxOutputTokens: outputTokens,
    capabilities: { toolCalling: tools, imageInput: images },
    isBYOK: true,
  };
}

function tooltipOf(id: string, { capabilities, learned, setting }: KnownModel, price: string | undefined): string {
  const { tools, images, thinking, contextTokens, outputTokens } = capabilities;
  const number = (count: number) => numberText(count, env.language);
  const limits = learnedWords(learned);
  return [
    l10n.t('{0}, with your own key', id),
    ...(price === undefined ? [] : [price]),
    tools ? l10n.t('Supports tools') : l10n.t("Doesn't support tools, so agents can't use it"),
    images ? l10n.t('Supports images') : l10n.t("Doesn't support images"),
    ...(thinking === 'never'
      ? []
      : [thinking === 'always' ? l10n.t('Always reasons first') : l10n.t('Supports reasoning')]),
    l10n.t('{0} tokens, {1} of them for the response', number(contextTokens), number(outputTokens)),
    ...(limits.length === 0 ? [] : [l10n.t('Learned from rejected requests: {0}', listText(limits, env.language))]),
    ...(Object.keys(setting).length === 0 ? [] : [l10n.t("Your settings override the model's defaults")]),
  ].join(' · ');
}

/** Describes in a few words each what the model was seen not to accept. */
export function learnedWords({ tools, images, contextTokens, outputTokens }: KnownModel['learned']): readonly string[] {
  return [
    tools === false ? l10n.t('no tools') : undefined,
    images === false ? l10n.t('no images') : undefined,
    contextTokens === undefined ? undefined : l10n.t('{0} tokens in total', numberText(contextTokens, env.language)),
    outputTokens === undefined
      ? undefined
      : l10n.t('responses up to {0} tokens', numberText(outputTokens, env.language)),
  ].filter((words) => words !== undefined);
}
