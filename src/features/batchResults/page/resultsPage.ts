import * as vscode from 'vscode';
import { runCommand } from '../../../platform/contributions';
import { DisposableStore } from '../../../platform/disposables';
import type { Disposable } from '../../../platform/disposables';
import { goToLine } from '../../../platform/goToLine';
import { panelIcon } from '../../../platform/panelIcon';
import { runAction } from '../../../platform/errors/reportError';
import { UserError } from '../../../platform/errors/userError';
import { isOutsideLink } from '../../../platform/outsideLink';
import { showScreen } from '../../../platform/webview/webviewHost';
import { resultsCalls, type BatchResultsScreen, type ResultsChoice } from '../../../protocol/batchResults';
import type { Handlers } from '../../../protocol/call';
import type { Services } from '../../../services/services';
import { exportRun } from '../flows/exportFlow';
import { askInput } from '../flows/inputFlow';
import { retryRun } from '../flows/retryFlow';
import type { OpenRun } from '../run/openRuns';
import { detailsOf } from './detailsWords';
import { headOf } from './resultsHead';
import { countText, foundText, readingText, rowOf, summaryOf } from './resultsWords';
import { foreign } from '../../../core/text/foreignText';

export interface ResultsPageOptions {
  readonly services: Services;
  readonly panel: vscode.WebviewPanel;
  /** Owned by the caller. */
  readonly open: OpenRun;
  /** Identifies the run after a reload. */
  readonly resultsId: string;
}

/** A results page in its tab. */
export interface ResultsPage extends Disposable {
  /** Selects a request of the run. */
  reveal(row: number): void;
}

/** Fills a tab with the results of a run. Must be disposed when the tab is closed. */
export function showResults(options: ResultsPageOptions): ResultsPage {
  const { services, panel, open } = options;
  const { run } = open;
  const store = new DisposableStore();
  panel.iconPath = panelIcon(services.context.extensionUri, 'preview');
  const nameTab = () => (panel.title = vscode.l10n.t('Results of {0}', foreign(run.state.name)));
  nameTab();
  let wanted: number | undefined;
  const host = store.add(
    showScreen({
      screen: 'batchResults',
      title: panel.title,
      webview: panel.webview,
      extensionUri: services.context.extensionUri,
      handlers: handlersOf(options, () => {
        if (wanted !== undefined) host.tell('results/reveal', { row: wanted });
        wanted = undefined;
      }),
      calls: resultsCalls,
      log: services.log,
    }),
  );
  store.add(panel.onDidChangeViewState(() => !panel.visible && host.forgetPage()));
  const tell = () => {
    nameTab();
    host.tell('results/head', headOf(run.state, Date.now(), services.costs));
  };
  store.add(run.onDidChange(tell));
  store.add(services.costs.onDidChange(tell));
  store.add(run.onDidGoStale(() => host.tell('results/stale', {})));
  return {
    reveal(row) {
      wanted = row;
      host.tell('results/reveal', { row });
    },
    dispose: () => store.dispose(),
  };
}

function handlersOf(options: ResultsPageOptions, onLoaded: () => void): Handlers<BatchResultsScreen> {
  const { services, open, resultsId } = options;
  const { run, reading } = open;
  let counts = new Map<string, number>();
  return {
    async 'results/ready'() {
      await Promise.all([run.refresh(), services.costs.ready()]);
      return { resultsId, head: headOf(run.state, Date.now(), services.costs) };
    },
    async 'results/load'({ again }, { signal, emit }) {
      const onProgress = (bytes: number, total: number) =>
        emit({ part: bytes / Math.max(1, total), text: readingText(bytes, total) });
      const read = await reading.load(again, onProgress, signal);
      if (!read) return {};
      const summary = summaryOf(read);
      counts = new Map(summary.counts.map(({ tab, count }) => [tab, count]));
      // Runs after the response to this call, so that there are rows to reveal.
      setImmediate(onLoaded);
      return { summary };
    },
    async 'results/stop'() {
      reading.stop();
      return {};
    },
    async 'results/arrange'(choice, { signal, emit }) {
      const onChunk = ({ found, part }: { readonly found: number; readonly part: number }) =>
        emit({ part, count: found, text: foundText(found) });
      const { count } = await reading.call('arrange', viewOf(choice), { signal, onChunk });
      return { count, text: countText(count, counts.get(choice.tab) ?? count) };
    },
    async 'results/rows'(wanted) {
      const { rows, isChanged } = await reading.call('rows', wanted);
      if (isChanged) run.lookSoon();
      return { rows: rows.map(rowOf) };
    },
    'results/find': async ({ row }) => reading.call('find', { row }),
    async 'results/details'({ row }) {
      const { details, raw } = await reading.call('details', { row });
      return detailsOf(details, raw);
    },
    async 'results/openLink'({ url }) {
      if (!isOutsideLink(url)) throw new Error('Only web and mail addresses are opened.');
      await vscode.env.openExternal(vscode.Uri.parse(url, true));
      return {};
    },
    ...actionsOf(options),
    async 'results/compare'() {
      await runCommand('inferenceDesk.batches.compare', run.target);
      return {};
    },
    async 'results/act'({ id }) {
      await act(id, services, open);
      return {};
    },
  };
}

type Actions = `results/${'goTo' | 'goToFault' | 'rowOf' | 'copy' | 'copyText' | 'export' | 'retry'}`;

function actionsOf({ services, panel, open }: ResultsPageOptions): Pick<Handlers<BatchResultsScreen>, Actions> {
  const { run, reading } = open;
  return {
    async 'results/goTo'({ row }) {
      const { details } = await reading.call('details', { row });
      const { input } = run.state;
      if (input === undefined || details.line === undefined) throw withoutLine();
      await goToLine(vscode.Uri.file(input), details.line, panel.viewColumn);
      return {};
    },
    async 'results/goToFault'({ fault }) {
      const { input, job } = run.state;
      const line = job?.batch?.errors[fault]?.line;
      if (input === undefined || line === undefined) throw withoutLine();
      await goToLine(vscode.Uri.file(input), line - 1, panel.viewColumn);
      return {};
    },
    async 'results/rowOf'({ row, customId }) {
      const { details } = await reading.call('details', { row });
      if (details.customId === customId) return { row };
      const [found] = (await reading.call('answersFor', { lines: [{ customId }] })).rows;
      return found ? { row: found.row } : {};
    },
    async 'results/copy'({ row }) {
      const { text } = await reading.call('answerText', { row });
      await vscode.env.clipboard.writeText(text);
      return {};
    },
    async 'results/copyText'({ text }) {
      await vscode.env.clipboard.writeText(text);
      return {};
    },
    async 'results/export'(choice) {
      await exportRun(open, viewOf(choice));
      return {};
    },
    async 'results/retry'({ which }) {
      await retryRun(services, open, which);
      return {};
    },
  };
}

function withoutLine(): UserError {
  return new UserError(
    vscode.l10n.t('There is no line to go to'),
    vscode.l10n.t('The batch file is not known here, or no request of it has this id.'),
    [{ id: 'findInput', label: vscode.l10n.t('Find the Input…') }],
  );
}

async function act(id: string, { batchJobs }: Services, { run }: OpenRun): Promise<void> {
  const jobs = [run.state, ...run.state.retries].flatMap(({ job }) => job ?? []);
  switch (id) {
    case 'findInput':
      await askInput(run);
      return;
    case 'fetchAgain':
      if (jobs.length === 0) throw notFollowed();
      for (const { id: one } of jobs.some((job) => job.trouble) ? jobs.filter((job) => job.trouble) : jobs) {
        await batchJobs.fetchResults(one);
      }
      return;
    case 'checkNow':
      if (jobs.length === 0) throw notFollowed();
      for (const { id: one, stage, trouble } of jobs) {
        if (stage !== 'refused' && (trouble ?? stage !== 'ended')) await batchJobs.checkNow(one);
      }
      return;
    default:
      await runAction(id);
  }
}

function notFollowed(): UserError {
  return new UserError(
    vscode.l10n.t('This batch is not followed here'),
    vscode.l10n.t('Its results can be read, but not fetched again: open it from the Batches view for that.'),
  );
}

/** Converts the page's choice to a view for the worker. */
export function viewOf({ tab, group, ...choice }: ResultsChoice) {
  return { ...choice, state: tab, ...(group !== null && { group }) };
}
