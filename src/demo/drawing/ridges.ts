import { type Colour, blend } from './canvas';
import { createNoiseLine } from './noise';
import type { Palette } from './palettes';

export type RidgeKind = 'mountains' | 'hills' | 'dunes' | 'forest' | 'city';

/** One layer of a landscape, distant ones first. Lengths are fractions of the image's height. */
export interface Ridge {
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

export interface RidgesOptions {
  readonly kind: RidgeKind;
  readonly palette: Palette;
  readonly random: () => number;
  readonly bottom: number;
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

export function createRidges({ kind, palette, random, bottom }: RidgesOptions): readonly Ridge[] {
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
