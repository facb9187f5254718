import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { rowOf, scrolledToTile } from './gridGeometry';
import type { GridLayout } from './gridGeometry';

/** A tile to scroll into view, and to focus if `focus` is set. A new object for each request. */
export interface Reveal {
  readonly index: number;
  readonly focus?: boolean;
}

/** An item that moved to another index. The grid scrolls so that the item stays where it was. A new object each time. */
export interface Moved {
  readonly from: number;
  readonly to: number;
}

/** Focuses a tile; one that is not drawn yet is focused once it is. */
export function moveFocus(grid: HTMLElement, layout: GridLayout, index: number, height: number): void {
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

export function useReveal(scroller: Scroller, layout: GridLayout, reveal: Reveal | undefined, height: number): void {
  const done = useRef<Reveal | undefined>(undefined);
  useLayoutEffect(() => {
    const { current } = scroller;
    if (!current || !reveal || height === 0 || done.current === reveal || reveal.index >= layout.count) return;
    done.current = reveal;
    if (reveal.focus) moveFocus(current, layout, reveal.index, height);
    else current.scrollTop = scrolledToTile(layout, current.scrollTop, height, reveal.index);
  });
}

export function useFirstScroll(scroller: Scroller, layout: GridLayout, scroll: number, height: number): void {
  const isDone = useRef(scroll === 0);
  useLayoutEffect(() => {
    const { current } = scroller;
    if (isDone.current || !current || height === 0 || layout.count === 0) return;
    isDone.current = true;
    current.scrollTop = scroll;
  });
}

/** Runs before the new layout is painted. */
export function useMoved(scroller: Scroller, layout: GridLayout, moved: Moved | undefined): void {
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
export function useRoom(scroller: Scroller, rows: Scroller): { readonly width: number; readonly height: number } {
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
