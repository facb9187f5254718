import path from 'node:path';
import { foreign } from '../../core/text/foreignText';
import * as vscode from 'vscode';
import { modelsForJob } from '../../core/catalogue/jobs';
import { nameOf } from '../../core/catalogue/model';
import { rulesOf } from '../../core/profiles/vendorRules';
import { lastCosts } from '../../services/usage/costMessages';
import { runCommand } from '../../platform/contributions';
import { DisposableStore, type Disposable } from '../../platform/disposables';
import { panelIcon } from '../../platform/panelIcon';
import { runAction } from '../../platform/errors/reportError';
import { ScreenTabs, type ScreenTab } from '../../platform/webview/screenTabs';
import { showScreen, type ScreenHost } from '../../platform/webview/webviewHost';
import { submitCalls, type BatchSubmitScreen, type SubmitModel, type SubmitView } from '../../protocol/batchSubmit';
import { done, type Handlers } from '../../protocol/call';
import type { Services } from '../../services/services';
import { outcomeOf, progressOf } from './outcomeWords';
import { PageMemory, submitBoundsOf, SubmitSession } from './submitSession';
import { chooseSources, keyOf, sourceSchema, type SubmitSource } from './submitSource';
import { checkView, factsOf, placeText, retryText, sourceName } from './viewWords';
import { lacksBatches } from '../../services/batches/batches';
import { offerLocalRun } from './localInstead';
import { stampOf } from '../../services/batchFiles/checkFiles';
import { UserError } from '../../platform/errors/userError';

/** The open pages, one per file. */
export interface SubmitPages extends Disposable {
  /** Opens a page for each file passed, or reveals the one that is already open. */
  open(file: unknown, files: unknown): Promise<void>;
  /** Restores a page after a reload of the window. */
  restore(panel: vscode.WebviewPanel, state: unknown): void;
}

export function createSubmitPages(services: Services): SubmitPages {
  const tabs = new ScreenTabs<SubmitController>(services.context.workspaceState, 'batchSubmit.pages');
  const show = (tab: ScreenTab, source: SubmitSource): PageMemory => {
    const memory = new PageMemory(tabs, tab.id, source);
    tabs.add(keyOf(source), new SubmitController(services, tab, memory));
    return memory;
  };
  return {
    async open(file, files) {
      refuseUntrusted();
      const sources = await chooseSources(file, files, services.profiles.active?.id);
      const [first] = sources ?? [];
      if (first && lacksBatches(services.connections)) return offerLocalRun(first);
      for (const source of sources ?? []) {
        const known = tabs.get(keyOf(source));
        if (known) {
          known.tab.panel.reveal();
          continue;
        }
        const panel = vscode.window.createWebviewPanel('inferenceDesk.batchSubmit', '', vscode.ViewColumn.Active);
        // Nothing is awaited before this, so a second command reveals this page.
        await show(tabs.newTab(panel), source).write();
      }
    },
    restore(panel, state) {
      const tab = tabs.restored(panel, state, 'submitId');
      const read = sourceSchema.safeParse(tab && (tabs.stored(tab.id) as { readonly source?: unknown } | null)?.source);
      const source = read.success ? (read.data as SubmitSource) : undefined;
      if (!tab || !source || tabs.get(keyOf(source))) panel.dispose();
      else show(tab, source);
    },
    dispose: () => tabs.dispose(),
  };
}

/** The contents of an untrusted folder stay on the machine. */
function refuseUntrusted(): void {
  if (vscode.workspace.isTrusted) return;
  throw new UserError(
    vscode.l10n.t('This workspace is not trusted'),
    vscode.l10n.t('Its files stay on this machine until you trust it. Trust the workspace, then submit the file.'),
  );
}

/** The review of a batch in a tab. Must be disposed when the tab is closed. */
export class SubmitController implements Disposable {
  private readonly store = new DisposableStore();
  private readonly session: SubmitSession;
  private readonly host: ScreenHost<'batchSubmit'>;
  private readonly title: string;
  /** Whether the user is being asked whether to create the batch twice. */
  private isConfirming = false;

  constructor(
    private readonly services: Services,
    readonly tab: ScreenTab,
    memory: PageMemory,
  ) {
    const { store } = this;
    const { panel } = tab;
    const session = (this.session = store.add(new SubmitSession(services, memory)));
    panel.iconPath = panelIcon(services.context.extensionUri, 'submit');
    this.title = session.retry?.of
      ? vscode.l10n.t('Retry {0}', foreign(session.retry.of.name))
      : vscode.l10n.t('Submit {0}', foreign(sourceName(session.source)));
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

  dispose(): void {
    this.store.dispose();
  }

  private handlers(): Handlers<BatchSubmitScreen> {
    const { session, tab, services } = this;
    return {
      'submit/ready': async () => this.view(),
      'submit/models': async () => ({ models: await offeredModels(services) }),
      async 'submit/check'() {
        void session.check();
        return {};
      },
      'submit/stopCheck': async () => done(session.reading?.stop()),
      'submit/save': async () => done(session.save()),
      'submit/report': async () => done(session.report()),
      'submit/goTo': async ({ line }) =>
        done(session.source.kind === 'disk' ? goToLine(session.source.path, line, tab.panel.viewColumn) : undefined),
      'submit/send': async (order) => done(session.send(order)),
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
      case 'openResults':
        return job && runCommand('inferenceDesk.batches.openResults', job.id);
      default:
        await runAction(id);
        return undefined;
    }
  }

  private view(): SubmitView {
    const { source, reading, watch, uploads, sending, profile, retry } = this.session;
    const { account, profiles, costs } = this.services;
    const of = retry?.of;
    const state = reading?.state;
    const check = state?.kind === 'done' ? state.check : undefined;
    const progress = progressOf(sending.state);
    const outcome = outcomeOf(sending.state, this.isConfirming, costs);
    const isActive = profile !== undefined && profile.id === profiles.active?.id;
    const name = of?.name ?? sourceName(source);
    return {
      submitId: this.tab.id,
      bounds: submitBoundsOf(rulesOf(profile?.baseUrl).batch),
      name,
      heading: this.title,
      place: of ? retryText(of.input) : placeText(source),
      facts: factsOf({ source, state, profile, account: isActive ? account.state : undefined, total: of?.requests }),
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
      suggestedName: of ? vscode.l10n.t('Retry of {0}', path.parse(name).name) : path.parse(name).name,
      suggestedModel: of?.model ?? '',
      otherSteps: of
        ? [
            {
              id: 'runNow',
              label: rulesOf(profile?.baseUrl).batch.isHalfPrice
                ? vscode.l10n.t('Run Now at Full Price…')
                : vscode.l10n.t('Run Now…'),
            },
          ]
        : [],
    };
  }
}

async function offeredModels({ models }: Services): Promise<readonly SubmitModel[]> {
  const state = await models.ensureFresh();
  return modelsForJob('chat', state.models, state.pins).map((model) => {
    const { name, vendor } = nameOf(model);
    return { id: model.id, name, detail: '', group: vendor ?? '' };
  });
}

/** Opens a file at a line, in the column where it is already open or else in the page's column. */
async function goToLine(path: string, line: number, pageColumn: vscode.ViewColumn | undefined): Promise<void> {
  const uri = vscode.Uri.file(path);
  if ((await stampOf(path)) === undefined) {
    throw new UserError(
      vscode.l10n.t('The file is not there any more'),
      vscode.l10n.t('It was moved or deleted. Put it back, then check it again.'),
    );
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
