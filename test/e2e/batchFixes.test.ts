import { deepEqual, equal } from 'node:assert/strict';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { DeskWindow } from '../host/window';
import { inOrder } from '../support/inOrder';

const request = (id: string, role: string) =>
  `{"custom_id": "${id}", "body": {"model": "Qwen/Qwen3-8B", "messages": [{"role": "${role}", "content": "Hi"}]}}`;

describe('mending a batch file', function () {
  inOrder(this);
  let desk: DeskWindow;
  let folder: string;

  before(async function () {
    folder = mkdtempSync(path.join(tmpdir(), 'fixes-'));
    writeFileSync(path.join(folder, 'requests.jsonl'), `${request('a', 'user')}\n${request('a', 'human')}\n`);
    desk = await this.openDesk({ folder });
    await desk.page.keyboard.press('Control+P');
    await desk.quickInput.locator('input.input').first().fill('requests');
    await desk.pick('requests.jsonl');
    await desk.page.locator('.squiggly-error').first().waitFor({ timeout: 30_000 });
    await desk.page.locator('.view-lines').first().click();
  });
  after(async () => {
    await desk?.close();
    await rm(folder, { recursive: true, force: true });
  });

  const lines = (text: string) => desk.page.locator('.view-lines', { hasText: text });

  it('offers what mends the line under the cursor, and all of its kind', async () => {
    await desk.page.keyboard.press('Control+Home');
    await desk.page.keyboard.press('Control+.');
    const menu = desk.page.locator('.action-widget');
    const all = menu.getByText('Fix all: add the missing "method" and "url"');
    await all.waitFor();
    equal(await menu.getByText('Add the missing "method" and "url"', { exact: true }).count(), 1);
    await desk.screenshot('batch-fixes-menu');
    await all.click();
    await lines('"POST"').first().waitFor();
    await desk.screenshot('batch-fixes-all');
  });

  it('numbers all ids by a pattern', async () => {
    await desk.command('Inference Desk: Number IDs…');
    await desk.answer('request');
    await desk.quickInput.getByText('Write {n} where the number is to stand.').waitFor();
    await desk.screenshot('batch-fixes-pattern');
    await desk.answer('request-{n:3}');
    await lines('"request-002"').first().waitFor();
  });

  it('sets one model in all requests', async () => {
    await desk.command('Inference Desk: Set Model…');
    await desk.quickRows.filter({ hasText: 'asked by 2 requests' }).waitFor();
    await desk.screenshot('batch-fixes-model');
    await desk.answer('Qwen/Qwen3-14B');
    await lines('Qwen/Qwen3-14B').first().waitFor();
    await desk.screenshot('batch-fixes-done');
  });

  it('converts what was written for other services: asks for the model, and says what was left out', async () => {
    const text = [{ type: 'text', text: 'Hi', cache_control: { type: 'ephemeral' } }];
    const lines = [
      {
        custom_id: 'a',
        params: { model: 'Qwen/Qwen3-8B', max_tokens: 9, messages: [{ role: 'user', content: text }] },
      },
      { prompt: 'Hello' },
    ];
    writeFileSync(path.join(folder, 'other.jsonl'), `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`);
    await desk.page.locator('.explorer-folders-view .monaco-list-row', { hasText: 'other.jsonl' }).dblclick();
    await desk.page.locator('.tab.active', { hasText: 'other.jsonl' }).waitFor();
    await desk.command('Inference Desk: Convert Lines to Requests…');
    await desk.quickInput.locator('.quick-input-title', { hasText: 'A model for the line that names none' }).waitFor();
    await desk.screenshot('batch-fixes-convert-model');
    await desk.answer('Qwen/Qwen3-14B');
    await desk.page.locator('.view-lines', { hasText: 'Qwen/Qwen3-14B' }).first().waitFor();
    await desk.notice('cache_control (1 line)');
    await desk.screenshot('batch-fixes-converted');
    deepEqual(desk.faults, []);
  });
});
