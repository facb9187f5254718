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
const goalMs = 250;
/** A window that has just been opened is busy with itself. */
const settledMs = 1500;

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** From a click in a real window to a page that can be used: our chat, and the editor's own preview of Markdown, each the first of its window. */
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
    const ours: number[] = [];
    const peer: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      ours.push(await firstChat(desk));
      peer.push(await firstPreview(desk));
    }
    return [
      {
        name: `first chat view, from a click to a box that takes a key (median of ${rounds})`,
        ours: median(ours),
        peer: median(peer),
        peerName: 'first preview of the editor’s Markdown features',
        unit: 'ms',
        atMost: goalMs,
        title: 'The first chat view, from click to a box that takes a key',
      },
    ];
  } finally {
    await desks.close();
    await demo.close();
    await browser.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Every frame then writes down when it was clicked in, and when what is waited for could be seen in it. */
async function watchClicks(page: Page): Promise<void> {
  await page.context().addInitScript(() => {
    const times: { clicked?: number; shown?: number } = {};
    Object.assign(window, { times });
    const onClick = ({ timeStamp }: Event) => (times.clicked = performance.timeOrigin + timeStamp);
    window.addEventListener('click', onClick, { capture: true });
    const look = () => {
      if (document.querySelector('.composer-text:enabled, .markdown-body h1') === null)
        return void requestAnimationFrame(look);
      // It is there when a frame begins: what is posted now is delivered behind the paint of that frame.
      const { port1, port2 } = new MessageChannel();
      port1.addEventListener('message', () => (times.shown = performance.timeOrigin + performance.now()));
      port1.start();
      port2.postMessage(undefined);
    };
    if (window !== window.top) look();
  });
}

interface Times {
  readonly clicked?: number;
  readonly shown?: number;
}

/** Milliseconds from the click until what `shown` locates is painted. */
async function timeOf(desk: DeskWindow, click: () => Promise<void>, shown: Locator): Promise<number> {
  await click();
  await shown.waitFor();
  await wait(300);
  const timesOf = () => (window as unknown as { readonly times?: Times }).times;
  const { clicked = Number.NaN } = (await desk.page.mainFrame().evaluate(timesOf)) ?? {};
  const frames = await Promise.all(desk.page.frames().map((frame) => frame.evaluate(timesOf).catch(() => undefined)));
  const shownAt = frames.flatMap((times) => times?.shown ?? []).filter((time) => time > clicked);
  if (shownAt.length === 0) throw new Error('Nothing was seen behind the click.');
  return Math.min(...shownAt) - clicked;
}

async function renew(desk: DeskWindow): Promise<void> {
  await desk.command('View: Close All Editors');
  await desk.command('View: Show Explorer');
  await desk.reloadWindow();
  await wait(settledMs);
}

async function firstChat(desk: DeskWindow): Promise<number> {
  await renew(desk);
  const box = desk.chatPage.getByRole('textbox', { name: 'Question' });
  const ms = await timeOf(desk, () => desk.openChat(), box);
  await box.press('k');
  if ((await box.inputValue()) !== 'k') throw new Error('The box does not take a key.');
  await box.fill('');
  return ms;
}

async function firstPreview(desk: DeskWindow): Promise<number> {
  await renew(desk);
  await desk.page.locator('.explorer-folders-view .monaco-list-row', { hasText: 'notes.md' }).dblclick();
  const button = desk.page.locator('.editor-actions .action-label[aria-label^="Open Preview"]');
  await button.waitFor();
  await wait(settledMs);
  return timeOf(desk, () => button.click(), desk.editorPage.locator('.markdown-body h1'));
}
