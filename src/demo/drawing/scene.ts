import { hashOf, pick, seeded } from '../seeded';
import { type Canvas, type Colour, blend, gradient, smoothstep } from './canvas';
import { Landscape, type RidgeKind } from './landscape';
import { type Palette, palettes } from './palettes';
import { createNoiseMap } from './noise';

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
  const land =
    kind === 'sea'
      ? { ridge: pick(['hills', 'mountains'] as const, random), water: true }
      : { ridge: kind, water: kind === 'mountains' && random() > 0.5 };
  const landscape = new Landscape(palette, land, random);
  return (canvas, seconds) => landscape.paint(canvas, seconds);
}

/** Paints bands of colour that flow into each other, with a fine line on each edge. */
function createFlow(palette: Palette, random: () => number): (canvas: Canvas, seconds: number) => void {
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

interface Flower {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
  readonly petals: number;
  readonly turn: number;
  readonly colour: Colour;
}

/** Paints flowers of many petals over soft ground, the distant ones small and pale. */
function createBloom(palette: Palette, random: () => number): (canvas: Canvas, seconds: number) => void {
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

interface Planet {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
  readonly colour: Colour;
  readonly ring: boolean;
}

/** Paints a nebula, stars and a planet or two. */
function createSpace(palette: Palette, random: () => number): (canvas: Canvas, seconds: number) => void {
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
