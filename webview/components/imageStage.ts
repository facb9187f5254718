import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { canPan, fitScale, nextScale, pannedBy, placementOf, wheelScale, zoomedTo } from './imageZoom';
import type { Placement, Point, Size, Zoom } from './imageZoom';

const middle: Point = { x: 0, y: 0 };
/** How far an arrow key moves the image, in pixels. */
const arrowStep = 60;

const arrows: Readonly<Record<string, Point>> = {
  ArrowLeft: { x: arrowStep, y: 0 },
  ArrowRight: { x: -arrowStep, y: 0 },
  ArrowUp: { x: 0, y: arrowStep },
  ArrowDown: { x: 0, y: -arrowStep },
};

/** One or more viewports of the same size that show images at the same position and scale. */
export interface ImageStage {
  /** Ref for the viewport's element. */
  readonly room: { current: HTMLDivElement | null };
  readonly roomSize: Size;
  readonly placement: Placement;
  readonly isFit: boolean;
  /** Whether parts of the image are hidden, in each direction. */
  readonly pans: { readonly x: boolean; readonly y: boolean };
  readonly fit: () => void;
  /** Zooms to the image's actual size. */
  readonly actual: () => void;
  readonly step: (direction: 1 | -1) => void;
  readonly onWheel: (event: WheelEvent) => void;
  /** Starts dragging the image and returns `true` if parts of it are hidden; else returns `false`. */
  readonly drag: (event: PointerEvent) => boolean;
  /** On a double click, zooms to the actual size, or back to fit. */
  readonly onDoubleClick: (event: MouseEvent) => void;
  /** Returns `false` for a key that neither zooms nor pans. */
  readonly onKey: (key: string) => boolean;
}

/** When `what` changes, the zoom resets to fit. `picture` is undefined while the image's size is unknown. */
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

  const keys = keysOf(step, fit, actual);

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

function keysOf(step: ImageStage['step'], fit: () => void, actual: () => void) {
  const keys: Readonly<Record<string, () => void>> = {
    '+': () => step(1),
    '=': () => step(1),
    '-': () => step(-1),
    '0': fit,
    '1': actual,
  };
  return keys;
}

/** Reports each movement of the pointer until it is released. */
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
  // The viewport's element changes with the arrangement.
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
