import { mkdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';

/** If set, screenshots are taken of every theme at every size, in high resolution, and checks are skipped. */
export const takesAllPictures = (process.env['INFERENCE_DESK_PICTURES'] ?? '') !== '';

export interface PictureOptions {
  /** Includes content that requires scrolling. */
  readonly fullPage?: boolean;
}

/** Waits until a page is rendered, and takes a screenshot if requested. */
export async function takePicture(page: Page, file: string, options: PictureOptions = {}): Promise<void> {
  await drawn(page);
  if (takesAllPictures) await capture(page, file, options);
}

/** Takes a screenshot immediately, with fast compression, which takes a third of the time. */
export async function capture(page: Page, file: string, { fullPage = false }: PictureOptions = {}): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const { cssContentSize, cssVisualViewport } = await session.send('Page.getLayoutMetrics');
  const { pageX: x, pageY: y, clientWidth: width, clientHeight: height } = cssVisualViewport;
  const { data } = await session.send('Page.captureScreenshot', {
    format: 'png',
    optimizeForSpeed: true,
    captureBeyondViewport: fullPage,
    clip: {
      ...(fullPage ? cssContentSize : { x, y, width, height }),
      scale: await page.evaluate(() => devicePixelRatio),
    },
  });
  await session.detach();
  mkdirSync(path.dirname(file), { recursive: true });
  await writeFile(file, Buffer.from(data, 'base64'));
}

/** Resolves once the page's changes are rendered. */
export async function drawn(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await document.fonts.ready;
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  });
}
