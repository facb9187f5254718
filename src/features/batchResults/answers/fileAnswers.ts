import * as vscode from 'vscode';
import type { AskedLine, FailedLine, ResultDetails, ResultsRow } from '../../../core/batch/results/resultsView';
import { DisposableStore } from '../../../platform/disposables';
import type { Disposable } from '../../../platform/disposables';
import type { OpenRun } from '../run/openRuns';

/** The answers of a run to the lines of one file, looked up line by line. */
export interface FileAnswers extends Disposable {
  readonly folder: string;
  /** The file has changed since it was sent, and it is not known which of its lines did. */
  readonly isChanged: boolean;
  /** How often the results have been read. */
  readonly reading: number;
  /** Returns one row per line, in the same order; all `null` while the results are being read. */
  rows(lines: readonly AskedLine[]): Promise<readonly (ResultsRow | null)[]>;
  details(line: AskedLine): Promise<ResultDetails | undefined>;
  /** Empty while the results are being read. */
  failures(most: number): Promise<readonly FailedLine[]>;
}

export interface FileAnswersOptions {
  readonly folder: string;
  /** Disposed together with this object. */
  readonly open: OpenRun;
  /** Called when there is something different to show. */
  readonly onChange: () => void;
  readonly onTrouble: (error: unknown) => void;
}

export function openFileAnswers({ folder, open, onChange, onTrouble }: FileAnswersOptions): FileAnswers {
  const store = new DisposableStore();
  const { run, reading } = open;
  let isRead = false;
  let count = 0;
  let isChanged = false;
  let isDisposed = false;
  const read = async (again: boolean) => {
    const summary = await reading.load(again, () => undefined);
    if (isDisposed) return;
    isRead = summary !== undefined;
    count++;
    isChanged = summary?.input?.since === 'changed';
    onChange();
  };
  const trouble = (error: unknown) => {
    if (!(error instanceof vscode.CancellationError)) onTrouble(error);
  };
  store.add(open);
  store.add(run.onDidGoStale(() => void read(true).catch(trouble)));
  read(false).catch(trouble);
  return {
    folder,
    get isChanged() {
      return isChanged;
    },
    get reading() {
      return count;
    },
    async rows(lines) {
      if (!isRead || lines.length === 0) return lines.map(() => null);
      const { rows } = await reading.call('answersFor', { lines });
      return isChanged ? rows.map((row) => row && { ...row, isChanged }) : rows;
    },
    async details(line) {
      if (!isRead) return undefined;
      return (await reading.call('answerFor', { line })).details;
    },
    async failures(most) {
      return isRead ? (await reading.call('failures', { most })).failures : [];
    },
    dispose() {
      isDisposed = true;
      store.dispose();
    },
  };
}
