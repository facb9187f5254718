import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../../platform/disposables';
import type { Services } from '../../../services/services';
import { keyOf, readTarget, type ResultsTarget } from '../logic/resultsTarget';
import { goToLine } from '../../../platform/goToLine';
import { panelIcon } from '../../../platform/panelIcon';
import { UserError } from '../../../platform/errors/userError';
import { ScreenTabs, type ScreenTab } from '../../../platform/webview/screenTabs';
import { showScreen } from '../../../platform/webview/webviewHost';
import { WorkerReading, type Progress } from '../../../platform/workerReading';
import { withWriting } from '../../../platform/workspace/written';
import {
  compareCalls,
  type BatchCompareScreen,
  type CompareChoice,
  type ComparedRun,
} from '../../../protocol/batchCompare';
import { done, type Handlers } from '../../../protocol/call';
import { askExportTarget, tellExported } from '../flows/exportFlow';
import { factsText } from '../page/resultsHead';
import { countText, foundText, tokensText } from '../page/resultsWords';
import type { ResultsSummary } from '../../../core/batch/results/resultsView';
import { costText } from '../../../services/usage/costMessages';
import type { Costs } from '../../../services/usage/costs';
import { openResultsWorker, withoutResults, type OpenRun, type OpenRuns } from '../run/openRuns';
import type { CompareWorkerCalls } from '../resultsWorkerCalls';
import { compareDetailsOf, compareRowOf, compareSummaryOf } from './compareWords';
import { numberFormat } from '../../../protocol/formats';
import { foreign } from '../../../core/text/foreignText';

/** Two runs that are compared. */
interface Pair {
  readonly a: ResultsTarget;
  readonly b: ResultsTarget;
}

/** The open comparisons, one per pair of runs. */
export interface ComparePages extends Disposable {
  open(pair: Pair): Promise<void>;
  /** Restores a comparison after a reload of the window. */
  restore(panel: vscode.WebviewPanel, state: unknown): void;
}

export function createComparePages(services: Services, runs: OpenRuns): ComparePages {
  const tabs = new ScreenTabs<CompareController>(services.context.workspaceState, 'batchCompare.targets');
  const show = (tab: ScreenTab, pair: Pair) =>
    tabs.add(keyOfPair(pair), new CompareController(services, tab, [runs.open(pair.a), runs.open(pair.b)]));
  return {
    async open(pair) {
      const known = tabs.get(keyOfPair(pair));
      if (known) return known.tab.panel.reveal();
      const panel = vscode.window.createWebviewPanel('inferenceDesk.batchCompare', '', vscode.ViewColumn.Active);
      const tab = tabs.newTab(panel);
      show(tab, pair);
      await tabs.store(tab.id, pair);
    },
    restore(panel, state) {
      const tab = tabs.restored(panel, state, 'compareId');
      const pair = tab && readPair(tabs.stored(tab.id));
      if (!pair || tabs.get(keyOfPair(pair))) panel.dispose();
      else show(tab, pair);
    },
    dispose: () => tabs.dispose(),
  };
}

function keyOfPair({ a, b }: Pair): string {
  return `${keyOf(a)} ${keyOf(b)}`;
}

function readPair(value: unknown): Pair | undefined {
  if (typeof value !== 'object' || value === null || !('a' in value) || !('b' in value)) return undefined;
  const a = readTarget(value.a);
  const b = readTarget(value.b);
  return a && b ? { a, b } : undefined;
}

interface ComparedSummaries {
  readonly a: ResultsSummary;
  readonly b: ResultsSummary;
}

/** Two runs in a worker of their own, read on first request. */
class CompareReading extends WorkerReading<CompareWorkerCalls, ComparedSummaries> {
  constructor(
    extensionUri: vscode.Uri,
    private readonly a: OpenRun['run'],
    private readonly b: OpenRun['run'],
  ) {
    super(
      () => openResultsWorker(extensionUri, a, b),
      (worker, options) => worker.call('load', { isLoose: false }, options),
    );
  }

  override async load(again: boolean, onProgress: Progress, signal?: AbortSignal): Promise<ComparedSummaries> {
    await Promise.all([this.a.refresh(), this.b.refresh()]);
    if (!this.a.state.source || !this.b.state.source) throw withoutResults();
    return super.load(again, onProgress, signal);
  }
}

/** The answers of two runs side by side in a tab. Must be disposed when the tab is closed. */
export class CompareController implements Disposable {
  private readonly store = new DisposableStore();
  private readonly a: OpenRun['run'];
  private readonly b: OpenRun['run'];
  private readonly reading: CompareReading;

  /** The runs are disposed with this. */
  constructor(
    services: Services,
    readonly tab: ScreenTab,
    runs: readonly [a: OpenRun, b: OpenRun],
  ) {
    const { store } = this;
    const { panel } = tab;
    const { extensionUri } = services.context;
    const title = l10n.t('Compare Runs');
    panel.title = title;
    panel.iconPath = panelIcon(extensionUri, 'preview');
    const [a, b] = runs;
    this.a = store.add(a).run;
    this.b = store.add(b).run;
    this.reading = store.add(new CompareReading(extensionUri, this.a, this.b));
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

  dispose(): void {
    this.store.dispose();
  }

  private handlers({ costs }: Services): Handlers<BatchCompareScreen> {
    const { a, b, reading, tab } = this;
    const { panel, id } = tab;
    return {
      async 'compare/ready'() {
        await Promise.all([a.refresh(), b.refresh(), costs.ready()]);
        panel.title = l10n.t('Compare {0}', foreign(a.state.name));
        return { compareId: id, a: comparedRun(a, costs), b: comparedRun(b, costs) };
      },
      async 'compare/load'({ again }, { signal, emit }) {
        const percent = numberFormat(vscode.env.language, { style: 'percent' });
        const onProgress = (read: number, total: number) =>
          emit({ part: read / total, text: percent.format(read / total) });
        const read = await reading.load(again, onProgress, signal);
        return { a: comparedRun(a, costs, read.a), b: comparedRun(b, costs, read.b) };
      },
      'compare/stop': async () => done(reading.stop()),
      async 'compare/arrange'(choice, { signal, emit }) {
        const onChunk = ({ found, part }: { readonly found: number; readonly part: number }) =>
          emit({ part, count: found, text: foundText(found) });
        const { count, comparison } = await reading.call('arrange', viewOf(choice), { signal, onChunk });
        const summary = compareSummaryOf(comparison);
        const all = summary.counts.find((one) => one.tab === choice.tab)?.count ?? count;
        return { count, text: countText(count, all), summary };
      },
      async 'compare/rows'(wanted) {
        return { rows: (await reading.call('rows', wanted)).rows.map(compareRowOf) };
      },
      'compare/find': async ({ row }) => reading.call('find', { row }),
      async 'compare/details'({ row }) {
        return compareDetailsOf(await reading.call('details', { row }));
      },
      async 'compare/goTo'({ row }) {
        const { a: details } = await reading.call('details', { row });
        const { input } = a.state;
        if (input === undefined || details?.line === undefined) throw withoutLine();
        return done(goToLine(vscode.Uri.file(input), details.line, panel.viewColumn));
      },
      'compare/export': async (choice) => done(this.export(choice)),
    };
  }

  /** Exports the shown pairs, in their current order. */
  private async export(choice: CompareChoice): Promise<void> {
    const { input, source } = this.a.state;
    const target = await askExportTarget(l10n.t('Export Comparison'), input ?? source?.outputs[0], 'comparison');
    if (!target) return;
    await this.reading.call('arrange', viewOf(choice));
    const { rows } = await withWriting(l10n.t('Exporting comparison'), 1, ({ signal, onProgress }) =>
      this.reading.call('export', { ...target, replace: true }, { signal, onChunk: ({ part }) => onProgress(part) }),
    );
    tellExported(target.target, rows);
  }
}

/** `read`: its results, once they are known. */
function comparedRun({ state }: OpenRun['run'], costs: Costs, read?: ResultsSummary): ComparedRun {
  const { folder, job } = state;
  const cost = costText(costs.of(job?.id ?? folder?.run.jobId ?? ''));
  const tokens = read && tokensText(read.tokensIn, read.tokensOut);
  return {
    name: folder?.run.name ?? state.name,
    facts: [factsText(state), tokens, cost?.text].filter(Boolean).join(' · '),
  };
}

function viewOf({ tab, ...choice }: CompareChoice) {
  return { ...choice, state: tab };
}

function withoutLine(): UserError {
  return new UserError(
    l10n.t("Couldn't find the line"),
    l10n.t("Run A doesn't contain a request with this ID, or its batch file is missing."),
  );
}
