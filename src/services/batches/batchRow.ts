import type { LearnedCost } from '../../core/account/costs';
import type { Batch } from '../../core/api/batches/batches.schema';
import type { BatchJob } from './batchJobs';
import { itemOfRow } from '../../platform/listRow';

/** A row of the Batches view: a batch at the service, an order kept here, or both. */
export interface BatchRow extends Ordered {
  /** The order's id, else the batch's. */
  readonly key: string;
  readonly batch?: Batch;
  /** What asks its failed and missing requests again, oldest first. */
  readonly retries?: readonly BatchRow[];
  readonly cost?: LearnedCost;
}

/** With its order, where that is kept here. */
export interface Ordered {
  readonly job?: BatchJob;
}

/** Whether more of an order is to come. */
export function isAwaited({ job }: Ordered): boolean {
  return job !== undefined && job.stage !== 'ended' && job.stage !== 'refused';
}

/** What a menu of the Batches view hands over; `undefined` for anything else. */
export function batchRowOf(row: unknown): BatchRow | undefined {
  const item = itemOfRow(row);
  return typeof item === 'object' && item !== null && 'key' in item ? (item as BatchRow) : undefined;
}
