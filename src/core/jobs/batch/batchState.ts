import type { Batch } from '../../api/batches/batches.schema';

const terminal = ['completed', 'failed', 'expired', 'cancelled'];
const underWay = ['validating', 'in_queue', 'in_progress', 'finalizing', 'cancelling'];

/** The service will do no more with it. Its timestamps tell too: a status may be a word this version does not know. */
export function isOver(batch: Batch): boolean {
  if (terminal.includes(batch.status)) return true;
  if (underWay.includes(batch.status)) return false;
  return [batch.completedAt, batch.failedAt, batch.expiredAt, batch.cancelledAt].some((time) => time !== undefined);
}

/** Of a status nobody knows: it has a result although it does not look as if it was over. */
export function hasEarlyResults(batch: Batch): boolean {
  return !terminal.includes(batch.status) && !underWay.includes(batch.status) && sourcesOf(batch).length > 0;
}

export interface ResultSource {
  readonly kind: 'output' | 'errors';
  /** A file's id, or an absolute address that needs no key. */
  readonly file: string;
  /** The same for the same file, whenever it is asked for: an address is signed anew each time. */
  readonly name: string;
}

/** Where a batch's results are to be had. */
export function sourcesOf({ outputFileId, errorFileId }: Batch): readonly ResultSource[] {
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

/** By its own counts there is something to be had. */
export function expectsResults({ status, requestCounts }: Batch): boolean {
  const { completed = 0, failed = 0, total } = requestCounts ?? {};
  if (status === 'completed') return total !== 0;
  return completed + failed > 0 && status !== 'failed';
}
