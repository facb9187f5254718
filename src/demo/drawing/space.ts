import { type Canvas, type Colour, blend, smoothstep } from './canvas';
import { createNoiseMap } from './noise';
import type { Palette } from './palettes';

interface Planet {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
  readonly colour: Colour;
  readonly ring: boolean;
}

/** Paints a nebula, stars and a planet or two. */
export function createSpace(palette: Palette, random: () => number): (canvas: Canvas, seconds: number) => void {
  const near = createNoiseMap(random);
  const far = createNoiseMap(random);
  const deep: Colour = [5, 6, 18];
  const warm = blend(palette.accent, palette.sky[2], 0.3);
  const cool = blend(palette.sky[1], [60, 90, 220], 0.45);
  const stars = Array.from({ length: 700 }, () => [random(), random(), random() ** 3, random() * 6.3] as const);
  const planets: readonly Planet[] = [
    {
      x: 0.25 + random() * 0.5,
      y: 0.35 + random() * 0.3,
      radius: 0.13 + random() * 0.1,
      colour: blend(palette.haze, palette.accent, random()),
      ring: random() > 0.4,
    },
    {
      x: random(),
      y: 0.12 + random() * 0.2,
      radius: 0.03 + random() * 0.03,
      colour: blend(cool, [220, 220, 230], 0.5),
      ring: false,
    },
  ];
  return (canvas, seconds) => {
    const { width, height, pixels } = canvas;
    const aspect = width / height;
    for (let y = 0; y < height; y += 1) {
      for (let x = 0; x < width; x += 1) {
        const [u, v] = [(x / width) * aspect, y / height];
        const bend = far(u * 0.5 + seconds * 0.004, v * 0.5) * 0.6;
        const gas = smoothstep(0.4, 0.85, near(u * 0.5 + bend, v * 0.6 + bend - seconds * 0.006));
        const dust = smoothstep(0.45, 0.8, far(u * 0.8 - bend, v * 0.7 + seconds * 0.003));
        const at = (y * width + x) * 4;
        for (let channel = 0; channel < 3; channel += 1) {
          pixels[at + channel] = deep[channel]! + cool[channel]! * dust * 0.65 + warm[channel]! * gas * gas * 0.85;
        }
      }
    }
    for (const [x, y, strength, phase] of stars) {
      const at = (Math.floor(y * height) * width + Math.floor(x * width)) * 4;
      const power = 60 + 195 * strength * (0.7 + 0.3 * Math.sin(seconds * 5 + phase));
      for (let channel = 0; channel < 3; channel += 1) pixels[at + channel] = (pixels[at + channel] ?? 0) + power;
    }
    for (const planet of planets) paintPlanet(canvas, { ...planet, x: planet.x + seconds * 0.008 }, near);
  };
}

function paintPlanet(
  { width, height, pixels }: Canvas,
  { x: px, y: py, radius, colour, ring }: Planet,
  texture: (u: number, v: number) => number,
): void {
  const reach = ring ? radius * 2.1 : radius * 1.15;
  const [cx, cy] = [px * width, py * height];
  const size = reach * height;
  for (let y = Math.max(0, Math.floor(cy - size)); y < Math.min(height, cy + size); y += 1) {
    for (let x = Math.max(0, Math.floor(cx - size)); x < Math.min(width, cx + size); x += 1) {
      const [dx, dy] = [(x - cx) / height / radius, (y - cy) / height / radius];
      const distance = dx * dx + dy * dy;
      const at = (y * width + x) * 4;
      const tilted = Math.hypot(dx * 0.96 + dy * 0.28, (dy * 0.96 - dx * 0.28) * 3.4);
      const inFront = dy * 0.96 - dx * 0.28 > 0;
      if (distance < 1) {
        const z = Math.sqrt(1 - distance);
        const lit = Math.max(0.03, -dx * 0.55 - dy * 0.45 + z * 0.62);
        const band = 0.72 + 0.5 * texture(dx * 0.12 + 0.3, (dy + z * 0.08) * 0.9);
        const edge = Math.min(1, (1 - Math.sqrt(distance)) * radius * height);
        for (let channel = 0; channel < 3; channel += 1) {
          pixels[at + channel] = pixels[at + channel]! * (1 - edge) + colour[channel]! * lit * band * 1.15 * edge;
        }
      }
      if (ring && tilted > 1.3 && tilted < 2 && (inFront || distance > 1)) {
        const part =
          0.55 *
          (0.6 + 0.4 * Math.sin(tilted * 46)) *
          smoothstep(1.3, 1.36, tilted) *
          (1 - smoothstep(1.94, 2, tilted));
        for (let channel = 0; channel < 3; channel += 1)
          pixels[at + channel] = pixels[at + channel]! * (1 - part) + (colour[channel]! * 0.7 + 76) * part;
      }
    }
  }
}
