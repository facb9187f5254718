import type { Batch } from '../../api/batches/batches.schema';
import type { BatchJob } from './batchJob';

const terminal = ['completed', 'failed', 'expired', 'cancelled'];
const underWay = ['validating', 'in_queue', 'in_progress', 'finalizing', 'cancelling'];

/** Whether the service has finished with a batch. Its timestamps count too, because the status may be unknown to this version. */
export function isOver(batch: Batch): boolean {
  if (terminal.includes(batch.status)) return true;
  if (underWay.includes(batch.status)) return false;
  return [batch.completedAt, batch.failedAt, batch.expiredAt, batch.cancelledAt].some((time) => time !== undefined);
}

/** Whether a batch of unknown status has a result although it does not seem to have ended. */
export function hasEarlyResults(batch: Batch): boolean {
  return !terminal.includes(batch.status) && !underWay.includes(batch.status) && sourcesOf(batch).length > 0;
}

export interface ResultSource {
  readonly kind: 'output' | 'errors';
  /** A file id, or an absolute address that needs no key. Of a batch that has its own results, its ID. */
  readonly file: string;
  readonly isOfBatch?: true;
  /** A stable name of the file: an address is signed differently each time. */
  readonly name: string;
}

/** Returns the result files of a batch. */
export function sourcesOf({ id, outputFileId, errorFileId, hasOwnResults }: Batch): readonly ResultSource[] {
  if (hasOwnResults) return [{ kind: 'output', file: id, name: id, isOfBatch: true }];
  const source = (kind: ResultSource['kind'], file: string | undefined) =>
    file === undefined ? [] : [{ kind, file, name: withoutSignature(file) }];
  return [...source('output', outputFileId), ...source('errors', errorFileId)];
}

export const isAddress = (file: string): boolean => /^https?:\/\//i.test(file);

function withoutSignature(file: string): string {
  if (!isAddress(file) || !URL.canParse(file)) return file;
  const { origin, pathname } = new URL(file);
  return origin + pathname;
}

/** Whether the batch should have results by its own counts. */
export function expectsResults({ status, requestCounts }: Batch): boolean {
  const { completed = 0, failed = 0, total } = requestCounts ?? {};
  if (status === 'completed') return total !== 0;
  return completed + failed > 0 && status !== 'failed';
}

/** How many of the fetched results are complete answers, other responses, and errors. */
export function countsOf(fetched: BatchJob['fetched'] = {}): {
  readonly answered: number;
  readonly incomplete: number;
  readonly failed: number;
} {
  const sums = { answered: 0, incomplete: 0, failed: 0 };
  for (const [kind, file] of Object.entries(fetched)) {
    // Records of earlier versions have no counts.
    const before = kind === 'output' ? { answered: file.lines } : { failed: file.lines };
    for (const [outcome, count] of Object.entries(file.counts ?? before)) sums[kinds[outcome] ?? 'incomplete'] += count;
  }
  return sums;
}

const kinds: Readonly<Partial<Record<string, 'answered' | 'failed'>>> = {
  answered: 'answered',
  failed: 'failed',
  expired: 'failed',
  canceled: 'failed',
};

/** Returns the IDs of all batches that a job has or had at the service. */
export function batchIdsOf({ batch, parts = [], dropped = [] }: BatchJob): readonly string[] {
  const ofParts = parts.flatMap((part) => part.batch?.id ?? []);
  return [...(batch ? [batch.id] : []), ...ofParts, ...dropped];
}
