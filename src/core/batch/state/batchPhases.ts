import type { Batch } from '../../api/batches/batches.schema';

/** A phase that a batch has reached. */
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

/** Returns the phases by the batch's timestamps, in the order they happened. They say more than its status, which is one word. */
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

/** Returns when a batch ended, in Unix milliseconds; `undefined` if it has not, or if the service does not say. */
export function endedAt({ completedAt, failedAt, expiredAt, cancelledAt }: Batch): number | undefined {
  const seconds = completedAt ?? failedAt ?? expiredAt ?? cancelledAt;
  return seconds === undefined ? undefined : seconds * 1000;
}
