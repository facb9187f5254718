import * as vscode from 'vscode';
import type { ResultsSummary } from '../../../core/batch/results/resultsView';
import type { Disposable } from '../../../platform/disposables';
import { createWorkerReading } from '../../../platform/workerReading';
import type { Progress } from '../../../platform/workerReading';
import { openResultsReader } from '../resultsReader';
import type { ResultsReader } from '../resultsReader';
import type { ResultsWorkerCalls } from '../resultsWorkerCalls';
import type { ShownRun } from './shownRun';

/** The results of a run, read on first request, whether or not a page is there to show them. */
export interface RunReading extends Disposable {
  /**
   * Resolves once the files are read or reading was stopped; to `undefined` if there are none yet. `again` reads them from
   * scratch.
   */
  load(again: boolean, onProgress: Progress, signal?: AbortSignal): Promise<ResultsSummary | undefined>;
  stop(): void;
  readonly call: ResultsReader['call'];
}

export function createRunReading(extensionUri: vscode.Uri, run: ShownRun): RunReading {
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
      // The files may have changed without anybody noticing.
      const files = JSON.stringify(source);
      const isOther = read !== '' && read !== files;
      read = files;
      const open = () => openResultsReader(extensionUri, { run: source, translations: vscode.l10n.bundle });
      return reading.load(open, { again: again || isOther, onProgress, signal });
    },
  };
}
