import assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import type { Answer, ChatSnapshot } from '../../src/protocol/chat';
import { startBrowser } from '../host/browser';
import { type ChatHost, createChatHost, emptySnapshot } from '../support/chatHost';
import { chatStates, turn } from '../support/chatStates';
import { openChat, type OpenPage, serveWebview, type WebviewServer } from '../support/webviewPage';

const model = 'Qwen/Qwen3-Coder-30B-A3B-Instruct';
const doneAnswer = (text: string): Answer => ({
  state: 'done',
  model,
  stopReason: 'end_turn',
  blocks: [{ kind: 'text', text }],
});
const append = (text: string, block = 0) => ({ type: 'append', block, kind: 'text', text }) as const;

describe('limits and exchanges in the chat page', () => {
  let browser: Browser;
  let server: WebviewServer;
  let opened: OpenPage | undefined;
  before(async () => {
    browser = await startBrowser();
    server = await serveWebview();
  });
  afterEach(async () => {
    const { complaints = [], requests = [] } = opened ?? {};
    await opened?.page.context().close();
    opened = undefined;
    assert.deepEqual(complaints, []);
    assert.deepEqual(requests, []);
  });
  after(async () => {
    await browser.close();
    await server.stop();
  });

  async function open(snapshot: ChatSnapshot = emptySnapshot()): Promise<{ page: OpenPage['page']; host: ChatHost }> {
    const host = createChatHost(snapshot);
    opened = await openChat({ browser, server, theme: 'dark', handlers: host.handlers });
    await opened.page.locator('.turn, .welcome').first().waitFor();
    return { page: opened.page, host };
  }

  describe('a limit', () => {
    const waiting = (seconds: number): ChatSnapshot =>
      emptySnapshot({
        turns: [
          turn('Why?', {
            state: 'waiting',
            wait: { title: 'Tokens per minute are used up', until: Date.now() + seconds * 1000 },
          }),
        ],
      });

    it('counts down in the answer without speaking, and goes on when the time has come', async () => {
      const { page, host } = await open(waiting(4));
      const note = page.locator('.answer .note');
      await page.getByText('Goes on by itself in 0:02', { exact: true }).waitFor();
      await page.getByText('Goes on by itself in 0:01', { exact: true }).waitFor();
      assert.equal(await note.locator('.note-title').textContent(), 'Tokens per minute are used up');
      const spoken = await page.locator('[role=status] p').allTextContents();
      assert.equal(spoken.length, 2, spoken.join());
      assert.match(spoken[1] ?? '', /^Tokens per minute are used up. Goes on by itself in 0:0[34]$/);
      await page.locator('.waiting').waitFor();
      assert.equal(await note.count(), 0);
      host.emit(append('Because.'));
      host.finish(doneAnswer('Because.'));
      await page.getByText('Because.').waitFor();
    });

    it('can be left by stopping', async () => {
      const { page, host } = await open(waiting(60));
      await page.getByRole('button', { name: 'Stop waiting' }).click();
      assert.deepEqual(await host.wasAsked('chat/stop'), { turnId: 'Why?' });
    });

    it('can be left for another model, and stays when none is chosen', async () => {
      const { page, host } = await open(waiting(60));
      await page.getByRole('button', { name: 'Use another model' }).click();
      await page.keyboard.press('Escape');
      await page.locator('.picker-popup').waitFor({ state: 'detached' });
      await page.locator('.picker-button').click();
      await page.locator('.picker-option').nth(1).click();
      await host.wasAsked('chat/chooseModel');
      await page.getByRole('button', { name: 'Use another model' }).click();
      await page.locator('.picker-option').nth(2).click();
      const params = await host.wasAsked('chat/retry');
      assert.deepEqual(params, { turnId: 'Why?', model: 'deepseek-ai/DeepSeek-V3.2' });
      assert.equal(host.asked.filter(({ method }) => method === 'chat/retry').length, 1);
    });
  });

  it('shows the exchange of an answer', async () => {
    const { page, host } = await open(chatStates['limited'] as ChatSnapshot);
    await page.getByRole('button', { name: 'Show exchange' }).click();
    assert.deepEqual(await host.wasAsked('chat/act'), { action: 'showExchange:e1' });
  });
});
