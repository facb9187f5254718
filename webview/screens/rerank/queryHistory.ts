/** The position in the history of queries, newest first; -1 for the typed query. */
export interface HistoryWalk {
  readonly at: number;
  readonly typed: string;
}

export const notWalking: HistoryWalk = { at: -1, typed: '' };

/** Returns the query one step older (1) or newer (-1) than the one in the box; `undefined` if there is none. */
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
