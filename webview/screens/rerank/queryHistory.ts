/** Where a person is among earlier queries, newest first; -1: at what was typed. */
export interface HistoryWalk {
  readonly at: number;
  readonly typed: string;
}

export const notWalking: HistoryWalk = { at: -1, typed: '' };

/** One step back (1) or forth (-1) from the query in the box; `undefined` where there is none. */
export function walkHistory(
  history: readonly string[],
  walk: HistoryWalk,
  step: 1 | -1,
  shown: string,
): { readonly walk: HistoryWalk; readonly query: string } | undefined {
  const typed = walk.at === -1 ? shown : walk.typed;
  let at = walk.at + step;
  while (history[at] !== undefined && history[at] === shown) at += step;
  if (at === -1 && walk.at !== -1) return { walk: notWalking, query: typed };
  const query = history[at];
  return query === undefined ? undefined : { walk: { at, typed }, query };
}
