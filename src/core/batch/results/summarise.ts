import { retryOf } from './joinFiles';
import type { Joined } from './joinFiles';
import { resultsNotices } from './resultsNotices';
import type { ErrorGroup, ResultsSummary, ResultState } from './resultsView';

const shownRows = 20;

/** Whether the lines of the input are known, so that results can be missing or extra. */
export function hasLines({ input, columns }: Pick<Joined, 'input' | 'columns'>): boolean {
  return input !== undefined && columns.lines > 0;
}

/** Returns the outcome of a row, or `undefined` for a blank line. */
export function stateOf(joined: Pick<Joined, 'input' | 'columns'>, row: number): ResultState | undefined {
  const { columns } = joined;
  if (columns.isBlank(row)) return undefined;
  if (row >= columns.lines && hasLines(joined)) return 'extra';
  if (!columns.hasResult(row)) return 'missing';
  return columns.isFailed(row) ? 'failed' : 'answered';
}

/** Counts the joined requests and results. */
export function summarise(joined: Joined): ResultsSummary {
  const { columns, input, files, duplicates, isWhole } = joined;
  const counts = { answered: 0, failed: 0, missing: 0, extra: 0 };
  const { input: earlierIn, output: earlierOut } = columns.otherTokens;
  const totals = { cutOff: 0, tokensIn: earlierIn, tokensOut: earlierOut };
  const open = { failed: 0, missing: 0 };
  let retrying = 0;
  let withoutId = 0;
  const groups = new Map<number, { count: number; readonly rows: number[] }>();
  for (let row = 0; row < columns.rows; row++) {
    const state = stateOf(joined, row);
    if (!state) continue;
    counts[state]++;
    if (state === 'failed' || state === 'missing') {
      if (retryOf(joined, row) !== undefined) retrying++;
      else open[state]++;
    }
    if (state === 'missing' && columns.ids.get(row).length === 0) withoutId++;
    const result = columns.firstOf(row) === row ? columns.resultAt(row) : undefined;
    totals.tokensIn += result?.input ?? 0;
    totals.tokensOut += result?.output ?? 0;
    if (result?.isCutOff) totals.cutOff++;
    if (state !== 'failed') continue;
    const group = groups.get(columns.groupOf(row)) ?? { count: 0, rows: [] };
    groups.set(columns.groupOf(row), group);
    group.count++;
    if (group.rows.length < shownRows) group.rows.push(row);
  }
  const counted = {
    ...(input && { input: { ...input, withoutId } }),
    files,
    requests: counts.answered + counts.failed + counts.missing,
    ...counts,
    retrying,
    open,
    duplicates,
    ...totals,
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
