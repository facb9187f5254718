import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import type { DeskWindow } from '../host/window';
import { chatOf, type JourneyChat, signInTo } from '../support/chatJourney';
import { type FilledDemo, startFilledDemo } from '../support/filledDemo';
import { inOrder } from '../support/inOrder';
import { startOrigin, type OriginServer, readAll } from '../support/originServer';

/** The longest that is asked about: eighteen rows of the widest letters. */
const longest = `${'W'.repeat(30)}\n`.repeat(18);

/** An answer of a stream, as the service sends it. */
function streamOf(text: string): string {
  const events = [
    { type: 'message_start', message: { id: 'm', type: 'message', role: 'assistant', content: [], model: 'm' } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { input_tokens: 1, output_tokens: 1 } },
    { type: 'message_stop' },
  ];
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
}

describe('running the code of an answer in the terminal', function () {
  inOrder(this);
  let desk: DeskWindow;
  let chat: JourneyChat;
  let demo: FilledDemo;
  let service: OriginServer;
  let code = '';

  before(async function () {
    demo = await startFilledDemo({ pace: 'fast' });
    // The demo service, but for what is answered.
    service = await startOrigin(async (request, response) => {
      const { method = 'GET', url = '/', headers } = request;
      const body = String(await readAll(request));
      if (url.endsWith('/messages')) {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        return void response.end(streamOf(`\`\`\`bash\n${code}\n\`\`\`\n`));
      }
      const answer = await fetch(new URL(url, demo.baseUrl), {
        method,
        headers: { authorization: headers.authorization ?? '', 'content-type': headers['content-type'] ?? '' },
        ...(body !== '' && { body }),
      });
      response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
      response.end(Buffer.from(await answer.arrayBuffer()));
    });
    desk = await this.openDesk({ size: { width: 900, height: 560 } });
    chat = chatOf(desk);
    await signInTo(desk, { ...demo, baseUrl: new URL('v1', service.url).href });
    await desk.widenSideBar(420);
  });
  after(async () => {
    await desk?.close();
    await service?.close();
    await demo?.close();
  });

  const dialog = (): Locator => desk.page.locator('.monaco-dialog-box');
  const cancel = () => dialog().getByRole('button', { name: 'Cancel' }).click();
  const buttons = () => dialog().locator('.monaco-button').allTextContents();
  const focused = () => desk.page.evaluate(() => document.activeElement?.textContent);

  async function runInTerminal(answered: string): Promise<void> {
    code = answered;
    await chat.ask('Which commands?');
    const more = chat.lastTurn.locator('.md-more');
    await chat.counted.waitFor();
    await more.click();
    await desk.webview.getByRole('menuitem', { name: 'Run in terminal…' }).click();
  }

  it('asks about one line', async () => {
    await runInTerminal('npm test');
    await dialog().getByText('Run this in the terminal?').waitFor();
    assert.deepEqual((await buttons()).toSorted(), ['Cancel', 'Open as New File', 'Run']);
    await desk.screenshot('terminal-one-line');
    await cancel();
  });

  it('runs none of several lines when Enter is pressed, and opens them as a file', async () => {
    await runInTerminal('npm ci\n\nnpm test');
    await dialog().getByText('Run these 3 lines in the terminal?').waitFor();
    assert.equal(await focused(), 'Open as New File');
    await desk.screenshot('terminal-several-lines');
    await desk.page.keyboard.press('Enter');
    await desk.page.locator('.tab.active', { hasText: 'Untitled' }).waitFor();
    await desk.page.locator('.editor-instance .view-line', { hasText: 'npm ci' }).waitFor();
    assert.equal(await desk.page.locator('.terminal-wrapper').count(), 0);
  });

  it('shows the longest code it asks about whole', async () => {
    await runInTerminal(longest);
    await dialog().getByText('Run these 18 lines in the terminal?').waitFor();
    const hidden = await dialog()
      .locator('.dialog-message-container')
      .evaluate((text) => [text.scrollHeight - text.clientHeight, text.scrollWidth - text.clientWidth]);
    await desk.screenshot('terminal-longest');
    assert.deepEqual(hidden, [0, 0]);
    await cancel();
  });

  it('refuses what it cannot show, and offers the file', async () => {
    await runInTerminal(`echo hi\n${'\n'.repeat(1200)}rm -rf /`);
    const note = chat.lastTurn.locator('.note');
    await note.getByText('too long to review').waitFor();
    await desk.screenshot('terminal-refused');
    await note.getByRole('button', { name: 'Open as New File' }).click();
    await desk.page.locator('.tab.active', { hasText: 'Untitled-2' }).waitFor();
    assert.equal(await dialog().count(), 0);
  });
});
