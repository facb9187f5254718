import type { LearnedCost } from '../../core/account/costs';
import type { Batch } from '../../core/api/batches/batches.schema';
import type { BatchJob } from './batchJobs';
import { itemOfRow } from '../../platform/listRow';

/** A row of the Batches view: a batch at the service, a job recorded here, or both. */
export interface BatchRow extends Ordered {
  /** Id of the job, else of the batch. */
  readonly key: string;
  readonly batch?: Batch;
  /** Retries of its failed and missing requests, oldest first. */
  readonly retries?: readonly BatchRow[];
  readonly cost?: LearnedCost;
}

/** Something with its job, if that is recorded here. */
export interface Ordered {
  readonly job?: BatchJob;
}

/** Whether a job is still in progress. */
export function isAwaited({ job }: Ordered): boolean {
  return job !== undefined && job.stage !== 'ended' && job.stage !== 'refused';
}

/** Returns the row that a menu of the Batches view passed, or `undefined` for anything else. */
export function batchRowOf(row: unknown): BatchRow | undefined {
  const item = itemOfRow(row);
  return typeof item === 'object' && item !== null && 'key' in item ? (item as BatchRow) : undefined;
}
