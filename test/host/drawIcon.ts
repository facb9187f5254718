import { readFile } from 'node:fs/promises';
import { chromium } from 'playwright-core';
import sharp from 'sharp';
import { obtainChromium } from './chromium.ts';

/** `node test/host/drawIcon.ts`: renders media/icon.svg as media/icon.png for the gallery, 256 px wide with transparent corners. */
const browser = await chromium.launch({ executablePath: await obtainChromium(), args: ['--no-sandbox'] });
try {
  const page = await browser.newPage({ viewport: { width: 256, height: 256 } });
  await page.setContent(`<body style="margin:0;line-height:0">${await readFile('media/icon.svg', 'utf8')}</body>`);
  const picture = await page.screenshot({ omitBackground: true });
  // A palette takes a third of the space, and looks the same.
  await sharp(picture).png({ palette: true, quality: 95, effort: 10 }).toFile('media/icon.png');
} finally {
  await browser.close();
}
