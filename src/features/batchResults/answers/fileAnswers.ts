import * as vscode from 'vscode';
import type { ResultDetails, ResultsRow } from '../../../core/batch/results/resultsView';
import { DisposableStore } from '../../../platform/disposables';
import type { Disposable } from '../../../platform/disposables';
import type { OpenRun } from '../run/openRuns';

/** The answers of a run to the lines of one file, asked for line by line. */
export interface FileAnswers extends Disposable {
  readonly folder: string;
  /** The file is not the one any more that was sent. */
  readonly isChanged: boolean;
  /** Of ids, in their order; nothing while the results are read. */
  rows(customIds: readonly string[]): Promise<readonly (ResultsRow | null)[]>;
  details(customId: string): Promise<ResultDetails | undefined>;
}

export interface FileAnswersOptions {
  readonly folder: string;
  /** Given back when this is disposed. */
  readonly open: OpenRun;
  /** There is something else to show. */
  readonly onChange: () => void;
  readonly onTrouble: (error: unknown) => void;
}

export function openFileAnswers({ folder, open, onChange, onTrouble }: FileAnswersOptions): FileAnswers {
  const store = new DisposableStore();
  const { run, reading } = open;
  let isRead = false;
  let isChanged = false;
  let isDisposed = false;
  const read = async (again: boolean) => {
    const summary = await reading.load(again, () => undefined);
    if (isDisposed) return;
    isRead = summary !== undefined;
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
    async rows(customIds) {
      if (!isRead || customIds.length === 0) return customIds.map(() => null);
      return (await reading.call('answersFor', { customIds })).rows;
    },
    async details(customId) {
      if (!isRead) return undefined;
      return (await reading.call('answerFor', { customId })).details;
    },
    dispose() {
      isDisposed = true;
      store.dispose();
    },
  };
}
