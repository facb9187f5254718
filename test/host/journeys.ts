import { rmSync } from 'node:fs';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { startBrowser } from './browser.ts';
import { bundleTests, type TestBundle } from './bundle.ts';
import { obtainChromium } from './chromium.ts';
import { SetupError } from './command.ts';
import { isLane, runInLanes, takenFiles, usualLanes } from './lanes.ts';
import { leaveCounts, runMocha } from './mocha.ts';
import type { Editor } from './obtain.ts';
import { root, screenshotsFolder } from './places.ts';
import { createDesks, type DeskWindow, type WindowOptions } from './window.ts';

declare module 'mocha' {
  interface Context {
    /** Opens a window with its own storage. The journey that opens it closes it. Set for the journeys in `test/e2e`. */
    openDesk(options?: WindowOptions): Promise<DeskWindow>;
    /** One browser for the entire run. */
    readonly browser: Browser;
  }
}

export interface Journeys {
  /** The folder in `test`. */
  readonly kind: 'e2e' | 'pages' | 'pictures';
  /** The editor of the windows. Omitted for tests that open only our pages. */
  readonly editor?: Editor;
  /** Only files whose path contains one of these, or all if empty. */
  readonly requested: readonly string[];
  readonly grep: string | undefined;
  /** The package that every window has installed, instead of the extension in the repository. */
  readonly vsix?: string | undefined;
}

/**
 * Runs tests that use a real browser, most of them in real windows, in lanes of `script`, which calls this again in each lane. A failure
 * leaves screenshots of the open windows and sets the exit code.
 */
export async function runJourneys(script: string, { kind, editor, requested, grep, vsix }: Journeys): Promise<void> {
  const outdir = path.join(root, 'dist/test', kind);
  if (!isLane()) {
    const bundles = await bundleTests(kind, outdir, requested);
    if (bundles.length === 0) throw new SetupError(`No test of ${kind} has ${requested.join(' or ')} in its path.`);
    if (kind === 'e2e' && requested.length === 0) rmSync(screenshotsFolder, { recursive: true, force: true });
    process.env['CHROME_PATH'] = await obtainChromium();
    // Pages sometimes wait for their next frame, and open no windows.
    return runInLanes(script, longestFirst(bundles), kind === 'pages' ? usualLanes + 1 : usualLanes);
  }
  const browser = await startBrowser();
  const desks = editor && createDesks(editor, browser, { vsix });
  const opened = new Set<DeskWindow>();
  const openDesk = async (options: WindowOptions = {}): Promise<DeskWindow> => {
    if (!desks) throw new Error('Tests of pages open no windows.');
    const desk = await desks.open(options);
    opened.add(desk);
    return { ...desk, close: () => desk.close().finally(() => opened.delete(desk)) };
  };
  try {
    const counts = await runMocha(takenFiles(), {
      timeoutMs: 180_000,
      slowMs: 20_000,
      grep,
      context: { openDesk, browser },
      onFailure: async (title) => {
        const name = `failed ${title}`.replaceAll(/[^\w-]+/g, '-').slice(0, 120);
        for (const desk of opened) await desk.screenshot(name);
      },
    });
    leaveCounts(counts);
    if (counts.failed > 0) process.exitCode = 1;
  } finally {
    for (const desk of opened) await desk.close();
    await desks?.close();
    await browser.close();
  }
}

/** Sorts by length, so that no lane ends alone with a long file. */
function longestFirst(bundles: readonly TestBundle[]): string[] {
  return bundles.toSorted((a, b) => b.bytes - a.bytes || (a.file < b.file ? -1 : 1)).map(({ file }) => file);
}
