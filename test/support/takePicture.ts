import { mkdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';

/** Set, pictures are taken of every theme at every size, sharply, and nothing is judged but by who looks at them. */
export const takesAllPictures = (process.env['INFERENCE_DESK_PICTURES'] ?? '') !== '';

export interface PictureOptions {
  /** Also what has to be scrolled to. */
  readonly fullPage?: boolean;
}

/** Waits until a page is drawn. Takes a picture of it as a person sees it where pictures are wanted. */
export async function takePicture(page: Page, file: string, options: PictureOptions = {}): Promise<void> {
  await drawn(page);
  if (takesAllPictures) await capture(page, file, options);
}

/** Takes a picture at once. Packed quickly instead of tightly, which takes a third of the time. */
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

/** Once what changed of the page is drawn. */
export async function drawn(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await document.fonts.ready;
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  });
}
