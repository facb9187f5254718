/** Browsers draw no element much taller than this: https://issues.chromium.org/issues/41306426 */
const tallest = 8_000_000;
/** Rows drawn above and below what is seen. */
const spare = 8;

export interface RowSpace {
  readonly count: number;
  readonly rowHeight: number;
  /** How much of the rows is seen at once, in pixels. */
  readonly viewport: number;
}

export interface VisibleRows {
  readonly first: number;
  /** Behind the last one. */
  readonly end: number;
  /** Where the row of an index stands, in pixels from the beginning of all rows. */
  readonly top: (index: number) => number;
}

/** How tall all rows are drawn together. Where they would be taller than a browser takes, scrolling goes by larger steps. */
export function drawnHeight({ count, rowHeight }: RowSpace): number {
  return Math.min(count * rowHeight, tallest);
}

/** How many pixels of rows one pixel of scrolling passes. */
function scaleOf(space: RowSpace): number {
  const hidden = drawnHeight(space) - space.viewport;
  return hidden <= 0 ? 1 : (space.count * space.rowHeight - space.viewport) / hidden;
}

export function visibleRows(space: RowSpace, scrollTop: number): VisibleRows {
  const { count, rowHeight, viewport } = space;
  const at = Math.max(0, scrollTop) * scaleOf(space);
  const first = Math.max(0, Math.floor(at / rowHeight) - spare);
  const end = Math.min(count, Math.ceil((at + viewport) / rowHeight) + spare);
  return { first: Math.min(first, end), end, top: (index) => index * rowHeight - at + Math.max(0, scrollTop) };
}

/** Where to scroll so that a row is seen whole; where it is seen already, nowhere else. */
export function scrolledTo(space: RowSpace, scrollTop: number, index: number): number {
  const { rowHeight, viewport } = space;
  const scale = scaleOf(space);
  const at = scrollTop * scale;
  const top = index * rowHeight;
  if (top >= at && top + rowHeight <= at + viewport) return scrollTop;
  return Math.max(0, (top < at ? top : top + rowHeight - viewport) / scale);
}

/** Where a key leads in the table; `undefined` for a key that is not for moving. */
export function movedBy(key: string, index: number, { count, rowHeight, viewport }: RowSpace): number | undefined {
  const page = Math.max(1, Math.floor(viewport / rowHeight) - 1);
  const last = count - 1;
  switch (key) {
    case 'ArrowDown':
      return Math.min(index + 1, last);
    case 'ArrowUp':
      return Math.max(index - 1, 0);
    case 'PageDown':
      return Math.min(index + page, last);
    case 'PageUp':
      return Math.max(index - page, 0);
    case 'Home':
      return 0;
    case 'End':
      return last;
    default:
      return undefined;
  }
}
