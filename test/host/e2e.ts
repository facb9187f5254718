import { rmSync } from 'node:fs';
import path from 'node:path';
import { startBrowser } from './browser.ts';
import { buildProduct } from './buildProduct.ts';
import { bundleTests, readTestArguments } from './bundle.ts';
import { runMain, Trouble } from './command.ts';
import { leaveCounts, runMocha, testFilesIn } from './mocha.ts';
import { floor, newest, obtainEditor } from './obtain.ts';
import { root, screenshotsFolder } from './places.ts';
import { openWindow, type DeskWindow, type WindowOptions } from './window.ts';

declare module 'mocha' {
  interface Context {
    /** Opens a window with storage of its own; the journey that opens it closes it. Set for the journeys of `test/e2e`. */
    openDesk(options?: Omit<WindowOptions, 'editor' | 'browser'>): Promise<DeskWindow>;
  }
}

/** `npm run test:e2e [-- part of a path …] [--grep pattern] [--floor]`: journeys in a real window, driven by a real browser. */
await runMain(async () => {
  process.setSourceMapsEnabled(true);
  const { wanted, grep } = readTestArguments(process.argv.slice(2));
  const editor = await obtainEditor(process.argv.includes('--floor') ? floor : newest);
  await buildProduct();
  const outdir = path.join(root, 'dist/test/e2e');
  if ((await bundleTests('e2e', outdir, wanted)) === 0)
    throw new Trouble(`No journey has ${wanted.join(' or ')} in its path.`);
  if (wanted.length === 0) rmSync(screenshotsFolder, { recursive: true, force: true });
  const browser = await startBrowser();
  try {
    const counts = await runMocha(testFilesIn(outdir), {
      timeoutMs: 90_000,
      slowMs: 20_000,
      grep,
      context: { openDesk: (options = {}) => openWindow({ editor, browser, ...options }) },
    });
    leaveCounts(counts);
    if (counts.failed > 0) process.exitCode = 1;
  } finally {
    await browser.close();
  }
});
