import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../../platform/disposables';
import type { Services } from '../../../services/services';
import { keyOf, readTarget, type ResultsTarget } from '../run/resultsTarget';
import { goToLine } from '../../../platform/goToLine';
import { panelIcon } from '../../../platform/panelIcon';
import { UserError } from '../../../platform/errors/userError';
import { showScreen } from '../../../platform/webview/webviewHost';
import { withWriting } from '../../../platform/workspace/written';
import {
  compareCalls,
  type BatchCompareScreen,
  type CompareChoice,
  type ComparedRun,
} from '../../../protocol/batchCompare';
import type { Handlers } from '../../../protocol/call';
import { askExportTarget, tellExported } from '../flows/exportFlow';
import { factsText } from '../page/resultsHead';
import { countText, foundText } from '../page/resultsWords';
import { createShownRun, type ShownRun } from '../run/shownRun';
import { createCompareReading, type CompareReading } from '../run/readings';
import { compareDetailsOf, compareRowOf, compareSummaryOf } from './compareWords';
import { numberFormat } from '../../../protocol/formats';
import { foreign } from '../../../core/text/foreignText';

const compareType = 'inferenceDesk.batchCompare';
const targetsKey = 'batchCompare.targets';
/** Older entries are dropped: their tabs were closed long ago. */
const mostTargets = 50;

interface Pair {
  readonly a: ResultsTarget;
  readonly b: ResultsTarget;
}

/** The open comparisons, one per pair of runs. */
export interface ComparePanels extends Disposable {
  open(a: ResultsTarget, b: ResultsTarget): Promise<void>;
  /** Restores a comparison after a reload of the window. */
  restore(panel: vscode.WebviewPanel, state: unknown): void;
}

export function createComparePanels(services: Services): ComparePanels {
  const { workspaceState } = services.context;
  const open = new Map<string, { readonly panel: vscode.WebviewPanel; readonly page: Disposable }>();
  /** The runs of each page. The page only stores an id because it could not be trusted with a path. */
  const targets = () => workspaceState.get<Readonly<Record<string, unknown>>>(targetsKey, {});

  const show = (panel: vscode.WebviewPanel, pair: Pair, compareId: string) => {
    const key = keyOfPair(pair);
    const page = showComparison({ services, panel, ...pair, compareId });
    open.set(key, { panel, page });
    panel.onDidDispose(() => {
      page.dispose();
      open.delete(key);
    });
  };
  return {
    async open(a, b) {
      const known = open.get(keyOfPair({ a, b }));
      if (known) return known.panel.reveal();
      const compareId = randomUUID();
      const kept = Object.entries(targets()).slice(1 - mostTargets);
      show(vscode.window.createWebviewPanel(compareType, '', vscode.ViewColumn.Active), { a, b }, compareId);
      await workspaceState.update(targetsKey, Object.fromEntries([...kept, [compareId, { a, b }]]));
    },
    restore(panel, state) {
      const id = typeof state === 'object' && state !== null && 'compareId' in state ? state.compareId : undefined;
      const known = targets();
      const pair = typeof id === 'string' && Object.hasOwn(known, id) ? readPair(known[id]) : undefined;
      if (typeof id !== 'string' || !pair || open.has(keyOfPair(pair))) panel.dispose();
      else show(panel, pair, id);
    },
    dispose() {
      for (const { page } of open.values()) page.dispose();
    },
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

interface ComparePageOptions {
  readonly services: Services;
  readonly panel: vscode.WebviewPanel;
  readonly a: ResultsTarget;
  readonly b: ResultsTarget;
  /** Identifies the two runs after a reload. */
  readonly compareId: string;
}

interface Runs {
  readonly a: ShownRun;
  readonly b: ShownRun;
}

/** Fills a tab with the answers of two runs side by side. Must be disposed when the tab is closed. */
export function showComparison(options: ComparePageOptions): Disposable {
  const { services, panel } = options;
  const store = new DisposableStore();
  const title = vscode.l10n.t('Compare runs');
  panel.title = title;
  panel.iconPath = panelIcon(services.context.extensionUri, 'preview');
  const runs: Runs = {
    a: store.add(createShownRun(services, options.a)),
    b: store.add(createShownRun(services, options.b)),
  };
  const reading = store.add(createCompareReading(services.context.extensionUri, runs));
  const host = store.add(
    showScreen({
      screen: 'batchCompare',
      title,
      webview: panel.webview,
      extensionUri: services.context.extensionUri,
      handlers: handlersOf(options, runs, reading),
      calls: compareCalls,
      log: services.log,
    }),
  );
  store.add(panel.onDidChangeViewState(() => !panel.visible && host.forgetPage()));
  return store;
}

function handlersOf(
  { panel, compareId }: ComparePageOptions,
  runs: Runs,
  reading: CompareReading,
): Handlers<BatchCompareScreen> {
  return {
    async 'compare/ready'() {
      await Promise.all([runs.a.refresh(), runs.b.refresh()]);
      panel.title = vscode.l10n.t('Compare {0}', foreign(runs.a.state.name));
      return { compareId, a: comparedRun(runs.a), b: comparedRun(runs.b) };
    },
    async 'compare/load'({ again }, { signal, emit }) {
      const percent = numberFormat(vscode.env.language, { style: 'percent' });
      const onProgress = (done: number, total: number) =>
        emit({ part: done / total, text: percent.format(done / total) });
      await reading.load(again, onProgress, signal);
      return {};
    },
    async 'compare/stop'() {
      reading.stop();
      return {};
    },
    async 'compare/arrange'(choice, { signal, emit }) {
      const onChunk = ({ found, part }: { readonly found: number; readonly part: number }) =>
        emit({ part, count: found, text: foundText(found) });
      const { count, comparison } = await reading.call('arrange', viewOf(choice), { signal, onChunk });
      const summary = compareSummaryOf(comparison);
      const all = summary.counts.find(({ tab }) => tab === choice.tab)?.count ?? count;
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
      const { a } = await reading.call('details', { row });
      const { input } = runs.a.state;
      if (input === undefined || a?.line === undefined) throw withoutLine();
      await goToLine(vscode.Uri.file(input), a.line, panel.viewColumn);
      return {};
    },
    async 'compare/export'(choice) {
      await exportPairs(runs, reading, choice);
      return {};
    },
  };
}

function comparedRun({ state }: ShownRun): ComparedRun {
  const name = state.folder?.run.name ?? state.name;
  return { name, facts: factsText(state) };
}

/** Exports the shown pairs, in their current order. */
async function exportPairs(runs: Runs, reading: CompareReading, choice: CompareChoice): Promise<void> {
  const { input, source } = runs.a.state;
  const target = await askExportTarget(vscode.l10n.t('Export comparison'), input ?? source?.outputs[0], 'comparison');
  if (!target) return;
  await reading.call('arrange', viewOf(choice));
  const { rows } = await withWriting(vscode.l10n.t('Exporting comparison'), 1, ({ signal, onProgress }) =>
    reading.call('export', { ...target, replace: true }, { signal, onChunk: ({ part }) => onProgress(part) }),
  );
  tellExported(target.target, rows);
}

function viewOf({ tab, ...choice }: CompareChoice) {
  return { ...choice, state: tab };
}

function withoutLine(): UserError {
  return new UserError(
    vscode.l10n.t('There is no line to go to'),
    vscode.l10n.t('The batch file of run A is not known here, or no request of it has this id.'),
  );
}
