import { type Canvas, type Colour, blend, gradient } from './canvas';
import { createNoiseMap } from './noise';
import type { Palette } from './palettes';

/** Paints bands of colour that flow into each other, with a fine line on each edge. */
export function createFlow(palette: Palette, random: () => number): (canvas: Canvas, seconds: number) => void {
  const first = createNoiseMap(random);
  const second = createNoiseMap(random);
  const stops: readonly Colour[] = [
    palette.near,
    palette.sky[0],
    palette.sky[1],
    palette.accent,
    palette.sky[2],
    palette.light,
    palette.haze,
    palette.near,
  ];
  const ramp = Array.from({ length: 1024 }, (_, index) => gradient(stops, index / 1023));
  const scale = 0.35 + random() * 0.35;
  const bands = 2 + Math.floor(random() * 3);
  return ({ width, height, pixels }, seconds) => {
    for (let y = 0; y < height; y += 1) {
      for (let x = 0; x < width; x += 1) {
        const [u, v] = [(x / height) * scale, (y / height) * scale];
        const bend = first(u + seconds * 0.01, v - seconds * 0.006);
        const value = second(u + bend * 0.55, v + bend * 0.4 + seconds * 0.008) * bands + bend;
        const part = value - Math.floor(value);
        const mirrored = part < 0.5 ? part * 2 : 2 - part * 2;
        const edge = mirrored < 0.03 ? 1 - mirrored / 0.03 : 0;
        const colour = ramp[Math.floor(mirrored * 1023)] ?? palette.near;
        const shaded = edge > 0 ? blend(colour, palette.light, edge * 0.5) : colour;
        const at = (y * width + x) * 4;
        const lift = 0.86 + bend * 0.28;
        pixels[at] = shaded[0] * lift;
        pixels[at + 1] = shaded[1] * lift;
        pixels[at + 2] = shaded[2] * lift;
      }
    }
  };
}
