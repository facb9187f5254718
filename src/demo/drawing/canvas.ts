/** RGBA, row by row from the top. */
export interface Canvas {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8ClampedArray;
}

export type Colour = readonly [red: number, green: number, blue: number];

export function createCanvas(width: number, height: number): Canvas {
  const pixels = new Uint8ClampedArray(width * height * 4);
  pixels.fill(255);
  return { width, height, pixels };
}

export const mix = (a: number, b: number, part: number): number => a + (b - a) * part;
export const blend = (a: Colour, b: Colour, part: number): Colour => [
  mix(a[0], b[0], part),
  mix(a[1], b[1], part),
  mix(a[2], b[2], part),
];

export function smoothstep(from: number, to: number, value: number): number {
  const part = Math.min(1, Math.max(0, (value - from) / (to - from)));
  return part * part * (3 - 2 * part);
}

/** Returns the colour at a position between evenly spaced stops, 0 at the first, 1 at the last. */
export function gradient(stops: readonly Colour[], place: number): Colour {
  const at = Math.min(1, Math.max(0, place)) * (stops.length - 1);
  const index = Math.min(stops.length - 2, Math.floor(at));
  return blend(stops[index]!, stops[index + 1]!, at - index);
}
