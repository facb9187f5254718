import jpeg from 'jpeg-js';
import { PNG } from 'pngjs';
import { hashOf, pick, seeded } from './seeded';

/** RGBA, row by row from the top. */
export interface Canvas {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8ClampedArray;
}

type Color = readonly [red: number, green: number, blue: number];

interface Palette {
  readonly requested: RegExp;
  readonly zenith: Color;
  readonly horizon: Color;
  readonly light: Color;
  readonly ground: Color;
}

const palettes: readonly [Palette, ...Palette[]] = [
  {
    requested: /sunset|dusk|evening|autumn|fire|desert|日落|黄昏|晚霞|秋|沙漠/i,
    zenith: [58, 44, 104],
    horizon: [255, 170, 104],
    light: [255, 232, 178],
    ground: [44, 24, 52],
  },
  {
    requested: /night|moon|star|dark|space|city|夜|月|星|太空|城市/i,
    zenith: [8, 12, 34],
    horizon: [64, 92, 146],
    light: [240, 244, 255],
    ground: [6, 9, 22],
  },
  {
    requested: /sea|ocean|lake|water|river|beach|harbou?r|boat|lighthouse|wave|海|湖|河|船|浪/i,
    zenith: [42, 112, 188],
    horizon: [214, 236, 244],
    light: [255, 250, 222],
    ground: [16, 62, 96],
  },
  {
    requested: /forest|tree|wood|garden|meadow|green|cat|dog|fox|森林|树|草|绿|猫|狗/i,
    zenith: [108, 160, 158],
    horizon: [240, 240, 208],
    light: [255, 250, 214],
    ground: [16, 50, 38],
  },
  {
    requested: /snow|ice|winter|mountain|fog|rain|雪|冰|冬|山|雾|雨/i,
    zenith: [88, 122, 160],
    horizon: [236, 242, 246],
    light: [255, 255, 250],
    ground: [58, 82, 112],
  },
];

const blend = (a: Color, b: Color, part: number): Color => [
  a[0] + (b[0] - a[0]) * part,
  a[1] + (b[1] - a[1]) * part,
  a[2] + (b[2] - a[2]) * part,
];

export function createCanvas(width: number, height: number): Canvas {
  const pixels = new Uint8ClampedArray(width * height * 4);
  pixels.fill(255);
  return { width, height, pixels };
}

/**
 * Returns a painter of a simple landscape: a sky with a sun or moon above five rows of hills. Words of the prompt choose the colors, the
 * prompt and the seed choose the shapes. The painter moves the hills slowly with the seconds of a clip.
 */
export function createDrawing(prompt: string, seed: number, avoid = ''): (canvas: Canvas, seconds: number) => void {
  const random = seeded(hashOf(prompt, seed, avoid));
  const palette = palettes.find(({ requested }) => requested.test(prompt)) ?? pick(palettes, random);
  const sun = { x: 0.2 + random() * 0.6, y: 0.18 + random() * 0.25, radius: 0.05 + random() * 0.05 };
  const hills = Array.from({ length: 5 }, (_, row) => ({
    base: 0.52 + row * 0.1,
    color: blend(palette.horizon, palette.ground, 0.25 + row * 0.1875),
    waves: Array.from({ length: 4 }, (__, octave) => ({
      length: (1.5 + random()) * 2 ** octave,
      height: (0.075 - row * 0.006) / 1.7 ** octave,
      phase: random() * 7,
    })),
  }));
  return ({ width, height, pixels }, seconds) => {
    const tops = hills.map(({ base, waves }, row) =>
      Float64Array.from({ length: width }, (_, x) =>
        waves.reduce(
          (top, wave) => top - wave.height * Math.sin((x / height) * wave.length + wave.phase + seconds * 0.08 * row),
          base,
        ),
      ),
    );
    for (let y = 0; y < height; y += 1) {
      const v = (y + 0.5) / height;
      const sky = blend(palette.zenith, palette.horizon, Math.min(1, v / 0.6));
      for (let x = 0; x < width; x += 1) {
        const distance = Math.hypot((x - sun.x * width) / height, v - sun.y) / sun.radius;
        const row = hills.findLastIndex((_, index) => v > (tops[index]?.[x] ?? 1));
        const hill = hills[row];
        const glow = distance < 1 ? 1 : 0.45 / distance ** 1.5;
        // Each row fades into haze toward its top, so that the rows look distant.
        const color =
          hill === undefined
            ? blend(sky, palette.light, Math.min(1, glow))
            : blend(hill.color, palette.horizon, Math.max(0, 0.28 - (v - (tops[row]?.[x] ?? 1)) * 1.4));
        pixels.set(color, (y * width + x) * 4);
      }
    }
  };
}

export interface PictureRequest {
  readonly prompt: string;
  readonly negativePrompt: string;
  readonly seed: number;
  readonly width: number;
  readonly height: number;
  readonly format: 'png' | 'jpeg';
}

/** Draws and encodes an image. The same request gives the same bytes. */
export function drawPicture({ prompt, negativePrompt, seed, width, height, format }: PictureRequest): Buffer {
  const canvas = createCanvas(width, height);
  createDrawing(prompt, seed, negativePrompt)(canvas, 0);
  const bytes = Buffer.from(canvas.pixels.buffer);
  if (format === 'jpeg') return Buffer.from(jpeg.encode({ data: bytes, width, height }, 90).data);
  const png = new PNG({ width, height });
  png.data = bytes;
  // One fixed filter and light deflate: trying all five per row costs more than drawing.
  return PNG.sync.write(png, { filterType: 2, deflateLevel: 5, colorType: 2, inputHasAlpha: true });
}
