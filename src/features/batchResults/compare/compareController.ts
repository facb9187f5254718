import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { mostComparedRuns, type ComparisonColumns } from '../../../core/batch/results/compare/comparisonView';
import type { ResultsSummary } from '../../../core/batch/results/resultsView';
import { foreign } from '../../../core/text/foreignText';
import { runCommand } from '../../../platform/contributions';
import { type Disposable, DisposableStore } from '../../../platform/disposables';
import { UserError } from '../../../platform/errors/userError';
import { goToLine } from '../../../platform/goToLine';
import { panelIcon } from '../../../platform/panelIcon';
import { ScreenTabs, type ScreenTab } from '../../../platform/webview/screenTabs';
import { showScreen } from '../../../platform/webview/webviewHost';
import { WorkerReading, type Progress } from '../../../platform/workerReading';
import { withWriting } from '../../../platform/workspace/written';
import { compareCalls, type BatchCompareScreen, type CompareChoice } from '../../../protocol/batchCompare';
import { done, type Handlers } from '../../../protocol/call';
import { numberFormat } from '../../../protocol/formats';
import type { Services } from '../../../services/services';
import { askExportTarget, tellExported } from '../flows/exportFlow';
import { pickRuns } from '../flows/pickRun';
import { createLayouts } from '../logic/layouts';
import { keyOf, readTarget, uniqueTargets, type ResultsTarget } from '../logic/resultsTarget';
import { columnWords, countText, foundText } from '../page/resultsWords';
import type { CompareWorkerCalls } from '../resultsWorkerCalls';
import { openResultsWorker, withoutResults, type OpenRun, type OpenRuns } from '../run/openRuns';
import type { ShownRun } from '../run/shownRun';
import { compareDetailsOf, comparedRuns, compareRowOf, compareSummaryOf } from './compareWords';

/** The open comparisons, one per set of runs. */
export interface ComparePages extends Disposable {
  /** The first run is the reference. Throws if there are fewer than two different runs, or too many. */
  open(targets: readonly ResultsTarget[]): Promise<void>;
  /** Restores a comparison after a reload of the window. */
  restore(panel: vscode.WebviewPanel, state: unknown): void;
}

export function createComparePages(services: Services, runs: OpenRuns): ComparePages {
  const tabs = new ScreenTabs<CompareController>(services.context.workspaceState, 'batchCompare.targets');
  const known = (targets: readonly ResultsTarget[]) =>
    [...tabs.all].find((page) => keyOfSet(page.targets) === keyOfSet(targets));
  const show = (tab: ScreenTab, targets: readonly ResultsTarget[]) =>
    tabs.add(
      tab.id,
      new CompareController(services, tab, { runs, targets, store: (next) => tabs.store(tab.id, next) }),
    );
  return {
    async open(requested) {
      const targets = differing(requested);
      const open = known(targets);
      if (open) return open.tab.panel.reveal();
      const panel = vscode.window.createWebviewPanel('inferenceDesk.batchCompare', '', vscode.ViewColumn.Active);
      const tab = tabs.newTab(panel);
      show(tab, targets);
      await tabs.store(tab.id, targets);
    },
    restore(panel, state) {
      const tab = tabs.restored(panel, state, 'compareId');
      const targets = tab && readTargets(tabs.stored(tab.id));
      if (!targets || known(targets)) panel.dispose();
      else show(tab, targets);
    },
    dispose: () => tabs.dispose(),
  };
}

function differing(targets: readonly ResultsTarget[]): readonly ResultsTarget[] {
  const unique = uniqueTargets(targets);
  if (unique.length < 2) {
    throw new UserError(l10n.t('Select at least two runs'), l10n.t('A comparison needs two different runs.'));
  }
  if (unique.length <= mostComparedRuns) return unique;
  const most = numberFormat(vscode.env.language).format(mostComparedRuns);
  throw new UserError(l10n.t('Too many runs to compare'), l10n.t('Select up to {0} runs.', most));
}

function keyOfSet(targets: readonly ResultsTarget[]): string {
  return targets.map(keyOf).toSorted().join(' ');
}

/** An earlier version stored two runs as `a` and `b`. */
function readTargets(value: unknown): readonly ResultsTarget[] | undefined {
  const isPair = typeof value === 'object' && value !== null && 'a' in value && 'b' in value;
  const stored: readonly unknown[] = isPair ? [value.a, value.b] : Array.isArray(value) ? value : [];
  const targets = stored.flatMap((one) => readTarget(one) ?? []).slice(0, mostComparedRuns);
  return targets.length < 2 ? undefined : targets;
}

interface ComparedSummaries {
  readonly runs: readonly ResultsSummary[];
  readonly columns: ComparisonColumns;
}

/** The runs in a separate worker, read on first request. */
class CompareReading extends WorkerReading<CompareWorkerCalls, ComparedSummaries> {
  /** The column that is compared unless another one is chosen; `undefined` while the runs are not read. */
  private by: string | undefined;

  constructor(
    extensionUri: vscode.Uri,
    private readonly runs: readonly ShownRun[],
  ) {
    super(
      () => openResultsWorker(extensionUri, runs, true),
      (worker, options) => worker.call('load', {}, options),
    );
  }

  override async load(again: boolean, onProgress: Progress, signal?: AbortSignal): Promise<ComparedSummaries> {
    await Promise.all(this.runs.map((run) => run.refresh()));
    if (this.runs.some(({ state }) => !state.source)) throw withoutResults();
    // A reload can return another one.
    if (again) this.by = undefined;
    const read = await super.load(again, onProgress, signal);
    this.by = read.columns.by;
    return read;
  }

  /** Resolves with the column that is compared unless another one is chosen. Reads the runs if they have not been read. */
  async usualColumn(): Promise<string> {
    return this.by ?? (await this.load(false, () => undefined)).columns.by;
  }
}

interface CompareSources {
  readonly runs: OpenRuns;
  readonly targets: readonly ResultsTarget[];
  /** Stores the runs that the tab compares, to be restored after a reload. */
  readonly store: (targets: readonly ResultsTarget[]) => PromiseLike<void>;
}

/** The answers of several runs side by side in a tab. Must be disposed when the tab is closed. */
export class CompareController implements Disposable {
  private readonly store = new DisposableStore();
  private readonly layouts;
  private opened: readonly OpenRun[] = [];
  private reading!: CompareReading;
  private isDisposed = false;

  constructor(
    private readonly services: Services,
    readonly tab: ScreenTab,
    private readonly sources: CompareSources,
  ) {
    const { store } = this;
    const { panel } = tab;
    const { extensionUri, workspaceState } = services.context;
    this.layouts = createLayouts(workspaceState);
    const title = l10n.t('Compare Runs');
    panel.title = title;
    panel.iconPath = panelIcon(extensionUri, 'preview');
    this.show(sources.targets);
    const host = store.add(
      showScreen({
        screen: 'batchCompare',
        title,
        webview: panel.webview,
        extensionUri,
        handlers: this.handlers(services),
        calls: compareCalls,
        log: services.log,
      }),
    );
    store.add(panel.onDidChangeViewState(() => !panel.visible && host.forgetPage()));
  }

  get targets(): readonly ResultsTarget[] {
    return this.opened.map(({ run }) => run.target);
  }

  dispose(): void {
    this.isDisposed = true;
    this.close();
    this.store.dispose();
  }

  private show(targets: readonly ResultsTarget[]): void {
    this.opened = targets.map((target) => this.sources.runs.open(target));
    this.reading = new CompareReading(this.services.context.extensionUri, this.shown);
  }

  private close(): void {
    this.reading.dispose();
    for (const open of this.opened) open.dispose();
  }

  private get shown(): readonly ShownRun[] {
    return this.opened.map(({ run }) => run);
  }

  private runAt(number: number): ShownRun {
    const run = this.shown[number];
    if (!run) throw new Error('There is no such run.');
    return run;
  }

  /** Comparisons of the same batch file have the same columns. */
  private get layoutKey(): string {
    return `compare ${this.runAt(0).state.input ?? ''}`;
  }

  private handlers({ costs }: Services): Handlers<BatchCompareScreen> {
    const { tab } = this;
    const { panel, id } = tab;
    const headsOf = (read?: readonly ResultsSummary[]) =>
      comparedRuns(
        this.shown.map(({ state }) => state),
        costs,
        read,
      );
    return {
      'compare/ready': async () => {
        await Promise.all([...this.shown.map((run) => run.refresh()), costs.ready()]);
        panel.title = l10n.t('Compare {0}', foreign(this.runAt(0).state.name));
        const canAddRuns = this.shown.length < mostComparedRuns;
        return { compareId: id, runs: headsOf(), layout: this.layouts.of(this.layoutKey), canAddRuns };
      },
      'compare/load': async ({ again }, { signal, emit }) => {
        const percent = numberFormat(vscode.env.language, { style: 'percent' });
        const onProgress = (read: number, total: number) =>
          emit({ part: read / total, text: percent.format(read / total) });
        const { runs, columns } = await this.reading.load(again, onProgress, signal);
        return { runs: headsOf(runs), columns: columnWords(columns), by: columns.by };
      },
      'compare/stop': async () => done(this.reading.stop()),
      'compare/arrange': async (choice, { signal, emit }) => {
        const onChunk = ({ found, part }: { readonly found: number; readonly part: number }) =>
          emit({ part, count: found, text: foundText(found) });
        const view = await this.viewOf(choice);
        const { count, entries, comparison } = await this.reading.call('arrange', view, { signal, onChunk });
        const summary = compareSummaryOf(comparison, choice.reference);
        const all = summary.counts.find((one) => one.tab === choice.tab)?.count ?? count;
        return { count: entries, text: countText(count, all), summary };
      },
      'compare/rows': async (range) => ({ rows: (await this.reading.call('rows', range)).rows.map(compareRowOf) }),
      'compare/find': async ({ row }) => this.reading.call('find', { row }),
      'compare/details': async ({ row }) => compareDetailsOf(await this.reading.call('details', { row })),
      'compare/goTo': async ({ row }) => {
        const { answers } = await this.reading.call('details', { row });
        const run = answers.findIndex(({ details }) => details?.line !== undefined);
        const line = answers[run]?.details?.line;
        const input = this.shown[run]?.state.input;
        if (input === undefined || line === undefined) throw withoutLine();
        return done(goToLine(vscode.Uri.file(input), line, panel.viewColumn));
      },
      'compare/export': async ({ choice, columns }) => done(this.export(choice, columns)),
      'compare/layout': async (layout) => done(this.layouts.set(this.layoutKey, layout)),
      'compare/addRuns': async () => ({ isChanged: await this.addRuns() }),
      'compare/openRun': async ({ run }) =>
        done(runCommand('inferenceDesk.batches.openResults', this.runAt(run).target)),
      'compare/runAgain': async ({ run }) => done(runCommand('inferenceDesk.batches.runAgain', this.runAt(run).target)),
    };
  }

  /** Converts the page's choice to a view for the worker. */
  private async viewOf({ tab, by, groupBy, ...choice }: CompareChoice) {
    const usual = await this.reading.usualColumn();
    return { ...choice, by: by ?? usual, state: tab, ...(groupBy !== null && { groupBy }) };
  }

  /** Asks for runs to compare too. Resolves with whether there are any. */
  private async addRuns(): Promise<boolean> {
    const chosen = await pickRuns(this.sources.runs.list, l10n.t('Add Runs to the Comparison'), this.shown);
    // The tab may have been closed in the meantime.
    if (this.isDisposed || !chosen || chosen.length === 0) return false;
    const next = differing([...this.targets, ...chosen]);
    this.close();
    this.show(next);
    await this.sources.store(next);
    return true;
  }

  /** Exports the rows shown, in their current order. */
  private async export(choice: CompareChoice, columns: readonly string[]): Promise<void> {
    const { input, source } = this.runAt(0).state;
    const target = await askExportTarget(l10n.t('Export Comparison'), input ?? source?.outputs[0], 'comparison');
    if (!target) return;
    await this.reading.call('arrange', await this.viewOf(choice));
    const { rows } = await withWriting(l10n.t('Exporting comparison'), 1, ({ signal, onProgress }) =>
      this.reading.call(
        'export',
        { ...target, columns, replace: true },
        { signal, onChunk: ({ part }) => onProgress(part) },
      ),
    );
    tellExported(target.target, rows);
  }
}

function withoutLine(): UserError {
  return new UserError(
    l10n.t("Couldn't find the line"),
    l10n.t('No request has this ID, or the batch file is missing.'),
  );
}
