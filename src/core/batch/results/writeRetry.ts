import type { ProgressMonitor } from '../../async/progressMonitor';
import { createHash } from 'node:crypto';
import { MakingError } from '../making/makingError';
import { parseObject } from '../scan/jsonValue';
import { writingWords } from '../words/resultWords';
import type { ResultsTable } from './resultsTable';
import { unansweredStates } from './resultsView';
import type { RetriedState } from './resultsView';
import { isOpen } from './summarise';
import { writeRows } from './writeRows';

export interface RetryRequest {
  /** `unanswered`: those without any response. A group of failures is identified by its number. */
  readonly which: RetriedState | 'unanswered' | { readonly group: number };
  readonly target: string;
  /** Whether to replace an existing file of this name. */
  readonly replace: boolean;
}

export interface RetryResult {
  readonly requests: number;
  readonly bytes: number;
  /** Of the new file, in hexadecimal. */
  readonly sha256: string;
  /** Lines that should be retried but cannot be, because they have no id or the id of an earlier line. */
  readonly leftOut: number;
}

const lineEnd = '\n';

/**
 * Writes requests without an answer to a new batch file, byte for byte and in the order in which they were sent; one
 * that has changed in the batch file since is written as it is there now. Leaves out what a run or retry under way may still answer. Throws a
 * `MakingError` if there is nothing to write, or if the file cannot be written.
 */
export async function writeRetry(
  table: ResultsTable,
  { which, target, replace }: RetryRequest,
  monitor: ProgressMonitor<[part: number]>,
): Promise<RetryResult> {
  if (!table.hasLines) throw new MakingError(writingWords.withoutInput());
  const wanted = table.rowsOf('all').filter((row) => isWanted(table, row, which));
  const rows = wanted.filter((row) => canBeAnswered(table, row));
  if (rows.length === 0) throw new MakingError(writingWords.nothingToRetry());
  const now = await table.currentLine();
  const hash = createHash('sha256');
  const { bytes } = await writeRows(table, {
    ...monitor,
    target,
    replace,
    rows,
    row: (row, file) => {
      const line = onOneLine(now?.(row)?.bytes ?? table.lineBytes(row) ?? Buffer.alloc(0));
      hash.update(line).update(lineEnd);
      return file.line(line);
    },
  });
  return { requests: rows.length, bytes, sha256: hash.digest('hex'), leftOut: wanted.length - rows.length };
}

/** A request that the input has over several lines must be one line of a batch file. */
function onOneLine(request: Buffer): Buffer {
  if (!request.includes(lineEnd)) return request;
  const value = parseObject(request.toString());
  return value ? Buffer.from(JSON.stringify(value)) : request;
}

function isWanted(table: ResultsTable, row: number, which: RetryRequest['which']): boolean {
  const { state, isRetried } = table.part(row);
  if (isRetried || !isOpen(table.joined, state)) return false;
  if (typeof which === 'object') return table.joined.rows.groupOf(row) === which.group;
  return which === 'unanswered' ? unansweredStates.includes(state) : state === which;
}

/** The service does not accept a request without an id, or with the id of an earlier one. */
function canBeAnswered({ joined: { rows } }: ResultsTable, row: number): boolean {
  return rows.idOf(row) !== '' && rows.firstOf(row) === row;
}
