import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Locator, Page } from 'playwright-core';
import type { BenchLine } from '../host/benchLine';
import { startBrowser } from '../host/browser';
import { newest, obtainEditor } from '../host/obtain';
import { createDesks, type DeskWindow } from '../host/window';
import { signInTo } from '../support/chatJourney';
import { startFilledDemo } from '../support/filledDemo';
import { longAnswer } from '../support/longTalk';

const rounds = 4;
/**
 * Missed so far. VS Code takes about 230 ms to create the document of any page, and 90 ms to deliver its script. Our page needs 60 ms of
 * CPU.
 */
const goalMs = 250;
/** A new window is busy for this long. */
const settledMs = 1500;

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** Milliseconds since a click. */
interface Shown {
  readonly ms: number;
  /** Until the page's frame has its document. */
  readonly documentMs: number;
  /** From there until the page's last script has loaded. */
  readonly scriptsMs: number;
}

/**
 * Measures from a click in a real window until a page is usable, for our chat and VS Code's Markdown preview, each the first of its window.
 */
export async function run(): Promise<readonly BenchLine[]> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'first-view-'));
  await writeFile(path.join(folder, 'notes.md'), `# Notes\n\n${longAnswer(0)}\n`);
  const browser = await startBrowser();
  const desks = createDesks(await obtainEditor(newest), browser);
  const demo = await startFilledDemo({ pace: 'fast' });
  try {
    const desk = await desks.open({ folder });
    await watchClicks(desk.page);
    await signInTo(desk, demo);
    const ours: Shown[] = [];
    const peer: Shown[] = [];
    for (let round = 0; round < rounds; round += 1) {
      ours.push(await firstChat(desk));
      peer.push(await firstPreview(desk));
    }
    const both = (part: (shown: Shown) => number) => ({
      ours: median(ours.map(part)),
      peer: median(peer.map(part)),
      peerName: 'first preview of the editor’s Markdown features',
      unit: 'ms',
    });
    return [
      {
        name: `first chat view, from a click to a box that takes a key (median of ${rounds})`,
        ...both((shown) => shown.ms),
        atMost: goalMs,
        title: 'Open the chat view for the first time',
      },
      { name: 'of it, until the editor has made the document of the page', ...both((shown) => shown.documentMs) },
      { name: 'from there, until its last script has come', ...both((shown) => shown.scriptsMs) },
      { name: 'from there, until it is seen', ...both(({ ms, documentMs, scriptsMs }) => ms - documentMs - scriptsMs) },
    ];
  } finally {
    await desks.close();
    await demo.close();
    await browser.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Makes the window record the time of clicks. */
async function watchClicks(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const onClick = ({ timeStamp }: Event) => Object.assign(window, { clickedAt: performance.timeOrigin + timeStamp });
    window.addEventListener('click', onClick, { capture: true });
  });
}

/**
 * Measures from the click until the frame with `shown` is painted. The figures of both include the few milliseconds that the browser's
 * protocol takes.
 */
async function timeOf(desk: DeskWindow, click: () => Promise<void>, shown: Locator): Promise<Shown> {
  const waiting = shown.waitFor();
  await Promise.all([click(), waiting]);
  const { shownAt, documentAt, scriptsMs } = await shown.evaluate(
    () =>
      new Promise<{ shownAt: number; documentAt: number; scriptsMs: number }>((resolve) => {
        const entries = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
        const scripts = entries.filter(({ initiatorType, name }) => initiatorType === 'script' || /\.m?js$/.test(name));
        const found = {
          documentAt: performance.timeOrigin,
          scriptsMs: Math.max(0, ...scripts.map(({ responseEnd }) => responseEnd)),
        };
        // A message posted at the start of a frame is delivered after the frame is painted.
        requestAnimationFrame(() => {
          const { port1, port2 } = new MessageChannel();
          port1.addEventListener('message', () =>
            resolve({ ...found, shownAt: performance.timeOrigin + performance.now() }),
          );
          port1.start();
          port2.postMessage(undefined);
        });
      }),
  );
  const clickedAt = await desk.page.evaluate(() => (window as { readonly clickedAt?: number }).clickedAt);
  if (clickedAt === undefined || clickedAt > shownAt) throw new Error('No click came before what was to be seen.');
  return { ms: shownAt - clickedAt, documentMs: documentAt - clickedAt, scriptsMs };
}

async function renew(desk: DeskWindow): Promise<void> {
  await desk.command('View: Close All Editors');
  await desk.command('View: Show Explorer');
  await desk.reloadWindow();
  await wait(settledMs);
}

async function firstChat(desk: DeskWindow): Promise<Shown> {
  await renew(desk);
  const box = desk.chatPage.getByRole('textbox', { name: 'Question' });
  const opened = await timeOf(desk, () => desk.openChat(), desk.chatPage.locator('.composer-text:enabled'));
  await box.press('k');
  if ((await box.inputValue()) !== 'k') throw new Error('The box does not take a key.');
  await box.fill('');
  return opened;
}

async function firstPreview(desk: DeskWindow): Promise<Shown> {
  await renew(desk);
  await desk.page.locator('.explorer-folders-view .monaco-list-row', { hasText: 'notes.md' }).dblclick();
  const button = desk.page.locator('.editor-actions .action-label[aria-label^="Open Preview"]');
  await button.waitFor();
  await wait(settledMs);
  return timeOf(desk, () => button.click(), desk.editorPage.locator('.markdown-body h1'));
}
