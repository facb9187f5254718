import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import { DisposableStore } from '../../platform/disposables';
import type { Disposable } from '../../platform/disposables';
import type { Services } from '../../services/services';
import { createAnswers } from './answers/answers';
import { createComparePages } from './compare/compareController';
import { pickRun } from './flows/pickRun';
import { retryRun } from './flows/retryFlow';
import { createResultsPages, viewOf } from './page/resultsController';
import { createReferences } from './logic/references';
import type { ResultsTarget } from './logic/resultsTarget';
import { createRunLinks } from './run/runLinks';
import { runAgain } from './flows/runAgainFlow';
import { resultsCalls } from '../../protocol/batchResults';
import type { ResultsView } from '../../core/batch/results/resultsView';
import { findTarget } from './run/findTarget';
import { createOpenRuns } from './run/openRuns';
import { foreign } from '../../core/text/foreignText';

/** The batch result commands. Arguments are validated because they come from menus, links and other features. */
export interface BatchResultsRuntime extends Disposable {
  /** Opens the results of a row, job, folder or result file; without one, the user chooses. `customId` selects that request. */
  openResults(of?: unknown, customId?: unknown): Promise<void>;
  retryFailed(of?: unknown): Promise<void>;
  /** `choice`: what the results page of the run shows. */
  runAgain(of?: unknown, choice?: unknown): Promise<void>;
  /** Without a second run, the user chooses it. */
  compare(of?: unknown, other?: unknown): Promise<void>;
  /** Chooses the run whose answers a batch file's lines show; without a file, the active editor's. */
  chooseAnswers(file?: unknown): Promise<void>;
  restore(screen: 'batchResults' | 'batchCompare', panel: vscode.WebviewPanel, state: unknown): void;
}

export function createBatchResults(services: Services): BatchResultsRuntime {
  const store = new DisposableStore();
  const runs = store.add(createOpenRuns(services));
  const pages = store.add(createResultsPages(services, runs));
  const comparisons = store.add(createComparePages(services, runs));
  const answers = store.add(createAnswers(services, runs));
  /** Shows how a run differs from the one that it repeats. */
  const showLinked = async ({ a, b }: { readonly a: ResultsTarget; readonly b: ResultsTarget }) => {
    await createReferences(services.context.globalState).set(b, a);
    await comparisons.open({ a, b });
  };
  const links = store.add(createRunLinks(services, runs.list, (pair) => void showLinked(pair)));
  const targetOf = async (of: unknown, title: string) =>
    (await findTarget(services, runs.list, of)) ?? pickRun(runs.list, title);

  return {
    async openResults(of, customId) {
      const target = await targetOf(of, l10n.t('Open Results'));
      if (!target) return;
      const row = typeof customId === 'string' ? await rowOf(runs.open(target), customId) : undefined;
      await pages.open(target, row);
    },
    async retryFailed(of) {
      const target = await targetOf(of, l10n.t('Retry Failed and Missing Requests'));
      if (!target) return;
      const open = runs.open(target);
      try {
        await retryRun(services, open, 'unanswered');
      } finally {
        open.dispose();
      }
    },
    async runAgain(of, choice) {
      const target = await targetOf(of, l10n.t('Run Again With Changes'));
      if (!target) return;
      const open = runs.open(target);
      const view = choice === undefined ? allResults : viewOf(resultsCalls['results/runAgain'].parse(choice));
      try {
        await runAgain(services, open, { view, links });
      } finally {
        open.dispose();
      }
    },
    async compare(of, other) {
      const first = await targetOf(of, l10n.t('Compare Two Runs'));
      if (!first) return;
      const second = (await findTarget(services, runs.list, other)) ?? (await pickSecond(runs, first));
      if (second) await comparisons.open({ a: first, b: second });
    },
    chooseAnswers: (file) => answers.choose(file),
    restore(screen, panel, state) {
      if (screen === 'batchResults') pages.restore(panel, state);
      else comparisons.restore(panel, state);
    },
    dispose: () => store.dispose(),
  };
}

const allResults: ResultsView = { state: 'all', query: '', sort: 'line', descending: false };

type OpenRuns = ReturnType<typeof createOpenRuns>;

async function rowOf(open: ReturnType<OpenRuns['open']>, customId: string): Promise<number | undefined> {
  try {
    if (!(await open.reading.load(false, () => undefined))) return undefined;
    const { rows } = await open.reading.call('answersFor', { lines: [{ customId }] });
    return rows[0]?.row;
  } finally {
    open.dispose();
  }
}

/** Only runs with common ids can be compared usefully. */
async function pickSecond(runs: OpenRuns, first: Parameters<OpenRuns['open']>[0]) {
  const open = runs.open(first);
  try {
    await open.run.refresh();
    return await pickRun(runs.list, l10n.t('Select a run to compare with {0}', foreign(open.run.state.name)), open.run);
  } finally {
    open.dispose();
  }
}
