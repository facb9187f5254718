import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import { DisposableStore } from '../../platform/disposables';
import type { Disposable } from '../../platform/disposables';
import type { Services } from '../../services/services';
import { createAnswers } from './answers/answers';
import { createComparePages } from './compare/compareController';
import { pickRun, pickRuns } from './flows/pickRun';
import { retryRun } from './flows/retryFlow';
import { createResultsPages, viewOf } from './page/resultsController';
import { createReferences } from './logic/references';
import { uniqueTargets, type ResultsTarget } from './logic/resultsTarget';
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
  /** `others` are one or more further runs, such as the selected rows. Without any, the user chooses them. */
  compare(of?: unknown, others?: unknown): Promise<void>;
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
    await comparisons.open([a, b]);
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
      const view = viewIn(choice);
      try {
        await runAgain(services, open, { view, links });
      } finally {
        open.dispose();
      }
    },
    async compare(of, others) {
      const asked = [of, ...(Array.isArray(others) ? (others as readonly unknown[]) : [others])];
      const found = await Promise.all(asked.map((one) => findTarget(services, runs.list, one)));
      const targets = await toCompare(runs, found);
      if (targets) await comparisons.open(targets);
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

/** Parses the filter of the results page. A menu passes the selected rows instead. */
function viewIn(choice: unknown): ResultsView {
  const isOfMenu = choice === undefined || Array.isArray(choice);
  return isOfMenu ? allResults : viewOf(resultsCalls['results/runAgain'].parse(choice));
}

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

/** Returns the runs to compare, the oldest first. If there are fewer than two, the user chooses; `undefined` if the user cancels. */
async function toCompare(
  runs: OpenRuns,
  found: readonly (ResultsTarget | undefined)[],
): Promise<readonly ResultsTarget[] | undefined> {
  const targets = uniqueTargets(found.filter((target) => target !== undefined));
  const chosen = targets.length > 1 ? [] : await pickOthers(runs, targets);
  return chosen && oldestFirst(runs, [...targets, ...chosen]);
}

/** Only runs with common ids can be compared usefully. */
async function pickOthers(runs: OpenRuns, targets: readonly ResultsTarget[]) {
  const open = targets.map((target) => runs.open(target));
  try {
    await Promise.all(open.map(({ run }) => run.refresh()));
    const [first] = open;
    const title = first
      ? l10n.t('Select Runs to Compare with {0}', foreign(first.run.state.name))
      : l10n.t('Select Runs to Compare');
    return await pickRuns(
      runs.list,
      title,
      open.map(({ run }) => run),
    );
  } finally {
    for (const one of open) one.dispose();
  }
}

/** The oldest run comes first because the others are its successors. Files without a run keep their places at the end. */
async function oldestFirst(runs: OpenRuns, targets: readonly ResultsTarget[]): Promise<readonly ResultsTarget[]> {
  const known = new Map((await runs.list.all()).map(({ path, run }) => [path, run.createdAt]));
  const at = (target: ResultsTarget) => (target.kind === 'folder' ? known.get(target.folder) : undefined) ?? Infinity;
  return targets.toSorted((a, b) => (at(a) === at(b) ? 0 : at(a) - at(b)));
}
