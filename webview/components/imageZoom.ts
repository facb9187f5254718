export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

/**
 * Position and scale of an image: `x` and `y` lead from the centre of the viewport to the centre of the image; `scale` is the number
 * of page pixels per image pixel.
 */
export interface Placement extends Point {
  readonly scale: number;
}

/** `fit`: the whole image is visible at any viewport size, but never enlarged. */
export type Zoom = 'fit' | Placement;

const steps: readonly number[] = [0.05, 0.1, 0.25, 0.33, 0.5, 0.67, 0.75, 1, 1.25, 1.5, 2, 3, 4, 6, 8, 12, 16, 24, 32];
const largest = 32;
const smallest = 0.05;
/** Chosen so that one notch of a typical wheel (100 pixels) zooms by about a fifth. */
const wheelPart = 0.002;
const wheelLine = 33;
const pinch = 5;

export function fitScale(picture: Size, room: Size): number {
  if (picture.width <= 0 || picture.height <= 0) return 1;
  // Never 0, because a viewport has no size before it is measured.
  return Math.max(0.001, Math.min(1, room.width / picture.width, room.height / picture.height));
}

export function placementOf(zoom: Zoom, picture: Size, room: Size): Placement {
  if (zoom === 'fit') return { scale: fitScale(picture, room), x: 0, y: 0 };
  return bounded(zoom, picture, room);
}

/** Zooms to a scale. The point at `at` (from the center of the viewport) stays where it is as far as the edges allow. */
export function zoomedTo(
  placement: Placement,
  requestedScale: number,
  at: Point,
  picture: Size,
  room: Size,
): Placement {
  const scale = Math.min(largest, Math.max(Math.min(smallest, fitScale(picture, room)), requestedScale));
  const grown = scale / placement.scale;
  return bounded(
    { scale, x: at.x - (at.x - placement.x) * grown, y: at.y - (at.y - placement.y) * grown },
    picture,
    room,
  );
}

export function pannedBy(placement: Placement, by: Point, picture: Size, room: Size): Placement {
  return bounded({ ...placement, x: placement.x + by.x, y: placement.y + by.y }, picture, room);
}

/** Whether parts of the image are hidden, in each direction. */
export function canPan({ scale }: Placement, picture: Size, room: Size): { readonly x: boolean; readonly y: boolean } {
  return { x: picture.width * scale > room.width + 0.5, y: picture.height * scale > room.height + 0.5 };
}

/** Returns the next zoom level, counting `fit` as one of them; `scale` itself at either end. */
export function nextScale(scale: number, direction: 1 | -1, fit: number): number {
  const all = [...steps, fit].toSorted((a, b) => a - b);
  // The tolerance is 1 %, because the scale is shown in percent.
  const next = direction > 0 ? all.find((step) => step > scale * 1.01) : all.findLast((step) => step < scale * 0.99);
  return next ?? scale;
}

export function wheelScale(
  scale: number,
  { deltaY, deltaMode, ctrlKey }: Pick<WheelEvent, 'deltaY' | 'deltaMode' | 'ctrlKey'>,
): number {
  // A pinch on a touchpad arrives as wheel events of small steps with this key set.
  const pixels = deltaMode === 0 ? deltaY * (ctrlKey && Math.abs(deltaY) < 50 ? pinch : 1) : deltaY * wheelLine;
  return scale * Math.exp(-Math.max(-1000, Math.min(1000, pixels)) * wheelPart);
}

/** Keeps an image larger than the viewport from leaving a gap at its edges, and centres a smaller one. */
function bounded({ scale, x, y }: Placement, picture: Size, room: Size): Placement {
  return {
    scale,
    x: within(x, (picture.width * scale - room.width) / 2),
    y: within(y, (picture.height * scale - room.height) / 2),
  };
}

function within(value: number, bound: number): number {
  return bound <= 0 ? 0 : Math.min(bound, Math.max(-bound, value));
}
