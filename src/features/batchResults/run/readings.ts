import * as vscode from 'vscode';
import type { ResultsSource } from '../../../core/batch/results/resultsSource';
import type { ResultsSummary } from '../../../core/batch/results/resultsView';
import type { Disposable } from '../../../platform/disposables';
import { UserError } from '../../../platform/errors/userError';
import { createWorkerReading, failureOf, openWorker } from '../../../platform/workerReading';
import type { CalledWorker, Progress } from '../../../platform/workerReading';
import type { Screen } from '../../../protocol/call';
import type { WireError } from '../../../protocol/wire';
import type { CompareWorkerCalls, ResultsWorkerCalls, ResultsWorkerData } from '../resultsWorkerCalls';
import type { ShownRun } from './shownRun';

/** The results of a run, read on first request, whether or not a page is there to show them. */
export interface RunReading extends Disposable {
  /**
   * Resolves once the files are read or reading was stopped; to `undefined` if there are none yet. `again` reads them from
   * scratch.
   */
  load(again: boolean, onProgress: Progress, signal?: AbortSignal): Promise<ResultsSummary | undefined>;
  stop(): void;
  readonly call: CalledWorker<ResultsWorkerCalls>['call'];
}

export function createRunReading(extensionUri: vscode.Uri, run: ShownRun): RunReading {
  const reading = createWorkerReading<ResultsWorkerCalls, ResultsSummary>((worker, options) =>
    worker.call('load', {}, options),
  );
  let read = '';
  return {
    ...reading,
    async load(again, onProgress, signal) {
      await run.refresh();
      const { source } = run.state;
      if (!source) return undefined;
      // The files may have changed without anybody noticing.
      const files = JSON.stringify(source);
      const isOther = read !== '' && read !== files;
      read = files;
      const open = () => openReader<ResultsWorkerCalls>(extensionUri, source);
      return reading.load(open, { again: again || isOther, onProgress, signal });
    },
  };
}

/** Two runs in a worker of their own, read on first request. */
export interface CompareReading extends Disposable {
  /** Resolves once both are read; rejects as cancelled if reading was stopped. `again` reads them from scratch. */
  load(again: boolean, onProgress: Progress, signal: AbortSignal): Promise<void>;
  stop(): void;
  readonly call: CalledWorker<CompareWorkerCalls>['call'];
}

export function createCompareReading(
  extensionUri: vscode.Uri,
  { a, b }: { readonly a: ShownRun; readonly b: ShownRun },
): CompareReading {
  const reading = createWorkerReading<CompareWorkerCalls, unknown>((worker, options) =>
    worker.call('load', { isLoose: false }, options),
  );
  return {
    ...reading,
    async load(again, onProgress, signal) {
      await Promise.all([a.refresh(), b.refresh()]);
      const [run, other] = [a.state.source, b.state.source];
      if (!run || !other) throw withoutResults();
      const open = () => openReader<CompareWorkerCalls>(extensionUri, run, other);
      await reading.load(open, { again, onProgress, signal });
    },
  };
}

/** Opens a worker that holds a run, or two to compare. Its calls reject with localized messages. */
function openReader<Calls extends Screen>(
  extensionUri: vscode.Uri,
  run: ResultsSource,
  other?: ResultsSource,
): CalledWorker<Calls> {
  const script = vscode.Uri.joinPath(extensionUri, 'dist', 'resultsWorker.js');
  const data: ResultsWorkerData = { run, ...(other && { with: other }), translations: vscode.l10n.bundle };
  return openWorker<Calls>({ script, data, worded });
}

/** Converts a worker's error to a localized one. The message of a `MakingError` is already localized. */
function worded(error: WireError): Error {
  if (error.kind === 'MakingError') return new UserError(vscode.l10n.t('The file was not written'), error.title);
  return failureOf(error);
}

function withoutResults(): UserError {
  return new UserError(
    vscode.l10n.t('One of the runs has no results'),
    vscode.l10n.t('They are not there yet, or were moved or deleted. Choose another run.'),
  );
}
