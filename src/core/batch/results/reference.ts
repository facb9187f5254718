import { setImmediate } from 'node:timers/promises';
import type { ProgressMonitor } from '../../async/progressMonitor';
import { sameText } from './expected';
import type { ResultsTable } from './resultsTable';

/** Other work can run after this many rows. */
const rowsAtOnce = 500;

/** How the answers of a run differ from those of another run with the same ids. */
export interface ReferenceRun {
  readonly table: ResultsTable;
  /** The rows whose answers differ, including those that only one of the runs answered. */
  readonly different: ReadonlySet<number>;
  /** Returns the row of the other run with the same id. */
  rowOf(row: number): number | undefined;
}

/** Compares a run with another one. Answers that differ only in case and white space are the same. Rejects if aborted. */
export async function compareWith(
  table: ResultsTable,
  reference: ResultsTable,
  { signal, onProgress }: ProgressMonitor<[part: number]>,
): Promise<ReferenceRun> {
  const { rows } = table.joined;
  const rowOf = (row: number) => {
    const id = rows.idOf(row);
    return id === '' ? undefined : reference.joined.rows.find(id);
  };
  const different = new Set<number>();
  for (let row = 0; row < rows.count; row++) {
    if (row % rowsAtOnce === 0) {
      await setImmediate();
      signal.throwIfAborted();
      onProgress(row / rows.count);
    }
    const other = rowOf(row);
    if (other === undefined) continue;
    if (!sameText(table.answerText(row), reference.answerText(other))) different.add(row);
  }
  return { table: reference, different, rowOf };
}
