import assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import type { AttachmentChip, ChatSnapshot } from '../../src/protocol/chat';
import { startBrowser } from '../host/browser';
import { createChatHost, emptySnapshot } from '../support/chatHost';
import { turn } from '../support/chatStates';
import { openChat, type OpenPage, serveWebview, type Theme, type WebviewServer } from '../support/webviewPage';

const shots = 'dist/test/screenshots/webview';
const chips: readonly AttachmentChip[] = [
  { id: 'a', kind: 'selection', label: 'src/core/parse.ts:40-62', characters: 1104, tokens: 310 },
  {
    id: 'b',
    kind: 'file',
    label: `src/${'very-long-folder-name/'.repeat(6)}index.ts`,
    characters: 24_310,
    tokens: 6900,
  },
  { id: 'c', kind: 'problems', label: 'Problems in README.md', characters: 96, tokens: 24 },
];
const asked = emptySnapshot({
  turns: [{ ...turn('Why is it slow?', { blocks: [{ kind: 'text', text: 'Because.' }] }, 't1'), attachments: chips }],
});

describe('attachments on the chat page', () => {
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

  async function open({
    snapshot = emptySnapshot(),
    theme = 'dark',
    width = 340,
  }: { snapshot?: ChatSnapshot; theme?: Theme; width?: number } = {}) {
    const host = createChatHost(snapshot);
    host.chips = chips;
    opened = await openChat({ browser, server, theme, width, handlers: host.handlers });
    await opened.page.locator('.composer .chip').nth(2).waitFor();
    return { page: opened.page, host };
  }

  it('say how much they are and that it is an estimate, and are read with a click', async () => {
    const { page, host } = await open();
    const first = page.locator('.chip-text').first();
    assert.match((await first.textContent()) ?? '', /parse\.ts:40-62.*1,104/);
    const title = 'src/core/parse.ts:40-62: 1,104 characters, about 310 tokens (±25 %). Click to read what is sent.';
    assert.equal(await first.getAttribute('title'), title);
    await first.click();
    assert.deepEqual(await host.wasAsked('chat/showAttachment'), { id: 'a' });
    await page.getByRole('button', { name: 'Add to the question…' }).click();
    await host.wasAsked('chat/attach');
  });

  it('are removed by keyboard, with the focus on the next', async () => {
    const { page, host } = await open();
    await page.locator('.chip-text').first().focus();
    await page.keyboard.press('Delete');
    assert.deepEqual(await host.wasAsked('chat/detach'), { id: 'a' });
    opened?.host.tell('chat/attachmentsChanged', { chips: chips.slice(1) });
    await page.locator('.chip').nth(2).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Remove Problems in README.md' }).press('Enter');
    assert.deepEqual(await host.wasAsked('chat/detach', 2), { id: 'c' });
    await page.locator('[role=status] p', { hasText: 'Problems in README.md removed.' }).waitFor();
  });

  it('go along with the question by their ids, and stay on its turn', async () => {
    const { page, host } = await open({ snapshot: asked });
    await page.locator('.chips-sent .chip-text').nth(1).click();
    assert.deepEqual(await host.wasAsked('chat/showSentAttachment'), { turnId: 't1', index: 1 });
    assert.equal(await page.locator('.chips-sent .chip-remove').count(), 0);
    await page.locator('.composer-text').fill('And now?');
    await page.keyboard.press('Enter');
    const params = (await host.wasAsked('chat/ask')) as { readonly attachments: readonly string[] };
    assert.deepEqual(params.attachments, ['a', 'b', 'c']);
    opened?.host.tell('chat/attachmentsChanged', { chips: [] });
    await page.locator('.composer .chip').first().waitFor({ state: 'detached' });
  });

  it('are told as they come', async () => {
    const { page } = await open();
    opened?.host.tell('chat/attachmentsChanged', {
      chips: [...chips, { id: 'd', kind: 'file', label: 'new.ts', characters: 1, tokens: 1 }],
    });
    await page.locator('[role=status] p', { hasText: 'new.ts goes along with the question.' }).waitFor();
  });

  for (const [theme, width] of [
    ['dark', 340],
    ['light', 340],
    ['dark', 220],
    ['highContrastLight', 220],
  ] as const) {
    it(`fit ${width} pixels, ${theme}`, async () => {
      const { page } = await open({ snapshot: asked, theme, width });
      await page.screenshot({ path: `${shots}/attachments-${width}-${theme}.png` });
      const tooWide = await page.evaluate(() =>
        [...document.querySelectorAll('.chip, .composer-bar > *')]
          .filter((element) => element.getBoundingClientRect().right > document.documentElement.clientWidth)
          .map((element) => element.className),
      );
      assert.deepEqual(tooWide, []);
    });
  }
});
