import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { ChatSnapshot } from '../../src/protocol/chat';
import { emptySnapshot } from '../support/chatHost';
import { chatPages } from '../support/chatPages';
import { chatStates, turn } from '../support/chatStates';
import { look } from '../support/pageLooks';
import { drawn } from '../support/takePicture';
import { allThemes, wearTheme } from '../support/webviewPage';

const code = 'Run it:\n\n```bash\nnpm ci\n```';
const mixed = emptySnapshot({
  turns: [
    turn('كيف أكتب `git push --force`؟ (في Linux)', {
      blocks: [
        {
          kind: 'text',
          text: 'استخدم `--force` مع `git push` ثم انتظر.\n\n```ts\nconst a = 1; // שלום\nreturn a;\n```\n\nזה שימוש ב־`npm run build`, וזהו.\n\nAnd English goes on from the left.',
        },
      ],
    }),
  ],
});

/** Goes on with Tab until what has the focus fits; fails once it went all the way round. */
async function tabTo(page: Page, selector: string): Promise<void> {
  const isThere = () => page.evaluate((requested) => document.activeElement?.matches(requested) ?? false, selector);
  for (let presses = 0; presses < 60; presses++) {
    if (await isThere()) return;
    await page.keyboard.press('Tab');
  }
  assert.fail(`Tab never came to ${selector}`);
}

describe('the accessibility of the chat page', () => {
  const open = chatPages();

  it("moves from a question to its answer's code, the parameters, and another question by keyboard alone", async () => {
    const { page, host } = await open();
    await tabTo(page, '.composer-text');
    await page.keyboard.type('How do I install it?');
    await page.keyboard.press('Enter');
    await host.wasAsked('chat/follow');
    await page.keyboard.press('Escape');
    await host.wasAsked('chat/stop');
    const model = 'Qwen/Qwen3-Coder-30B-A3B-Instruct';
    host.finish({ state: 'done', model, stopReason: 'end_turn', blocks: [{ kind: 'text', text: code }] });
    await page.locator('.send', { hasText: 'Send' }).waitFor();
    await page.locator('.md-copy').waitFor({ state: 'attached' });
    await page.keyboard.press('Shift+Tab');
    await tabTo(page, '.composer-text');
    await page.locator('.log').focus();
    await tabTo(page, '.md-copy');
    await page.keyboard.press('Enter');
    assert.deepEqual(await host.wasAsked('chat/copy'), { text: 'npm ci\n' });
    await tabTo(page, '.md-more');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.activeElement?.matches('.menu-item'));
    await page.keyboard.press('Escape');
    await page.waitForFunction(() => document.activeElement?.matches('.md-more'));
    await tabTo(page, '.picker-button');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.activeElement?.matches('.picker-search'));
    await page.keyboard.type('glm');
    await page.keyboard.press('Enter');
    assert.deepEqual(await host.wasAsked('chat/chooseModel'), { model: 'zai-org/GLM-4.6' });
    await tabTo(page, '.bar-parameters');
    await page.keyboard.press('Enter');
    await page.locator('.parameters-panel').waitFor();
    await page.keyboard.press('Escape');
    await page.waitForFunction(() => document.activeElement?.matches('.bar-parameters'));
  });

  it('shows the focus at every tab stop in every theme', async () => {
    const { page } = await open(chatStates['talk'] as ChatSnapshot);
    for (const theme of allThemes) {
      await wearTheme(page, theme);
      await drawn(page);
      const unseen: string[] = [];
      for (let presses = 0; presses < 30; presses++) {
        await page.keyboard.press('Tab');
        const bare = await page.evaluate(() => {
          const element = document.activeElement;
          if (!element || element === document.body) return undefined;
          const inner = element.shadowRoot?.activeElement ?? element;
          const look = (one: Element) => {
            const { outlineStyle, outlineWidth, boxShadow, borderColor } = getComputedStyle(one);
            return [outlineStyle === 'none' ? '' : `${outlineStyle} ${outlineWidth}`, boxShadow, borderColor].join();
          };
          const looks = () => look(inner) + look(element) + (element.parentElement ? look(element.parentElement) : '');
          const focused = looks();
          (element as HTMLElement).blur();
          const before = looks();
          (element as HTMLElement).focus();
          return focused === before ? `${element.nodeName} ${element.className}` : undefined;
        });
        if (bare !== undefined) unseen.push(bare);
      }
      assert.deepEqual(unseen, [], theme);
    }
  });

  it('isolates each direction: Arabic and Hebrew from the right, code from the left', async () => {
    const { page } = await open(mixed, { width: 220, drawn: '.md p >> nth=2' });
    const directions = await page.evaluate(() => {
      const from = (element: Element) => (element.matches(':dir(rtl)') ? 'right' : 'left');
      return {
        paragraphs: [...document.querySelectorAll('.md p')].map(from),
        code: [...document.querySelectorAll('.md code, .md pre')].map((one) => getComputedStyle(one).direction),
        question: [...document.querySelectorAll('.question-text')].map(from),
      };
    });
    assert.deepEqual(directions.question, ['right']);
    assert.deepEqual(directions.paragraphs.slice(0, 3), ['right', 'right', 'left']);
    assert.deepEqual([...new Set(directions.code)], ['ltr']);
  });

  it('keeps its borders and focus indicators in forced colors', async () => {
    const { page } = await open(chatStates['failed'] as ChatSnapshot);
    await page.emulateMedia({ forcedColors: 'active' });
    await tabTo(page, '.composer-text');
    const borders = await page.evaluate(() => {
      const width = (selector: string, side: 'borderTopWidth' | 'borderLeftWidth') =>
        Number.parseFloat(getComputedStyle(document.querySelector(selector)!)[side]);
      return [
        width('.composer-box', 'borderTopWidth'),
        width('.picker-button', 'borderTopWidth'),
        width('.note-button', 'borderLeftWidth'),
      ];
    });
    assert.ok(
      borders.every((one) => one > 0),
      String(borders),
    );
  });

  const opened: Readonly<Record<string, readonly [ChatSnapshot, (page: Page) => Promise<unknown>]>> = {
    'the parameters': [
      chatStates['talk'] as ChatSnapshot,
      async (page) => {
        await page.locator('.bar-parameters').click();
        await page.locator('.parameters-panel').waitFor();
      },
    ],
    'a code block’s menu': [
      chatStates['rich'] as ChatSnapshot,
      async (page) => {
        await page.locator('.md-more').first().click();
        await page.locator('.menu').waitFor();
      },
    ],
    'the bar’s menu': [
      chatStates['talk'] as ChatSnapshot,
      async (page) => {
        await page.locator('.bar-more').click();
        await page.locator('.menu').waitFor();
      },
    ],
  };
  for (const [what, [snapshot, act]] of Object.entries(opened)) {
    it(`has no accessibility violations with ${what} open, in any theme`, async () => {
      const { page } = await open(snapshot, { width: what === 'the bar’s menu' ? 190 : 340 });
      await act(page);
      await look(page, `open-${what.replaceAll(/\W+/g, '-')}`, { place: 'side', stays: true, colours: true });
    });
  }
});
