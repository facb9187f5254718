import { type Canvas, type Colour, blend, gradient, mix, smoothstep } from './canvas';
import { createNoiseLine, createNoiseMap } from './noise';
import type { Palette } from './palettes';

export type RidgeKind = 'mountains' | 'hills' | 'dunes' | 'forest' | 'city';

/** One layer, distant ones first. Lengths are fractions of the image's height. */
interface Ridge {
  readonly colour: Colour;
  /** 0 is far, 1 is near. */
  readonly depth: number;
  /** How much of its foot is in mist, 0..1. */
  readonly mist: number;
  readonly speed: number;
  /** Returns the distance of its edge from the top of the image. */
  readonly top: (u: number) => number;
  /** Returns how bright a point glows (a lit window), 0..1. */
  readonly glint: (u: number, depth: number, v: number) => number;
}

interface Light {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
}

/** Paints layers of hills, trees or houses under a sky, optionally by water. Time moves clouds, layers and ripples. */
export class Landscape {
  private readonly clouds;
  private readonly light: Light;
  private readonly cover: number;
  private readonly shore: number;
  private readonly ridges: readonly Ridge[];
  private readonly stars: readonly (readonly [x: number, y: number, strength: number, phase: number])[];

  constructor(
    private readonly palette: Palette,
    { ridge, water }: { readonly ridge: RidgeKind; readonly water: boolean },
    random: () => number,
  ) {
    this.clouds = createNoiseMap(random);
    this.light = { x: 0.2 + random() * 0.6, y: 0.16 + random() * 0.22, radius: 0.035 + random() * 0.035 };
    this.cover = 0.35 + random() * 0.5;
    this.shore = water ? 0.66 + random() * 0.08 : 1;
    this.ridges = this.createRidges(ridge, random);
    this.stars = Array.from(
      { length: palette.stars ? 260 : 0 },
      () => [random(), random() ** 1.4 * 0.6, random(), random() * 6.3] as const,
    );
  }

  paint(canvas: Canvas, seconds: number): void {
    this.paintSky(canvas, seconds);
    for (const [x, y, strength, phase] of this.stars)
      paintStar(canvas, x, y, strength * (0.75 + 0.25 * Math.sin(seconds * 4 + phase)));
    for (const layer of this.ridges) this.paintRidge(canvas, layer, seconds);
    if (this.shore < 1) this.paintWater(canvas, seconds);
  }

  private createRidges(kind: RidgeKind, random: () => number): readonly Ridge[] {
    const { palette, shore: bottom } = this;
    const count = kind === 'dunes' ? 4 : 5;
    const horizon = bottom - (bottom < 1 ? 0.12 : 0.4);
    return Array.from({ length: count }, (_, index) => {
      const depth = index / (count - 1);
      const layer: Layer = {
        depth,
        phase: random() * 40,
        base: horizon + (bottom - horizon) * depth * 0.94 + 0.03,
        rise: kind === 'mountains' ? 0.34 - depth * 0.2 : kind === 'city' ? 0.26 - depth * 0.1 : 0.16 - depth * 0.04,
        line: createNoiseLine(random, roughness[kind]),
      };
      return {
        depth,
        colour: blend(palette.haze, palette.near, 0.12 + 0.88 * depth ** 0.85),
        mist: 0.85 * (1 - depth),
        speed: 0.004 + depth * 0.03,
        top: topOf(kind, layer),
        glint: kind === 'city' ? cityGlint(layer, palette.stars ? 0.95 : 0.5) : none,
      };
    });
  }

  private paintSky({ width, height, pixels }: Canvas, seconds: number): void {
    const { palette, clouds, cover } = this;
    const light = { ...this.light, y: this.light.y - seconds * 0.006 };
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

  private paintRidge({ width, height, pixels }: Canvas, layer: Ridge, seconds: number): void {
    const { palette, light, clouds, shore } = this;
    const aspect = width / height;
    const drift = seconds * layer.speed;
    const end = Math.ceil(shore * height);
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

  /** Mirrors what is above the shore, broken by ripples that grow towards the viewer. */
  private paintWater({ width, height, pixels }: Canvas, seconds: number): void {
    const { palette, light, shore } = this;
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

const roughness: Readonly<Record<RidgeKind, number>> = {
  mountains: 0.5,
  hills: 0.28,
  dunes: 0.2,
  forest: 0.3,
  city: 0.3,
};
const cellNoise = (a: number, b: number): number => {
  const mixed = Math.sin(a * 127.1 + b * 311.7) * 43758.5453;
  return mixed - Math.floor(mixed);
};
const none = () => 0;

interface Layer {
  readonly base: number;
  readonly rise: number;
  readonly depth: number;
  readonly phase: number;
  readonly line: (x: number) => number;
}

function mountainTop({ base, rise, depth, phase, line }: Layer): (u: number) => number {
  const scale = 1.5 + depth * 1.1;
  return (u) => {
    const ridged = 1 - Math.abs(line(u * scale + phase) * 2 - 1);
    return base - rise * (ridged ** 1.5 * 1.25 + line(u * scale * 3 + phase) * 0.2);
  };
}

function duneTop({ base, rise, phase, line }: Layer): (u: number) => number {
  return (u) => {
    const x = u * 1.1 + phase + line(u * 1.3 + phase) * 0.9;
    const part = x - Math.floor(x);
    const swell =
      part < 0.72 ? Math.sin((part / 0.72) * (Math.PI / 2)) : Math.cos(((part - 0.72) / 0.28) * (Math.PI / 2)) ** 1.3;
    return base - rise * (0.25 + 0.6 * swell + 0.25 * line(u + phase));
  };
}

function forestTop({ base, rise, depth, phase, line }: Layer): (u: number) => number {
  const trees = 15 - depth * 9;
  const size = 0.07 + depth * 0.17;
  return (u) => {
    let highest = 0;
    for (const shift of [0, 0.37, 0.71]) {
      const x = u * trees + phase * 9 + shift;
      const index = Math.floor(x);
      const off = Math.abs(x - index - 0.5) * 2;
      const tier = 1 - off - 0.05 * (((1 - off) * 7) % 1);
      highest = Math.max(highest, tier * (0.45 + 0.55 * cellNoise(index, shift * 10 + phase)));
    }
    return base - rise * 0.5 * line(u * 1.2 + phase) - size * highest;
  };
}

function cityTop({ base, rise, depth, phase }: Layer): (u: number) => number {
  const houses = 13 - depth * 6;
  return (u) => {
    const x = u * houses + phase * 5;
    const tall = cellNoise(Math.floor(x), phase);
    const inset = x - Math.floor(x);
    const stepped = tall > 0.7 && inset > 0.3 && inset < 0.7 ? 0.14 : 0;
    const mast = tall > 0.86 && Math.abs(inset - 0.5) < 0.02 ? 0.16 : 0;
    return base - rise * (0.25 + tall * 1.1 + stepped + mast);
  };
}

function cityGlint({ depth, phase }: Layer, strength: number): Ridge['glint'] {
  const houses = 13 - depth * 6;
  return (u, below, v) => {
    const x = (u * houses + phase * 5) * 7;
    const y = v * (74 - depth * 34);
    const [column, row] = [x - Math.floor(x), y - Math.floor(y)];
    if (below < 0.012 || column < 0.3 || column > 0.75 || row < 0.32 || row > 0.78) return 0;
    const lit = cellNoise(Math.floor(x), Math.floor(y) + phase * 3);
    return lit > 0.58 ? strength * (0.35 + 0.65 * (lit - 0.58) * 2.38) : 0;
  };
}

function topOf(kind: RidgeKind, layer: Layer): (u: number) => number {
  if (kind === 'mountains') return mountainTop(layer);
  if (kind === 'dunes') return duneTop(layer);
  if (kind === 'forest') return forestTop(layer);
  if (kind === 'city') return cityTop(layer);
  return (u) => layer.base - layer.rise * layer.line(u * 1.4 + layer.phase);
}
