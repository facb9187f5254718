/** Browsers do not draw elements much taller than this: https://issues.chromium.org/issues/41306426 */
const tallest = 8_000_000;
/** Rows drawn above and below the viewport. */
const spare = 8;

export interface RowSpace {
  readonly count: number;
  readonly rowHeight: number;
  /** Height of the visible part of the rows, in pixels. */
  readonly viewport: number;
}

export interface VisibleRows {
  readonly first: number;
  /** Index after the last one. */
  readonly end: number;
  /** Returns the position of a row, in pixels from the top of all rows. */
  readonly top: (index: number) => number;
}

/** Returns the drawn height of all rows. It is capped at what browsers can draw; scrolling then moves by larger steps. */
export function drawnHeight({ count, rowHeight }: RowSpace): number {
  return Math.min(count * rowHeight, tallest);
}

/** How many pixels of rows one pixel of scrolling moves. */
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

/** Returns the scroll position that shows the whole row; `scrollTop` if it is already visible. */
export function scrolledTo(space: RowSpace, scrollTop: number, index: number): number {
  const { rowHeight, viewport } = space;
  const scale = scaleOf(space);
  const at = scrollTop * scale;
  const top = index * rowHeight;
  if (top >= at && top + rowHeight <= at + viewport) return scrollTop;
  return Math.max(0, (top < at ? top : top + rowHeight - viewport) / scale);
}

/** Returns the index a key moves to; `undefined` for a key that does not move. */
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
