import type { Batch } from '../../api/batches/batches.schema';

/** The state of a batch, from its status, its counts and its files. */
export type BatchReading =
  | 'waiting'
  | 'running'
  | 'done'
  /** Completed, but some of its requests failed or are missing. */
  | 'partlyDone'
  /** Completed, but no request succeeded. */
  | 'allFailed'
  /** Completed, but it names no result file. */
  | 'nothing'
  | 'failed'
  /** Expired or cancelled. */
  | 'ended'
  /** A status that this version does not know. */
  | 'unknown';

export function readingOf(batch: Batch): BatchReading {
  switch (batch.status) {
    case 'validating':
    case 'in_queue':
      return 'waiting';
    case 'in_progress':
    case 'finalizing':
    case 'cancelling':
      return 'running';
    case 'completed':
      return readingOfCompleted(batch);
    case 'failed':
      return 'failed';
    case 'expired':
    case 'cancelled':
      return 'ended';
    default:
      return 'unknown';
  }
}

function readingOfCompleted({ requestCounts, outputFileId, errorFileId }: Batch): BatchReading {
  const { total, completed, failed = 0 } = requestCounts ?? {};
  if (!outputFileId && !errorFileId) return 'nothing';
  if (!outputFileId || completed === 0) return 'allFailed';
  const isMissingSome = total !== undefined && completed !== undefined && completed < total;
  return failed > 0 || errorFileId || isMissingSome ? 'partlyDone' : 'done';
}

/** Whether the service still has to process it. */
export function isUnderWay(batch: Batch): boolean {
  return ['waiting', 'running'].includes(readingOf(batch));
}

/** Whether the batch can still be cancelled, by its status. Also `true` if the status is not known. */
export function isCancellable({ status }: Batch): boolean {
  return !['finalizing', 'completed', 'failed', 'expired', 'cancelling', 'cancelled'].includes(status);
}
