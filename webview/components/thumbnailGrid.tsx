import './thumbnailGrid.css';
import * as l10n from '@vscode/l10n';
import { useEffect, useMemo, useRef, useState, useLayoutEffect } from 'preact/hooks';
import {
  columnsIn,
  layOut,
  rowOf,
  rowsBetween,
  tileMovedTo,
  type GridLayout,
  type GridRow,
  scrolledToTile,
} from './gridGeometry';
import { Icon } from './icon';
import { dragFile } from './dragFile';
import { TileImage, type Tile } from './thumbnailTile';

export interface ThumbnailGridProps {
  readonly label: string;
  /** Sections of tiles, in order; each with a heading if one is set. */
  readonly parts: readonly { readonly heading?: string; readonly count: number }[];
  /** Minimum width of a tile, in pixels. */
  readonly tileWidth: number;
  readonly hasCaptions: boolean;
  /** Returns `undefined` while a tile is loading. */
  readonly tileAt: (index: number) => Tile | undefined;
  /** Called with the range of visible tiles, so that they can be loaded. */
  readonly onSight?: (first: number, end: number) => void;
  readonly active: number | undefined;
  readonly reveal?: Reveal | undefined;
  /** The selected tiles, by id. */
  readonly selected: ReadonlyMap<string, unknown>;
  readonly moved?: Moved | undefined;
  /** Initial scroll position, in pixels. */
  readonly scroll?: number;
  /** `first`: index of the first visible tile. */
  readonly onScroll?: (scrollTop: number, first: number) => void;
  readonly onMove: (index: number) => void;
  /** Called on Enter and on a double click. */
  readonly onOpen: (index: number) => void;
  /**
   * Called for the check box of a tile, the space bar, and a click with Ctrl or Cmd. With Shift, `from` is where the range begins: the tile
   * that is active.
   */
  readonly onSelect: (index: number, from?: number) => void;
  /** Called when the context menu of a tile is requested. */
  readonly onMenu?: (index: number, tile: HTMLElement, pointer: MouseEvent) => void;
  /** Called for any other key on a tile. */
  readonly onKey?: (key: string, index: number, event: KeyboardEvent) => void;
}

const gap = 12;
const captionHeight = 24;
const headHeight = 36;
/** How far tiles are drawn beyond the viewport, above and below, in pixels. */
const spare = 400;

/** A grid of any number of tiles; only those near the viewport are drawn. */
export function ThumbnailGrid(props: ThumbnailGridProps) {
  const { parts, tileWidth, hasCaptions, active, onSight } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const [scrollTop, setScrollTop] = useState(0);
  const rowsElement = useRef<HTMLDivElement>(null);
  const { width, height } = useRoom(scroller, rowsElement);
  const columns = columnsIn(width, tileWidth, gap);
  const cell = Math.max(0, Math.floor((width - gap * (columns - 1)) / columns));
  const rowHeight = cell + gap + (hasCaptions ? captionHeight : 0);
  const hasHeads = parts.some(({ heading }) => heading !== undefined);
  const layout = useMemo(
    () =>
      layOut({ counts: parts.map(({ count }) => count), columns, rowHeight, headHeight: hasHeads ? headHeight : 0 }),
    [parts, columns, rowHeight, hasHeads],
  );
  const seen = height === 0 ? [] : rowsBetween(layout, scrollTop - spare, scrollTop + height + spare);
  const tiles = seen.filter(({ kind }) => kind === 'tiles');
  const [first, end] = [tiles[0]?.first ?? 0, tiles.at(-1)?.end ?? 0];
  useEffect(() => {
    if (end > first) onSight?.(first, end);
  });
  const focusable = active !== undefined && active < layout.count ? active : layout.count > 0 ? 0 : undefined;
  useFirstScroll(scroller, layout, props.scroll ?? 0, height);
  useMoved(scroller, layout, props.moved);
  useReveal(scroller, layout, props.reveal, height);
  const onScroll = ({ currentTarget }: { readonly currentTarget: HTMLElement }) => {
    setScrollTop(currentTarget.scrollTop);
    const top = rowsBetween(layout, currentTarget.scrollTop, currentTarget.scrollTop + height);
    props.onScroll?.(currentTarget.scrollTop, top.find(({ kind }) => kind === 'tiles')?.first ?? 0);
  };
  return (
    <div
      ref={scroller}
      class={`thumbnail-grid${props.selected.size > 0 ? ' thumbnail-selecting' : ''}`}
      role="grid"
      aria-label={props.label}
      aria-rowcount={layout.rows}
      aria-colcount={columns}
      aria-multiselectable
      style={{
        '--tile': `${cell}px`,
        '--tile-gap': `${gap}px`,
        '--caption': hasCaptions ? `${captionHeight}px` : '0px',
      }}
      onScroll={onScroll}
      onKeyDown={(event) => onGridKey(event, props, layout, height)}
    >
      <div ref={rowsElement} class="thumbnail-rows" role="rowgroup" style={{ height: `${layout.height}px` }}>
        {withRow(layout, seen, focusable).map((row) => (
          <GridLine key={row.row} row={row} columns={columns} props={props} focusable={focusable} />
        ))}
      </div>
    </div>
  );
}

interface GridLineProps {
  readonly row: GridRow;
  readonly columns: number;
  readonly props: ThumbnailGridProps;
  readonly focusable: number | undefined;
}

function GridLine({ row: { kind, part, row, top, first, end }, columns, props, focusable }: GridLineProps) {
  return (
    <div class={`thumbnail-row thumbnail-row-${kind}`} role="row" aria-rowindex={row + 1} style={{ top: `${top}px` }}>
      {kind === 'head' ? (
        <span class="thumbnail-head" role="rowheader" aria-colspan={columns}>
          {props.parts[part]?.heading}
        </span>
      ) : (
        Array.from({ length: end - first }, (_, column) => (
          <GridTile
            key={first + column}
            index={first + column}
            column={column}
            props={props}
            isFocusable={first + column === focusable}
          />
        ))
      )}
    </div>
  );
}

interface GridTileProps {
  readonly index: number;
  readonly column: number;
  readonly props: ThumbnailGridProps;
  readonly isFocusable: boolean;
}

function GridTile({ index, column, props, isFocusable }: GridTileProps) {
  const { active, selected, onMove, onOpen, onSelect } = props;
  const tile = props.tileAt(index);
  const isSelected = tile !== undefined && selected.has(tile.id);
  const onClick = (event: MouseEvent) => {
    const isCheck = isInside(event, '.tile-check');
    if (event.shiftKey) onSelect(index, active ?? index);
    else if (isCheck || event.ctrlKey || event.metaKey) onSelect(index);
    else onMove(index);
  };
  return (
    <div
      class={`tile${index === active ? ' tile-active' : ''}${isSelected ? ' tile-selected' : ''}`}
      id={`tile-${index}`}
      role="gridcell"
      aria-colindex={column + 1}
      aria-selected={isSelected}
      tabIndex={isFocusable ? 0 : -1}
      title={tile?.label}
      draggable={tile?.shows !== undefined}
      onDragStart={(event) => dragFile(event, tile?.shows?.src)}
      // Without it, Shift would select text, and the range would begin at the tile that is clicked.
      onMouseDown={(event) => event.shiftKey && event.preventDefault()}
      onClick={onClick}
      onDblClick={(event) => !isInside(event, '.tile-check') && onOpen(index)}
      onContextMenu={(event) => {
        if (!props.onMenu) return;
        event.preventDefault();
        props.onMenu(index, event.currentTarget, event);
      }}
      onFocus={({ currentTarget, target }) => target === currentTarget && index !== active && onMove(index)}
    >
      <span class="spoken">{tile?.label ?? l10n.t('Loading…')}</span>
      <div class="tile-frame">
        {tile && <TileImage tile={tile} />}
        {tile && (
          <button
            type="button"
            class="tile-check"
            role="checkbox"
            aria-checked={isSelected}
            aria-label={l10n.t('Select (Space)')}
            title={l10n.t('Select (Space)')}
            tabIndex={index === active ? 0 : -1}
          >
            {isSelected && <Icon name="check" />}
          </button>
        )}
      </div>
      {props.hasCaptions && (
        <span class="tile-caption" dir="auto" aria-hidden="true">
          {tile?.caption}
        </span>
      )}
    </div>
  );
}

function isInside({ target }: Event, selector: string): boolean {
  return target instanceof Element && target.closest(selector) !== null;
}

function onGridKey(event: KeyboardEvent, props: ThumbnailGridProps, layout: GridLayout, height: number): void {
  const { key, target, currentTarget } = event;
  // Keys pressed on a tile's buttons are left to the buttons.
  if (!(target instanceof HTMLElement) || target.role !== 'gridcell') return;
  const index = Number(target.id.slice('tile-'.length));
  const next = tileMovedTo(layout, key, index, height);
  if (next !== undefined) {
    event.preventDefault();
    if (event.shiftKey) props.onSelect(next, index);
    moveFocus(currentTarget as HTMLElement, layout, next, height);
    if (next !== props.active) props.onMove(next);
  } else if (key === 'Enter') props.onOpen(index);
  else if (key === ' ') props.onSelect(index);
  else return props.onKey?.(key, index, event);
  return event.preventDefault();
}

/** Adds the row of the focusable tile even if it is far away; otherwise the focus would be lost when its row is removed. */
function withRow(layout: GridLayout, seen: readonly GridRow[], index: number | undefined): readonly GridRow[] {
  if (index === undefined || seen.length === 0) return seen;
  const own = rowOf(layout, index);
  return seen.some(({ row }) => row === own.row) ? seen : [...seen, own].toSorted((a, b) => a.row - b.row);
}

/** A tile to scroll into view, and to focus if `focus` is set. A new object for each request. */
interface Reveal {
  readonly index: number;
  readonly focus?: boolean;
}

/** An item that moved to another index. The grid scrolls so that the item stays where it was. A new object each time. */
interface Moved {
  readonly from: number;
  readonly to: number;
}

/** Focuses a tile. One that isn't rendered yet is focused once it is. */
function moveFocus(grid: HTMLElement, layout: GridLayout, index: number, height: number): void {
  grid.scrollTop = scrolledToTile(layout, grid.scrollTop, height, index);
  const focus = () => {
    const tile = grid.querySelector<HTMLElement>(`#tile-${index}`);
    tile?.focus({ preventScroll: true });
    // The tile may have moved by then, if there are fewer columns now.
    tile?.scrollIntoView({ block: 'nearest' });
  };
  if (grid.querySelector(`#tile-${index}`)) focus();
  else requestAnimationFrame(() => requestAnimationFrame(focus));
}

interface Scroller {
  readonly current: HTMLDivElement | null;
}

function useReveal(scroller: Scroller, layout: GridLayout, reveal: Reveal | undefined, height: number): void {
  const done = useRef<Reveal | undefined>(undefined);
  useLayoutEffect(() => {
    const { current } = scroller;
    if (!current || !reveal || height === 0 || done.current === reveal || reveal.index >= layout.count) return;
    done.current = reveal;
    if (reveal.focus) moveFocus(current, layout, reveal.index, height);
    else current.scrollTop = scrolledToTile(layout, current.scrollTop, height, reveal.index);
  });
}

function useFirstScroll(scroller: Scroller, layout: GridLayout, scroll: number, height: number): void {
  const isDone = useRef(scroll === 0);
  useLayoutEffect(() => {
    const { current } = scroller;
    if (isDone.current || !current || height === 0 || layout.count === 0) return;
    isDone.current = true;
    current.scrollTop = scroll;
  });
}

/** Runs before the new layout is painted. */
function useMoved(scroller: Scroller, layout: GridLayout, moved: Moved | undefined): void {
  const last = useRef({ layout, moved });
  useLayoutEffect(() => {
    const before = last.current;
    last.current = { layout, moved };
    const { current } = scroller;
    if (!current || !moved || moved === before.moved || moved.to >= layout.count || moved.from >= before.layout.count)
      return;
    current.scrollTop += rowOf(layout, moved.to).top - rowOf(before.layout, moved.from).top;
  });
}

/** Returns the width of the rows and the height of their visible part. */
function useRoom(scroller: Scroller, rows: Scroller): { readonly width: number; readonly height: number } {
  const [room, setRoom] = useState({ width: 0, height: 0 });
  useLayoutEffect(() => {
    if (!scroller.current || !rows.current) return undefined;
    const measure = () =>
      setRoom({ width: rows.current?.clientWidth ?? 0, height: scroller.current?.clientHeight ?? 0 });
    const observer = new ResizeObserver(measure);
    observer.observe(scroller.current);
    measure();
    return () => observer.disconnect();
  }, []);
  return room;
}
