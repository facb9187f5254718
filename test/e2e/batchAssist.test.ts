import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { DeskWindow } from '../host/window';
import { tryDemo } from '../support/chatJourney';
import { inOrder } from '../support/inOrder';
import { until } from '../support/until';

const request = (id: string, question: string) =>
  JSON.stringify({
    custom_id: id,
    method: 'POST',
    url: '/v1/chat/completions',
    body: {
      temperature: 0.7,
      model: 'Qwen/Qwen3-30B-A3B-Instruct-2507',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: question },
      ],
    },
  });

describe('writing a batch file', function () {
  inOrder(this);
  let desk: DeskWindow;
  let folder: string;
  let file: string;

  before(async function () {
    folder = mkdtempSync(path.join(tmpdir(), 'assist-'));
    file = path.join(folder, 'requests.jsonl');
    const lines = [request('capital', 'What is the capital of **Italy**?'), request('river', 'And its longest river?')];
    writeFileSync(file, `${lines.join('\n')}\n`);
    // In a browser the editor saves by itself; what is written only when asked is easier to tell.
    desk = await this.openDesk({ folder, settings: { 'files.autoSave': 'off' } });
    await tryDemo(desk);
    await desk.page.keyboard.press('Control+p');
    await desk.quickInput.locator('input.input').first().fill('requests.jsonl');
    await desk.pick('requests.jsonl');
    await desk.page.locator('.codelens-decoration', { hasText: '2 requests' }).waitFor();
  });
  after(async () => {
    await desk?.close();
    await rm(folder, { recursive: true, force: true });
  });

  const suggestions = () => desk.page.locator('.suggest-widget.visible .monaco-list-row');
  const text = (words: string) => desk.page.locator('.view-line span[class*="mtk"]', { hasText: words });
  const tab = (name: string) => desk.page.locator('.tab', { hasText: name });
  const hover = () => desk.page.locator('.monaco-hover:visible');

  it('says what a member is for and takes, and shows the messages as they read', async () => {
    await text('temperature').first().hover();
    await hover().filter({ hasText: 'a number from 0 to 2' }).waitFor();
    await desk.screenshot('batch-hover-member');
    await desk.page.mouse.move(0, 0);
    await text('messages').first().hover();
    await hover().filter({ hasText: 'What is the capital of **Italy**?' }).waitFor();
    await desk.screenshot('batch-hover-messages');
  });

  it('offers members, then the models of the service', async () => {
    await desk.page.locator('.view-line').last().click();
    await desk.page.keyboard.press('Control+End');
    await desk.page.keyboard.type('{"');
    await suggestions().filter({ hasText: 'custom_id' }).waitFor();
    await desk.page.keyboard.type('bo');
    await suggestions().filter({ hasText: 'body' }).waitFor();
    await desk.screenshot('batch-completion-members');
    await desk.page.keyboard.press('Enter');
    await desk.page.keyboard.press('Control+Space');
    await suggestions().filter({ hasText: 'Qwen3-30B' }).waitFor();
    await desk.screenshot('batch-completion-models');
    await desk.page.keyboard.press('Escape');
    await desk.command('File: Revert File');
    await desk.page.locator('.tab.active.dirty').waitFor({ state: 'detached' });
  });

  it('edits a line as a document beside the file, and saves it back into its line', async () => {
    await text('river').first().click();
    await desk.command('Inference Desk: Edit Line as JSON');
    await tab('river.json').waitFor();
    await text('"temperature"').last().hover();
    await hover().filter({ hasText: 'a number from 0 to 2' }).waitFor();
    await desk.screenshot('batch-line-editor');
    await desk.page.mouse.move(0, 0);
    await text('0.7').last().click();
    await desk.page.keyboard.press('End');
    await desk.page.keyboard.press('ArrowLeft');
    await desk.page.keyboard.type('e9');
    await desk.page.locator('.squiggly-warning, .squiggly-error').first().waitFor();
    await desk.screenshot('batch-line-editor-fault');
  });

  it('refuses to save what is no request, and says why', async () => {
    await desk.page.keyboard.type(',');
    await desk.command('File: Save');
    await desk.notice('no request yet');
    await desk.screenshot('batch-line-refused');
    await desk.command('Notifications: Clear All Notifications');
    await desk.command('View: Focus Active Editor Group');
    await desk.page.keyboard.press('Backspace');
    await desk.command('File: Save');
    await tab('river.json').and(desk.page.locator('.dirty')).waitFor({ state: 'detached' });
    await desk.page.locator('.tab.dirty', { hasText: 'requests.jsonl' }).waitFor();
    await desk.screenshot('batch-line-saved');
  });

  it('brings the document back after a reload, and saves it into its line still', async () => {
    await tab('requests.jsonl').first().click();
    await desk.command('File: Save');
    await desk.page.locator('.tab.dirty').waitFor({ state: 'detached' });
    await desk.reloadWindow();
    await tab('river.json').click();
    const shown = desk.page.locator('.editor-group-container').last().locator('.view-line', { hasText: 'Be brief' });
    await shown.click();
    await desk.page.keyboard.press('End');
    await desk.page.keyboard.press('ArrowLeft');
    await desk.page.keyboard.type(' Stay short.');
    await desk.page.locator('.tab.dirty', { hasText: 'river.json' }).waitFor();
    await desk.screenshot('batch-line-reloaded');
    await desk.command('File: Save');
    await desk.page.locator('.tab.dirty', { hasText: 'river.json' }).waitFor({ state: 'detached' });
    await tab('requests.jsonl').first().click();
    await desk.command('File: Save');
    const saved = await until(() => {
      const [, line = ''] = readFileSync(file, 'utf8').split('\n');
      return line.includes('Stay short') ? line : undefined;
    }, 'the saved line');
    assert.match(saved, /^\{"custom_id":"river","method":"POST"/);
    assert.deepEqual(desk.faults, []);
  });
});
