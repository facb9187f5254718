import { open } from 'node:fs/promises';
import type { ProgressMonitor } from '../../async/progressMonitor';
import { compareIds } from '../compareIds';
import { searchFile } from '../preview/searchFile';
import type { SearchedPlace } from '../preview/searchFile';
import { requestAt } from './joinFiles';
import type { Joined } from './joinFiles';
import type { ResultsView, ResultState } from './resultsView';
import { stateOf } from './summarise';

interface RowPlace extends SearchedPlace {
  readonly row: number;
}

/** Failures come first because they are what people look for. */
const ranks: Readonly<Record<ResultState, number>> = {
  failed: 0,
  expired: 1,
  canceled: 2,
  missing: 3,
  empty: 4,
  truncated: 5,
  refused: 6,
  extra: 7,
  answered: 8,
};

/** Returns the rows to show, in order. If `found` is set, only those. */
export function arrangeRows(
  joined: Joined,
  view: ResultsView,
  found: ReadonlySet<number> | undefined,
): readonly number[] {
  const { rows } = joined;
  const shown: number[] = [];
  for (let row = 0; row < rows.count; row++) {
    const state = stateOf(joined, row);
    if (state === undefined || (view.state !== 'all' && state !== view.state)) continue;
    if (view.group !== undefined && (state === 'extra' || rows.groupOf(row) !== view.group)) continue;
    if (!found || found.has(row)) shown.push(row);
  }
  const compare = comparison(joined, view.sort);
  const sign = view.descending ? -1 : 1;
  if (compare) return shown.sort((a, b) => sign * compare(a, b));
  return view.descending ? shown.reverse() : shown;
}

/** Returns `undefined` for the order of the file. */
function comparison(joined: Joined, sort: ResultsView['sort']): ((a: number, b: number) => number) | undefined {
  const { rows } = joined;
  const rank = (row: number) => ranks[stateOf(joined, row) ?? 'answered'];
  switch (sort) {
    case 'line':
      return undefined;
    case 'customId':
      return (a, b) => compareIds(rows.idOf(a), rows.idOf(b));
    case 'tokens':
      return (a, b) => rows.tokensOf(a) - rows.tokensOf(b);
    case 'state':
      return (a, b) => rank(a) - rank(b);
  }
}

/**
 * Finds the rows whose `custom_id`, request, answer or error contains `query`, ignoring case. Reads each file once, in order. Skips
 * what can no longer be read. Rejects if aborted. `part` is the progress from 0 to 1; `found` grows.
 */
export async function searchResults(
  joined: Joined,
  query: string,
  { signal, onProgress }: ProgressMonitor<[part: number, found: ReadonlySet<number>]>,
): Promise<ReadonlySet<number>> {
  const { rows } = joined;
  const found = new Set<number>();
  const files = placesOf(joined);
  const total = files.reduce((sum, { bytes }) => sum + bytes, 1);
  let before = 0;
  for (const { path, bytes, places } of files) {
    const file = await open(path).catch(() => undefined);
    try {
      for await (const piece of file ? searchFile(file, places, query) : []) {
        signal.throwIfAborted();
        for (const index of piece.found) found.add(places[index]!.row);
        onProgress((before + piece.end) / total, found);
      }
    } catch {
      signal.throwIfAborted();
    } finally {
      await file?.close();
    }
    before += bytes;
  }
  for (let row = 0; row < rows.lines; row++) if (found.has(rows.firstOf(row))) found.add(row);
  return found;
}

/** Returns where each file has requests and results that are shown, in the order in which they are read. */
function placesOf(joined: Joined): readonly { path: string; bytes: number; places: readonly RowPlace[] }[] {
  const { rows, input, retries, files } = joined;
  const inputs = [input?.path ?? '', ...retries.map((retry) => retry.input ?? '')];
  const requests: RowPlace[][] = inputs.map(() => []);
  const results: RowPlace[][] = files.map(() => []);
  for (let row = 0; row < rows.count; row++) {
    const request = requestAt(joined, row);
    if (request) requests[request.file]?.push({ row, start: request.start, size: request.size });
    const result = rows.resultAt(row);
    if (result) results[result.file]?.push({ row, start: result.offset, size: result.bytes });
  }
  return [
    ...inputs.map((path, number) => ({ path, ...inOrder(requests[number]!) })),
    ...files.map(({ path }, number) => ({ path, ...inOrder(results[number]!) })),
  ];
}

function inOrder(places: readonly RowPlace[]) {
  const sorted = places.toSorted((a, b) => a.start - b.start);
  const { start = 0, size = 0 } = sorted.at(-1) ?? {};
  return { places: sorted, bytes: start + size };
}
