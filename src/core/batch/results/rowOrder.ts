import type { FoundLines } from '../preview/lineView';
import type { Joined } from './joinFiles';
import type { ResultsView, ResultState } from './resultsView';
import { sortRows } from './sortRows';
import { stateOf } from './summarise';

/** Failures come first because they are what people look for. */
const ranks: Readonly<Record<ResultState, number>> = { failed: 0, missing: 1, extra: 2, answered: 3 };

/** Returns the rows to show, in order. If `found` is set, only those. */
export function arrangeRows(joined: Joined, view: ResultsView, found: FoundLines | undefined): Uint32Array {
  const { columns } = joined;
  const shown = new Uint32Array(columns.rows);
  let count = 0;
  for (let row = 0; row < columns.rows; row++) {
    const state = stateOf(joined, row);
    if (state === undefined || (view.state !== 'all' && state !== view.state)) continue;
    if (view.group !== undefined && (state !== 'failed' || columns.groupOf(row) !== view.group)) continue;
    if (!found || found.has(row)) shown[count++] = row;
  }
  const rows = count < shown.length ? shown.slice(0, count) : shown;
  const compare = comparison(joined, view.sort);
  const sign = view.descending ? -1 : 1;
  if (compare) sortRows(rows, (a, b) => sign * compare(a, b));
  else if (view.descending) rows.reverse();
  return rows;
}

/** Returns `undefined` for the order of the file. */
function comparison(joined: Joined, sort: ResultsView['sort']): ((a: number, b: number) => number) | undefined {
  const { columns } = joined;
  switch (sort) {
    case 'line':
      return undefined;
    case 'customId':
      return (a, b) => columns.ids.compare(a, b);
    case 'tokens':
      return (a, b) => columns.tokensOf(a) - columns.tokensOf(b);
    case 'state': {
      const rank = Uint8Array.from({ length: columns.rows }, (_, row) => ranks[stateOf(joined, row) ?? 'answered']);
      return (a, b) => rank[a]! - rank[b]!;
    }
  }
}
