import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { RowPages } from './rowPages';
import './virtualTable.css';

/** Returns the key of an event, a letter in lower case: Caps Lock changes what it types, not what it does. */
export function pressedKey({ key }: KeyboardEvent): string {
  return key.length === 1 ? key.toLowerCase() : key;
}

export interface DrawnRow<Row> {
  readonly index: number;
  /** In pixels. */
  readonly top: number;
  /** `undefined` while the row is loading. */
  readonly row: Row | undefined;
  readonly isActive: boolean;
}

/** How a virtual table is drawn. */
export interface TableDrawing<Row> {
  /** Prefix of the classes: `<name>-table` scrolls, `<name>-rows` holds the rows. */
  readonly name: string;
  readonly label: string;
  readonly columns: number;
  /** Height of a row and of the header, in pixels. */
  readonly rowHeight: number;
  readonly head: ComponentChildren;
  /** Must return an element with the id `row-<index>`. */
  readonly drawRow: (drawn: DrawnRow<Row>) => ComponentChildren;
  readonly onMove: (index: number) => void;
}

export interface VirtualTableProps<Row> extends TableDrawing<Row> {
  readonly count: number;
  readonly pages: RowPages<Row>;
  readonly active: number | undefined;
  /** The row to scroll into view; a new object for each request. */
  readonly reveal: { readonly index: number };
  /** Called for any key that does not move. A letter is in lower case, also with Caps Lock. */
  readonly onKey: (key: string, event: KeyboardEvent) => void;
  /** Shown below the rows. */
  readonly children?: ComponentChildren;
}

interface Scroller {
  readonly current: HTMLDivElement | null;
}

/** A table of any number of rows; only those in the viewport are drawn. */
export function VirtualTable<Row>(props: VirtualTableProps<Row>) {
  const { name, count, rowHeight, pages, active, reveal } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const [scrollTop, setScrollTop] = useState(0);
  const viewport = useViewport(scroller, rowHeight);
  const space: RowSpace = { count, rowHeight, viewport };
  const { first, end, top } = visibleRows(space, scrollTop);
  const rows = pages.drawn(first, end);
  useEffect(() => pages.want(first, end));
  useReveal(scroller, reveal, space);
  const isDrawn = active !== undefined && active >= first && active < end;
  const onKeyDown = (event: KeyboardEvent) => {
    // Keys pressed on the header's buttons are left to the buttons.
    if (event.target !== event.currentTarget) return;
    const next = count === 0 ? undefined : movedBy(event.key, active ?? -1, space);
    if (next === undefined) return props.onKey(pressedKey(event), event);
    event.preventDefault();
    return props.onMove(next);
  };
  return (
    <div
      ref={scroller}
      class={`virtual-table ${name}-table`}
      role="grid"
      aria-label={props.label}
      aria-rowcount={count + 1}
      aria-colcount={props.columns}
      aria-activedescendant={isDrawn ? `row-${active}` : undefined}
      tabIndex={0}
      style={{ '--table-row': `${rowHeight}px` }}
      onScroll={(event) => setScrollTop(event.currentTarget.scrollTop)}
      onKeyDown={onKeyDown}
    >
      {props.head}
      <div class={`virtual-rows ${name}-rows`} role="rowgroup" style={{ height: `${drawnHeight(space)}px` }}>
        {rows.map(({ index, row }) => props.drawRow({ index, top: top(index), row, isActive: index === active }))}
      </div>
      {props.children}
    </div>
  );
}

/** Scrolls a row into view, and keeps it there when the viewport shrinks, e.g. because the details open. */
function useReveal(scroller: Scroller, reveal: { readonly index: number }, space: RowSpace): void {
  const last = useRef({ reveal, viewport: 0 });
  const { viewport } = space;
  useEffect(() => {
    const { current } = scroller;
    if (!current || viewport === 0) return;
    const { scrollTop } = current;
    const before = last.current;
    last.current = { reveal, viewport };
    const wasSeen = scrolledTo({ ...space, viewport: before.viewport }, scrollTop, reveal.index) === scrollTop;
    if (before.reveal === reveal && !wasSeen) return;
    const to = scrolledTo(space, scrollTop, reveal.index);
    if (to !== scrollTop) current.scrollTop = to;
  }, [reveal, viewport]);
}

/** Returns the height available for rows, below the header. */
function useViewport(scroller: Scroller, rowHeight: number): number {
  const [height, setHeight] = useState(0);
  useLayoutEffect(() => {
    const { current } = scroller;
    if (!current) return undefined;
    const measure = () => setHeight(Math.max(0, current.clientHeight - rowHeight - 1));
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    measure();
    return () => observer.disconnect();
  }, []);
  return height;
}

/** Browsers do not draw elements much taller than this: https://issues.chromium.org/issues/41306426 */
const tallest = 8_000_000;
/** Rows drawn above and below the viewport. */
const spare = 8;

interface RowSpace {
  readonly count: number;
  readonly rowHeight: number;
  /** Height of the visible part of the rows, in pixels. */
  readonly viewport: number;
}

interface VisibleRows {
  readonly first: number;
  /** Index after the last one. */
  readonly end: number;
  /** Returns the position of a row, in pixels from the top of all rows. */
  readonly top: (index: number) => number;
}

/** Returns the rendered height of all rows. It is capped at what browsers can render. Scrolling then moves in larger steps. */
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

/** Returns the scroll position that shows the entire row, or `scrollTop` if it is already visible. */
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
