import type { Page } from 'playwright-core';
import type { Answer } from '../../src/protocol/chat';
import type { BenchLine } from '../host/benchLine';
import { startBrowser } from '../host/browser';
import { createChatHost, emptySnapshot, type ChatHost } from '../support/chatHost';
import { longAnswer, longTalk } from '../support/longTalk';
import { openChat, openPageContext, serveWebview } from '../support/webviewPage';
import { startTrace, type Traced } from './trace';

const turns = 1000;
const rounds = 5;
/** 1,000 tokens of four characters per second, with a message to the page every 40 ms. */
const pieceLength = 160;
const pieceMs = 40;
const streamed = 100_000;

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
const longest = ({ tasks }: Traced): number => Math.max(0, ...tasks);
const over = ({ tasks }: Traced, ms: number): number => tasks.filter((task) => task > ms).length;

/** Opens 2,000 messages in the built page, and measures the time and later delays of the page's thread. */
export async function run(): Promise<readonly BenchLine[]> {
  const browser = await startBrowser();
  const server = await serveWebview();
  const traced = async (work: () => Promise<void>): Promise<Traced> => {
    const stop = await startTrace(browser);
    await work();
    return stop();
  };
  try {
    const opened: number[] = [];
    let host = createTalk();
    const openOnce = async () => {
      host = createTalk();
      const context = await openPageContext(browser);
      const { page } = await openChat({ context, server, theme: 'dark', handlers: host.handlers, watch: watchOpening });
      opened.push(await openingTime(page));
      return page;
    };
    for (let round = 1; round < rounds; round += 1) await (await openOnce()).context().close();
    const page = await openOnce();
    await settled(page);
    const typing = await traced(() => type(page));
    const scrolling = await traced(() => scrollThrough(page));
    const nodes = await page.evaluate(() => document.querySelectorAll('*').length);
    const streaming = await traced(() => stream(page, host));
    await page.context().close();
    return [
      atMost('2,000 messages: from the snapshot to the last turns painted', median(opened), 300, 'ms'),
      atMost('typing below them: longest task', longest(typing), 50, 'ms CPU'),
      atMost('scrolling through them: longest task', longest(scrolling), 50, 'ms CPU'),
      { name: 'scrolling through them: elements on the page afterwards', ours: nodes, unit: 'elements' },
      // A frame takes 8 to 16 ms, of which 3 to 5 are ours. The rest is the browser's style, layout, and paint.
      atMost('1,000 tokens/s at their end: tasks over 16 ms', over(streaming, 16), 0, 'tasks'),
      atMost('1,000 tokens/s at their end: longest task', longest(streaming), 50, 'ms CPU'),
    ];
  } finally {
    await browser.close();
    await server.stop();
  }
}

const atMost = (name: string, ours: number, goal: number, unit: string): BenchLine => ({
  name,
  ours,
  unit,
  atMost: goal,
});

function createTalk(): ChatHost {
  const running: Answer = { state: 'streaming', model: 'm', blocks: [{ kind: 'text', text: '' }] };
  const all = longTalk(turns);
  const last = { ...all[turns - 1]!, answer: running };
  return createChatHost(emptySnapshot({ turns: [...all.slice(0, -1), last] }));
}

/** Runs in the page. Measures from the message with the snapshot to the frame in which the log is rendered and scrolled to its end. */
function watchOpening(): void {
  const isAtEnd = () => {
    const log = document.querySelector('.log');
    const isDrawn = log?.querySelector('.turn:has(+ .turn-last) .md-part') != null;
    return isDrawn && log.scrollHeight - log.scrollTop - log.clientHeight < 2;
  };
  const openedMs = new Promise<number>((resolve) => {
    const onMessage = (event: MessageEvent<{ readonly data?: { readonly turns?: unknown } }>) => {
      const begun = performance.now();
      if (event.data.data?.turns === undefined) return;
      window.removeEventListener('message', onMessage);
      const look = () =>
        requestAnimationFrame(() => {
          if (!isAtEnd()) return void look();
          const painted = new MessageChannel();
          painted.port1.addEventListener('message', () => resolve(performance.now() - begun));
          painted.port1.start();
          painted.port2.postMessage(undefined);
        });
      look();
    };
    window.addEventListener('message', onMessage);
  });
  Object.assign(window, { openedMs });
}

async function openingTime(page: Page): Promise<number> {
  await page.locator('.turn').last().waitFor({ state: 'attached' });
  return page.evaluate(() => (window as unknown as { openedMs: Promise<number> }).openedMs);
}

/** Waits until the page is idle. */
async function settled(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
}

async function type(page: Page): Promise<void> {
  await page.locator('.composer-text').pressSequentially('What would you test first, and why? Say it in one line.', {
    delay: 30,
  });
}

/** Scrolls to the first turn and back to the last, faster than anybody reads. */
async function scrollThrough(page: Page): Promise<void> {
  for (const step of [-2400, 2400]) {
    await page.evaluate(async (by) => {
      const log = document.querySelector('.log');
      const isThere = () =>
        !log || (by < 0 ? log.scrollTop < 1 : log.scrollHeight - log.scrollTop - log.clientHeight < 1);
      while (!isThere()) {
        log?.scrollBy(0, by);
        await new Promise(requestAnimationFrame);
      }
    }, step);
  }
}

async function stream(page: Page, host: ChatHost): Promise<void> {
  let text = '';
  for (let index = 0; text.length < streamed; index += 1) text += `${longAnswer(index)}\n\n`;
  const begun = performance.now();
  for (let at = 0; at < streamed; at += pieceLength) {
    host.emit({ type: 'append', block: 0, kind: 'text', text: text.slice(at, at + pieceLength) });
    const next = begun + (at / pieceLength + 1) * pieceMs;
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, next - performance.now())));
  }
  await settled(page);
}
