import * as l10n from '@vscode/l10n';
import path from 'node:path';
import { missingEndpoint } from '../../core/api/errors';
import { foreign } from '../../core/text/foreignText';
import * as vscode from 'vscode';
import { modelsForJob } from '../../core/catalogue/jobs';
import { nameOf } from '../../core/catalogue/model';
import { showMessage } from '../../platform/notify';
import { titled } from '../../protocol/sentences';
import type { CatalogueState } from '../../services/models/modelCatalogue';
import { rulesOf } from '../../core/profiles/vendorRules';
import type { BatchRules } from '../../core/batch/services/batchRules';
import type { PriceBook } from '../../services/usage/prices';
import { lastCosts } from '../../services/usage/costMessages';
import { runCommand } from '../../platform/contributions';
import { DisposableStore, type Disposable } from '../../platform/disposables';
import { panelIcon } from '../../platform/panelIcon';
import { runAction, describe } from '../../platform/errors/reportError';
import { ScreenTabs, type ScreenTab } from '../../platform/webview/screenTabs';
import { showScreen, type ScreenHost } from '../../platform/webview/webviewHost';
import { submitCalls, type BatchSubmitScreen, type SubmitModel, type SubmitView } from '../../protocol/batchSubmit';
import { done, type Handlers } from '../../protocol/call';
import type { Services } from '../../services/services';
import { canSubmitAgain, outcomeOf, progressOf } from './outcomeWords';
import { PageMemory, submitBoundsOf, SubmitSession } from './submitSession';
import { chooseSources, keyOf, sourceSchema, type SubmitSource } from './submitSource';
import { checkView, factsOf, placeText, retryText, sourceName } from './viewWords';
import { lacksBatches } from '../../services/batches/batches';
import { stampOf } from '../../services/batchFiles/checkFiles';
import { UserError } from '../../platform/errors/userError';
import { Uri } from 'vscode';

/** The open pages. A file has at most one that it can be submitted from, and one for each batch that was submitted from it. */
export interface SubmitPages extends Disposable {
  /**
   * Opens a page for each file passed. Reveals an open one instead, unless its batch has ended: a new page then replaces it, because
   * the file cannot be submitted again from there.
   */
  open(file: unknown, files: unknown): Promise<void>;
  /** Restores a page after a reload of the window. */
  restore(panel: vscode.WebviewPanel, state: unknown): void;
}

export function createSubmitPages(services: Services): SubmitPages {
  const tabs = new ScreenTabs<SubmitController>(services.context.workspaceState, 'batchSubmit.pages');
  const pagesOf = (source: SubmitSource) => [...tabs.all].filter((page) => keyOf(page.source) === keyOf(source));
  const show = (tab: ScreenTab, memory: PageMemory) => {
    tabs.add(tab.id, new SubmitController(services, tab, memory, () => openNew(memory.source)));
  };
  /** Opens or reveals a page that the source can be submitted from. */
  const openNew = async (source: SubmitSource): Promise<void> => {
    const pages = pagesOf(source);
    const free = pages.find(({ stage }) => stage === 'review');
    if (free) return free.tab.panel.reveal();
    const ended = pages.filter(({ stage }) => stage === 'ended');
    const column = ended.at(-1)?.tab.panel.viewColumn ?? vscode.ViewColumn.Active;
    const tab = tabs.newTab(vscode.window.createWebviewPanel('inferenceDesk.batchSubmit', '', column));
    const memory = new PageMemory(tabs, tab.id, source);
    // Nothing is awaited before this, so a second command reveals this page.
    show(tab, memory);
    for (const page of ended) page.tab.panel.dispose();
    await memory.write();
  };
  return {
    async open(file, files) {
      refuseUntrusted();
      const sources = await chooseSources(file, files, services.account.current.profile?.id);
      const [first] = sources ?? [];
      if (first && lacksBatches(services.account.current)) return offerLocalRun(first);
      for (const source of sources ?? []) {
        const pages = pagesOf(source);
        const known = pages.find(({ stage }) => stage === 'review') ?? pages.find(({ stage }) => stage === 'underWay');
        if (known) known.tab.panel.reveal();
        else await openNew(source);
      }
    },
    restore(panel, state) {
      const tab = tabs.restored(panel, state, 'submitId');
      const read = sourceSchema.safeParse(tab && (tabs.stored(tab.id) as { readonly source?: unknown } | null)?.source);
      const source = read.success ? (read.data as SubmitSource) : undefined;
      const memory = tab && source && new PageMemory(tabs, tab.id, source);
      // A page that was opened by the command before this tab was looked at takes the place of it.
      if (!tab || !memory || (!memory.isSubmitted && pagesOf(memory.source).length > 0)) panel.dispose();
      else show(tab, memory);
    },
    dispose: () => tabs.dispose(),
  };
}

/** The contents of an untrusted folder stay on the machine. */
function refuseUntrusted(): void {
  if (vscode.workspace.isTrusted) return;
  throw new UserError(l10n.t("This workspace isn't trusted"), l10n.t('Trust this workspace first.'));
}

/** The review of a batch in a tab. Must be disposed when the tab is closed. */
export class SubmitController implements Disposable {
  private readonly store = new DisposableStore();
  private readonly session: SubmitSession;
  private readonly host: ScreenHost<'batchSubmit'>;
  private readonly title: string;
  /** Whether the user is being asked whether to create the batch twice. */
  private isConfirming = false;
  /** Absent until the page is ready. */
  private prices: PriceBook | undefined;

  constructor(
    private readonly services: Services,
    readonly tab: ScreenTab,
    memory: PageMemory,
    private readonly submitAgain: () => Promise<void>,
  ) {
    const { store } = this;
    const { panel } = tab;
    const session = (this.session = store.add(new SubmitSession(services, memory)));
    panel.iconPath = panelIcon(services.context.extensionUri, 'submit');
    this.title = session.retry?.of
      ? l10n.t('Retry {0}', foreign(session.retry.of.name))
      : l10n.t('Submit {0}', foreign(sourceName(session.source)));
    panel.title = this.title;
    this.host = store.add(
      showScreen({
        screen: 'batchSubmit',
        title: this.title,
        webview: panel.webview,
        extensionUri: services.context.extensionUri,
        handlers: this.handlers(),
        calls: submitCalls,
        log: services.log,
      }),
    );
    store.add(panel.onDidChangeViewState(() => !panel.visible && this.host.forgetPage()));
    store.add(session.onDidChange(() => this.confirm(this.isConfirming)));
    void session.begin().catch((error: unknown) => services.log.error('A page could not be filled.', error));
  }

  get source(): SubmitSource {
    return this.session.source;
  }

  /** `review`: the source can be submitted. `underWay`: a batch is being submitted, may exist, or runs. */
  get stage(): 'review' | 'underWay' | 'ended' {
    const { sending } = this.session;
    if (sending.isFree) return 'review';
    return sending.state.kind === 'job' && canSubmitAgain(sending.state.job) && sending.state.job.stage === 'ended'
      ? 'ended'
      : 'underWay';
  }

  dispose(): void {
    this.store.dispose();
  }

  private handlers(): Handlers<BatchSubmitScreen> {
    const { session, tab } = this;
    return {
      'submit/ready': async () => {
        this.prices = await (await this.services.usage()).readyPrices();
        return this.view();
      },
      'submit/models': async () => ({
        models: offeredModels(rulesOf(session.profile?.baseUrl).batch, await this.services.models.listed()),
      }),
      async 'submit/check'() {
        void session.check();
        return {};
      },
      'submit/stopCheck': async () => done(session.reading?.stop()),
      'submit/save': async () => done(session.save()),
      'submit/report': async () => done(session.report()),
      'submit/goTo': async ({ line }) =>
        done(session.source.kind === 'disk' ? goToLine(session.source.path, line, tab.panel.viewColumn) : undefined),
      'submit/send': async (request) => done(session.send(request)),
      'submit/stop': async () => done(session.sending.stop()),
      'submit/act': async ({ id }) => done(this.act(id)),
    };
  }

  private confirm(isConfirming: boolean): void {
    const { state } = this.session.sending;
    this.isConfirming = isConfirming && state.kind === 'job' && state.job.stage === 'unknown';
    this.host.tell('submit/changed', this.view());
  }

  /** Unknown ids do nothing, because the page is not trusted. */
  private async act(id: string): Promise<void> {
    const { source, sending } = this.session;
    const job = sending.state.kind === 'job' ? sending.state.job : undefined;
    switch (id) {
      case 'lookNow':
        return sending.lookNow();
      case 'askCreateAgain':
        return this.confirm(true);
      case 'keepLooking':
        return this.confirm(false);
      case 'createAgain':
        return sending.createAgain();
      case 'runNow':
      case 'runLocally':
        return source.kind === 'disk'
          ? runCommand('inferenceDesk.batchFile.runLocally', vscode.Uri.file(source.path))
          : undefined;
      case 'split':
        return source.kind === 'disk'
          ? runCommand('inferenceDesk.batchFile.split', vscode.Uri.file(source.path))
          : undefined;
      case 'showBatches':
        await vscode.commands.executeCommand('inferenceDesk.batches.focus');
        return undefined;
      case 'copyId':
        return job?.batch && vscode.env.clipboard.writeText(job.batch.id);
      case 'submitAgain':
        return job && canSubmitAgain(job) ? this.submitAgain() : undefined;
      case 'openResults':
        if (!job) return undefined;
        await runCommand('inferenceDesk.batches.openResults', job.id);
        // Nothing is left to do on it, and after a reload of the window it would be mistaken for a page to submit the file from.
        return job.stage === 'ended' ? this.tab.panel.dispose() : undefined;
      default:
        await runAction(id);
        return undefined;
    }
  }

  private view(): SubmitView {
    const { source, reading, watch, uploads, sending, profile, retry } = this.session;
    const { account, costs } = this.services;
    const of = retry?.of;
    const state = reading?.state;
    const check = state?.kind === 'done' ? state.check : undefined;
    const progress = progressOf(sending.state);
    const outcome = outcomeOf(sending.state, this.isConfirming, costs);
    const isActive = profile !== undefined && profile.id === account.current.id;
    const name = of?.name ?? sourceName(source);
    return {
      submitId: this.tab.id,
      bounds: submitBoundsOf(rulesOf(profile?.baseUrl).batch),
      name,
      heading: this.title,
      place: of ? retryText(of.input) : placeText(source),
      facts: factsOf({
        source,
        state,
        profile,
        account: isActive ? account.state : undefined,
        total: of?.requests,
        enqueuedTokens: this.services.settings.get('batch.enqueuedTokens') || undefined,
        learned: this.session.learned,
        prices: this.prices,
      }),
      check: checkView(state),
      file: watch?.file ?? 'same',
      isUnsaved: watch?.isUnsaved ?? false,
      ...(profile && { profileId: profile.id }),
      uploads,
      ...(progress && { progress }),
      ...(outcome && { outcome }),
      modelCount: check?.modelCount ?? 0,
      model: (check?.modelCount === 1 && check.models[0]?.id) || '',
      costs: isActive ? lastCosts(costs, 'batch') : [],
      suggestedName: of ? l10n.t('Retry of {0}', path.parse(name).name) : path.parse(name).name,
      hasFile: source.kind === 'disk',
      suggestedModel: of?.model ?? '',
      otherSteps: of
        ? [
            {
              id: 'runNow',
              label: rulesOf(profile?.baseUrl).batch.isHalfPrice ? l10n.t('Run Batch File Now…') : l10n.t('Run Now…'),
            },
          ]
        : [],
    };
  }
}

/** The models that the service puts in the place of those of the lines, or else all for chats, which are written in the lines. */
function offeredModels({ replacementModels }: BatchRules, { models, pins }: CatalogueState): readonly SubmitModel[] {
  const ids = replacementModels.length > 0 ? replacementModels : modelsForJob('chat', models, pins).map(({ id }) => id);
  return ids.map((id) => {
    const { name, vendor } = nameOf(id);
    return { id, name, detail: '', group: vendor ?? '' };
  });
}

/** Opens a file at a line, in the column where it is already open or else in the page's column. */
async function goToLine(path: string, line: number, pageColumn: vscode.ViewColumn | undefined): Promise<void> {
  const uri = vscode.Uri.file(path);
  if ((await stampOf(path)) === undefined) {
    throw new UserError(l10n.t('The file no longer exists'), l10n.t('The file has been moved or deleted.'));
  }
  const open = vscode.window.tabGroups.all.find(({ tabs }) =>
    tabs.some(({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === uri.toString()),
  );
  const place = new vscode.Range(line, 0, line, 0);
  await vscode.window.showTextDocument(uri, {
    viewColumn: open?.viewColumn ?? pageColumn ?? vscode.ViewColumn.Active,
    selection: place,
  });
}

/** Says that the service has no batches, and offers to run the file on this machine instead. */
async function offerLocalRun(source: SubmitSource): Promise<void> {
  const { title, detail, actions } = describe(missingEndpoint('POST /batches'));
  const chosen = await showMessage('information', titled(title, detail), ...actions.map(({ label }) => label));
  const action = actions.find(({ label }) => label === chosen);
  if (action?.id === 'runLocally')
    await runCommand('inferenceDesk.batchFile.runLocally', source.kind === 'disk' ? Uri.file(source.path) : undefined);
  else if (action) await runAction(action.id);
}
