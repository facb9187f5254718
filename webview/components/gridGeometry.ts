/** A grid of tiles under headings; all rows of tiles have the same height. */
export interface GridSpace {
  /** The number of tiles in each part. */
  readonly counts: readonly number[];
  readonly columns: number;
  /** Including the gap between rows. */
  readonly rowHeight: number;
  /** Height of a part's heading; 0 if there are no headings. */
  readonly headHeight: number;
}

interface GridPart {
  readonly top: number;
  /** Index of the part's first tile, and the index after its last one. */
  readonly first: number;
  readonly end: number;
  /** The number of rows above it. Each heading counts as one. */
  readonly rowsBefore: number;
}

export interface GridLayout {
  readonly space: GridSpace;
  readonly parts: readonly GridPart[];
  readonly height: number;
  readonly count: number;
  readonly rows: number;
}

export interface GridRow {
  readonly kind: 'head' | 'tiles';
  readonly part: number;
  /** Index among all rows, from 0. */
  readonly row: number;
  readonly top: number;
  readonly first: number;
  readonly end: number;
}

export function columnsIn(width: number, tile: number, gap: number): number {
  return Math.max(1, Math.floor((width + gap) / (tile + gap)));
}

export function layOut(space: GridSpace): GridLayout {
  const { counts, columns, rowHeight, headHeight } = space;
  let [top, first, rowsBefore] = [0, 0, 0];
  const parts = counts.map((count) => {
    const part = { top, first, end: first + count, rowsBefore };
    const rows = Math.ceil(count / columns);
    top += headHeight + rows * rowHeight;
    first += count;
    rowsBefore += rows + (headHeight > 0 ? 1 : 0);
    return part;
  });
  return { space, parts, height: top, count: first, rows: rowsBefore };
}

/** Returns all rows, including headings, that lie at least partly between two heights. */
export function rowsBetween(layout: GridLayout, from: number, to: number): readonly GridRow[] {
  const { parts, space } = layout;
  const rows: GridRow[] = [];
  for (let part = partAt(parts, ({ top }) => top <= from); part < parts.length; part++) {
    const one = parts[part]!;
    if (one.top >= to) break;
    if (space.headHeight > 0 && one.top + space.headHeight > from) rows.push(headOf(layout, part));
    const tilesTop = one.top + space.headHeight;
    const firstRow = Math.max(0, Math.floor((from - tilesTop) / space.rowHeight));
    for (let row = firstRow; tilesTop + row * space.rowHeight < to; row++) {
      const tiles = tilesOf(layout, part, row);
      if (tiles.first >= one.end) break;
      rows.push(tiles);
    }
  }
  return rows;
}

/** Returns the row of a tile. */
export function rowOf(layout: GridLayout, index: number): GridRow {
  const part = partAt(layout.parts, ({ first }) => first <= index);
  return tilesOf(layout, part, Math.floor((index - layout.parts[part]!.first) / layout.space.columns));
}

/** Returns the index a key moves to; `undefined` for a key that does not move. */
export function tileMovedTo(layout: GridLayout, key: string, index: number, viewport: number): number | undefined {
  const last = layout.count - 1;
  const pageRows = Math.max(1, Math.floor(viewport / layout.space.rowHeight));
  switch (key) {
    case 'ArrowRight':
      return Math.min(index + 1, last);
    case 'ArrowLeft':
      return Math.max(index - 1, 0);
    case 'ArrowDown':
      return rowsAway(layout, index, 1);
    case 'ArrowUp':
      return rowsAway(layout, index, -1);
    case 'PageDown':
      return rowsAway(layout, index, pageRows);
    case 'PageUp':
      return rowsAway(layout, index, -pageRows);
    case 'Home':
      return 0;
    case 'End':
      return last;
    default:
      return undefined;
  }
}

/** Returns the scroll position that shows the whole tile, and the heading above a part's first row; `scrollTop` if already visible. */
export function scrolledToTile(layout: GridLayout, scrollTop: number, viewport: number, index: number): number {
  const { top, first, part } = rowOf(layout, index);
  const bottom = top + layout.space.rowHeight;
  if (top >= scrollTop && bottom <= scrollTop + viewport) return scrollTop;
  const isFirst = first === layout.parts[part]!.first;
  return Math.max(0, top < scrollTop ? top - (isFirst ? layout.space.headHeight : 0) : bottom - viewport);
}

/** Returns the index `by` rows away, in the same column or at the end of a shorter row. */
function rowsAway(layout: GridLayout, index: number, by: number): number {
  const step = by > 0 ? 1 : -1;
  const column = index - rowOf(layout, index).first;
  let at = index;
  for (let left = Math.abs(by); left > 0; left--) {
    const row = rowOf(layout, at);
    const next = step > 0 ? row.end : row.first - 1;
    if (next < 0 || next >= layout.count) break;
    const there = rowOf(layout, next);
    at = Math.min(there.first + column, there.end - 1);
  }
  return at;
}

function headOf({ parts }: GridLayout, part: number): GridRow {
  const { top, first, rowsBefore } = parts[part]!;
  return { kind: 'head', part, row: rowsBefore, top, first, end: first };
}

function tilesOf({ parts, space }: GridLayout, part: number, row: number): GridRow {
  const { top, first, end, rowsBefore } = parts[part]!;
  const from = first + row * space.columns;
  return {
    kind: 'tiles',
    part,
    row: rowsBefore + row + (space.headHeight > 0 ? 1 : 0),
    top: top + space.headHeight + row * space.rowHeight,
    first: from,
    end: Math.min(end, from + space.columns),
  };
}

/** Returns the index of the last part that satisfies `isSo`. The parts are sorted, so all parts before it satisfy it too. */
function partAt(parts: readonly GridPart[], isSo: (part: GridPart) => boolean): number {
  let [low, high] = [0, parts.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (isSo(parts[middle]!)) low = middle;
    else high = middle - 1;
  }
  return low;
}
