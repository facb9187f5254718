import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { DeskWindow } from '../host/window';
import { tryDemo } from '../support/chatJourney';
import { inOrder } from '../support/inOrder';

describe('making a batch file from a table', function () {
  inOrder(this);
  let desk: DeskWindow;
  let folder: string;

  before(async function () {
    folder = mkdtempSync(path.join(tmpdir(), 'making-'));
    const rows = ['Where is the "Grand Canyon"?;en', 'Wo liegt Rom?;de', '北京在哪里？;zh', 'Où est Nice ?;fr'];
    writeFileSync(path.join(folder, 'questions.csv'), `question;language\n${rows.join('\n').replaceAll('"', '')}\n`);
    desk = await this.openDesk({ folder });
    await tryDemo(desk);
    await desk.command('View: Show Explorer');
    await desk.page.locator('.explorer-folders-view').getByText('questions.csv').waitFor();
  });
  after(async () => {
    await desk?.close();
    await rm(folder, { recursive: true, force: true });
  });

  const title = (text: string) => desk.quickInput.locator('.quick-input-title', { hasText: text }).waitFor();
  /** From the table in the Explorer to the choice of a prompt, of which one is taken. */
  const begin = async (prompt: string): Promise<void> => {
    await desk.page.locator('.explorer-folders-view').getByText('questions.csv').dblclick();
    await desk.page.locator('.tab.active', { hasText: 'questions.csv' }).waitFor();
    await desk.command('Inference Desk: New Batch File from Rows…');
    await desk.pick(prompt);
  };
  const box = () => desk.quickInput.locator('input.input').first();

  it('begins in the menu of the file', async () => {
    const row = desk.page.locator('.explorer-folders-view').getByText('questions.csv');
    await desk.chooseInMenu(row, [/^Batch File$/, 'New Batch File from Rows'], {
      whenShown: () => desk.screenshot('batch-making-menu'),
    });
    await title('New Batch File from questions.csv');
    await desk.quickRows.filter({ hasText: 'Type a prompt' }).waitFor();
    await desk.screenshot('batch-making-prompt-choice');
  });

  it('says which columns there are, and keeps a prompt that was not finished', async () => {
    await desk.pick('Type a prompt');
    await desk.quickInput.getByText('A line break is written').waitFor();
    await desk.answer('Answer in {{lang}}: {{question}}');
    await desk.quickInput.getByText('There is no column "lang"').waitFor();
    await desk.screenshot('batch-making-unknown-column');
    await desk.page.keyboard.press('Escape');
    await desk.quickInput.waitFor({ state: 'hidden' });
    await desk.page.locator('.explorer-folders-view').getByText('questions.csv').dblclick();
    await desk.page.locator('.tab.active', { hasText: 'questions.csv' }).waitFor();
    await desk.command('Inference Desk: New Batch File from Rows…');
    await desk.pick('Type a prompt');
    await title('New Batch File from questions.csv');
    await desk.quickInput.getByText('A line break is written').waitFor();
    assert.equal(await box().inputValue(), 'Answer in {{lang}}: {{question}}');
    await desk.answer('Answer in {{language}}, in one sentence: {{question}}');
  });

  it('shows what is in a request, and the first three of them', async () => {
    await desk.quickRows.filter({ hasText: 'custom_id' }).waitFor();
    await desk.screenshot('batch-making-request');
    await desk.pick('System prompt');
    await desk.answer('You are a geographer.');
    await desk.quickRows.filter({ hasText: 'You are a geographer.' }).waitFor();
    await desk.pick('Preview');
    await desk.quickRows.filter({ hasText: 'Write the file' }).waitFor();
    await desk.page.locator('.view-lines', { hasText: 'Answer in zh, in one sentence: 北京在哪里？' }).waitFor();
    assert.equal(await desk.page.locator('.view-lines', { hasText: 'Où est Nice' }).count(), 1);
    await desk.screenshot('batch-making-preview');
  });

  it('writes all of them, and opens the file', async () => {
    await desk.pick('Write the file');
    await desk.page.locator('.tab.active', { hasText: 'questions.requests.jsonl' }).waitFor();
    await desk.page.locator('.view-lines', { hasText: 'Answer in fr, in one sentence: Où est Nice' }).waitFor();
    await desk.page.getByText(/^4 requests · /).waitFor();
    await desk.screenshot('batch-making-written');
    const text = readFileSync(path.join(folder, 'questions.requests.jsonl'), 'utf8');
    assert.equal(text.split('\n').length, 5);
    const { body } = JSON.parse(text.split('\n')[3] ?? '') as { body: { model: string; messages: unknown[] } };
    assert.ok(body.model.length > 0);
    assert.deepEqual(body.messages, [
      { role: 'system', content: 'You are a geographer.' },
      { role: 'user', content: 'Answer in fr, in one sentence: Où est Nice ?' },
    ]);
  });

  it('takes a prompt of several lines that is written in an editor, and the place a dialog says', async () => {
    await begin('Write it in an editor');
    await desk.page.locator('.codelens-decoration', { hasText: 'Use This Prompt' }).waitFor();
    await desk.page.keyboard.press('Control+A');
    await desk.page.keyboard.type('Translate this into {{');
    const suggestions = desk.page.locator('.suggest-widget.visible .monaco-list-row');
    await suggestions.filter({ hasText: '{{language}}' }).waitFor();
    await desk.page.keyboard.type('lang');
    await suggestions.filter({ hasText: '{{question}}' }).waitFor({ state: 'detached' });
    await desk.screenshot('batch-making-editor-columns');
    await desk.page.keyboard.press('Enter');
    await desk.page.keyboard.type(':');
    await desk.page.keyboard.press('Enter');
    await desk.page.keyboard.type('{{qestion}}');
    await desk.page.locator('.squiggly-error').first().waitFor();
    await desk.screenshot('batch-making-editor-fault');
    for (const kind of ['dark', 'highContrast', 'light'] as const) {
      await desk.theme(kind);
      await desk.screenshot(`batch-making-editor-${kind}`);
    }
    await desk.command('Inference Desk: Use This Prompt');
    await desk.notice('There is no column "qestion"');
    await desk.command('Notifications: Clear All Notifications');
    await desk.command('View: Focus Active Editor Group');
    for (let back = 0; back < '{{qestion}}'.length; back++) await desk.page.keyboard.press('Backspace');
    await desk.page.keyboard.type('{{question}}');
    await desk.page.locator('.squiggly-error').first().waitFor({ state: 'detached' });
    await desk.page.locator('.codelens-decoration a', { hasText: 'Use This Prompt' }).click();
    await desk.pick('Preview');
    await desk.pick('Write to…');
    const chosen = path.join(folder, 'chosen.jsonl');
    await desk.quickInput.getByRole('button', { name: 'OK' }).waitFor();
    await desk.screenshot('batch-making-dialog');
    await desk.answer(chosen);
    await desk.page.locator('.tab.active', { hasText: 'chosen.jsonl' }).waitFor();
    const [first = ''] = readFileSync(chosen, 'utf8').split('\n');
    assert.equal(
      (JSON.parse(first) as { body: { messages: { content: string }[] } }).body.messages.at(-1)?.content,
      'Translate this into en:\nWhere is the Grand Canyon?',
    );
  });

  it('writes nothing when it is left at the last step', async () => {
    const before = readdirSync(folder);
    await begin('Translate this into');
    await desk.pick('Preview');
    await desk.quickRows.filter({ hasText: 'Write the file' }).waitFor();
    await desk.pick(/^Cancel/);
    await desk.quickInput.waitFor({ state: 'hidden' });
    await desk.page.locator('.tab', { hasText: 'First requests' }).waitFor({ state: 'detached' });
    assert.deepEqual(readdirSync(folder), before);
  });

  it('asks for a pattern of files until one fits', async () => {
    mkdirSync(path.join(folder, 'notes'));
    for (const name of ['a.md', 'b.md']) writeFileSync(path.join(folder, 'notes', name), `Note ${name}`);
    await desk.command('Inference Desk: New Batch File from Files…');
    await title('New Batch File from Files');
    await desk.answer('**/*.nothing');
    await desk.quickInput.getByText('No file fits **/*.nothing.').waitFor();
    await desk.screenshot('batch-making-pattern');
    await desk.answer('notes/*.md');
    await title('New Batch File from 2 files');
    await desk.page.keyboard.press('Escape');
    await desk.quickInput.waitFor({ state: 'hidden' });
    assert.deepEqual(desk.faults, []);
  });
});
