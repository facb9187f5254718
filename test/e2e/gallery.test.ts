import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { FrameLocator, Locator } from 'playwright-core';
import { drawPicture } from '../../src/demo/drawing/picture';
import { encodeClip } from '../../src/demo/video/encodeClip';
import type { DeskWindow } from '../host/window';
import { inOrder } from '../support/inOrder';
import { writeMadeFile } from '../support/madeFiles';
import { until } from '../support/until';

const model = 'black-forest-labs/FLUX.1-schnell';
/** Beside three that are looked at closely. */
const manyFiles = 5000;

describe('from what was made to its recipe', function () {
  inOrder(this);
  let desk: DeskWindow;
  let folder: string;
  const at = (day: number, minute = 0) => new Date(2026, 9, day, 10, minute).toISOString();
  const made = () => path.join(folder, 'made');

  function writeImage(prompt: string, seed: number, [width, height]: readonly [number, number], createdAt: string) {
    const bytes = drawPicture({ prompt, negativePrompt: '', seed, width, height, format: 'png' });
    const request = {
      model,
      prompt,
      negative_prompt: 'people',
      image_size: `${width}x${height}`,
      num_inference_steps: 20,
    };
    return writeMadeFile(made(), {
      kind: 'image',
      bytes,
      contentType: 'image/png',
      size: [width, height],
      request,
      seed,
      createdAt,
    });
  }

  /** A few drawings, each many times under a hash of its own. */
  function writeMany(): void {
    const drawings = [1, 2, 3, 4].map((seed) =>
      drawPicture({ prompt: 'street', negativePrompt: '', seed, width: 96, height: 64, format: 'png' }),
    );
    for (let index = 0; index < manyFiles; index++) {
      const end = Buffer.alloc(4);
      end.writeUInt32LE(index);
      const bytes = Buffer.concat([drawings[index % drawings.length]!, end]);
      const request = { model, prompt: `Street number ${index}`, image_size: '96x64' };
      const createdAt = new Date(2026, 0, 1, 0, index * 60).toISOString();
      writeMadeFile(made(), {
        kind: 'image',
        bytes,
        contentType: 'image/png',
        size: [96, 64],
        request,
        seed: index,
        createdAt,
      });
    }
  }

  before(async function () {
    folder = mkdtempSync(path.join(tmpdir(), 'gallery-'));
    writeImage('A lighthouse on basalt columns, gouache', 4294, [768, 512], at(21, 2));
    writeImage('A lighthouse on basalt columns, gouache', 4295, [384, 256], at(21, 1));
    const clip = await encodeClip({ prompt: 'waves', seed: 7, width: 320, height: 192 }, new AbortController().signal);
    const request = { model: 'Wan-AI/Wan2.2-T2V-A14B', prompt: 'Waves at dusk', image_size: '320x192' };
    writeMadeFile(made(), {
      kind: 'video',
      bytes: clip,
      contentType: 'video/mp4',
      size: [320, 192],
      request,
      seed: 7,
      createdAt: at(20),
    });
    writeMany();
    const settings = { 'inferenceDesk.media.folder': 'made' };
    desk = await this.openDesk({ folder, settings, size: { width: 1400, height: 900 } });
    await desk.command('View: Close Primary Side Bar');
  });
  after(async () => {
    await desk?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const page = (): FrameLocator => desk.editorPage;
  const button = (name: string): Locator => page().getByRole('button', { name, exact: true });
  const tile = (index: number): Locator => page().locator(`#tile-${index}`);
  const details = (): Locator => page().getByRole('complementary');
  const dialog = (): Locator => page().getByRole('dialog');
  const count = (text: string) => page().locator('.table-page-facts').getByText(text, { exact: true }).waitFor();
  const isSeen = (picture: Locator) =>
    until(
      async () =>
        (await picture.evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth > 0))
          ? true
          : undefined,
      'the picture is seen',
      20_000,
    );

  it('shows thousands of files of the folder that was chosen', async () => {
    await desk.command('Inference Desk: Open Gallery');
    await count('5,003 files');
    await isSeen(tile(0).locator('img'));
    await isSeen(tile(1).locator('img'));
    assert.ok((await page().getByRole('gridcell').count()) < 150);
    await desk.screenshot('gallery-many');
    await tile(0).click();
    await details().getByText('gouache').first().waitFor();
    await desk.page.keyboard.press('End');
    await details().getByText('Street number 0', { exact: true }).waitFor();
    await isSeen(page().locator('.tile-active img'));
    assert.ok((await page().getByRole('gridcell').count()) < 150);
    await desk.screenshot('gallery-end');
  });

  it('finds by the words of a recipe, and tells all of it', async () => {
    await page().getByRole('searchbox').fill('gouache seed:4294');
    await count('1 of 5,003');
    await tile(0).click();
    for (const text of ['people', model, '4294', '768 × 512', '1.2 sec', 'num_inference_steps'])
      await details().getByText(text, { exact: true }).waitFor();
    await desk.screenshot('gallery-details');
    await page().getByRole('searchbox').fill('gouache');
    await count('2 of 5,003');
  });

  it('looks at a picture by itself, as large as one likes', async () => {
    await tile(0).focus();
    await desk.page.keyboard.press('Enter');
    await isSeen(dialog().locator('.laid-picture img'));
    for (let press = 0; press < 4; press++) await desk.page.keyboard.press('+');
    await dialog().getByText('300 %').waitFor();
    await desk.screenshot('gallery-zoom');
    await desk.page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
  });

  it('compares two pictures with a slider between them', async () => {
    await tile(0).focus();
    await desk.page.keyboard.press('Space');
    await desk.page.keyboard.press('ArrowRight');
    await desk.page.keyboard.press('Space');
    await page().locator('.gallery-compare').click();
    await isSeen(dialog().locator('.laid-picture img').nth(1));
    const slider = page().getByRole('slider', { name: 'Divider' });
    const from = (await slider.boundingBox())!;
    await desk.page.mouse.move(from.x + from.width / 2, from.y + 80);
    await desk.page.mouse.down();
    await desk.page.mouse.move(from.x - 150, from.y + 80, { steps: 6 });
    await desk.page.mouse.up();
    assert.ok(Number(await slider.getAttribute('aria-valuenow')) < 40);
    await dialog().getByText('Sizes differ: 768 × 512 and 384 × 256. Both are drawn equally large.').waitFor();
    await desk.screenshot('gallery-compare');
    await desk.page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
    await button('Clear selection').click();
  });

  it('plays a video', async () => {
    await page().getByRole('searchbox').fill('kind:video');
    await count('1 of 5,003');
    await tile(0).click();
    const video = details().locator('video');
    await video.evaluate((element: HTMLVideoElement) => {
      element.muted = true;
      return element.play();
    });
    const isPlaying = async () =>
      (await video.evaluate((element: HTMLVideoElement) => element.currentTime > 0.3)) ? true : undefined;
    await until(isPlaying, 'the video goes on', 20_000);
    await desk.screenshot('gallery-video');
  });

  it('sees what comes and goes, and keeps what is selected; what is damaged is told', async () => {
    await page().getByRole('searchbox').fill('');
    await count('5,003 files');
    await details().getByText('Waves at dusk').waitFor();
    writeImage('A ferry in the fog', 12, [192, 128], at(22));
    await count('5,004 files');
    await details().getByText('Waves at dusk').waitFor();
    await tile(3).and(page().locator('.tile-active')).waitFor();
    const gone = writeImage('A ferry that leaves', 13, [192, 128], at(23));
    await count('5,005 files');
    rmSync(path.join(made(), gone));
    await count('5,004 files');
    const torn = writeImage('A torn one', 14, [96, 64], at(23));
    await count('5,005 files');
    writeFileSync(path.join(made(), `${torn}.recipe.json`), '{"version":1,');
    await page().getByText('A recipe could not be read').waitFor();
    await count('5,004 files');
    await desk.screenshot('gallery-torn');
    await button(`${torn}.recipe.json`).click();
    await desk.page.locator('.tab', { hasText: `${torn}.recipe.json` }).waitFor();
    await desk.command('View: Close Editor');
  });

  it('is there again after a reload, where it was', async () => {
    await page().getByRole('searchbox').fill('ferry');
    await count('1 of 5,004');
    await tile(0).click();
    await details().getByText('A ferry in the fog').waitFor();
    await desk.reloadWindow();
    await details().getByText('A ferry in the fog').waitFor();
    assert.equal(await page().getByRole('searchbox').inputValue(), 'ferry');
    await isSeen(tile(0).locator('img'));
    await desk.theme('dark');
    await desk.screenshot('gallery-restored-dark');
    assert.deepEqual(desk.faults, []);
  });
});
