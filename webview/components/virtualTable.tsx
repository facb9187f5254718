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
  /** `undefined`: it is still to come. */
  readonly row: Row | undefined;
  readonly isActive: boolean;
}

export interface VirtualTableProps<Row> {
  /** Its classes begin with this: `<name>-table` scrolls, `<name>-rows` holds the rows. */
  readonly name: string;
  readonly label: string;
  readonly columns: number;
  readonly count: number;
  /** Of a row and of the heading, in pixels. */
  readonly rowHeight: number;
  readonly pages: RowPages<Row>;
  readonly active: number | undefined;
  /** The row to be brought into sight; another object each time. */
  readonly reveal: { readonly index: number };
  readonly head: ComponentChildren;
  /** The element it gives has the id `row-<index>`. */
  readonly drawRow: (drawn: DrawnRow<Row>) => ComponentChildren;
  readonly onMove: (index: number) => void;
  /** Any key that is not for moving. */
  readonly onKey: (key: string, event: KeyboardEvent) => void;
  /** What stands below the rows. */
  readonly children?: ComponentChildren;
}

interface Scroller {
  readonly current: HTMLDivElement | null;
}

/** A table of any number of rows, of which only those in sight are drawn. */
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
    // Those of the heading's buttons are theirs.
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

/** Brings a row into sight, and keeps it there when there is less room, e.g. because the details open. */
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

/** How much room there is for rows, below the heading. */
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
