import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ResultsSummary } from '../../../core/batch/results/resultsView';
import type { Disposable } from '../../../platform/disposables';
import { UserError } from '../../../platform/errors/userError';
import { CalledWorker, failureOf, WorkerReading, type Progress } from '../../../platform/workerReading';
import type { Screen } from '../../../protocol/call';
import type { WireError } from '../../../protocol/wire';
import type { Services } from '../../../services/services';
import type { ResultsWorkerCalls, ResultsWorkerData } from '../resultsWorkerCalls';
import { keyOf, type ResultsTarget } from '../logic/resultsTarget';
import { Runs } from '../logic/runs';
import { createShownRun, type ShownRun } from './shownRun';

/** A run and the reader of its results. Shared: both are disposed with the last user. */
export interface OpenRun extends Disposable {
  readonly run: ShownRun;
  readonly reading: RunReading;
  /** All open runs. */
  readonly others: OpenRuns;
}

/** The runs being shown: each is watched and read once, however many users it has. */
export interface OpenRuns extends Disposable {
  /** All runs on this machine. */
  readonly list: Runs;
  open(target: ResultsTarget): OpenRun;
}

interface Shared extends OpenRun {
  users: number;
}

export function createOpenRuns(services: Services): OpenRuns {
  const list = new Runs(services);
  const runs = new Map<string, Shared>();
  const begin = (target: ResultsTarget): Shared => {
    const run = createShownRun(services, list, target);
    const reading = new RunReading(services.context.extensionUri, run);
    const dispose = () => {
      reading.dispose();
      run.dispose();
    };
    return { run, reading, others: all, users: 0, dispose };
  };
  const all: OpenRuns = {
    list,
    open(target) {
      const key = keyOf(target);
      const shared = runs.get(key) ?? begin(target);
      runs.set(key, shared);
      shared.users++;
      let isOpen = true;
      const dispose = () => {
        if (!isOpen) return;
        isOpen = false;
        if (--shared.users > 0) return;
        runs.delete(key);
        shared.dispose();
      };
      return { run: shared.run, reading: shared.reading, others: all, dispose };
    },
    dispose() {
      for (const shared of runs.values()) shared.dispose();
      runs.clear();
    },
  };
  return all;
}

/** The results of a run, read on first request, whether or not a page is there to show them. */
export class RunReading extends WorkerReading<ResultsWorkerCalls, ResultsSummary | undefined> {
  /** The files read last. */
  private files = '';

  constructor(
    extensionUri: vscode.Uri,
    private readonly run: ShownRun,
  ) {
    super(
      () => openResultsWorker(extensionUri, [run], false),
      (worker, options) => worker.call('load', {}, options),
    );
  }

  /** Resolves to `undefined` if there are no results yet. */
  override async load(again: boolean, onProgress: Progress, signal?: AbortSignal): Promise<ResultsSummary | undefined> {
    await this.run.refresh();
    const { source } = this.run.state;
    if (!source) return undefined;
    // The files may have changed without anybody noticing.
    const files = JSON.stringify(source);
    const isOther = this.files !== '' && this.files !== files;
    this.files = files;
    return super.load(again || isOther, onProgress, signal);
  }
}

/** Opens a worker that holds a run, or that compares several. Its calls reject with localized messages. Throws if one has no results. */
export function openResultsWorker<Calls extends Screen>(
  extensionUri: vscode.Uri,
  runs: readonly ShownRun[],
  isComparison: boolean,
): CalledWorker<Calls> {
  const [first, ...others] = runs.flatMap((run) => run.state.source ?? []);
  if (!first || others.length + 1 < runs.length) throw withoutResults();
  const script = vscode.Uri.joinPath(extensionUri, 'dist', 'resultsWorker.js');
  const data: ResultsWorkerData = { runs: [first, ...others], isComparison, translations: vscode.l10n.bundle };
  return new CalledWorker<Calls>(script, data, worded);
}

/** Converts a worker's error to a localized one. The message of a `MakingError` is already localized. */
function worded(error: WireError): Error {
  if (error.kind === 'MakingError') return new UserError(l10n.t("Couldn't save the file"), error.title);
  return failureOf(error);
}

export function withoutResults(): UserError {
  return new UserError(
    l10n.t('One of the runs has no results'),
    l10n.t('Not available yet, or deleted. Choose another run.'),
  );
}
