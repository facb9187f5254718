import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { canPan, fitScale, nextScale, pannedBy, placementOf, wheelScale, zoomedTo } from './imageZoom';
import type { Placement, Point, Size, Zoom } from './imageZoom';

const middle: Point = { x: 0, y: 0 };
/** What an arrow key moves the picture by, in pixels. */
const arrowStep = 60;

const arrows: Readonly<Record<string, Point>> = {
  ArrowLeft: { x: arrowStep, y: 0 },
  ArrowRight: { x: -arrowStep, y: 0 },
  ArrowUp: { x: 0, y: arrowStep },
  ArrowDown: { x: 0, y: -arrowStep },
};

/** One or more rooms of one size in which pictures lie alike. */
export interface ImageStage {
  /** For the element that is the room. */
  readonly room: { current: HTMLDivElement | null };
  readonly roomSize: Size;
  readonly placement: Placement;
  readonly isFit: boolean;
  /** Whether there is more of it than is seen. */
  readonly pans: { readonly x: boolean; readonly y: boolean };
  readonly fit: () => void;
  /** As large as it is. */
  readonly actual: () => void;
  readonly step: (direction: 1 | -1) => void;
  readonly onWheel: (event: WheelEvent) => void;
  /** Begins dragging the picture, where there is more of it than is seen; `false` where there is not. */
  readonly drag: (event: PointerEvent) => boolean;
  /** A double click: as large as it is, or fitted again. */
  readonly onDoubleClick: (event: MouseEvent) => void;
  /** `false` for a key that is not for zooming and moving. */
  readonly onKey: (key: string) => boolean;
}

/** `what`: another one begins fitted. `picture`: undefined while its size is not known. */
export function useImageStage(what: string, picture: Size | undefined): ImageStage {
  const room = useRef<HTMLDivElement>(null);
  const roomSize = useRoomSize(room);
  const [{ of, zoom }, setState] = useState<{ readonly of: string; readonly zoom: Zoom }>({ of: what, zoom: 'fit' });
  const size = picture ?? { width: 1, height: 1 };
  const current: Zoom = of === what ? zoom : 'fit';
  const placement = placementOf(current, size, roomSize);
  const latest = useRef({ placement, size, roomSize });
  latest.current = { placement, size, roomSize };

  const place = (change: (now: Placement, size: Size, room: Size) => Zoom) => {
    const now = latest.current;
    const next = change(now.placement, now.size, now.roomSize);
    if (next !== 'fit') latest.current = { ...now, placement: next };
    setState({ of: what, zoom: next });
  };
  const zoomTo = (scale: number, at: Point) =>
    place((now, picturesSize, roomNow) => zoomedTo(now, scale, at, picturesSize, roomNow));
  const pan = (by: Point) => place((now, picturesSize, roomNow) => pannedBy(now, by, picturesSize, roomNow));
  const step = (direction: 1 | -1) => zoomTo(nextScale(placement.scale, direction, fitScale(size, roomSize)), middle);
  const fit = () => place(() => 'fit');
  const actual = () => zoomTo(1, middle);
  const pans = canPan(placement, size, roomSize);

  const keys = keysOf({ step, fit, actual });

  return {
    room,
    roomSize,
    placement,
    isFit: current === 'fit',
    pans,
    fit,
    actual,
    step,
    onWheel(event) {
      event.preventDefault();
      zoomTo(wheelScale(latest.current.placement.scale, event), fromMiddle(event));
    },
    drag(event) {
      if (event.button !== 0 || (!pans.x && !pans.y)) return false;
      onDrag(event, (by) => pan(by));
      return true;
    },
    onDoubleClick(event) {
      if (placement.scale === 1) fit();
      else zoomTo(1, fromMiddle(event));
    },
    onKey(key) {
      const arrow = arrows[key];
      const run = arrow && (arrow.x === 0 ? pans.y : pans.x) ? () => pan(arrow) : keys[key];
      run?.();
      return run !== undefined;
    },
  };
}

function keysOf({ step, fit, actual }: Pick<ImageStage, 'step' | 'fit' | 'actual'>) {
  const keys: Readonly<Record<string, () => void>> = {
    '+': () => step(1),
    '=': () => step(1),
    '-': () => step(-1),
    '0': fit,
    '1': actual,
  };
  return keys;
}

/** Tells how far the pointer went each time, until it is let go. */
export function onDrag(down: PointerEvent, moved: (by: Point, event: PointerEvent) => void): void {
  const element = down.currentTarget as HTMLElement;
  element.setPointerCapture(down.pointerId);
  const listening = new AbortController();
  const { signal } = listening;
  let last = down;
  const onMove = (event: PointerEvent) => {
    if (event.pointerId !== down.pointerId) return;
    moved({ x: event.clientX - last.clientX, y: event.clientY - last.clientY }, event);
    last = event;
  };
  const end = ({ pointerId }: PointerEvent) => pointerId === down.pointerId && listening.abort();
  element.addEventListener('pointermove', onMove, { signal });
  for (const name of ['pointerup', 'pointercancel', 'lostpointercapture'] as const)
    element.addEventListener(name, end, { signal });
}

function fromMiddle({ currentTarget, clientX, clientY }: MouseEvent): Point {
  const { left, top, width, height } = (currentTarget as HTMLElement).getBoundingClientRect();
  return { x: clientX - left - width / 2, y: clientY - top - height / 2 };
}

function useRoomSize(room: { readonly current: HTMLElement | null }): Size {
  const [size, setSize] = useState<Size>({ width: 0, height: 0 });
  const watched = useRef<ResizeObserver>(undefined);
  const element = useRef<HTMLElement>(null);
  // Another element is the room when the arrangement changes.
  useLayoutEffect(() => {
    if (element.current === room.current) return;
    watched.current?.disconnect();
    element.current = room.current;
    const { current } = room;
    if (!current) return;
    const measure = () => setSize({ width: current.clientWidth, height: current.clientHeight });
    watched.current = new ResizeObserver(measure);
    watched.current.observe(current);
    measure();
  });
  useLayoutEffect(() => () => watched.current?.disconnect(), []);
  return size;
}
