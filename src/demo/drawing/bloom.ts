import { type Canvas, type Colour, blend, gradient, smoothstep } from './canvas';
import { createNoiseMap } from './noise';
import type { Palette } from './palettes';

interface Flower {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
  readonly petals: number;
  readonly turn: number;
  readonly colour: Colour;
}

/** Paints flowers of many petals over soft ground, the distant ones small and pale. */
export function createBloom(palette: Palette, random: () => number): (canvas: Canvas, seconds: number) => void {
  const ground = createNoiseMap(random);
  const colours: readonly Colour[] = [
    palette.accent,
    blend(palette.accent, [255, 255, 255], 0.45),
    blend(palette.sky[1], palette.accent, 0.5),
    palette.light,
  ];
  const flowers: readonly Flower[] = Array.from({ length: 16 }, (_, index) => {
    const near = index / 15;
    return {
      x: random(),
      y: 0.12 + random() * 0.8,
      radius: 0.05 + near * near * 0.2 + random() * 0.03,
      petals: 5 + Math.floor(random() * 8),
      turn: random() * 6.3,
      colour: blend(palette.haze, colours[index % colours.length] ?? palette.accent, 0.35 + near * 0.65),
    };
  });
  return (canvas, seconds) => {
    const { width, height, pixels } = canvas;
    const stops: readonly Colour[] = [
      blend(palette.sky[2], palette.haze, 0.4),
      palette.haze,
      blend(palette.near, palette.haze, 0.25),
    ];
    for (let y = 0; y < height; y += 1) {
      for (let x = 0; x < width; x += 1) {
        const [u, v] = [x / height, y / height];
        const wave = ground(u * 0.7 + seconds * 0.01, v * 0.7);
        const [r, g, b] = gradient(stops, v * 0.7 + wave * 0.5 - 0.1);
        const at = (y * width + x) * 4;
        pixels[at] = r;
        pixels[at + 1] = g;
        pixels[at + 2] = b;
      }
    }
    for (const flower of flowers) paintFlower(canvas, { ...flower, turn: flower.turn + seconds * 0.12 }, palette);
  };
}

function paintFlower(
  { width, height, pixels }: Canvas,
  { x: fx, y: fy, radius, petals, turn, colour }: Flower,
  palette: Palette,
): void {
  const [cx, cy, size] = [fx * width, fy * height, radius * height];
  const heart = blend(palette.light, palette.accent, 0.35);
  for (let y = Math.max(0, Math.floor(cy - size)); y < Math.min(height, cy + size); y += 1) {
    for (let x = Math.max(0, Math.floor(cx - size)); x < Math.min(width, cx + size); x += 1) {
      const [dx, dy] = [(x - cx) / size, (y - cy) / size];
      const distance = Math.hypot(dx, dy);
      if (distance > 1) continue;
      const angle = Math.atan2(dy, dx);
      const at = (y * width + x) * 4;
      for (const [reach, shift, tone] of [
        [1, 0, 0.82],
        [0.72, 0.5, 1],
        [0.46, 0.25, 1.14],
      ] as const) {
        const wave = Math.cos((angle + turn) * petals + shift * Math.PI * 2) * 0.5 + 0.5;
        const edge = reach * (0.42 + 0.58 * wave ** 0.55);
        const cover = smoothstep(edge, edge - 0.03, distance);
        if (cover === 0) continue;
        const light = tone * (0.72 + 0.36 * (distance / edge)) * (0.9 + 0.14 * wave);
        for (let channel = 0; channel < 3; channel += 1)
          pixels[at + channel] = pixels[at + channel]! * (1 - cover) + colour[channel]! * light * cover;
      }
      const core = smoothstep(0.2, 0.15, distance);
      for (let channel = 0; channel < 3; channel += 1)
        pixels[at + channel] =
          pixels[at + channel]! * (1 - core) + heart[channel]! * (0.8 + 0.2 * Math.sin(distance * 90)) * core;
    }
  }
}
