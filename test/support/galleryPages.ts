import { PNG } from 'pngjs';
import type { Page } from 'playwright-core';
import type { Asset } from '../../src/core/assets/recipe';
import { wavOf } from '../../src/demo/audio/wav';
import { drawPicture } from '../../src/demo/drawing';
import { encodeClip } from '../../src/demo/video/renderVideo';
import type { Handlers } from '../../src/protocol/call';
import type { GalleryScreen } from '../../src/protocol/gallery';
import { asksOf } from './asks';
import { createGalleryHost } from './galleryHost';
import type { GalleryContents } from './galleryHost';
import { imageAsset, speechAsset, videoAsset } from './madeAssets';
import { screenPages } from './screenPages';
import { until } from './until';
import type { Say, Theme } from './webviewPage';

export interface GalleryLooks extends Partial<GalleryContents> {
  readonly theme?: Theme;
  readonly width?: number;
  readonly height?: number;
  readonly handlers?: Partial<Handlers<GalleryScreen>>;
}

const prompts = [
  'A lighthouse on basalt columns, gouache, low sun',
  'A lighthouse on basalt columns, gouache, morning',
  'Narrow street after the rain',
  '雨中的纸船沿着水沟漂流，镜头贴近水面',
];
const sizes = [
  [512, 384],
  [256, 192],
  [256, 384],
  [320, 320],
] as const;

/** Returns an image that is half transparent. */
function glass(): Buffer {
  const png = new PNG({ width: 64, height: 64 });
  for (let at = 0; at < png.data.length; at += 4) png.data.set([30, 140, 200, (at / 4) % 64 < 32 ? 255 : 40], at);
  return PNG.sync.write(png);
}

/** For a suite about the gallery, called once in its `describe`. Draws its files once. */
export function galleryPages(say?: Say) {
  const openPage = screenPages(say);
  const files: { name: string; type: string; bytes: Uint8Array }[] = [];
  before(async () => {
    const draw = (seed: number, [width, height]: readonly [number, number]) =>
      drawPicture({ prompt: prompts[seed - 1]!, negativePrompt: '', seed, width, height, format: 'png' });
    sizes.forEach((size, at) => files.push({ name: `${at + 1}.png`, type: 'image/png', bytes: draw(at + 1, size) }));
    const clip = await encodeClip(
      { prompt: 'waves', seed: 7, width: 160, height: 96, frames: 24 },
      new AbortController().signal,
    );
    const tone = Int16Array.from({ length: 16_000 }, (_, at) => 9000 * Math.sin(at / 9));
    files.push(
      { name: 'clip.mp4', type: 'video/mp4', bytes: clip },
      { name: 'tone.wav', type: 'audio/wav', bytes: wavOf(tone, 16_000, 'tone') },
      { name: 'glass.png', type: 'image/png', bytes: glass() },
    );
  });

  const open = async ({ theme = 'dark', width = 1100, height = 760, handlers, ...shelf }: GalleryLooks = {}) => {
    const shown = new Map(files.map(({ name, type, bytes }) => [name, openPage.show(name, type, bytes)]));
    const whole: GalleryContents = {
      assets: galleryAssets,
      toSrc: (path) => shown.get(path.split('/').at(-1)!) ?? 'data:image/png;base64,AAAA',
      ...shelf,
    };
    const ours = createGalleryHost(whole, handlers);
    const one = await openPage('gallery', { theme, width, height, handlers: ours.handlers });
    return { ...one, ours, shelf: whole, ...partsOf(one.page, ours.asked) };
  };
  return open;
}

const at = (day: number, hour: number) => new Date(2026, 10, day, hour).toISOString();
/** Returns an asset with another name. */
const under = (asset: Asset, name: string): Asset => ({ ...asset, path: `/made/${name}` });

/** Four images, a video, speech, and an image file without an image, from two days. */
export const galleryAssets: readonly Asset[] = [
  ...[0, 1, 2].map((index) =>
    under(
      imageAsset({
        prompt: prompts[index]!,
        negative: 'people, text, blur',
        seed: 4294 + index,
        size: sizes[index]!,
        createdAt: at(21, 11 - index),
        model: 'black-forest-labs/FLUX.1-schnell',
        extra: { num_inference_steps: 20, guidance_scale: 7.5 },
      }),
      `${index + 1}.png`,
    ),
  ),
  under(
    videoAsset({
      prompt: 'Waves at dusk',
      seed: 77,
      size: [320, 192],
      createdAt: at(20, 18),
      extra: { image: 'input:aa.png' },
    }),
    'clip.mp4',
  ),
  under(speechAsset({ input: 'Good morning, harbour. The ferry leaves at nine.', createdAt: at(20, 12) }), 'tone.wav'),
  under(imageAsset({ prompt: prompts[3]!, seed: 9, size: sizes[3], createdAt: at(20, 11) }), '4.png'),
  under(imageAsset({ prompt: 'No picture by its content', seed: 10, createdAt: at(20, 10) }), 'none.png'),
];

/** Locates and operates the parts of the page. */
function partsOf(page: Page, asked: readonly (readonly [string, unknown])[]) {
  return {
    grid: page.getByRole('grid'),
    tile: (index: number) => page.locator(`#tile-${index}`),
    tiles: page.getByRole('gridcell'),
    /** Checks the displayed number of files. */
    countIs: (text: string) => page.locator('.table-page-facts').getByText(text, { exact: true }).waitFor(),
    search: page.getByRole('searchbox'),
    /** Scrolls, and returns the position of a tile that is completely visible then. */
    scrolledTo: async (scrollTop: number) => {
      const grid = page.getByRole('grid');
      await grid.evaluate((element, top) => (element.scrollTop = top), scrollTop);
      const inSight = () =>
        grid.evaluate((element) => {
          const { top, bottom } = element.getBoundingClientRect();
          const seen = [...element.querySelectorAll('.tile')].find((tile) => {
            const own = tile.getBoundingClientRect();
            return own.top > top + 20 && own.bottom < bottom - 20;
          });
          return seen === undefined ? undefined : Number(seen.id.slice('tile-'.length));
        });
      return until(inSight, 'a tile in sight');
    },
    details: page.getByRole('complementary'),
    dialog: page.getByRole('dialog'),
    button: (name: string | RegExp) => page.getByRole('button', { name, exact: true }),
    asks: asksOf(asked),
    spoken: (text: string | RegExp) =>
      page.locator('.spoken[role=status] p', { hasText: text }).first().waitFor({ state: 'attached' }),
  };
}
