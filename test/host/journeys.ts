import { rmSync } from 'node:fs';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { startBrowser } from './browser.ts';
import { bundleTests } from './bundle.ts';
import { Trouble } from './command.ts';
import { leaveCounts, testFilesIn } from './mocha.ts';
import type { Editor } from './obtain.ts';
import { root, screenshotsFolder } from './places.ts';
import { runWithSecondChance } from './secondChance.ts';
import { openWindow, type DeskWindow, type WindowOptions } from './window.ts';

type DeskOptions = Omit<WindowOptions, 'editor' | 'browser'>;

declare module 'mocha' {
  interface Context {
    /** Opens a window with storage of its own; the journey that opens it closes it. Set for the journeys of `test/e2e`. */
    openDesk(options?: DeskOptions): Promise<DeskWindow>;
    /** One for the whole run. */
    readonly browser: Browser;
  }
}

export interface Journeys {
  /** The folder of `test` they are in. */
  readonly kind: 'e2e' | 'pictures';
  readonly editor: Editor;
  /** Only files whose path holds one of these; all when empty. */
  readonly wanted: readonly string[];
  readonly grep: string | undefined;
  /** The package every window has installed, instead of the extension of the repository. */
  readonly vsix?: string | undefined;
}

/** Runs journeys in real windows, in a real browser; a failure leaves pictures of the open windows and sets the exit code. */
export async function runJourneys({ kind, editor, wanted, grep, vsix }: Journeys): Promise<void> {
  const outdir = path.join(root, 'dist/test', kind);
  if ((await bundleTests(kind, outdir, wanted)) === 0)
    throw new Trouble(`No journey has ${wanted.join(' or ')} in its path.`);
  if (kind === 'e2e' && wanted.length === 0) rmSync(screenshotsFolder, { recursive: true, force: true });
  const browser = await startBrowser();
  const desks = new Set<DeskWindow>();
  const openDesk = async (options: DeskOptions = {}): Promise<DeskWindow> => {
    const desk = await openWindow({ editor, browser, ...(vsix !== undefined && { vsix }), ...options });
    desks.add(desk);
    return { ...desk, close: () => desk.close().finally(() => desks.delete(desk)) };
  };
  try {
    const counts = await runWithSecondChance(testFilesIn(outdir), {
      timeoutMs: 90_000,
      slowMs: 20_000,
      namesSlow: true,
      grep,
      context: { openDesk, browser },
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
}
