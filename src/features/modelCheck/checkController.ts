import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { createLearnedStore } from '../../core/api/learned';
import type { Exchange } from '../../core/api/exchange';
import { settingFor } from '../../core/capabilities/capabilities';
import { familyOf } from '../../core/capabilities/modelFamilies';
import { fitsJob } from '../../core/catalogue/jobs';
import type { CatalogueModel } from '../../core/catalogue/model';
import type { CheckId, Findings, ModelToCheck } from '../../core/modelCheck/checkRun';
import { checkModel } from '../../core/modelCheck/modelCheck';
import { hasPrices, isDemo, knownServiceOf, knownServices } from '../../core/profiles/knownServices';
import { foreign } from '../../core/text/foreignText';
import { AgreedCheck } from '../../platform/commands';
import { runCommand } from '../../platform/contributions';
import { DisposableStore, type Disposable } from '../../platform/disposables';
import { ownSteps } from '../../platform/errors/errorActions';
import { describe, runAction } from '../../platform/errors/reportError';
import { UserError } from '../../platform/errors/userError';
import { setStatusBarMessage, showQuickPick } from '../../platform/notify';
import { panelIcon } from '../../platform/panelIcon';
import { ScreenTabs, type ScreenTab } from '../../platform/webview/screenTabs';
import { showScreen, type ScreenHost } from '../../platform/webview/webviewHost';
import { done, type Handlers } from '../../protocol/call';
import { modelCheckCalls, type ModelCheckScreen, type ModelCheckView } from '../../protocol/modelCheck';
import type { Profile } from '../../services/account/account';
import type { Services } from '../../services/services';
import { editCapabilities } from './editCapabilities';
import type { CostText } from '../../protocol/wire';
import { checkRequests, costFacts, optionsOf, outcomeFacts, reportText, rowGroups } from './checkWords';

/** A model of an account. */
interface Target {
  readonly profileId: string;
  readonly model: string;
  readonly kind: ModelToCheck['kind'];
}

/** The open pages, at most one per model of an account. */
export interface CheckPages extends Disposable {
  /** Accepts the command's argument. Starts immediately if the check is free or confirmed. */
  open(argument: unknown): Promise<void>;
  /** Takes what the command for editing takes. */
  edit(argument: unknown): Promise<void>;
  /** Restores a page after a reload of the window. Sends nothing. */
  restore(panel: vscode.WebviewPanel, state: unknown): void;
}

export function createCheckPages(services: Services): CheckPages {
  const tabs = new ScreenTabs<CheckController>(services.context.workspaceState, 'modelCheck.pages');
  const keyOf = ({ profileId, model }: Target) => `${profileId} ${model}`;
  const show = (tab: ScreenTab, target: Target, profile: Profile) =>
    tabs.add(keyOf(target), new CheckController(services, tab, target, profile));
  return {
    async open(argument) {
      const target = await chooseTarget(services, argument);
      const profile = target && services.profiles.get(target.profileId);
      if (!target || !profile) return;
      const known = tabs.get(keyOf(target));
      if (known) {
        known.tab.panel.reveal();
        if (argument instanceof AgreedCheck) known.start();
        return;
      }
      const tab = tabs.newTab(
        vscode.window.createWebviewPanel('inferenceDesk.modelCheck', '', vscode.ViewColumn.Active),
      );
      const page = show(tab, target, profile);
      await tabs.store(tab.id, target);
      if (argument instanceof AgreedCheck || !hasPrices(profile.baseUrl)) page.start();
    },
    async edit(argument) {
      const { account, models } = services;
      const named = isRecord(argument) ? argument['profileId'] : undefined;
      const profileId = typeof named === 'string' ? named : account.current.profile?.id;
      if (profileId === undefined) {
        await runCommand('inferenceDesk.signIn');
        return;
      }
      const model =
        modelIdOf(argument) ?? (await pickModel((await models.listed()).models, l10n.t('Edit Capabilities')));
      if (model !== undefined) await editCapabilities(services, { profileId, model });
    },
    restore(panel, state) {
      const tab = tabs.restored(panel, state, 'pageId');
      const target = tab && readTarget(tabs.stored(tab.id));
      const profile = target && services.profiles.get(target.profileId);
      if (!tab || !target || !profile || tabs.get(keyOf(target))) panel.dispose();
      else show(tab, target, profile);
    },
    dispose: () => tabs.dispose(),
  };
}

function readTarget(value: unknown): Target | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { profileId, model, kind } = value as Readonly<Record<string, unknown>>;
  if (typeof profileId !== 'string' || typeof model !== 'string') return undefined;
  return { profileId, model, kind: kind === 'rerank' ? 'rerank' : 'chat' };
}

/** Throws `UserError` if there is no model that can be checked. */
async function chooseTarget({ account, models }: Services, argument: unknown): Promise<Target | undefined> {
  const { models: listed } = await models.listed();
  const profileId = account.current.profile?.id;
  if (profileId === undefined) {
    await runCommand('inferenceDesk.signIn');
    return undefined;
  }
  const offered = listed.filter((model) => fitsJob(model, 'chat') || fitsJob(model, 'rerank'));
  const named = modelIdOf(argument) ?? (await pickModel(offered, l10n.t('Check Model')));
  if (named === undefined) return undefined;
  const model = listed.find(({ id }) => id === named);
  if (model && !offered.includes(model))
    throw new UserError(l10n.t("Couldn't check {0}", foreign(named)), l10n.t('Choose a chat model or reranker.'));
  return { profileId, model: named, kind: model && !fitsJob(model, 'chat') ? 'rerank' : 'chat' };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function modelIdOf(argument: unknown): string | undefined {
  if (typeof argument === 'string' && argument !== '') return argument;
  if (!isRecord(argument)) return undefined;
  return typeof argument['modelId'] === 'string' ? argument['modelId'] : undefined;
}

async function pickModel(models: readonly CatalogueModel[], title: string): Promise<string | undefined> {
  if (models.length === 0)
    throw new UserError(l10n.t('No chat models or rerankers to check'), l10n.t('Choose a chat model or reranker.'));
  const chosen = await showQuickPick(
    models.map(({ id }) => ({ label: id })),
    { title, placeHolder: l10n.t('Select a model') },
  );
  return chosen?.label;
}

/** The features of a model, in a tab. Must be disposed when the tab is closed, which stops a check. */
class CheckController implements Disposable {
  private readonly store = new DisposableStore();
  private readonly host: ScreenHost<'modelCheck'>;
  private running: AbortController | undefined;
  private findings: Findings = {};
  private facts: readonly string[];
  private price: CostText | undefined;
  private stage: ModelCheckView['stage'] = 'ready';
  private error: ModelCheckView['error'];
  /** The ID of the known service, once its URL or a response identifies it. */
  private service: string | undefined;

  constructor(
    private readonly services: Services,
    readonly tab: ScreenTab,
    private readonly target: Target,
    private readonly profile: Profile,
  ) {
    const { panel } = tab;
    this.service = knownServiceOf(profile.baseUrl)?.id;
    this.facts = costFacts(target.kind, this.isFree);
    void this.readPrice().catch(services.report);
    panel.iconPath = panelIcon(services.context.extensionUri, 'check');
    panel.title = l10n.t('Check Model: {0}', foreign(target.model));
    this.host = this.store.add(
      showScreen({
        screen: 'modelCheck',
        title: l10n.t('Check Model'),
        webview: panel.webview,
        extensionUri: services.context.extensionUri,
        handlers: this.handlers(),
        calls: modelCheckCalls,
        log: services.log,
      }),
    );
    this.store.add(panel.onDidChangeViewState(() => !panel.visible && this.host.forgetPage()));
    this.store.add({ dispose: () => this.running?.abort() });
  }

  /** Starts a check unless one is running. */
  start(): void {
    if (this.running) return;
    this.running = new AbortController();
    const working = this.services.activity.start(l10n.t('Checking {0}', foreign(this.target.model)));
    void this.check(this.running.signal)
      .catch((error: unknown) => this.fail(error))
      .finally(() => {
        working.dispose();
        this.running = undefined;
      });
  }

  dispose(): void {
    this.store.dispose();
  }

  private async readPrice(): Promise<void> {
    const { kind, model } = this.target;
    const book = await (await this.services.usage()).readyPrices();
    const { text, hint } = book.quote(checkRequests(kind, model), { profileId: this.profile.id });
    // Its prices are simulated, and it lists none.
    this.price = { text: isDemo(this.profile.baseUrl) ? l10n.t('free') : text, hint };
    if (Object.keys(this.findings).length > 0 || this.running) return;
    this.facts = costFacts(kind, this.isFree, this.price);
    this.show();
  }

  private get isFree(): boolean {
    return !hasPrices(this.profile.baseUrl);
  }

  private handlers(): Handlers<ModelCheckScreen> {
    const { target } = this;
    const copy = async (text: string | undefined) => {
      if (text === undefined) return;
      await vscode.env.clipboard.writeText(text);
      setStatusBarMessage(l10n.t('Copied.'), 3000);
    };
    return {
      'modelCheck/ready': async () => this.view(),
      'modelCheck/check': async () => done(this.start()),
      'modelCheck/stop': async () => done(this.running?.abort()),
      'modelCheck/showRequest': async ({ id }) => {
        const exchangeId = this.findings[id as CheckId]?.exchangeId;
        return done(exchangeId === undefined ? undefined : runCommand('inferenceDesk.showExchange', exchangeId));
      },
      'modelCheck/copyOption': async ({ id }) => done(copy(this.findings[id as CheckId]?.option)),
      'modelCheck/copyOptions': async () => done(copy(optionsOf(this.findings, this.service)?.line)),
      'modelCheck/copyReport': async () => done(copy(this.report())),
      'modelCheck/act': async ({ action }) => done(runAction(action)),
      'modelCheck/edit': async () =>
        done(
          runCommand('inferenceDesk.models.editCapabilities', { profileId: target.profileId, modelId: target.model }),
        ),
    };
  }

  private async check(signal: AbortSignal): Promise<void> {
    const { connections, models, settings } = this.services;
    const { model, kind } = this.target;
    this.findings = {};
    this.error = undefined;
    this.stage = 'checking';
    this.facts = costFacts(kind, this.isFree, this.price);
    this.show();
    const stored = await connections.learned(this.profile);
    // Earlier learned limits must not keep anything from being tried again.
    const learned = createLearnedStore(stored.service === undefined ? {} : { service: stored.service });
    const exchanges: Exchange[] = [];
    const client = await connections.observed(this.profile, learned, (exchange) => exchanges.push(exchange));
    try {
      const outcome = await checkModel(
        {
          client,
          exchanges: () => exchanges,
          learned,
          model,
          kind,
          service: this.service,
          known: { ...familyOf(model), ...settingFor(model, settings.get('models.capabilities')) },
          language: vscode.env.language,
          now: Date.now,
        },
        (findings) => {
          this.findings = findings;
          this.show();
        },
        signal,
      );
      if (learned.service !== undefined) stored.identify(learned.service);
      this.service = learned.service ?? this.service;
      stored.learn(model, learned.of(model));
      models.noteChecked();
      this.stage = 'done';
      this.error = outcome.error && describe(outcome.error);
      this.facts = outcomeFacts(outcome, Date.now(), this.isFree || isDemo(this.profile.baseUrl));
      this.show();
    } finally {
      await client.close();
    }
  }

  private fail(error: unknown): void {
    const described = describe(error);
    this.stage = Object.keys(this.findings).length > 0 ? 'done' : 'ready';
    const isStopped = this.running?.signal.aborted === true;
    this.error = isStopped ? undefined : described;
    if (!isStopped && described.kind === 'unexpected')
      this.services.log.error(error instanceof Error ? error : String(error));
    this.show();
  }

  private view(): ModelCheckView {
    const { tab, target, stage, findings, facts, error, service } = this;
    const options = stage === 'done' ? optionsOf(findings, service) : undefined;
    return {
      pageId: tab.id,
      model: foreign(target.model),
      place: l10n.t('{0} at {1}', this.serviceName(), new URL(this.profile.baseUrl).host),
      stage,
      groups: rowGroups(target.kind, findings),
      // The column of a user's own server is there from the start. Other services seldom identify themselves as such a server.
      takesOptions: this.isFree || Object.values(findings).some(({ option }) => option !== undefined),
      facts,
      ...(options && { options }),
      ...(error && { error: { title: error.title, detail: error.detail, actions: ownSteps(error.actions) } }),
    };
  }

  private serviceName(): string {
    return knownServices.find(({ id }) => id === this.service)?.name ?? foreign(this.profile.name);
  }

  private report(): string {
    const { host, hostname } = new URL(this.profile.baseUrl);
    const version = String((this.services.context.extension.packageJSON as { readonly version?: unknown }).version);
    const name = knownServices.find(({ id }) => id === this.service)?.name ?? l10n.t('Unknown service');
    return reportText(this.view(), name, version, [host, hostname]);
  }

  private show(): void {
    this.host.tell('modelCheck/changed', this.view());
  }
}
