import assert from 'node:assert/strict';
import type { Page, Worker } from 'playwright-core';
import { emptySnapshot } from '../support/chatHost';
import { chatPages } from '../support/chatPages';
import { turn } from '../support/chatStates';
import { until } from '../support/until';

const long = (unit: string) => unit.repeat(38_000 / unit.length);

/** Code that takes a highlighter seconds, some of it within one regular expression. */
const hostile: readonly Code[] = [
  ['java', long('$')],
  ['md', long('[[<](')],
  ['cs', long('function ')],
  ['ts', long('a')],
  ['cpp', long('A')],
  ['java', long('A')],
  ['js', `1e${long('_')}`],
];

/** More elements than a page puts in place at once. */
const crowded = ['ts', long('1 ')] as const;

type Code = readonly [language: string, code: string];
const fence = ([language, code]: Code) => `\`\`\`${language}\n${code}\n\`\`\`\n\n`;
const usual = fence(['ts', 'const usual = 1;']);

describe('code that takes long to highlight', () => {
  const openPage = chatPages();

  async function open(text: string) {
    const { page, host } = await openPage(emptySnapshot({ turns: [turn('q', { blocks: [{ kind: 'text', text }] })] }), {
      drawn: '.md-code',
    });
    return { page, host, keyword: page.locator('.hljs-keyword', { hasText: 'const' }) };
  }

  /** For how long at most the page's own thread was held up so far, in milliseconds. */
  const longestTask = (page: Page) =>
    page.evaluate(async () => {
      const entries = await new Promise<PerformanceEntryList>((resolve) => {
        const observer = new PerformanceObserver((list) => resolve(list.getEntries()));
        observer.observe({ type: 'longtask', buffered: true });
        // There is always one of these, also where no task was long.
        observer.observe({ type: 'navigation', buffered: true });
      });
      return Math.max(
        0,
        ...entries.filter(({ entryType }) => entryType === 'longtask').map(({ duration }) => duration),
      );
    });

  it("doesn't block the page longer than plain code", async () => {
    // One that is within a single regular expression, one that is many of them, and one that is too many elements.
    for (const [language, code] of [hostile[0]!, hostile[2]!, crowded]) {
      const plain = await open(fence(['none', code]));
      const limit = (await longestTask(plain.page)) + 1000;
      const { page, keyword } = await open(fence([language, code]) + usual);
      await keyword.waitFor();
      const task = await longestTask(page);
      assert.ok(task < limit, `${language} ${code.slice(0, 10)}: ${task} ms, at most ${limit}`);
      assert.equal(await page.locator('code').first().locator('span').count(), 0);
      await Promise.all([plain.page.close(), page.close()]);
    }
  });

  it('is highlighted only once, however often it occurs', async () => {
    const { page, keyword } = await open(fence(hostile[0]!).repeat(8) + usual);
    await keyword.waitFor();
    assert.equal(await page.locator('code').first().locator('span').count(), 0);
  });

  it('stops highlighting on a page with too much of it', async () => {
    const { page, keyword } = await open(hostile.map(fence).join('') + usual);
    let ended = 0;
    const count = (worker: Worker) => worker.on('close', () => (ended += 1));
    page.workers().forEach(count);
    page.on('worker', count);
    await until(async () => (ended === 5 ? true : undefined), 'the end of the colouring');
    assert.equal(page.workers().length, 0);
    assert.equal(await keyword.count(), 0);
  });
});
