import { type Canvas, type Colour, blend, gradient, mix, smoothstep } from './canvas';
import { type NoiseMap, createNoiseMap } from './noise';
import type { Palette } from './palettes';
import { type RidgeKind, type Ridge, createRidges } from './ridges';

export interface LandscapeOptions {
  readonly palette: Palette;
  readonly ridge: RidgeKind;
  readonly water: boolean;
  readonly random: () => number;
}

interface Light {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
}

/** Paints layers of hills, trees or houses under a sky, optionally by water. Time moves clouds, layers and ripples. */
export function createLandscape({
  palette,
  ridge,
  water,
  random,
}: LandscapeOptions): (canvas: Canvas, seconds: number) => void {
  const clouds = createNoiseMap(random);
  const light: Light = { x: 0.2 + random() * 0.6, y: 0.16 + random() * 0.22, radius: 0.035 + random() * 0.035 };
  const cover = 0.35 + random() * 0.5;
  const shore = water ? 0.66 + random() * 0.08 : 1;
  const ridges = createRidges({ kind: ridge, palette, random, bottom: shore });
  const stars = Array.from(
    { length: palette.stars ? 260 : 0 },
    () => [random(), random() ** 1.4 * 0.6, random(), random() * 6.3] as const,
  );
  return (canvas, seconds) => {
    paintSky(canvas, { palette, light: { ...light, y: light.y - seconds * 0.006 }, clouds, cover, seconds });
    for (const [x, y, strength, phase] of stars)
      paintStar(canvas, x, y, strength * (0.75 + 0.25 * Math.sin(seconds * 4 + phase)));
    for (const layer of ridges) paintRidge(canvas, layer, { palette, light, clouds, seconds, bottom: shore });
    if (water) paintWater(canvas, { palette, light, seconds, shore });
  };
}

interface SkyOptions {
  readonly palette: Palette;
  readonly light: Light;
  readonly clouds: NoiseMap;
  readonly cover: number;
  readonly seconds: number;
}

function paintSky({ width, height, pixels }: Canvas, { palette, light, clouds, cover, seconds }: SkyOptions): void {
  const aspect = width / height;
  const [lr, lg, lb] = palette.light;
  const lit = blend(palette.sky[2], palette.light, 0.55);
  let at = 0;
  for (let y = 0; y < height; y += 1) {
    const v = y / height;
    const [r, g, b] = gradient(palette.sky, v / 0.72);
    const dy = v - light.y;
    const fade = smoothstep(0, 0.12, v) * (1 - smoothstep(0.42, 0.7, v));
    for (let x = 0; x < width; x += 1) {
      const u = x / width;
      const dx = (u - light.x) * aspect;
      const distance = Math.sqrt(dx * dx + dy * dy);
      const disc =
        distance < light.radius ? 1 : distance < light.radius + 0.004 ? 1 - (distance - light.radius) / 0.004 : 0;
      const glow = 0.42 / (1 + 34 * distance * distance) + 0.3 / (1 + 420 * distance * distance);
      let [red, green, blue] = [r + (lr - r) * glow, g + (lg - g) * glow, b + (lb - b) * glow];
      if (fade > 0.01) {
        const density = clouds(u * aspect * 0.55 + seconds * 0.012, v * 2.4 + 0.1 * seconds * 0.02);
        const cloud = smoothstep(0.62 - cover * 0.16, 0.8, density) * fade * cover * (1 - disc * 0.4);
        [red, green, blue] = [
          red + (lit[0] - red) * cloud,
          green + (lit[1] - green) * cloud,
          blue + (lit[2] - blue) * cloud,
        ];
      }
      pixels[at] = red + (255 - red) * disc * 0.92 * (lr / 255);
      pixels[at + 1] = green + (255 - green) * disc * 0.92 * (lg / 255);
      pixels[at + 2] = blue + (255 - blue) * disc * 0.92 * (lb / 255);
      at += 4;
    }
  }
}

function paintStar({ width, height, pixels }: Canvas, u: number, v: number, strength: number): void {
  const [cx, cy] = [Math.floor(u * width), Math.floor(v * height)];
  const size = strength > 0.85 ? 1 : 0;
  for (let y = cy - size; y <= cy + size; y += 1) {
    for (let x = cx - size; x <= cx + size; x += 1) {
      if (x < 0 || y < 0 || x >= width || y >= height) continue;
      const at = (y * width + x) * 4;
      const power = strength * 200 * (x === cx && y === cy ? 1 : x === cx || y === cy ? 0.4 : 0.1);
      for (let channel = 0; channel < 3; channel += 1) pixels[at + channel] = (pixels[at + channel] ?? 0) + power;
    }
  }
}

interface RidgeOptions {
  readonly palette: Palette;
  readonly light: Light;
  readonly clouds: NoiseMap;
  readonly seconds: number;
  readonly bottom: number;
}

function paintRidge(
  { width, height, pixels }: Canvas,
  layer: Ridge,
  { palette, light, clouds, seconds, bottom }: RidgeOptions,
): void {
  const aspect = width / height;
  const drift = seconds * layer.speed;
  const end = Math.ceil(bottom * height);
  const mist = blend(layer.colour, palette.haze, 0.75);
  let before = layer.top(-aspect / width + drift);
  let slope = 0;
  for (let x = 0; x < width; x += 1) {
    const u = (x / width) * aspect + drift;
    const top = layer.top(u);
    // The side facing the light is lit; a running mean keeps single columns from standing out.
    const facing =
      Math.max(-1, Math.min(1, (((top - before) * width) / aspect) * 0.5)) * Math.tanh((light.x - x / width) * 6);
    slope += (facing - slope) * 0.12;
    before = top;
    for (let y = Math.max(0, Math.floor(top * height)); y < end; y += 1) {
      const depth = y / height - top;
      const edge = Math.min(1, Math.max(0, y - top * height + 1));
      const shade = 1 - slope * 0.3 * Math.exp(-depth * 14);
      const window = layer.glint(u, depth, y / height);
      const grain = (clouds(u * 1.7 + layer.depth, (y / height) * 3.1) - 0.5) * 34 * (0.35 + layer.depth);
      const foot = smoothstep(0.02, 0.32, depth) * layer.mist;
      const at = (y * width + x) * 4;
      for (let channel = 0; channel < 3; channel += 1) {
        const base = mix(layer.colour[channel]! * shade + grain, mist[channel]!, foot);
        pixels[at + channel] = mix(pixels[at + channel]!, mix(base, palette.accent[channel]!, window), edge);
      }
    }
  }
}

interface WaterOptions {
  readonly palette: Palette;
  readonly light: Light;
  readonly seconds: number;
  readonly shore: number;
}

/** Mirrors what is above the shore, broken by ripples that grow towards the viewer. */
function paintWater({ width, height, pixels }: Canvas, { palette, light, seconds, shore }: WaterOptions): void {
  const start = Math.floor(shore * height);
  const tint: Colour = blend(palette.near, palette.sky[0], 0.55);
  for (let y = start; y < height; y += 1) {
    const near = (y - start) / (height - start);
    const source = Math.max(0, Math.floor(start - (y - start) * 1.35 - 1));
    const wave =
      Math.sin(40 * Math.sqrt(near) * 3.1 - seconds * 3.2) * (1 + near * 9) +
      Math.sin(y * 0.73 + seconds * 2.1) * (0.6 + near * 4);
    const lane = 0.05 + near * 0.13;
    for (let x = 0; x < width; x += 1) {
      const sway = Math.round(wave * (1 + 0.35 * Math.sin(x * 0.013 + y * 0.05)));
      const from = (source * width + Math.min(width - 1, Math.max(0, x + sway))) * 4;
      const at = (y * width + x) * 4;
      const lane2 = Math.abs(x / width - light.x) / lane;
      const glint =
        lane2 < 1 && Math.sin(y * 1.9 + x * 0.11 + Math.sin(x * 0.05 + seconds * 5) * 3) > 0.35
          ? (1 - lane2) * 0.55
          : 0;
      const deep = 0.22 + near * 0.4;
      for (let channel = 0; channel < 3; channel += 1) {
        const reflected = mix(pixels[from + channel]!, tint[channel]!, deep);
        pixels[at + channel] = mix(reflected, palette.light[channel]!, glint);
      }
    }
  }
}
