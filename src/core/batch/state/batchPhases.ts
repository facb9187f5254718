import type { Batch } from '../../api/batches/batches.schema';

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

/** When a batch came to its end, in Unix milliseconds; `undefined` where it did not, or the service does not say. */
export function endedAt({ completedAt, failedAt, expiredAt, cancelledAt }: Batch): number | undefined {
  const seconds = completedAt ?? failedAt ?? expiredAt ?? cancelledAt;
  return seconds === undefined ? undefined : seconds * 1000;
}
