import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { runCommand } from '../../../platform/contributions';
import { DisposableStore, type Disposable } from '../../../platform/disposables';
import { goToLine } from '../../../platform/goToLine';
import { panelIcon } from '../../../platform/panelIcon';
import { runAction } from '../../../platform/errors/reportError';
import { UserError } from '../../../platform/errors/userError';
import { isOutsideLink } from '../../../platform/outsideLink';
import { ScreenTabs, type ScreenTab } from '../../../platform/webview/screenTabs';
import { showScreen, type ScreenHost } from '../../../platform/webview/webviewHost';
import {
  resultsCalls,
  type BatchResultsScreen,
  type ResultsChoice,
  type ResultsSummary,
} from '../../../protocol/batchResults';
import { done, type Handlers } from '../../../protocol/call';
import type { Services } from '../../../services/services';
import { exportRun } from '../flows/exportFlow';
import { batchFileFilters, pickRun, runsOf } from '../flows/pickRun';
import { retryRun } from '../flows/retryFlow';
import type { RunFolder } from '../../../core/batch/results/runFolder';
import type { OpenRun, OpenRuns } from '../run/openRuns';
import { keyOf, readTarget, type ResultsTarget } from '../logic/resultsTarget';
import { detailsOf } from './detailsWords';
import { headOf, referenceText } from './resultsHead';
import { createLayouts } from '../logic/layouts';
import { createReferences } from '../logic/references';
import { addReference, copiedText, countText, foundText, readingText, rowOf, summaryOf } from './resultsWords';
import { foreign } from '../../../core/text/foreignText';

/** The open results pages, one per run. */
export interface ResultsPages extends Disposable {
  /** Opens the page of a run, or reveals the open one; `row` selects a request. */
  open(target: ResultsTarget, row?: number): Promise<void>;
  /** Restores a page after a reload of the window. */
  restore(panel: vscode.WebviewPanel, state: unknown): void;
}

export function createResultsPages(services: Services, runs: OpenRuns): ResultsPages {
  const tabs = new ScreenTabs<ResultsController>(services.context.workspaceState, 'batchResults.targets');
  const show = (tab: ScreenTab, target: ResultsTarget): ResultsController =>
    tabs.add(
      keyOf(target),
      new ResultsController(services, tab, runs.open(target), (linked) => tabs.store(tab.id, linked)),
    );
  /** A batch that had no folder when its page was opened may have one by now. */
  const shownOf = (target: ResultsTarget): ResultsController | undefined =>
    tabs.get(keyOf(target)) ??
    [...tabs.all].find(({ run }) => target.kind === 'folder' && run.state.folder?.path === target.folder);
  return {
    async open(target, row) {
      const known = shownOf(target);
      known?.tab.panel.reveal();
      if (known && row !== undefined) known.reveal(row);
      if (known) return;
      const panel = vscode.window.createWebviewPanel('inferenceDesk.batchResults', '', vscode.ViewColumn.Active);
      const tab = tabs.newTab(panel);
      // Nothing is awaited before this, so a second command reveals this page.
      const page = show(tab, target);
      if (row !== undefined) page.reveal(row);
      await tabs.store(tab.id, target);
    },
    restore(panel, state) {
      const tab = tabs.restored(panel, state, 'resultsId');
      const target = tab && readTarget(tabs.stored(tab.id));
      if (!target || tabs.get(keyOf(target))) panel.dispose();
      else show(tab, target);
    },
    dispose: () => tabs.dispose(),
  };
}

/** The results of a run in a tab. Must be disposed when the tab is closed. */
export class ResultsController implements Disposable {
  readonly run: OpenRun['run'];
  private readonly store = new DisposableStore();
  private readonly host: ScreenHost<'batchResults'>;
  /** The runs of the same batch file, newest first, as of when the page was opened. */
  private siblings: readonly RunFolder[] = [];
  private counts = new Map<string, number>();
  /** A row to select once the results are read. */
  private rowToReveal: number | undefined;
  private readonly layouts;
  private readonly references;

  /** `open` is disposed with this. */
  constructor(
    private readonly services: Services,
    readonly tab: ScreenTab,
    private readonly open: OpenRun,
    /** Stores what the tab shows, to be restored after a reload. */
    private readonly remember: (target: ResultsTarget) => PromiseLike<void>,
  ) {
    const { store } = this;
    const { panel } = tab;
    this.layouts = createLayouts(services.context.workspaceState);
    this.references = createReferences(services.context.globalState);
    this.run = open.run;
    store.add(open);
    panel.iconPath = panelIcon(services.context.extensionUri, 'preview');
    this.nameTab();
    this.host = store.add(
      showScreen({
        screen: 'batchResults',
        title: panel.title,
        webview: panel.webview,
        extensionUri: services.context.extensionUri,
        handlers: { ...this.tableHandlers(), ...this.actionHandlers() },
        calls: resultsCalls,
        log: services.log,
      }),
    );
    store.add(panel.onDidChangeViewState(() => !panel.visible && this.host.forgetPage()));
    const tell = () => {
      this.nameTab();
      this.host.tell('results/head', this.head());
    };
    store.add(open.run.onDidChange(tell));
    store.add(services.costs.onDidChange(tell));
    store.add(open.run.onDidGoStale(() => this.host.tell('results/stale', {})));
  }

  /** Selects a request of the run. */
  reveal(row: number): void {
    this.rowToReveal = row;
    this.host.tell('results/reveal', { row });
  }

  dispose(): void {
    this.store.dispose();
  }

  private nameTab(): void {
    this.tab.panel.title = l10n.t('Results of {0}', foreign(this.run.state.name));
  }

  /** Runs of the same batch file have the same columns. */
  private get layoutKey(): string {
    return this.run.state.input ?? '';
  }

  private head() {
    return headOf(this.run.state, { now: Date.now(), costs: this.services.costs, siblings: this.siblings });
  }

  private tableHandlers() {
    const { run, open, services } = this;
    const { reading } = open;
    return {
      'results/ready': async () => {
        await Promise.all([run.refresh(), services.costs.ready()]);
        this.siblings = await runsOf(open.others.list, run);
        return { resultsId: this.tab.id, head: this.head(), layout: this.layouts.of(this.layoutKey) };
      },
      'results/load': async ({ again }, { signal, emit }) => {
        const onProgress = (bytes: number, total: number) =>
          emit({ part: bytes / Math.max(1, total), text: readingText(bytes, total) });
        const read = await reading.load(again, onProgress, signal);
        if (!read) return {};
        const summary = await this.withReference(summaryOf(read), signal);
        this.counts = new Map(summary.counts.map(({ tab, count }) => [tab, count]));
        // Runs after the response to this call, so that there are rows to reveal.
        setImmediate(() => this.revealRow());
        return { summary };
      },
      'results/stop': async () => done(reading.stop()),
      'results/arrange': async (choice, { signal, emit }) => {
        const onChunk = ({ found, part }: { readonly found: number; readonly part: number }) =>
          emit({ part, count: found, text: foundText(found) });
        const { count, entries } = await reading.call('arrange', viewOf(choice), { signal, onChunk });
        return { count: entries, text: countText(count, this.counts.get(choice.tab) ?? count) };
      },
      'results/rows': async (page) => {
        const { rows, isChanged } = await reading.call('rows', page);
        if (isChanged) run.lookSoon();
        return { rows: rows.map(rowOf) };
      },
      'results/find': async ({ row }) => reading.call('find', { row }),
      'results/rowOf': async ({ row, customId }) => {
        const { details } = await reading.call('details', { row });
        if (details.customId === customId) return { row };
        const [found] = (await reading.call('answersFor', { lines: [{ customId }] })).rows;
        return found ? { row: found.row } : {};
      },
      'results/details': async ({ row }) => {
        const { details, raw, rawRequest } = await reading.call('details', { row });
        return detailsOf(details, { raw, rawRequest });
      },
    } satisfies Partial<Handlers<BatchResultsScreen>>;
  }

  private actionHandlers() {
    const { run, open, services } = this;
    const { reading } = open;
    return {
      'results/goTo': async ({ row }) => {
        const { details } = await reading.call('details', { row });
        return done(this.goTo(details.line));
      },
      'results/goToFault': async ({ fault }) => {
        const line = run.state.job?.batch?.errors[fault]?.line;
        return done(this.goTo(line === undefined ? undefined : line - 1));
      },
      'results/copy': async ({ row }) => {
        const { text } = await reading.call('answerText', { row });
        return done(vscode.env.clipboard.writeText(text));
      },
      'results/copyText': async ({ text }) => done(vscode.env.clipboard.writeText(text)),
      'results/openLink': async ({ url }) => {
        if (!isOutsideLink(url)) throw new Error('Only web and mail links can be opened.');
        return done(vscode.env.openExternal(vscode.Uri.parse(url, true)));
      },
      'results/export': async ({ choice, columns }) => done(exportRun(open, viewOf(choice), columns)),
      'results/copyRows': async ({ columns }) => {
        const { text, rows } = await reading.call('copyRows', { columns });
        await vscode.env.clipboard.writeText(text);
        return { text: copiedText(rows) };
      },
      'results/layout': async (layout) => done(this.layouts.set(this.layoutKey, layout)),
      'results/retry': async ({ which }) => done(retryRun(services, open, which)),
      'results/reference': async ({ choose }) => {
        const title = l10n.t('Select a run to compare with {0}', foreign(run.state.name));
        const chosen = choose ? await pickRun(open.others.list, title, run) : null;
        if (chosen === undefined) return { isChanged: false };
        await this.references.set(run.target, chosen);
        return { isChanged: true };
      },
      'results/otherRun': async () => {
        const chosen = await pickRun(open.others.list, l10n.t('Open Results'), run);
        return done(chosen && runCommand('inferenceDesk.batches.openResults', chosen));
      },
      'results/runAgain': async (choice) => done(runCommand('inferenceDesk.batches.runAgain', run.target, choice)),
      'results/compare': async () => done(runCommand('inferenceDesk.batches.compare', run.target)),
      'results/act': async ({ id }) => done(this.act(id)),
    } satisfies Partial<Handlers<BatchResultsScreen>>;
  }

  /** Compares the results with those of the reference run, if there is one, and adds its column. */
  private async withReference(summary: ResultsSummary, signal: AbortSignal): Promise<ResultsSummary> {
    const { reading } = this.open;
    const target = this.references.of(this.run.target);
    const other = target && this.open.others.open(target);
    try {
      await other?.run.refresh();
      const source = other?.run.state.source;
      if (!other || !source) {
        await reading.call('compareWith', { source: null }, { signal });
        return summary;
      }
      const { different } = await reading.call('compareWith', { source }, { signal });
      return addReference(summary, referenceText(other.run.state), different);
    } finally {
      other?.dispose();
    }
  }

  private revealRow(): void {
    if (this.rowToReveal !== undefined) this.host.tell('results/reveal', { row: this.rowToReveal });
    this.rowToReveal = undefined;
  }

  /** `line` of the batch file, from 0. */
  private async goTo(line: number | undefined): Promise<void> {
    const { input } = this.run.state;
    if (input === undefined || line === undefined) throw withoutLine();
    await goToLine(vscode.Uri.file(input), line, this.tab.panel.viewColumn);
  }

  private async act(id: string): Promise<void> {
    const { batchJobs } = this.services;
    const { state } = this.run;
    const jobs = [state, ...state.retries].flatMap(({ job }) => job ?? []);
    switch (id) {
      case 'findInput':
        await askInput(this.run);
        return this.remember(this.run.target);
      case 'fetchAgain':
        if (jobs.length === 0) throw notFollowed();
        for (const { id: one } of jobs.some((job) => job.lastError) ? jobs.filter((job) => job.lastError) : jobs) {
          await (await batchJobs()).fetchResults(one);
        }
        return undefined;
      case 'checkNow':
        if (jobs.length === 0) throw notFollowed();
        for (const { id: one, stage, lastError } of jobs) {
          if (stage !== 'refused' && (lastError ?? stage !== 'ended')) await (await batchJobs()).checkNow(one);
        }
        return undefined;
      default:
        await runAction(id);
        return undefined;
    }
  }
}

/** Asks the user which batch file the results answer, and links it. Does nothing if the user cancels. */
async function askInput(run: OpenRun['run']): Promise<void> {
  const before = run.state.input;
  const chosen = await vscode.window.showOpenDialog({
    title: l10n.t('Select the batch file for these results'),
    openLabel: l10n.t('Link'),
    filters: batchFileFilters(),
    ...(before !== undefined && { defaultUri: vscode.Uri.file(before) }),
  });
  const file = chosen?.[0];
  if (file?.scheme === 'file') await run.linkInput(file.fsPath);
}

function withoutLine(): UserError {
  return new UserError(
    l10n.t("Couldn't find the line"),
    l10n.t('No request has this ID, or the batch file is missing.'),
    [{ id: 'findInput', label: l10n.t('Find Input File…') }],
  );
}

function notFollowed(): UserError {
  return new UserError(l10n.t("This batch isn't tracked here"), l10n.t('Open the batch from the Batches view.'));
}

/** Converts the page's choice to a view for the worker. */
export function viewOf({ tab, group, groupBy, ...choice }: ResultsChoice) {
  return { ...choice, state: tab, ...(group !== null && { group }), ...(groupBy !== null && { groupBy }) };
}
