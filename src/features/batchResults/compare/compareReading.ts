import * as vscode from 'vscode';
import type { Disposable } from '../../../platform/disposables';
import { UserError } from '../../../platform/errors/userError';
import { openWorker } from '../../../platform/workerCalls';
import type { CalledWorker } from '../../../platform/workerCalls';
import { workerWords } from '../resultsReader';
import type { CompareWorkerCalls, ResultsWorkerData } from '../resultsWorkerCalls';
import type { ShownRun } from '../run/shownRun';

/** Two runs in a worker of their own, read when they are first asked for. */
export interface CompareReading extends Disposable {
  /** Resolves when both were read; rejects as cancelled when that was stopped. `again`: they are read anew. */
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
        // What failed is tried anew when it is asked for again.
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
