import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { RowPages } from './rowPages';
import './virtualTable.css';
import { drawnHeight, movedBy, scrolledTo, visibleRows } from './virtualRows';
import type { RowSpace } from './virtualRows';

export interface DrawnRow<Row> {
  readonly index: number;
  /** In pixels. */
  readonly top: number;
  /** `undefined` while the row is loading. */
  readonly row: Row | undefined;
  readonly isActive: boolean;
}

export interface VirtualTableProps<Row> {
  /** Prefix of the classes: `<name>-table` scrolls, `<name>-rows` holds the rows. */
  readonly name: string;
  readonly label: string;
  readonly columns: number;
  readonly count: number;
  /** Height of a row and of the header, in pixels. */
  readonly rowHeight: number;
  readonly pages: RowPages<Row>;
  readonly active: number | undefined;
  /** The row to scroll into view; a new object for each request. */
  readonly reveal: { readonly index: number };
  readonly head: ComponentChildren;
  /** Must return an element with the id `row-<index>`. */
  readonly drawRow: (drawn: DrawnRow<Row>) => ComponentChildren;
  readonly onMove: (index: number) => void;
  /** Called for any key that does not move. */
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
    if (next === undefined) return props.onKey(event.key, event);
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
