import type { Batch } from '../../core/api/batches/batches.schema';

/** A step in a batch's life that has happened. */
export interface BatchPhase {
  readonly name:
    | 'created'
    | 'inProgress'
    | 'finalizing'
    | 'completed'
    | 'failed'
    | 'expired'
    | 'cancelling'
    | 'cancelled';
  /** Unix milliseconds. */
  readonly at: number;
}

/** The phases a batch's timestamps tell, in the order they happened. They tell more than its status, which is one word. */
export function phasesOf(batch: Batch): readonly BatchPhase[] {
  const times: readonly (readonly [BatchPhase['name'], number | undefined])[] = [
    ['created', batch.createdAt],
    ['inProgress', batch.inProgressAt],
    ['finalizing', batch.finalizingAt],
    ['cancelling', batch.cancellingAt],
    ['completed', batch.completedAt],
    ['failed', batch.failedAt],
    ['expired', batch.expiredAt],
    ['cancelled', batch.cancelledAt],
  ];
  return times
    .flatMap(([name, seconds]) => (seconds === undefined ? [] : [{ name, at: seconds * 1000 }]))
    .toSorted((a, b) => a.at - b.at);
}

/** What a status means for how a batch is shown; `unknown` for words this version does not know. */
export type BatchMood = 'waiting' | 'running' | 'done' | 'partlyDone' | 'failed' | 'ended' | 'unknown';

export function moodOf({ status, requestCounts }: Batch): BatchMood {
  switch (status) {
    case 'validating':
    case 'in_queue':
      return 'waiting';
    case 'in_progress':
    case 'finalizing':
    case 'cancelling':
      return 'running';
    case 'completed':
      return requestCounts?.failed ? 'partlyDone' : 'done';
    case 'failed':
      return 'failed';
    case 'expired':
    case 'cancelled':
      return 'ended';
    default:
      return 'unknown';
  }
}

/** Whether the service is still to do something with it. */
export function isUnderWay(batch: Batch): boolean {
  return ['waiting', 'running'].includes(moodOf(batch));
}
