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

type DeskOptions = Omit<WindowOptions, 'editor' | 'browser'>;

declare module 'mocha' {
  interface Context {
    /** Opens a window with storage of its own; the journey that opens it closes it. Set for the journeys of `test/e2e`. */
    openDesk(options?: DeskOptions): Promise<DeskWindow>;
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
  const desks = new Set<DeskWindow>();
  const openDesk = async (options: DeskOptions = {}): Promise<DeskWindow> => {
    const desk = await openWindow({ editor, browser, ...options });
    desks.add(desk);
    return { ...desk, close: () => desk.close().finally(() => desks.delete(desk)) };
  };
  try {
    const counts = await runMocha(testFilesIn(outdir), {
      timeoutMs: 90_000,
      slowMs: 20_000,
      // On a busy machine the workbench now and then swallows a click. What fails twice is a fault.
      retries: 1,
      grep,
      context: { openDesk },
      onFailure: async (title) => {
        const name = `failed ${title}`.replaceAll(/[^\w-]+/g, '-').slice(0, 120);
        for (const desk of desks) await desk.screenshot(name);
      },
    });
    leaveCounts(counts);
    if (counts.failed > 0) process.exitCode = 1;
  } finally {
    for (const desk of desks) await desk.close();
    await browser.close();
  }
});
