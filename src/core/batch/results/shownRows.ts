import { open } from 'node:fs/promises';
import type { ProgressMonitor } from '../../async/progressMonitor';
import { compareIds } from '../compareIds';
import { beginning } from '../preview/shortText';
import { searchFile } from '../preview/searchFile';
import type { SearchedPlace } from '../preview/searchFile';
import { requestAt } from './joinFiles';
import type { Joined } from './joinFiles';
import type { CellValue } from './answerValues';
import { compareValues, type ResultsColumns } from './columns';
import type { ResultsView, ResultState, RowsHeading } from './resultsView';
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

/** A table arranged by sorting and filters. */
export interface ArrangedTable {
  readonly joined: Joined;
  readonly columns: ResultsColumns;
}

/** A condition on the value of a column. */
interface ColumnFilter {
  readonly column: string;
  /** In lower case. */
  readonly text: string;
}

const mostFilters = 20;

/** Splits a search into conditions on columns, written as `name:text` or `name:"a text"`, and the text to search for everywhere. */
export function parseQuery(
  query: string,
  columns: ResultsColumns,
): { readonly text: string; readonly filters: readonly ColumnFilter[] } {
  const filters: ColumnFilter[] = [];
  const text = query.replace(
    /(^|\s)(?:"([^"]+)"|([^\s:"]+)):(?:"([^"]*)"|(\S+))/gu,
    (all: string, _space: string, quotedName?: string, name?: string, quoted?: string, word?: string) => {
      const column = columns.named(quotedName ?? name ?? '');
      if (column === undefined || column === 'run:request' || filters.length === mostFilters) return all;
      filters.push({ column, text: (quoted ?? word ?? '').toLowerCase() });
      return ' ';
    },
  );
  return { text: filters.length === 0 ? query : text.trim(), filters };
}

/** Returns the rows to show, in order. If `found` is set, only those. */
export function arrangeRows(
  { joined, columns }: ArrangedTable,
  view: ResultsView,
  found: ReadonlySet<number> | undefined,
): readonly number[] {
  const { rows } = joined;
  const shown: number[] = [];
  const conditions = parseQuery(view.query, columns).filters.map(({ column, text }) => {
    const valueOf = columns.valuesOf(column);
    return (row: number) =>
      String(valueOf?.(row) ?? '')
        .toLowerCase()
        .includes(text);
  });
  for (let row = 0; row < rows.count; row++) {
    const state = stateOf(joined, row);
    if (state === undefined || (view.state !== 'all' && state !== view.state)) continue;
    if (view.group !== undefined && (state === 'extra' || rows.groupOf(row) !== view.group)) continue;
    if (view.isUnexpected && columns.isAsExpected(row) !== false) continue;
    if (!conditions.every((condition) => condition(row))) continue;
    if (!found || found.has(row)) shown.push(row);
  }
  const compare = comparison({ joined, columns }, view.sort);
  const sign = view.descending ? -1 : 1;
  if (compare) return shown.sort((a, b) => sign * compare(a, b));
  return view.descending ? shown.reverse() : shown;
}

/** Returns `undefined` for the order of the file. */
function comparison(
  { joined, columns }: ArrangedTable,
  sort: ResultsView['sort'],
): ((a: number, b: number) => number) | undefined {
  const { rows } = joined;
  const rank = (row: number) => ranks[stateOf(joined, row) ?? 'answered'];
  const id = sort.includes(':') ? sort : `run:${sort}`;
  switch (id) {
    case 'run:line':
    case 'run:request':
      return undefined;
    case 'run:customId':
      return (a, b) => compareIds(rows.idOf(a), rows.idOf(b));
    case 'run:state':
      return (a, b) => rank(a) - rank(b);
    default: {
      const valueOf = columns.valuesOf(id);
      return valueOf && ((a, b) => compareValues(valueOf(a), valueOf(b)));
    }
  }
}

/** Further values share the last group. */
const mostHeadings = 1000;
const longestHeading = 300;

/** A heading or a row, in the order in which they are shown. */
export type ShownEntry = number | RowsHeading;

/** What rows are grouped by. */
interface GroupedTable {
  readonly columns: {
    valuesOf(id: string): ((row: number) => CellValue) | undefined;
    isAsExpected(row: number): boolean | undefined;
  };
}

/** Puts rows under the heading of their value, in the order of the values. */
export function groupRows(
  { columns }: GroupedTable,
  shown: readonly number[],
  { groupBy, closed = [] }: { readonly groupBy?: string; readonly closed?: readonly string[] },
): readonly ShownEntry[] {
  const valueOf = groupBy === undefined ? undefined : columns.valuesOf(groupBy);
  if (!valueOf) return shown;
  const groups = new Map<string, number[]>();
  for (const row of shown) {
    const value = beginning(String(valueOf(row) ?? '').trim(), longestHeading);
    const key = groups.size < mostHeadings || groups.has(value) ? value : '…';
    const rows = groups.get(key);
    if (rows) rows.push(row);
    else groups.set(key, [row]);
  }
  const isClosed = new Set(closed);
  const entries: ShownEntry[] = [];
  for (const [value, rows] of [...groups].toSorted(([a], [b]) => compareValues(a || undefined, b || undefined))) {
    const checked = rows.map((row) => columns.isAsExpected(row)).filter((one) => one !== undefined);
    entries.push({
      value,
      count: rows.length,
      isClosed: isClosed.has(value),
      ...(checked.length > 0 && { asExpected: checked.filter(Boolean).length / checked.length }),
    });
    if (!isClosed.has(value)) for (const row of rows) entries.push(row);
  }
  return entries;
}

/**
 * Finds the rows whose `custom_id`, request, answer, or error contains `query`, ignoring case. Reads each file once, in order. Skips
 * unreadable parts. Rejects if aborted. `part` is the progress from 0 to 1, and `found` grows.
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
