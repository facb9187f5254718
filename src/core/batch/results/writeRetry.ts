import type { ProgressMonitor } from '../../async/progressMonitor';
import { MakingError } from '../making/makingError';
import { writingWords } from '../words/resultWords';
import type { ResultLine } from './resultLine';
import type { ResultsTable } from './resultsTable';
import { unansweredStates } from './resultsView';
import type { RetriedState } from './resultsView';
import { adviseRetry, changesAfter, isLasting, withAnswerLimit, withChange } from './retryChanges';
import type { RetryAdvice } from './retryChanges';
import { readResultLine } from './rowTexts';
import { isOpen } from './summarise';
import { canBeSent, writeRequests } from './writeRows';
import type { WrittenRequests } from './writeRows';

/** How a retry changes the requests. */
export interface RetryChanges {
  /** Whether to change requests as their rejections say. */
  readonly applyChanges?: boolean;
  /** The limit of the answers, in tokens, in place of that of the requests. */
  readonly answerTokens?: number;
}

export interface RetryRequest extends RetryChanges {
  /** `unanswered`: those without any response. A group of failures is identified by its number. */
  readonly which: RetriedState | 'unanswered' | { readonly group: number };
  readonly target: string;
  /** Whether to replace an existing file of this name. */
  readonly replace: boolean;
}

export interface RetryResult extends WrittenRequests {
  /** Lines that should be retried but cannot be, because they have no id or the id of an earlier line. */
  readonly leftOut: number;
}

/**
 * Writes requests without an answer to a new batch file, byte for byte and in the order in which they were sent. A line that has changed in
 * the batch file since is written in its current version. Omits what a run or retry in progress might still answer. Throws a `MakingError`
 * if there is nothing to write, or if the file can't be written.
 */
export async function writeRetry(
  table: ResultsTable,
  { which, target, replace, applyChanges = false, answerTokens }: RetryRequest,
  monitor: ProgressMonitor<[part: number]>,
): Promise<RetryResult> {
  if (!table.hasLines) throw new MakingError(writingWords.withoutInput());
  const chosenRows = rowsToRetry(table, which);
  const rows = chosenRows.filter((row) => canBeSent(table, row));
  if (rows.length === 0) throw new MakingError(writingWords.nothingToRetry());
  const written = await writeRequests(table, {
    ...monitor,
    target,
    replace,
    rows,
    change: (request, row, isSent) => {
      const line = applyChanges && isSent ? changed(request, readResultLine(table.texts(row).result)) : request;
      return answerTokens === undefined ? line : Buffer.from(withAnswerLimit(line.toString(), answerTokens));
    },
  });
  return { ...written, leftOut: chosenRows.length - rows.length };
}

/** Returns a request with the changes that its rejection names. */
function changed(line: Buffer, result: ResultLine | undefined): Buffer {
  if (!result?.failure || !isLasting(result.failure, result.status)) return line;
  const text = line.toString();
  const changes = changesAfter(result.failure, text);
  return changes.length === 0 ? line : Buffer.from(changes.reduce(withChange, text));
}

/** Returns what a retry would meet again, for the requests that `writeRetry` would write. */
export function retryAdvice(
  table: ResultsTable,
  which: RetryRequest['which'],
  monitor: ProgressMonitor<[part: number]>,
): Promise<RetryAdvice> {
  const rows = rowsToRetry(table, which).filter((row) => canBeSent(table, row));
  return adviseRetry(table, rows, monitor);
}

function rowsToRetry(table: ResultsTable, which: RetryRequest['which']): readonly number[] {
  return table.rowsOf('all').filter((row) => isToRetry(table, row, which));
}

function isToRetry(table: ResultsTable, row: number, which: RetryRequest['which']): boolean {
  const { state, isRetried } = table.part(row);
  if (isRetried || !isOpen(table.joined, state)) return false;
  if (typeof which === 'object') return table.joined.rows.groupOf(row) === which.group;
  return which === 'unanswered' ? unansweredStates.includes(state) : state === which;
}
