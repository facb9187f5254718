import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { BenchLine } from '../host/benchLine';
import { startBrowser } from '../host/browser';
import { openChat, openPageContext, serveWebview } from '../support/webviewPage';
import { openTokenHost, type TokenHost } from './tokenHost';
import { startTokenService, type TokenStream } from './tokenService';
import { now, watchPaint } from './tokenPaint';

const rounds = 41;
/** The host sends updates at most this often. */
const updateMs = 40;
/** The interval between tokens at 200 per second. */
const nextTokenMs = 5;

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

const passed = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Measures from the bytes that a service writes to the characters that the page paints: loopback HTTP, the client, the answer with its
 * history on disk, the page's calls, and the built page in a browser with 60 frames per second.
 */
export async function run(): Promise<readonly BenchLine[]> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'first-token-'));
  const service = await startTokenService();
  const browser = await startBrowser();
  const server = await serveWebview();
  let host: TokenHost | undefined;
  try {
    host = await openTokenHost({ folder, baseUrl: service.baseUrl, updateMs });
    const { page } = await openChat({
      context: await openPageContext(browser),
      server,
      theme: 'dark',
      handlers: host.handlers,
    });
    const paintOf = await watchPaint(page, '.turn-last .md');
    const box = page.locator('.composer-text');
    const first: number[] = [];
    const next: number[] = [];
    for (let round = 0; round <= rounds; round += 1) {
      const begun = service.nextStream();
      await box.fill(`Question ${round}`);
      await box.press('Enter');
      const stream = await begun;
      // Waits for a random moment between two frames, long after the host's last update.
      await passed(100 + 17 * Math.random());
      const measure = async (word: string) => {
        const painted = await paintOf(word);
        const written = now();
        stream.write(word);
        return (await painted()) - written;
      };
      const ofFirst = await measure(`first${round}`);
      const ofNext = await measureBehind(stream, measure, round);
      await page.locator('.turn').nth(round).locator('.facts-text').waitFor({ state: 'attached' });
      // The first round warms up.
      if (round === 0) continue;
      first.push(ofFirst);
      next.push(ofNext);
    }
    return [
      {
        name: 'first token, from its bytes at the socket to its glyphs painted',
        ours: median(first),
        unit: 'ms',
        atMost: 15,
        title: 'Show the first token of an answer',
      },
      {
        name: `a token ${nextTokenMs} ms behind another, gathered up to ${updateMs} ms`,
        ours: median(next),
        unit: 'ms',
        atMost: 60,
      },
    ];
  } finally {
    await browser.close();
    await server.stop();
    await host?.close();
    await service.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Measures a token that arrives soon after one that was painted long ago, and ends the answer. */
async function measureBehind(
  stream: TokenStream,
  measure: (word: string) => Promise<number>,
  round: number,
): Promise<number> {
  await passed(100 + 17 * Math.random());
  stream.write(' before');
  await passed(nextTokenMs);
  const ms = await measure(` next${round}`);
  stream.end();
  return ms;
}
