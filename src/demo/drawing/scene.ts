import { hashOf, pick, seeded } from '../seeded';
import { createBloom } from './bloom';
import type { Canvas } from './canvas';
import { createFlow } from './flow';
import { createLandscape } from './landscape';
import { type Palette, palettes } from './palettes';
import type { RidgeKind } from './ridges';
import { createSpace } from './space';

/** An image that can be painted at any size and, for clips, at any second. */
export interface Scene {
  readonly kind: string;
  readonly palette: string;
  paint(canvas: Canvas, seconds: number): void;
}

type Kind = RidgeKind | 'sea' | 'space' | 'bloom' | 'flow';

const kinds: readonly (readonly [Kind, RegExp])[] = [
  ['space', /space|galax|planet|nebula|cosmos|universe|rocket|astronaut|太空|星系|宇宙|行星/i],
  ['city', /city|town|street|skyline|building|tower|tokyo|york|urban|城市|街|高楼|大厦/i],
  ['bloom', /flower|bloom|rose|petal|bouquet|tulip|blossom|花|玫瑰|牡丹/i],
  [
    'sea',
    /sea|ocean|lake|water|river|beach|harbou?r|boat|ship|wave|island|lighthouse|fish|whale|海|湖|河|船|岛|浪|水/i,
  ],
  ['forest', /forest|tree|wood|jungle|bear|fox|deer|owl|森林|树|林|鹿|狐/i],
  ['dunes', /desert|dune|sand|camel|pyramid|mars|沙/i],
  ['mountains', /mountain|peak|alps|valley|cliff|snow|volcano|eagle|dragon|castle|山|峰|谷|雪|龙|城堡/i],
  ['hills', /hill|meadow|field|grass|farm|sheep|丘|草原|田/i],
  ['flow', /abstract|pattern|texture|music|logo|geometr|paint|colou?r|idea|抽象|图案|纹理|色彩/i],
];

const anyKind: readonly [Kind, ...Kind[]] = ['mountains', 'hills', 'sea', 'forest', 'flow', 'dunes', 'city', 'bloom'];

/** Creates the scene of a prompt: its words choose the subject and the light, the seed the rest. */
export function createScene(prompt: string, seed: number, avoid = ''): Scene {
  const random = seeded(hashOf(prompt, seed, avoid));
  const palette: Palette = palettes.find((item) => item.asked.test(prompt)) ?? pick(palettes, random);
  const kind = kinds.find(([, pattern]) => pattern.test(prompt))?.[0] ?? pick(anyKind, random);
  return { kind, palette: palette.name, paint: painterOf(kind, palette, random) };
}

function painterOf(kind: Kind, palette: Palette, random: () => number): Scene['paint'] {
  if (kind === 'space') return createSpace(palette, random);
  if (kind === 'bloom') return createBloom(palette, random);
  if (kind === 'flow') return createFlow(palette, random);
  if (kind === 'sea')
    return createLandscape({ palette, random, ridge: pick(['hills', 'mountains'], random), water: true });
  return createLandscape({ palette, random, ridge: kind, water: kind === 'mountains' && random() > 0.5 });
}
