import * as vscode from 'vscode';
import type { Disposable } from '../../../platform/disposables';
import { UserError } from '../../../platform/errors/userError';
import { openWorker } from '../../../platform/workerCalls';
import type { CalledWorker } from '../../../platform/workerCalls';
import { workerWords } from '../resultsReader';
import type { CompareWorkerCalls, ResultsWorkerData } from '../resultsWorkerCalls';
import type { ShownRun } from '../run/shownRun';

/** Two runs in a worker of their own, read on first request. */
export interface CompareReading extends Disposable {
  /** Resolves once both are read; rejects as cancelled if reading was stopped. `again` reads them from scratch. */
  load(again: boolean, onProgress: (part: number) => void, signal: AbortSignal): Promise<void>;
  stop(): void;
  readonly call: CalledWorker<CompareWorkerCalls>['call'];
}

export function createCompareReading(
  extensionUri: vscode.Uri,
  { a, b }: { readonly a: ShownRun; readonly b: ShownRun },
): CompareReading {
  let worker: CalledWorker<CompareWorkerCalls> | undefined;
  let loaded: Promise<unknown> | undefined;
  let stopper = new AbortController();
  let progress: (part: number) => void = () => undefined;

  const begin = async () => {
    await Promise.all([a.refresh(), b.refresh()]);
    const run = a.state.source;
    const other = b.state.source;
    if (!run || !other) throw withoutResults();
    const script = vscode.Uri.joinPath(extensionUri, 'dist', 'resultsWorker.js');
    const data: ResultsWorkerData = { run, with: other, translations: vscode.l10n.bundle };
    stopper = new AbortController();
    worker?.dispose();
    worker = openWorker<CompareWorkerCalls>({ script, data, worded: workerWords });
    await worker.call('load', { isLoose: false }, { signal: stopper.signal, onChunk: ({ part }) => progress(part) });
  };
  return {
    async load(again, onProgress, signal) {
      progress = onProgress;
      signal.addEventListener('abort', () => (progress = () => undefined), { once: true });
      if (again) loaded = undefined;
      loaded ??= begin();
      try {
        await loaded;
      } catch (error) {
        // A failed load is tried again on the next request.
        loaded = undefined;
        throw error;
      }
    },
    stop: () => stopper.abort(),
    call: async (...asked) => {
      await loaded;
      if (!worker) throw new vscode.CancellationError();
      return worker.call(...asked);
    },
    dispose: () => worker?.dispose(),
  };
}

function withoutResults(): UserError {
  return new UserError(
    vscode.l10n.t('One of the runs has no results'),
    vscode.l10n.t('They are not there yet, or were moved or deleted. Choose another run.'),
  );
}
