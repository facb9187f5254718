import * as vscode from 'vscode';
import type { ResultsSummary } from '../../../core/batch/results/resultsView';
import type { Disposable } from '../../../platform/disposables';
import { createWorkerReading } from '../../../platform/workerReading';
import type { Progress } from '../../../platform/workerReading';
import { openResultsReader } from '../resultsReader';
import type { ResultsReader } from '../resultsReader';
import type { ResultsWorkerCalls } from '../resultsWorkerCalls';
import type { ShownRun } from './shownRun';

/** The results of a run, read when they are first asked for, whether or not a page is there to see them. */
export interface RunReading extends Disposable {
  /**
   * Resolves when the files were read or their reading was stopped; with `undefined` where there are none yet. `again`: they
   * are read anew.
   */
  load(again: boolean, onProgress: Progress, signal?: AbortSignal): Promise<ResultsSummary | undefined>;
  stop(): void;
  readonly call: ResultsReader['call'];
}

export function createRunReading(extensionUri: vscode.Uri, run: Pick<ShownRun, 'state' | 'refresh'>): RunReading {
  const reading = createWorkerReading<ResultsWorkerCalls, ResultsSummary>((reader, options) =>
    reader.call('load', {}, options),
  );
  let read = '';
  return {
    ...reading,
    async load(again, onProgress, signal) {
      await run.refresh();
      const { source } = run.state;
      if (!source) return undefined;
      // Nobody may have seen that there are others now.
      const files = JSON.stringify(source);
      const isOther = read !== '' && read !== files;
      read = files;
      const open = () => openResultsReader(extensionUri, { run: source, translations: vscode.l10n.bundle });
      return reading.load(open, { again: again || isOther, onProgress, signal });
    },
  };
}
