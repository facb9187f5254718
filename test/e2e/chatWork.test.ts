import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import type { DeskWindow } from '../host/window';
import { chatOf, type JourneyChat, signInTo } from '../support/chatJourney';
import { type FilledDemo, startFilledDemo } from '../support/filledDemo';
import { inOrder } from '../support/inOrder';

const source = 'export const answer = 42;\nexport const question = undefined;\n';

interface SeenRequest {
  readonly path: string;
  readonly body: { readonly messages?: readonly { readonly role: string; readonly content: string }[] };
}

describe('a working day in the chat', function () {
  inOrder(this);
  let desk: DeskWindow;
  let chat: JourneyChat;
  let demo: FilledDemo;
  let folder: string;

  before(async function () {
    folder = mkdtempSync(path.join(tmpdir(), 'work-'));
    mkdirSync(path.join(folder, 'src'));
    writeFileSync(path.join(folder, 'src/answer.ts'), source);
    writeFileSync(path.join(folder, 'notes.md'), 'Forty-two is even.\n');
    demo = await startFilledDemo({ pace: 'fast' });
    desk = await this.openDesk({ folder, settings: { 'files.autoSave': 'off' } });
    chat = chatOf(desk);
    await signInTo(desk, demo);
    await desk.widenSideBar(520);
  });
  after(async () => {
    await desk?.close();
    await demo?.close();
    await rm(folder, { recursive: true, force: true });
  });

  const button = (name: string | RegExp): Locator => desk.webview.getByRole('button', { name });
  const editorText = (text: string): Locator => desk.page.locator('.view-lines', { hasText: text });
  const openFile = async (name: string) => {
    await desk.command('Go to File...');
    await desk.quickInput.locator('input.input').first().fill(name);
    await desk.quickRows.filter({ hasText: name }).first().click();
    await desk.page.locator('.tab.active', { hasText: name }).waitFor();
    await desk.page.locator('.editor-instance .view-lines').first().click();
  };
  const newConversation = async () => {
    await desk.page.getByRole('button', { name: 'New Conversation' }).click();
    await desk.webview.locator('.welcome').waitFor();
  };
  const lastRequest = async (): Promise<SeenRequest['body']> => {
    return (await demo.requests()).filter((request) => request.path.endsWith('/messages')).at(-1)?.body ?? {};
  };
  /** The editor in a browser reads the file of a person's settings when it loads. */
  const setBudget = async (hard: number) => {
    const file = path.join(desk.server.dataFolder, 'data/User/settings.json');
    const settings = JSON.parse(readFileSync(file, 'utf8')) as object;
    writeFileSync(file, JSON.stringify({ ...settings, 'inferenceDesk.chat.dailyTokenBudget': { soft: 0, hard } }));
    await desk.reload();
    await chat.turns.first().waitFor();
  };

  it('sends what a preset holds, in a conversation that applies it, and shows it in the exchange', async () => {
    const field = (name: string) => desk.webview.getByRole('textbox', { name, exact: true });
    await button(/^Parameters/).click();
    await field('temperature').fill('0.2');
    await button('Add a stop sequence').click();
    await field('Stop sequence 1').fill('ZEBRA');
    await button('Save as preset').click();
    await field('Name of the preset').fill('Careful');
    await field('Name of the preset').press('Enter');
    await desk.webview.locator('option', { hasText: 'Careful' }).waitFor({ state: 'attached' });
    await desk.screenshot('work-preset');
    await desk.page.keyboard.press('Escape');
    await chat.ask('What is 6 * 7?');
    await chat.counted.waitFor();
    await newConversation();
    await button(/^Parameters/).click();
    await desk.webview.getByLabel('Presets').selectOption({ label: 'Careful' });
    await button(/Parameters.*2 set/).waitFor();
    await field('temperature').press('Escape');
    await chat.ask('What is 7 * 8?');
    await chat.counted.waitFor();
    const { messages: _, ...sent } = (await lastRequest()) as Record<string, unknown>;
    assert.deepEqual([sent['temperature'], sent['stop_sequences'], sent['top_p']], [0.2, ['ZEBRA'], undefined]);
    await chat.lastTurn.getByRole('button', { name: 'Show exchange' }).click();
    await editorText('ZEBRA').first().waitFor();
    await desk.screenshot('work-exchange');
  });

  it('sends a selection and a file along, after what is sent of them was read', async () => {
    await openFile('answer.ts');
    await desk.page.keyboard.press('Control+Home');
    await desk.page.keyboard.press('Shift+ArrowDown');
    await desk.command('Inference Desk: Add Selection to Chat');
    const chips = desk.webview.locator('.composer .chip-text');
    await chips.filter({ hasText: 'answer.ts:1' }).waitFor();
    await openFile('notes.md');
    await desk.command('Inference Desk: Add File to Chat');
    await chips.filter({ hasText: 'notes.md' }).click();
    await editorText('```markdown').first().waitFor();
    await desk.screenshot('work-attached');
    await chat.ask('How many words are in these files?');
    await chat.counted.waitFor();
    await chips.first().waitFor({ state: 'detached' });
    await chat.lastTurn.locator('.chips-sent .chip-text', { hasText: 'notes.md' }).waitFor();
    const { messages = [] } = await lastRequest();
    const content = messages.at(-1)?.content ?? '';
    assert.match(content, /answer\.ts:1\n```typescript\nexport const answer = 42;\n```/);
    assert.match(content, /notes\.md\n```markdown\nForty-two is even\.\n```/);
    assert.doesNotMatch(content, /question = undefined/);
  });

  it('takes code over: at the cursor, in the place of a selection after a look at the diff, in a new file', async () => {
    await newConversation();
    await chat.ask('Write a Python function that merges two sorted lists.');
    await chat.counted.waitFor();
    await openFile('answer.ts');
    await desk.page.keyboard.press('Control+End');
    await chat.lastTurn.locator('.md-insert').first().click();
    await editorText('merge_sort').first().waitFor();
    await desk.page.keyboard.press('Control+z');
    await editorText('merge_sort').waitFor({ state: 'detached' });
    await desk.page.keyboard.press('Control+a');
    await chat.lastTurn.locator('.md-replace').first().click();
    await desk.page.locator('.monaco-diff-editor .view-lines', { hasText: 'merge_sort' }).first().waitFor();
    await desk.screenshot('work-diff');
    await desk.page.getByRole('button', { name: 'Apply Replacement' }).click();
    await desk.page.locator('.monaco-diff-editor').waitFor({ state: 'detached' });
    await editorText('answer = 42').waitFor({ state: 'detached' });
    await editorText('merge_sort').first().waitFor();
    await desk.command('File: Revert File');
    await chat.lastTurn.locator('.md-more').first().click();
    await desk.webview.getByRole('menuitem', { name: 'New file' }).click();
    await desk.page.locator('.tab.active', { hasText: 'Untitled-1' }).waitFor();
    await desk.status('Python').waitFor();
    await desk.screenshot('work-new-file');
    assert.equal(readFileSync(path.join(folder, 'src/answer.ts'), 'utf8'), source);
  });

  it('counts a limit per minute down and goes on by itself', async () => {
    // Long enough to be seen: without a time from the service the wait is a short one by chance.
    const arm = { fault: 'rate-limit-some-seconds', endpoint: 'POST /messages', times: 2 };
    await demo.call('POST', '/_control/arm', arm);
    await chat.ask('What is 8 * 9?');
    await chat.lastTurn.getByText('Requests per minute are used up for this model').waitFor();
    const detail = chat.lastTurn.locator('.note-detail', { hasText: /Goes on by itself in \d:\d\d/ });
    await detail.waitFor();
    await desk.screenshot('work-limit');
    await chat.lastTurn.locator('.md', { hasText: '72' }).waitFor({ timeout: 60_000 });
    assert.equal(await detail.count(), 0);
    assert.equal(await chat.lastTurn.locator('.note').count(), 0);
  });

  it('stops at the day’s token budget with the question kept, and goes on once it is raised', async function () {
    // Two reloads.
    this.timeout(180_000);
    const warning = desk.webview.locator('.spent .codicon-warning');
    await setBudget(1);
    await warning.waitFor();
    await chat.box.click();
    await chat.box.fill('What is 9 * 9?');
    await chat.box.press('Enter');
    await desk.webview.getByText('The token budget of today is used up').first().waitFor();
    assert.equal(await chat.box.inputValue(), 'What is 9 * 9?');
    await desk.screenshot('work-budget');
    await setBudget(0);
    assert.equal(await chat.box.inputValue(), 'What is 9 * 9?');
    await chat.box.click();
    await chat.box.press('Enter');
    await chat.lastTurn.locator('.md', { hasText: '81' }).waitFor();
  });

  it('refused nothing and threw nothing in its pages', () => {
    assert.deepEqual(desk.faults, []);
  });
});
