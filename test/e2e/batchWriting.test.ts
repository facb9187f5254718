import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import type { DeskWindow } from '../host/window';
import { signInTo } from '../support/chatJourney';
import { startFilledDemo, type FilledDemo } from '../support/filledDemo';
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
const faulty = (role: string) =>
  `{"custom_id": "same", "body": {"model": "Qwen/Qwen3-8B", "messages": [{"role": "${role}", "content": "Hi"}]}}`;
const foreign = [
  {
    custom_id: 'a',
    params: {
      model: 'Qwen/Qwen3-8B',
      max_tokens: 9,
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi', cache_control: { type: 'ephemeral' } }] }],
    },
  },
  { prompt: 'Hello' },
];
const rows = ['Where is the Grand Canyon?;en', 'Wo liegt Rom?;de', '北京在哪里？;zh', 'Où est Nice ?;fr'];

describe('writing batch files', function () {
  inOrder(this);
  let desk: DeskWindow;
  let demo: FilledDemo;
  let folder: string;

  before(async function () {
    folder = mkdtempSync(path.join(tmpdir(), 'writing-'));
    const write = (name: string, lines: readonly string[]) =>
      writeFileSync(path.join(folder, name), `${lines.join('\n')}\n`);
    write('requests.jsonl', [
      request('capital', 'What is the capital of **Italy**?'),
      request('river', 'And its longest river?'),
    ]);
    write('faulty.jsonl', [faulty('user'), faulty('human')]);
    write(
      'other.jsonl',
      foreign.map((line) => JSON.stringify(line)),
    );
    write('questions.csv', ['question;language', ...rows]);
    mkdirSync(path.join(folder, 'notes'));
    for (const name of ['a.md', 'b.md']) write(path.join('notes', name), [`Note ${name}`]);
    demo = await startFilledDemo({ pace: { firstTokenMs: 300, tokenMs: 2000 } });
    // VS Code in a browser saves automatically, which would make an explicit save hard to detect.
    desk = await this.openDesk({ folder, settings: { 'files.autoSave': 'off' } });
    await signInTo(desk, demo);
    await desk.command('View: Show Explorer');
  });
  after(async () => {
    await desk?.close();
    await demo?.close();
    await rm(folder, { recursive: true, force: true });
  });

  const explorerRow = (name: string): Locator =>
    desk.page.locator('.explorer-folders-view .monaco-list-row', { hasText: name });
  const tab = (name: string): Locator => desk.page.locator('.tabs-container .tab', { hasText: name });
  const openFile = async (name: string): Promise<void> => {
    await explorerRow(name).dblclick();
    await tab(name).and(desk.page.locator('.active')).waitFor();
  };
  const group = (index: number): Locator => desk.page.locator('.editor-group-container').nth(index);
  /** Locates text in an editor, which is rendered in several layers. */
  const lines = (text: string | RegExp): Locator => desk.page.locator('.view-lines', { hasText: text }).first();
  const text = (words: string): Locator => desk.page.locator('.view-line span[class*="mtk"]', { hasText: words });
  const suggestions = (): Locator => desk.page.locator('.suggest-widget.visible .monaco-list-row');
  const title = (words: string) => desk.quickInput.locator('.quick-input-title', { hasText: words }).waitFor();
  const previewRow = (line: number): Locator =>
    desk.editorPage.locator('.preview-rows .preview-row', {
      has: desk.editorPage.locator('.preview-cell-line', { hasText: new RegExp(`^${line}$`) }),
    });
  const details = (): Locator => desk.editorPage.getByRole('complementary');

  it("completes messages, properties, and the service's models", async () => {
    await openFile('requests.jsonl');
    await desk.page.locator('.codelens-decoration', { hasText: '2 requests' }).waitFor();
    await text('messages').first().hover();
    await desk.page.locator('.monaco-hover:visible', { hasText: 'What is the capital of **Italy**?' }).waitFor();
    await desk.screenshot('batch-hover-messages');
    await desk.page.locator('.view-line').last().click();
    await desk.page.keyboard.press('Control+End');
    await desk.page.keyboard.type('{"bo');
    await suggestions().filter({ hasText: 'body' }).waitFor();
    await desk.page.keyboard.press('Enter');
    await desk.page.keyboard.press('Control+Space');
    await suggestions().filter({ hasText: 'Qwen3-30B' }).waitFor();
    await desk.screenshot('batch-completion-models');
    await desk.page.keyboard.press('Escape');
    await desk.command('File: Revert File');
    await desk.page.locator('.tab.active.dirty').waitFor({ state: 'detached' });
  });

  it('tests a line found by its text, and streams, stops, and repeats the response', async () => {
    const lens = (words: string) => group(1).locator('.codelens-decoration a', { hasText: words }).first();
    const answer = (words: RegExp) => group(1).locator('.view-lines', { hasText: words });
    await desk.command('Inference Desk: Test Request…');
    await desk.quickRows.filter({ hasText: 'longest river' }).waitFor();
    await desk.quickInput.locator('input.input').first().fill('italy');
    await desk.quickRows.filter({ hasText: 'longest river' }).waitFor({ state: 'detached' });
    await desk.page.keyboard.press('Enter');
    await answer(/capital[^]*line\s1[^]*Generating…/).waitFor();
    await desk.page.keyboard.press('Control+Home');
    await group(0).locator('.codelens-decoration', { hasText: 'Stop Test' }).first().waitFor();
    await desk.screenshot('trial-streaming');
    await lens('Stop').click();
    await answer(/Stopped/).waitFor();
    await demo.call('POST', '/_control/pace', { pace: { tokenMs: 1 } });
    await lens('Test Again').click();
    await answer(/finish\sreason/).waitFor();
    await desk.screenshot('trial-answered');
    await tab('Test Result').click();
    await desk.command('View: Close Editor');
  });

  it('edits a line as a document to the side, and saves it once it is valid', async () => {
    await text('river').first().click();
    await desk.command('Inference Desk: Edit Request as JSON');
    await tab('river.json').waitFor();
    await text('0.7').last().click();
    await desk.page.keyboard.press('End');
    await desk.page.keyboard.press('ArrowLeft');
    await desk.page.keyboard.type('5,');
    await desk.command('File: Save');
    await desk.notice('Not saved to the batch file yet');
    await desk.clearNotices();
    await desk.command('View: Focus Active Editor Group');
    await desk.page.keyboard.press('Backspace');
    await desk.command('File: Save');
    await desk.page.locator('.tab.dirty', { hasText: 'river.json' }).waitFor({ state: 'detached' });
    await desk.page.locator('.tab.dirty', { hasText: 'requests.jsonl' }).waitFor();
    await tab('requests.jsonl').click();
    await desk.command('File: Save');
    await desk.page.locator('.tab.dirty').waitFor({ state: 'detached' });
  });

  it('previews the file in one tab to the side, with links to lines', async () => {
    await desk.chooseInMenu(explorerRow('requests.jsonl'), [/^Batch File$/, 'Preview Batch File']);
    await previewRow(2).click();
    await details().getByText('And its longest river?').waitFor();
    await desk.screenshot('preview-beside');
    await details().getByText('Go to Line').click();
    await desk.status(/Ln 2, Col 1/).waitFor();
    await desk.page.locator('.monaco-editor.focused').waitFor();
    await desk.page.locator('.editor-actions').getByRole('button', { name: 'Preview Batch File' }).click();
    await desk.page.locator('.editor-group-container.active .tab.active', { hasText: 'Preview requests' }).waitFor();
    assert.equal(await tab('Preview requests.jsonl').count(), 1);
  });

  it("restores the line's document and the preview after a reload, and updates both on save", async () => {
    await desk.reloadWindow();
    await previewRow(2).waitFor({ timeout: 60_000 });
    await tab('river.json').click();
    await group(1).locator('.view-line', { hasText: 'Be brief' }).click();
    await desk.page.keyboard.press('End');
    await desk.page.keyboard.press('ArrowLeft');
    await desk.page.keyboard.type(' Stay short.');
    await desk.page.locator('.tab.dirty', { hasText: 'river.json' }).waitFor();
    await desk.command('File: Save');
    await desk.page.locator('.tab.dirty', { hasText: 'river.json' }).waitFor({ state: 'detached' });
    await tab('requests.jsonl').first().click();
    await desk.command('File: Save');
    const saved = await until(() => {
      const [, line = ''] = readFileSync(path.join(folder, 'requests.jsonl'), 'utf8').split('\n');
      return line.includes('Stay short') ? line : undefined;
    }, 'the saved line');
    assert.match(saved, /^\{"custom_id":"river","method":"POST".*"temperature":0\.75,/);
    await tab('Preview requests.jsonl').click();
    await previewRow(2).click();
    await details().getByText('Stay short.').waitFor();
    await desk.command('View: Close All Editors');
  });

  it('checks the file, links each problem to its position, and lists all in a report', async () => {
    const button = (name: string) => desk.page.locator('.notifications-center').getByRole('button', { name });
    const found = /faulty\.jsonl: .* in 2 requests\./;
    await desk.chooseInMenu(explorerRow('faulty.jsonl'), [/^Batch File$/, 'Check Batch File…']);
    await desk.notice(found);
    await button('Show Problems').click();
    const problem = desk.page.locator('.markers-panel .monaco-list-row', { hasText: 'custom-id.duplicate' });
    await problem.waitFor();
    await desk.screenshot('check-problems');
    await problem.dblclick();
    await tab('faulty.jsonl').and(desk.page.locator('.active')).waitFor();
    await desk.status(/Ln 2, Col 21 \(6 selected\)/).waitFor();
    await desk.command('Inference Desk: Check Batch File…');
    await desk.notice(found);
    await button('Show Report').click();
    await tab('faulty.jsonl.problems.txt').waitFor();
    await lines('custom-id.duplicate').waitFor();
    await desk.clearNotices();
    await desk.command('View: Close Editor');
    await tab('faulty.jsonl.problems.txt').waitFor({ state: 'detached' });
    await desk.command('View: Hide Panel');
    await desk.page.locator('.part.panel').waitFor({ state: 'hidden' });
  });

  it('fixes all problems of a kind, numbers IDs, and sets one model', async () => {
    await group(0).locator('.view-lines').click();
    await desk.page.keyboard.press('Control+Home');
    const all = await desk.fix('Fix all: add missing "method" and "url"');
    const menu = desk.page.locator('.action-widget');
    assert.equal(await menu.getByText('Add the missing "method" and "url"', { exact: true }).count(), 1);
    await desk.screenshot('batch-fixes-menu');
    await all.click();
    await lines('"POST"').waitFor();
    await desk.command('Inference Desk: Transform Batch File…');
    await desk.pick('Number IDs');
    await title('Number IDs');
    await desk.answer('request');
    await desk.quickInput.getByText('Add {n} for the request number.').waitFor();
    await desk.answer('request-{n:3}');
    await lines('"request-002"').waitFor();
    await desk.command('Inference Desk: Transform Batch File…');
    await desk.pick('Set Model');
    await desk.quickRows.filter({ hasText: 'used by 2 requests' }).waitFor();
    await desk.answer('Qwen/Qwen3-14B');
    await lines('Qwen/Qwen3-14B').waitFor();
  });

  it('converts a file for another service, asks for a model, and lists omitted properties', async () => {
    await openFile('other.jsonl');
    await desk.command('Inference Desk: Transform Batch File…');
    await title('Transform Batch File');
    await desk.quickInput.locator('input.input').first().fill('Convert to Batch');
    await desk.pick('Convert to Batch Requests');
    await title('Model for the line without a model');
    await desk.answer('Qwen/Qwen3-32B');
    await lines('Qwen/Qwen3-32B').waitFor();
    await desk.notice('cache_control (1 line)');
    await desk.clearNotices();
  });

  it("creates a file from a table's menu, and saves the unfinished prompt", async () => {
    await desk.chooseInMenu(explorerRow('questions.csv'), [/^Batch File$/, 'New Batch File from Table…'], {
      whenShown: () => desk.screenshot('batch-making-menu'),
    });
    await title('New Batch File from questions.csv');
    await desk.pick('Enter Prompt…');
    await desk.quickInput.getByText('Line break:').waitFor();
    await desk.answer('Answer in {{lang}}: {{question}}');
    await desk.quickInput.getByText('Unknown column "lang"').waitFor();
    await desk.page.keyboard.press('Escape');
    await desk.quickInput.waitFor({ state: 'hidden' });
    await openFile('questions.csv');
    await desk.command('Inference Desk: New Batch File…');
    await desk.pick('Table…');
    await desk.pick('Enter Prompt…');
    await desk.quickInput.getByText('Line break:').waitFor();
    assert.equal(await desk.quickInput.locator('input.input').first().inputValue(), 'Answer in {{lang}}: {{question}}');
    await desk.answer('Answer in {{language}}, in one sentence: {{question}}');
  });

  it('shows the first three requests, then writes the file', async () => {
    await desk.quickRows.filter({ hasText: 'custom_id' }).waitFor();
    await desk.pick('System prompt');
    await desk.quickInput.getByText('System prompt (optional).').waitFor();
    await desk.answer('You are a geographer.');
    await desk.quickRows.filter({ hasText: 'You are a geographer.' }).waitFor();
    await desk.pick('Preview');
    await desk.quickRows.filter({ hasText: 'Create File' }).waitFor();
    await lines('Answer in zh, in one sentence: 北京在哪里？').waitFor();
    assert.equal(await desk.page.locator('.view-lines', { hasText: 'Où est Nice' }).count(), 1);
    await desk.screenshot('batch-making-preview');
    await desk.pick('Create File');
    await tab('questions.requests.jsonl').waitFor();
    await desk.page.getByText(/^4 requests · /).waitFor();
    const written = readFileSync(path.join(folder, 'questions.requests.jsonl'), 'utf8').split('\n');
    assert.equal(written.length, 5);
    const { body } = JSON.parse(written[3] ?? '') as { body: { model: string; messages: unknown[] } };
    assert.ok(body.model.length > 0);
    assert.deepEqual(body.messages, [
      { role: 'system', content: 'You are a geographer.' },
      { role: 'user', content: 'Answer in fr, in one sentence: Où est Nice ?' },
    ]);
  });

  it('creates a file from a prompt written in an editor, at the chosen location', async () => {
    await openFile('questions.csv');
    await desk.command('Inference Desk: New Batch File…');
    await desk.pick('Table…');
    await desk.pick('Open Prompt in Editor');
    await desk.page.locator('.codelens-decoration', { hasText: 'Continue with This Prompt' }).waitFor();
    await desk.page.keyboard.press('Control+A');
    await desk.page.keyboard.type('Translate {{qestion}}');
    await desk.page.locator('.squiggly-error').first().waitFor();
    await desk.page.locator('.part.editor .title a.action-label[aria-label^="Continue with This Prompt"]').click();
    await desk.notice('Unknown column "qestion"');
    await desk.clearNotices();
    await desk.command('View: Focus Active Editor Group');
    await desk.page.keyboard.press('Control+A');
    await desk.page.keyboard.type('Translate this into {{');
    await suggestions().filter({ hasText: '{{language}}' }).waitFor();
    await desk.page.keyboard.type('lang');
    await suggestions().filter({ hasText: '{{question}}' }).waitFor({ state: 'detached' });
    await desk.screenshot('batch-making-editor');
    await desk.page.keyboard.press('Enter');
    await desk.page.keyboard.type(':');
    await desk.page.keyboard.press('Enter');
    await desk.page.keyboard.type('{{question}}');
    await desk.page.locator('.squiggly-error').first().waitFor({ state: 'detached' });
    await desk.page.locator('.codelens-decoration a', { hasText: 'Continue with This Prompt' }).click();
    await desk.pick('Preview');
    await desk.pick('Save As…');
    const chosen = path.join(folder, 'chosen.jsonl');
    await desk.quickInput.getByRole('button', { name: 'OK' }).waitFor();
    // The dialog overwrites earlier input with its suggestion.
    await desk.page.waitForFunction(
      (requested) =>
        [...document.querySelectorAll<HTMLInputElement>('.quick-input-widget input.input')].some(
          ({ value }) => value === requested,
        ),
      path.join(folder, 'questions.requests-2.jsonl'),
    );
    await desk.answer(chosen);
    await tab('chosen.jsonl').waitFor();
    const [first = ''] = readFileSync(chosen, 'utf8').split('\n');
    assert.equal(
      (JSON.parse(first) as { body: { messages: { content: string }[] } }).body.messages.at(-1)?.content,
      'Translate this into en:\nWhere is the Grand Canyon?',
    );
  });

  it('asks for a pattern until files match, and creates nothing if the last step is canceled', async () => {
    const before = readdirSync(folder);
    await desk.command('Inference Desk: New Batch File…');
    await desk.pick('A request for each file');
    await title('New Batch File from Files');
    await desk.answer('**/*.nothing');
    await desk.quickInput.getByText('No files match **/*.nothing.').waitFor();
    await desk.answer('notes/*.md');
    await title('New Batch File from 2 files');
    await desk.pick('Enter Prompt…');
    await desk.quickInput.getByText('Line break:').waitFor();
    await desk.answer('Sum up {{text}}');
    await desk.pick('Preview');
    await desk.quickRows.filter({ hasText: 'Create File' }).waitFor();
    await lines('Sum up Note b.md').waitFor();
    await desk.pick(/^Cancel/);
    await desk.quickInput.waitFor({ state: 'hidden' });
    await tab('First requests').waitFor({ state: 'detached' });
    assert.deepEqual(readdirSync(folder), before);
  });

  it('has no errors in the pages', () => {
    assert.deepEqual(desk.faults, []);
  });
});
