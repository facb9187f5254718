import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { DeskWindow } from '../host/window';
import { tryDemo } from '../support/chatJourney';
import { inOrder } from '../support/inOrder';
import { until } from '../support/until';

describe('taking a conversation elsewhere', function () {
  inOrder(this);
  let desk: DeskWindow;
  let folder: string;
  let file: string;

  before(async function () {
    folder = mkdtempSync(path.join(tmpdir(), 'export-'));
    file = path.join(folder, 'requests.jsonl');
    writeFileSync(file, '{"custom_id":"chat-1"}\r\n');
    desk = await this.openDesk({ folder });
    await tryDemo(desk);
    const box = desk.webview.getByRole('textbox', { name: 'Question' });
    await box.fill("What is 12 * 12? It's for $HOME.");
    await box.press('Enter');
    await desk.webview
      .locator('.facts')
      .getByText(/\d+ in/)
      .waitFor({ timeout: 60_000 });
  });
  after(async () => {
    await desk?.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('shows what was used, and the raw exchange of the answer', async () => {
    await desk.webview.getByText(/^Tokens: \d+ here · \d+ today$/).waitFor();
    await desk.webview.locator('.answer').getByRole('button', { name: 'Show exchange' }).click();
    await desk.page.locator('.tab', { hasText: 'POST v1 messages.http' }).waitFor();
    await desk.page
      .locator('.view-lines', { hasText: 'milliseconds since the call began' })
      .or(desk.page.locator('.view-lines', { hasText: 'POST /v1/messages' }))
      .first()
      .waitFor();
    await desk.screenshot('chat-exchange');
  });

  it('opens the request as a program that holds no key', async () => {
    await desk.command('Inference Desk: Export Conversation…');
    await desk.quickRows.filter({ hasText: 'Python' }).waitFor();
    await desk.screenshot('chat-export-forms');
    await desk.pick('Python');
    await desk.pick('New editor');
    await desk.page.locator('.view-lines', { hasText: 'INFERENCE_DESK_API_KEY' }).waitFor();
    await desk.screenshot('chat-export-python');
  });

  it('adds the request to a batch file as one step that can be undone', async () => {
    await desk.command('Inference Desk: Add as Batch Line…');
    await desk.pick('requests.jsonl');
    await desk.page.locator('.tab.active', { hasText: 'requests.jsonl' }).waitFor();
    await desk.page.locator('.view-lines', { hasText: 'chat-2' }).waitFor();
    await desk.screenshot('chat-batch-line');
    await desk.command('File: Save');
    const saved = await until(() => {
      const text = readFileSync(file, 'utf8');
      return text.includes('chat-2') ? text : undefined;
    }, 'the new line');
    const [first, second, end] = saved.split('\r\n');
    assert.deepEqual([first, end], ['{"custom_id":"chat-1"}', '']);
    const { url, body } = JSON.parse(second ?? '') as { url: string; body: { messages: unknown[] } };
    assert.equal(url, '/v1/chat/completions');
    assert.deepEqual(body.messages, [{ role: 'user', content: "What is 12 * 12? It's for $HOME." }]);
    await desk.page.keyboard.press('Control+z');
    await desk.page.locator('.view-lines', { hasText: 'chat-2' }).waitFor({ state: 'detached' });
  });
});
