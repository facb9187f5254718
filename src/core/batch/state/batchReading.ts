import type { Batch } from '../../api/batches/batches.schema';

/** What a batch has come to: its status, with what its counts and files say. */
export type BatchReading =
  | 'waiting'
  | 'running'
  | 'done'
  /** Completed, and some of its requests failed or are missing. */
  | 'partlyDone'
  /** Completed, and no request succeeded. */
  | 'allFailed'
  /** Completed, and it names no result at all. */
  | 'nothing'
  | 'failed'
  /** Expired or cancelled. */
  | 'ended'
  /** A word this version does not know. */
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

/** Whether the service is still to do something with it. */
export function isUnderWay(batch: Batch): boolean {
  return ['waiting', 'running'].includes(readingOf(batch));
}

/** Whether a service may still be asked to cancel it: by its word, or where its word is not known. */
export function isCancellable({ status }: Batch): boolean {
  return !['finalizing', 'completed', 'failed', 'expired', 'cancelling', 'cancelled'].includes(status);
}
