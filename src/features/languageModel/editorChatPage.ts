import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { fitsJob, modelsForJob } from '../../core/catalogue/jobs';
import type { CatalogueModel } from '../../core/catalogue/model';
import { hasPrices } from '../../core/profiles/knownServices';
import { numberText } from '../../platform/displayText';
import { runCommand } from '../../platform/contributions';
import { type Disposable, DisposableStore } from '../../platform/disposables';
import { describe, runAction } from '../../platform/errors/reportError';
import { panelIcon } from '../../platform/panelIcon';
import { SingleTab } from '../../platform/webview/singleTab';
import { showScreen } from '../../platform/webview/webviewHost';
import { done, type Handlers } from '../../protocol/call';
import {
  editorChatCalls,
  type EditorChatChoice,
  type EditorChatScreen,
  type EditorChatView,
} from '../../protocol/editorChat';
import { createLastModel } from '../../services/models/lastModel';
import type { CatalogueState } from '../../services/models/modelCatalogue';
import type { Services } from '../../services/services';
import { chosenModels, isPlain } from './logic/chosenModels';
import type { EditorModels } from './editorModels';
import { signedInHere, useChosenInEditorChat } from './useInEditorChat';
import { vendor } from './logic/vendor';

/** VS Code's settings for the models of titles, commit messages and summaries. Versions before 1.129 don't have them. */
const utilitySettings = ['utilityModel', 'utilitySmallModel'] as const;
/** The measured tokens of the VS Code agent's first question: instructions, tools, and open files. */
const firstQuestionTokens = 20_000;
const firstAnswerTokens = 500;

/** The page on which the user chooses models for VS Code's own Chat, and opens it. There is at most one. */
export function createEditorChatPage(services: Services, models: () => Promise<EditorModels>) {
  const tab = new SingleTab('inferenceDesk.editorChat', (panel) => new EditorChatPage(services, panel, models));
  return {
    open: async () => {
      if (await signedInHere(services)) tab.open();
    },
    restore: (panel: vscode.WebviewPanel) => tab.restore(panel),
    dispose: () => tab.dispose(),
  };
}

export class EditorChatPage implements Disposable {
  private readonly store = new DisposableStore();

  constructor(
    private readonly services: Services,
    panel: vscode.WebviewPanel,
    private readonly editorModels: () => Promise<EditorModels>,
  ) {
    const { context, log, models, report, settings } = services;
    panel.title = l10n.t('Use in VS Code Chat');
    panel.iconPath = panelIcon(context.extensionUri, 'check');
    const host = this.store.add(
      showScreen({
        screen: 'editorChat',
        title: panel.title,
        webview: panel.webview,
        extensionUri: context.extensionUri,
        handlers: this.handlers(),
        calls: editorChatCalls,
        log,
      }),
    );
    const tell = () =>
      void this.view().then(
        (view) => panel.visible && host.tell('editorChat/changed', view),
        (error: unknown) => report(error),
      );
    this.store.add(models.onDidChange(tell));
    this.store.add(settings.onDidChange((name) => name.startsWith('ghostText.') && tell()));
    this.store.add(panel.onDidChangeViewState(() => (panel.visible ? tell() : host.forgetPage())));
  }

  dispose(): void {
    this.store.dispose();
  }

  private handlers(): Handlers<EditorChatScreen> {
    const { models } = this.services;
    return {
      'editorChat/ready': async () => {
        await models.ensureFresh().catch(() => undefined);
        return this.view();
      },
      'editorChat/choose': async ({ use, model }) => {
        if (model !== '' && !models.state.models.some(({ id }) => id === model)) throw new Error('Unknown model.');
        if (use === 'chat') await this.chooseChat(model);
        else if (use === 'utility') await this.chooseUtility(model);
        else await this.chooseSuggestions(model);
        return this.view();
      },
      'editorChat/open': async () => done(this.open()),
      'editorChat/check': async () =>
        done(runCommand('inferenceDesk.models.check', { modelId: this.chat(models.state) })),
      'editorChat/showSpending': async () => done(runCommand('inferenceDesk.activity.open')),
      'editorChat/act': async ({ action }) => done(runAction(action)),
    };
  }

  private async view(): Promise<EditorChatView> {
    const { account, models } = this.services;
    const state = await models.ready();
    return {
      account: account.current.name,
      choices: await Promise.all([this.chatChoice(state), this.utilityChoice(state), this.suggestionsChoice(state)]),
      ...(state.error !== undefined && state.models.length === 0 && { error: describe(state.error) }),
    };
  }

  private async chatChoice(state: CatalogueState): Promise<EditorChatChoice> {
    const model = this.chat(state);
    return {
      use: 'chat',
      model,
      models: offered(state),
      facts: model === '' ? [] : await this.chatFacts(model),
      isOffered: true,
    };
  }

  private async chatFacts(model: string): Promise<EditorChatChoice['facts']> {
    const { account, models, usage } = this.services;
    const { capabilities } = await this.editorModels();
    const known = (await capabilities.of({ profile: models.state.profileId ?? '', model })).capabilities;
    const tokens = l10n.t('{0} tokens', numberText(known.contextTokens, vscode.env.language));
    const facts: EditorChatChoice['facts'][number][] = [
      known.tools
        ? { text: l10n.t('Tool calls'), state: 'works' }
        : { text: l10n.t("No tool calls, so the agent can't edit files"), state: 'fails' },
      ...(known.images ? [{ text: l10n.t('Images'), state: 'works' as const }] : []),
      { text: tokens },
    ];
    if (!hasPrices(account.current.baseUrl ?? '')) return facts;
    const prices = await (await usage()).readyPrices();
    const firstRequest = { model, requests: 1, inputTokens: firstQuestionTokens, outputLimit: firstAnswerTokens };
    return [
      ...facts,
      { text: l10n.t('Price of the first agent request: {0}', prices.quote([firstRequest], { purpose: 'chat' }).text) },
    ];
  }

  private async utilityChoice(state: CatalogueState): Promise<EditorChatChoice> {
    if (!hasUtilitySettings()) {
      const text = l10n.t('Update VS Code to use your own model for utility tasks.');
      return { use: 'utility', model: '', models: [], facts: [{ text }] };
    }
    const model = this.utility(state);
    const facts = [{ text: l10n.t('Small, fast models suit titles and commit messages.') }];
    return { use: 'utility', model, models: offered(state), facts, isOffered: true };
  }

  private async suggestionsChoice(state: CatalogueState): Promise<EditorChatChoice> {
    const { settings } = this.services;
    const models = modelsForJob('completion', state.models, state.pins).map(toOption);
    const isOn = settings.get('ghostText.mode') !== 'off';
    const chosen = [settings.get('ghostText.model'), this.ownSuggestions().get() ?? ''].find((id) =>
      models.some((one) => one.id === id),
    );
    const text = l10n.t("VS Code can't use your key for inline suggestions, so Inference Desk provides them.");
    return {
      use: 'suggestions',
      model: isOn ? (chosen ?? models[0]?.id ?? '') : '',
      models: [{ id: '', label: l10n.t('Off') }, ...models],
      facts: [{ text }],
      isOffered: true,
    };
  }

  /** Returns the model that the Chat opens with: the chosen one, or one that suits an agent. */
  private chat(state: CatalogueState): string {
    const [chosen] = chosenModels(state);
    if (chosen) return chosen.id;
    const models = chatModels(state);
    const suited =
      models.find(({ id, tools }) => /coder|code/i.test(id) && tools !== false) ??
      models.find(({ tools }) => tools === true);
    return (suited ?? models[0])?.id ?? '';
  }

  private utility(state: CatalogueState): string {
    const set = vscode.workspace.getConfiguration('chat').get<string>('utilitySmallModel', '');
    const id = set.startsWith(`${vendor}/`) ? set.slice(vendor.length + 1) : '';
    const models = chatModels(state);
    if (models.some((model) => model.id === id)) return id;
    return (
      (models.find((model) => isSmall(model.id)) ?? models.find((model) => model.id === this.chat(state)))?.id ?? ''
    );
  }

  private async chooseChat(model: string): Promise<void> {
    const { models } = this.services;
    if (model === '') return;
    await models.setPinned(model, true);
    await models.setDefault('chat', model);
  }

  /** VS Code offers a model for utility tasks only while it is in its list, so it is pinned. */
  private async chooseUtility(model: string): Promise<void> {
    const { models } = this.services;
    if (!hasUtilitySettings() || model === '') return;
    if (!chosenModels(models.state).some(({ id }) => id === model)) await models.setPinned(model, true);
    const configuration = vscode.workspace.getConfiguration('chat');
    for (const name of utilitySettings)
      await configuration.update(name, `${vendor}/${model}`, vscode.ConfigurationTarget.Global);
  }

  private async chooseSuggestions(model: string): Promise<void> {
    const { settings } = this.services;
    if (model === '') return settings.set('ghostText.mode', 'off');
    await this.ownSuggestions().set(model);
    if (settings.get('ghostText.model') !== '') await settings.set('ghostText.model', model);
    if (settings.get('ghostText.mode') === 'off') await settings.set('ghostText.mode', 'automatic');
  }

  private async open(): Promise<void> {
    const { models } = this.services;
    const model = this.chat(models.state);
    if (model === '') return;
    await this.chooseChat(model);
    await this.chooseUtility(this.utility(models.state));
    await useChosenInEditorChat(this.services, model);
  }

  private ownSuggestions() {
    const { account, context } = this.services;
    return createLastModel(context.globalState, 'ghostText.model', account);
  }
}

function chatModels(state: CatalogueState): readonly CatalogueModel[] {
  return modelsForJob('chat', state.models, state.pins).filter((model) => isPlain(model.id) && fitsJob(model, 'chat'));
}

function offered(state: CatalogueState): EditorChatChoice['models'] {
  return chatModels(state).map(toOption);
}

function toOption({ id }: CatalogueModel): { readonly id: string; readonly label: string } {
  return { id, label: id };
}

/** Whether a model is small by its name: up to 14 billion parameters, or a name that services give to small models. */
function isSmall(id: string): boolean {
  return /(?:^|[-_/])(?:[1-9]|1[0-4])b(?:[-_:]|$)|mini|flash|small|lite|haiku|nano/i.test(id);
}

function hasUtilitySettings(): boolean {
  return vscode.workspace.getConfiguration('chat').inspect('utilitySmallModel')?.defaultValue !== undefined;
}
