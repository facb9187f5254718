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
  /** Expired or canceled. */
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

function readingOfCompleted({ requestCounts, outputFileId, errorFileId, hasOwnResults }: Batch): BatchReading {
  const { total, completed, failed } = requestCounts ?? {};
  const hasOutput = Boolean(outputFileId) || hasOwnResults === true;
  if (!hasOutput && !errorFileId) return 'nothing';
  if (!hasOutput || completed === 0) return 'allFailed';
  // Some services name an error file even if it is empty.
  if (failed === 0 && total !== undefined && completed !== undefined) return completed < total ? 'partlyDone' : 'done';
  const isMissingSome = total !== undefined && completed !== undefined && completed < total;
  return (failed ?? 0) > 0 || errorFileId || isMissingSome ? 'partlyDone' : 'done';
}

/** Whether the service still has to process it. */
export function isUnderWay(batch: Batch): boolean {
  return ['waiting', 'running'].includes(readingOf(batch));
}

/** Whether the batch can still be canceled, by its status. Also `true` if the status is not known. */
export function isCancellable({ status }: Batch): boolean {
  return !['finalizing', 'completed', 'failed', 'expired', 'cancelling', 'cancelled'].includes(status);
}

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

/** Returns the name of a batch: from its metadata, where consoles store it, else its file name; `undefined` if it has neither. */
export function batchName({ metadata, fileName }: Batch): string | undefined {
  return metadata['name'] || fileName || undefined;
}

/** Returns the name of a batch or of the job that submitted it; `undefined` if neither has one. */
export function rowName({ batch, job }: NamedRow): string | undefined {
  const path = job?.input?.path;
  return (batch && batchName(batch)) || job?.options.metadata?.['name'] || path?.split(/[/\\]/).at(-1);
}

interface NamedRow {
  readonly batch?: Batch | undefined;
  readonly job?:
    | {
        readonly input?: { readonly path: string };
        readonly options: { readonly metadata?: Readonly<Record<string, string>> };
      }
    | undefined;
}
