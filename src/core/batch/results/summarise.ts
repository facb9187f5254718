import path from 'node:path';
import { noticeWords } from '../words/noticeWords';
import type { ResultsColumns } from './columns';
import { retryOf } from './joinFiles';
import type { Joined } from './joinFiles';
import type { ErrorGroup, ResultsFile, ResultsInput, ResultsSummary, ResultState, RetriedState } from './resultsView';

const shownRows = 20;
const namedLines = 5;
const weights = { error: 0, warning: 1, info: 2 };

type Notice = ResultsSummary['notices'][number];
type Counted = Omit<ResultsSummary, 'notices'>;

/** Whether the lines of the input are known, so that results can be missing or extra. */
export function hasLines({ input, rows }: Joined): boolean {
  return input !== undefined && rows.lines > 0;
}

/** Returns the outcome of a row, or `undefined` for a blank line. */
export function stateOf(joined: Joined, row: number): ResultState | undefined {
  const { rows } = joined;
  if (row >= rows.lines) return hasLines(joined) ? 'extra' : (rows.outcomeAt(row) ?? 'missing');
  return rows.outcomeAt(row) ?? (rows.isBlank(row) ? undefined : 'missing');
}

/** Whether the request of a state can be sent again. */
export function isRetried(state: ResultState | undefined): state is RetriedState {
  return state !== undefined && state !== 'answered' && state !== 'extra';
}

/** Whether a state can be sent again now. A request without a result might still get one while the run is in progress. */
export function isOpen({ isUnderWay }: Joined, state: ResultState | undefined): state is RetriedState {
  return isRetried(state) && !(isUnderWay && state === 'missing');
}

function columnsIn({ rows }: Joined, columns: ResultsColumns): ResultsSummary['columns'] {
  const { all, defaults, source } = columns;
  let unexpected = 0;
  for (let row = 0; row < rows.count; row++) if (columns.isAsExpected(row) === false) unexpected++;
  return {
    all,
    defaults,
    ...(source && { source: source.source }),
    ...(columns.hasExpected && { unexpected }),
  };
}

/** Counts the joined requests and results. */
export function summarise(joined: Joined, columns: ResultsColumns): ResultsSummary {
  const { rows, input, files, duplicates, nameless, isWhole } = joined;
  const open = { failed: 0, expired: 0, canceled: 0, missing: 0, empty: 0, truncated: 0, refused: 0 };
  const counts = { ...open, answered: 0, extra: 0 };
  let filtered = 0;
  let retrying = 0;
  let withoutId = 0;
  const groups = new Map<number, { count: number; readonly rows: number[] }>();
  for (let row = 0; row < rows.count; row++) {
    const state = stateOf(joined, row);
    if (!state) continue;
    counts[state]++;
    if (isRetried(state)) {
      if (joined.retries.length > 0 && retryOf(joined, row) !== undefined) retrying++;
      else if (isOpen(joined, state)) open[state]++;
    }
    if (state === 'missing' && rows.idOf(row) === '') withoutId++;
    if (state === 'empty' && rows.resultAt(row)?.isFiltered) filtered++;
    const number = state === 'failed' ? rows.groupOf(row) : undefined;
    if (number === undefined) continue;
    const group = groups.get(number) ?? { count: 0, rows: [] };
    groups.set(number, group);
    group.count++;
    if (group.rows.length < shownRows) group.rows.push(row);
  }
  const requests = rows.count === 0 ? 0 : Object.values(counts).reduce((sum, count) => sum + count, 0) - counts.extra;
  const counted = {
    ...(input && { input: { ...input, withoutId } }),
    files,
    requests,
    ...counts,
    retrying,
    open,
    duplicates,
    nameless,
    columns: columnsIn(joined, columns),
    isOtherInput: counts.extra > nameless && counts.missing === requests,
    filtered,
    tokensIn: rows.tokens.input,
    tokensOut: rows.tokens.output,
    groups: [...groups].map(([group, { count, rows }]): ErrorGroup => ({
      group,
      ...joined.groups.all[group]!,
      count,
      rows,
    })),
    isWhole,
  };
  counted.groups.sort((a, b) => b.count - a.count || a.group - b.group);
  return { ...counted, notices: resultsNotices(counted) };
}

/** Returns what the user should know about a run's files, as sentences, the most severe first. */
function resultsNotices(summary: Counted): readonly Notice[] {
  const { files, input, filtered, duplicates, nameless, isOtherInput, isWhole, requests } = summary;
  const { missing, extra, truncated, empty, refused } = summary;
  const ofFiles = files.flatMap(ofFile).map((notice): Notice => ({ ...notice, about: 'results' }));
  const ofRequests = (input ? ofInput(input) : []).map((notice): Notice => ({ ...notice, about: 'input' }));
  const notices: Notice[] = [...ofFiles, ...ofRequests];
  const add = (severity: Notice['severity'], text: string) => notices.push({ severity, text });
  if (!isWhole) add('warning', noticeWords.stopped());
  if (isOtherInput && input) {
    const text = noticeWords.otherInput(path.basename(input.path));
    notices.push({ severity: 'error', text, about: 'input' });
  } else if (extra > nameless) add('warning', noticeWords.extra(extra - nameless));
  if (nameless > 0) add('warning', noticeWords.nameless(nameless));
  if (summary.open.missing > 0 && !isOtherInput && missing < requests) {
    add('warning', noticeWords.missing(requests - missing, requests));
  }
  if (duplicates > 0) add('warning', noticeWords.duplicates(duplicates));
  if (truncated > 0) add('warning', noticeWords.truncated(truncated));
  if (filtered > 0) add('warning', noticeWords.filtered(filtered));
  if (empty > filtered) add('warning', noticeWords.empty(empty - filtered));
  if (refused > 0) add('info', noticeWords.refused(refused));
  return notices.toSorted((a, b) => weights[a.severity] - weights[b.severity]);
}

function ofFile({ path: file, problem, bad, badLines, results, said }: ResultsFile): readonly Notice[] {
  const name = path.basename(file);
  if (problem !== undefined) {
    const text =
      problem === 'notText'
        ? noticeWords.notText(name)
        : problem === 'changed'
          ? noticeWords.changed(name)
          : noticeWords.unreadable(name, problem);
    return [{ severity: problem === 'changed' ? 'warning' : 'error', text }];
  }
  if (bad === 0) return [];
  if (results === 0 && said !== undefined) return [{ severity: 'error', text: noticeWords.serviceError(name, said) }];
  if (results === 0 && (bad > 1 || badLines[0]?.kind !== 'torn')) {
    const isInput = badLines.every(({ kind }) => kind === 'request');
    return [
      { severity: 'error', text: isInput ? noticeWords.noResultsButRequests(name) : noticeWords.noResults(name) },
    ];
  }
  const torn = badLines.find(({ kind }) => kind === 'torn');
  if (torn && bad === 1) return [{ severity: 'warning', text: noticeWords.torn(name, torn.line) }];
  const lines = badLines.slice(0, namedLines).map(({ line }) => line);
  return [{ severity: 'warning', text: noticeWords.badLines(name, { lines, count: bad }) }];
}

function ofInput({ path: file, problem, since, withoutId, repeatedIds }: ResultsInput): readonly Notice[] {
  const name = path.basename(file);
  const notices: Notice[] = [];
  switch (problem) {
    case undefined:
      break;
    case 'ENOENT':
      notices.push({ severity: 'warning', text: noticeWords.inputGone(name) });
      break;
    case 'changed':
      notices.push({ severity: 'warning', text: noticeWords.changed(name) });
      break;
    case 'notText':
    case 'array':
    case 'empty':
      notices.push({ severity: 'warning', text: noticeWords.inputWithoutLines(name) });
      break;
    default:
      notices.push({ severity: 'warning', text: noticeWords.inputUnreadable(name, problem) });
  }
  if (since === 'changed') notices.push({ severity: 'warning', text: noticeWords.inputChanged(name) });
  if (withoutId > 0) notices.push({ severity: 'warning', text: noticeWords.withoutId(withoutId) });
  if (repeatedIds > 0) notices.push({ severity: 'warning', text: noticeWords.repeatedIds(repeatedIds) });
  return notices;
}
