import type { ProgressMonitor } from '../../async/progressMonitor';
import { rootOf } from '../fixes/fixLine';
import { applyEdits } from '../fixes/lineChange';
import { insertEdit, removeEdit, replaceEdit } from '../fixes/jsonEdits';
import { withModel } from '../fixes/everyRequest';
import { MakingError } from '../making/makingError';
import { member, type JsonNode } from '../scan/jsonTree';
import { writingWords } from '../words/resultWords';
import type { ResultsTable } from './resultsTable';
import { adviseRetry, withRaisedLimit } from './retryChanges';
import type { RetryAdvice } from './retryChanges';
import { unansweredStates } from './resultsView';
import { canBeSent, writeRequests } from './writeRows';
import type { WrittenRequests } from './writeRows';

/** Which requests run again. `changed`: lines of the batch file that were added or edited since they were sent. `shown`: the rows shown. */
export type AgainRows = 'all' | 'changed' | 'unanswered' | 'truncated' | 'unexpected' | 'shown';

/** What is different in the requests of a further run. */
export interface AgainChanges {
  readonly model?: string;
  /** Replaces the system prompt of each request, or adds one; an empty text removes it. */
  readonly system?: string;
  /** By name: the value as JSON; `null` removes the parameter. */
  readonly parameters?: Readonly<Record<string, string | null>>;
  /** The lowest limit of an answer, in tokens, of requests that have a limit or whose response a limit truncated. */
  readonly answerTokens?: number;
}

export interface AgainRequest {
  readonly which: AgainRows;
  readonly changes: AgainChanges;
  readonly target: string;
  /** Whether to replace an existing file of this name. */
  readonly replace: boolean;
}

/** Returns how many requests each choice has; those that have none are left out. */
export async function countAgain(table: ResultsTable): Promise<Readonly<Partial<Record<AgainRows, number>>>> {
  const counts: Partial<Record<AgainRows, number>> = {};
  for (const which of ['all', 'changed', 'unanswered', 'truncated', 'unexpected', 'shown'] as const) {
    const count = (await rowsToRun(table, which)).length + (await linesToAdd(table, which)).length;
    if (count > 0) counts[which] = count;
  }
  return counts;
}

/**
 * Writes requests of a run to a new batch file with changes, as they were last sent, or as they were edited in the batch file since. Throws a
 * `MakingError` if there is nothing to write, or if the file cannot be written.
 */
export async function writeAgain(
  table: ResultsTable,
  { which, changes, target, replace }: AgainRequest,
  monitor: ProgressMonitor<[part: number]>,
): Promise<WrittenRequests> {
  if (!table.hasLines) throw new MakingError(writingWords.withoutInput());
  const rows = await rowsToRun(table, which);
  const added = await linesToAdd(table, which);
  if (rows.length + added.length === 0) throw new MakingError(writingWords.nothingToRun());
  const changed = (line: Buffer, isTruncated: boolean) => {
    const { answerTokens } = changes;
    const text = line.toString();
    const raised = answerTokens === undefined ? text : withRaisedLimit(text, answerTokens, isTruncated);
    return Buffer.from(withChanges(raised, changes));
  };
  const change = (line: Buffer, row: number) => changed(line, table.part(row).state === 'truncated');
  const more = added.map((line) => changed(line, false));
  return writeRequests(table, { ...monitor, target, replace, rows, change, more });
}

/** Returns what the requests of a choice would meet again if they are sent unchanged. */
export async function againAdvice(
  table: ResultsTable,
  which: AgainRows,
  monitor: ProgressMonitor<[part: number]>,
): Promise<RetryAdvice> {
  return adviseRetry(table, await rowsToRun(table, which), monitor);
}

async function linesToAdd(table: ResultsTable, which: AgainRows): Promise<readonly Buffer[]> {
  return which === 'changed' ? table.addedLines() : [];
}

/** Each with an id of its own, because the service takes no others. */
async function rowsToRun(table: ResultsTable, which: AgainRows): Promise<readonly number[]> {
  const { rows } = table.joined;
  const now = which === 'changed' ? await table.currentLine() : undefined;
  const isRequested = (row: number): boolean => {
    const { state } = table.part(row);
    switch (which) {
      case 'all':
      case 'shown':
        return true;
      case 'changed': {
        const current = now?.(row);
        return current !== undefined && table.lineBytes(row) !== undefined && !table.isAsSent(row, current.bytes);
      }
      case 'unanswered':
        return unansweredStates.includes(state);
      case 'truncated':
        return state === 'truncated';
      case 'unexpected':
        return table.columns.isAsExpected(row) === false;
    }
  };
  const from = table.rowsOf(which === 'shown' ? 'shown' : 'all');
  const found = from.filter((row) => row < rows.lines && canBeSent(table, row) && isRequested(row));
  return which === 'shown' ? found.toSorted((a, b) => a - b) : found;
}

/** Returns a request with changes, except for the limit of its answer; the rest of the line stays as it is. */
export function withChanges(line: string, { model, system, parameters = {} }: AgainChanges): string {
  let text = model === undefined ? line : withModel(line, model);
  for (const [name, value] of Object.entries(parameters)) text = withParameter(text, name, value);
  return system === undefined ? text : withSystem(text, system);
}

function bodyOf(text: string): JsonNode | undefined {
  const root = rootOf(text);
  if (root?.kind !== 'object') return undefined;
  const body = (member(root, 'body') ?? member(root, 'params'))?.value;
  return body?.kind === 'object' ? body : undefined;
}

function withParameter(text: string, name: string, value: string | null): string {
  const body = bodyOf(text);
  if (!body) return text;
  const found = member(body, name);
  if (value === null) return found ? applyEdits(text, [removeEdit({ object: body, member: found })]) : text;
  if (found) return applyEdits(text, [replaceEdit(found.value, value)]);
  return applyEdits(text, [insertEdit(text, body, { key: name, value, after: body.members.at(-1) })]);
}

const systemRoles: ReadonlySet<unknown> = new Set(['system', 'developer']);

/** The system prompt is a message of its own in chat completions, and a member of the body elsewhere. */
function withSystem(text: string, system: string): string {
  const body = bodyOf(text);
  const messages = member(body, 'messages')?.value;
  const isAnthropic = member(rootOf(text), 'params') !== undefined || member(body, 'system') !== undefined;
  if (!body || messages?.kind !== 'array' || isAnthropic) {
    const name = messages ? 'system' : 'instructions';
    return withParameter(text, name, system === '' ? null : JSON.stringify(system));
  }
  const [first, second] = messages.items;
  const role = first?.kind === 'object' ? member(first, 'role')?.value.value : undefined;
  if (first && systemRoles.has(role)) {
    const content = member(first, 'content')?.value;
    if (system !== '' && content) return applyEdits(text, [replaceEdit(content, JSON.stringify(system))]);
    if (system !== '') return text;
    return applyEdits(text, [replaceEdit({ start: first.start, end: second?.start ?? first.end }, '')]);
  }
  if (system === '') return text;
  const message = JSON.stringify({ role: 'system', content: system });
  const start = first?.start ?? messages.start + 1;
  return applyEdits(text, [{ start, end: start, text: first ? `${message},` : message }]);
}
