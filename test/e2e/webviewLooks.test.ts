import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import type { ChatSnapshot } from '../../src/protocol/chat';
import { startBrowser } from '../host/browser';
import { accessibilityFaults } from '../support/accessibility';
import { createChatHost, emptySnapshot } from '../support/chatHost';
import { chatStates } from '../support/chatStates';
import {
  allThemes,
  openChat,
  type OpenPage,
  serveWebview,
  type Theme,
  type WebviewServer,
} from '../support/webviewPage';

const shots = 'dist/test/screenshots/webview';

describe('the chat page, in every state and theme', () => {
  let browser: Browser;
  let server: WebviewServer;
  before(async () => {
    mkdirSync(shots, { recursive: true });
    browser = await startBrowser();
    server = await serveWebview();
  });
  after(async () => {
    await browser.close();
    await server.stop();
  });

  /** Opens a state and waits until it is drawn. */
  async function open(name: string, theme: Theme, width = 340): Promise<OpenPage> {
    const snapshot = chatStates[name];
    const host = createChatHost(snapshot === 'never' || !snapshot ? emptySnapshot() : snapshot);
    const never = { ...host.handlers, 'chat/ready': () => new Promise<ChatSnapshot>(() => undefined) };
    const opened = await openChat({
      browser,
      server,
      theme,
      width,
      handlers: snapshot === 'never' ? never : host.handlers,
    });
    await opened.page
      .locator(snapshot === 'never' ? '.log-loading' : '.turn, .welcome')
      .first()
      .waitFor();
    await opened.page.evaluate(() => document.fonts.ready);
    return opened;
  }

  async function check({ page, complaints, requests }: OpenPage): Promise<void> {
    assert.deepEqual(await accessibilityFaults(page), []);
    assert.deepEqual(complaints, []);
    assert.deepEqual(requests, []);
  }

  async function fits({ page }: OpenPage): Promise<void> {
    const overflow = await page.evaluate(() => {
      const wide = document.documentElement.clientWidth;
      return [
        ...document.querySelectorAll('.turn, .composer, .composer-bar > *, .note, .sent-note, .welcome, .facts, .who'),
      ]
        .filter((element) => element.getBoundingClientRect().right > wide + 0.5)
        .map((element) => element.className);
    });
    assert.deepEqual(overflow, []);
  }

  for (const theme of allThemes) {
    for (const name of Object.keys(chatStates)) {
      it(`has no accessibility fault: ${name}, ${theme}`, async () => {
        const opened = await open(name, theme);
        await opened.page.screenshot({ path: `${shots}/${name}-${theme}.png` });
        await check(opened);
        await opened.page.context().close();
      });
    }

    it(`has no accessibility fault with its models listed, ${theme}`, async () => {
      const opened = await open('talk', theme);
      await opened.page.locator('.picker-button').click();
      await opened.page.locator('.picker-option').first().waitFor();
      await opened.page.screenshot({ path: `${shots}/models-${theme}.png` });
      await check(opened);
      await opened.page.context().close();
    });
  }

  for (const width of [220, 900]) {
    for (const name of ['talk', 'rich', 'foreign', 'failed', 'limited', 'signedOut', 'empty', 'folded']) {
      it(`fits ${width} pixels: ${name}`, async () => {
        const opened = await open(name, 'dark', width);
        await opened.page.screenshot({ path: `${shots}/${name}-${width}.png` });
        await fits(opened);
        await opened.page.context().close();
      });
    }
  }
});
