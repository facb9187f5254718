import type { Batch } from '../../../core/api/batches/batches.schema';
import { batchIdsOf, isOver } from '../../../core/jobs/batch/batchState';
import type { BatchJob, BatchRow } from '../../../services/batches/batches';
import type { Costs } from '../../../services/usage/costs';

export interface BatchSources {
  /** As listed by the service. */
  readonly batches: readonly Batch[];
  /** When the list was read, in Unix milliseconds. */
  readonly readAt: number | undefined;
  /** Jobs of the same account. */
  readonly jobs: readonly BatchJob[];
  /** The service of that account. */
  readonly baseUrl?: string | undefined;
  readonly costs: Costs;
}

/**
 * Merges the service's list with the local jobs. Each batch is one row, in its newest state. Jobs without a batch (yet) are rows
 * too; retries are grouped under the row they retry. Sorted newest first. An unchanged row is the same object as before.
 */
export function createBatchRows(): (sources: BatchSources) => readonly BatchRow[] {
  let last = new Map<string, BatchRow>();
  return (sources) => {
    const rows = merge(sources).map((row) => {
      const before = last.get(row.key);
      return before && isSame(before, row) ? before : row;
    });
    last = new Map(rows.map((row) => [row.key, row]));
    return rows;
  };
}

function merge({ batches, readAt = 0, jobs, baseUrl, costs }: BatchSources): readonly BatchRow[] {
  const listed = new Map(batches.map((batch) => [batch.id, batch]));
  const own = jobs.map((job): BatchRow => {
    // The service lists the batches of parts, and those that it rejected before, on their own.
    const isWhole = job.parts === undefined && job.dropped === undefined;
    const batch = isWhole ? newest(job, job.batch && listed.get(job.batch.id), readAt) : job.batch;
    for (const id of batchIdsOf(job)) listed.delete(id);
    const cost = costs.of(job.id);
    return { key: job.id, job, ...(batch && { batch }), ...(cost && { cost }) };
  });
  const of = baseUrl === undefined ? {} : { baseUrl };
  const others = [...listed.values()].map((batch): BatchRow => ({ key: batch.id, batch, ...of }));
  return withRetries([...own, ...others].toSorted((a, b) => createdAt(b) - createdAt(a)));
}

/** A retry of a retry is grouped under the first row too. */
function withRetries(rows: readonly BatchRow[]): readonly BatchRow[] {
  const retried = ({ job }: BatchRow) =>
    job?.retryOf === undefined
      ? undefined
      : rows.find((row) => row.job && (row.job.id === job.retryOf || row.job.folder === job.retryOf));
  const firstOf = (row: BatchRow): BatchRow => {
    const seen = new Set<BatchRow>();
    let first = row;
    for (let before = retried(row); before; before = retried(before)) {
      // Circular records are ignored.
      if (seen.has(before)) return row;
      seen.add(before);
      first = before;
    }
    return first;
  };
  const firsts = rows.map((row) => firstOf(row));
  const hasRetries = firsts.some((first, index) => first !== rows[index]);
  return rows.flatMap((row, index) => {
    if (firsts[index] !== row) return [];
    const retries = hasRetries ? rows.filter((other, at) => other !== row && firsts[at] === row).toReversed() : [];
    return [retries.length > 0 ? { ...row, retries } : row];
  });
}

/** An ended state is final; otherwise the state that was read later counts. Only lists contain the file's name. */
function newest({ batch: own, checkedAt = 0 }: BatchJob, listed: Batch | undefined, readAt: number): Batch | undefined {
  if (!own || !listed) return own ?? listed;
  const { fileName } = listed;
  const named = own.fileName === undefined && fileName !== undefined ? { ...own, fileName } : own;
  if (isOver(own) !== isOver(listed)) return isOver(own) ? named : listed;
  return readAt > checkedAt ? listed : named;
}

function createdAt({ batch, job }: BatchRow): number {
  return batch?.createdAt === undefined ? (job?.createdAt ?? 0) : batch.createdAt * 1000;
}

function isSame(a: BatchRow, b: BatchRow): boolean {
  if (a.batch === b.batch && a.job === b.job && a.cost === b.cost && !a.retries && !b.retries) return true;
  return JSON.stringify(a) === JSON.stringify(b);
}
