import assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import { startBrowser } from '../host/browser';
import { createChatHost, emptySnapshot, type ChatHost } from '../support/chatHost';
import { turn } from '../support/chatStates';
import { openChat, type OpenPage, serveWebview, type WebviewServer } from '../support/webviewPage';

const shots = 'dist/test/screenshots/webview';
const snapshot = emptySnapshot({
  turns: [
    turn(
      'Which commands?',
      {
        blocks: [
          {
            kind: 'text',
            text: 'Two ways:\n\n```bash\nnpm ci\nnpm test\n```\n\n```ts\nconst a = 1 < 2;\n```\n\n```\nplain\n```',
          },
        ],
      },
      't1',
    ),
  ],
});

describe('the buttons of a code block', () => {
  let browser: Browser;
  let server: WebviewServer;
  let opened: OpenPage | undefined;
  before(async () => {
    browser = await startBrowser();
    server = await serveWebview();
  });
  afterEach(async () => {
    const { complaints = [] } = opened ?? {};
    await opened?.page.context().close();
    opened = undefined;
    assert.deepEqual(complaints, []);
  });
  after(async () => {
    await browser.close();
    await server.stop();
  });

  async function open(width = 340, theme: 'dark' | 'light' = 'dark') {
    const host: ChatHost = createChatHost(snapshot);
    opened = await openChat({ browser, server, theme, width, handlers: host.handlers });
    await opened.page.locator('.md-code').nth(2).waitFor();
    return { page: opened.page, host };
  }
  const bash = { turnId: 't1', code: 'npm ci\nnpm test\n', language: 'bash' };

  it('hand the exact code over, with its turn and language', async () => {
    const { page, host } = await open();
    await page.locator('.md-insert').first().click();
    assert.deepEqual(await host.wasAsked('chat/useCode'), { ...bash, action: 'insert' });
    await page.locator('.md-replace').nth(1).click();
    const ts = { turnId: 't1', code: 'const a = 1 < 2;\n', language: 'ts', action: 'replace' };
    assert.deepEqual(await host.wasAsked('chat/useCode', 2), ts);
    await page.locator('.md-copy').nth(2).click();
    assert.deepEqual(await host.wasAsked('chat/copy'), { text: 'plain\n' });
  });

  it('have a menu that is used by keyboard, with the terminal for shells alone', async () => {
    const { page, host } = await open();
    const items = () => page.locator('.menu-item').allTextContents();
    await page.locator('.md-more').nth(1).click();
    assert.deepEqual(await items(), ['New file']);
    await page.keyboard.press('Escape');
    assert.equal(await page.locator('.menu').count(), 0);
    assert.ok(await page.evaluate(() => document.activeElement?.matches('.md-more')));
    await page.locator('.md-more').first().focus();
    await page.keyboard.press('Enter');
    assert.deepEqual(await items(), ['New file', 'Run in terminal…']);
    await page.screenshot({ path: `${shots}/code-menu-340.png` });
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    assert.deepEqual(await host.wasAsked('chat/useCode'), { ...bash, action: 'run' });
    assert.equal(await page.locator('.menu').count(), 0);
  });

  for (const theme of ['dark', 'light'] as const) {
    it(`fold into the menu where there is no room, ${theme}`, async () => {
      const { page, host } = await open(220, theme);
      assert.deepEqual(await page.locator('.md-insert, .md-replace').locator('visible=true').count(), 0);
      await page.locator('.md-more').first().click();
      const items = ['Insert at the cursor', 'Replace the selection…', 'New file', 'Run in terminal…'];
      assert.deepEqual(await page.locator('.menu-item').allTextContents(), items);
      await page.screenshot({ path: `${shots}/code-menu-220-${theme}.png` });
      const inside = await page.evaluate(() =>
        [...document.querySelectorAll('.menu, .md-code-button')].every(
          (element) => element.getBoundingClientRect().right <= document.documentElement.clientWidth,
        ),
      );
      assert.ok(inside);
      await page.locator('.menu-item').nth(1).click();
      assert.deepEqual(await host.wasAsked('chat/useCode'), { ...bash, action: 'replace' });
    });
  }
});
