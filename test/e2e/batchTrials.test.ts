import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import type { DeskWindow } from '../host/window';
import { signInTo } from '../support/chatJourney';
import { startFilledDemo, type FilledDemo } from '../support/filledDemo';
import { inOrder } from '../support/inOrder';
import { until } from '../support/until';
import { requestLine } from '../support/requestLine';

const request = (id: string, content: string) =>
  requestLine(id, content, { model: 'Qwen/Qwen3-30B-A3B-Instruct-2507', max_tokens: 400 });
const asked = [
  request('story', 'Write a story about a lighthouse.'),
  request('capital', 'What is the capital of Italy?'),
  '{"custom_id": "odd", "method": "POST", "url": "/v1/chat/completions", "body": {"model": "Qwen/Qwen3-8B"}}',
];

const faulty = (lines: number) => '{"custom_id":1,"body":{"messages":[]}}\n'.repeat(lines);

describe('trying lines of a batch file, and checking files on disk', function () {
  inOrder(this);
  let desk: DeskWindow;
  let demo: FilledDemo;
  let folder: string;

  before(async function () {
    demo = await startFilledDemo({ pace: { firstTokenMs: 300, tokenMs: 150 } });
    folder = mkdtempSync(path.join(tmpdir(), 'trials-'));
    writeFileSync(path.join(folder, 'requests.jsonl'), `${asked.join('\n')}\n`);
    writeFileSync(
      path.join(folder, 'picture.jsonl'),
      Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 13, 0xff, 0xfe, 10]),
    );
    mkdirSync(path.join(folder, 'folder.jsonl'));
    // In a browser the editor saves by itself.
    desk = await this.openDesk({ folder, settings: { 'files.autoSave': 'off' } });
    await signInTo(desk, demo);
    await desk.command('View: Show Explorer');
    await explorerRow('requests.jsonl').dblclick();
    await lens('3 requests').waitFor();
  });
  after(async () => {
    await desk?.close();
    await demo?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const explorerRow = (name: string): Locator =>
    desk.page.locator('.explorer-folders-view .monaco-list-row', { hasText: name });
  const group = (index: number): Locator => desk.page.locator('.editor-group-container').nth(index);
  /** Of the file. */
  const lens = (text: string): Locator => group(0).locator('.codelens-decoration', { hasText: text }).first();
  const answerLens = (text: string): Locator => group(1).locator('.codelens-decoration a', { hasText: text }).first();
  const answer = (text: string | RegExp): Locator => group(1).locator('.view-lines', { hasText: text });
  /** Puts the cursor on a line, and tries it once the lens has come down to it. */
  const tryAt = async (line: number): Promise<void> => {
    await group(0).locator('.view-lines').click();
    await desk.page.keyboard.press('Control+G');
    await desk.answer(`:${line}`);
    await desk.status(new RegExp(`Ln ${line}, `)).waitFor();
    const found = group(0).locator('.codelens-decoration a', { hasText: 'Try Now' }).first();
    const number = group(0).locator('.line-numbers', { hasText: new RegExp(`^${line}$`) });
    for (let gap = -1; gap < 0 || gap > 30;) {
      await found.waitFor();
      const [above, below] = [await found.boundingBox(), await number.boundingBox()];
      gap = above && below ? below.y - above.y : -1;
    }
    await found.click();
  };
  const center = (): Locator => desk.page.locator('.notifications-center');
  /** Opens what the editor gathers: a window that tests drive lets no message pop up. */
  const checkFromExplorer = async (name: string): Promise<void> => {
    await desk.chooseInMenu(explorerRow(name), 'Check Batch File…');
  };
  const reports = (): readonly string[] => {
    const storage = path.join(desk.server.dataFolder, 'data/User/globalStorage/inference-desk.inference-desk');
    return readdirSync(path.join(storage, 'batchReports'));
  };
  const pace = (tokenMs: number) => demo.call('POST', '/_control/pace', { pace: { tokenMs } });

  it('streams the answer of a line beside it, says once what that costs, and stops when asked', async () => {
    await lens('Try Now').waitFor();
    await group(0).locator('.codelens-decoration a', { hasText: 'Try Now' }).first().click();
    await answer(/Answering…/).waitFor();
    await lens('Stop Trying').waitFor();
    await answerLens('Stop').waitFor();
    await desk.screenshot('trial-streaming');
    await answerLens('Stop').click();
    await answer(/Stopped/).waitFor();
    await answerLens('Try Again').waitFor();
    await desk.notice('costs what any request costs');
    await desk.screenshot('trial-stopped');
    await desk.clearNotices();
  });

  it('tries it again, to its end', async () => {
    await pace(1);
    await answerLens('Try Again').click();
    await answer(/finish\sreason/).waitFor();
    await desk.screenshot('trial-answered');
  });

  it('says in the answer’s place what a refused line needs', async () => {
    await demo.call('POST', '/_control/arm', { fault: 'balance-403', endpoint: 'POST /chat/completions', times: 1 });
    await tryAt(2);
    await answer(/capital[^]*line\s2[^]*Not\sanswered/).waitFor();
    await answerLens('Show exchange').waitFor();
    await desk.screenshot('trial-refused');
    for (const kind of ['dark', 'highContrast', 'highContrastLight', 'light'] as const) {
      await desk.theme(kind);
      await desk.screenshot(`trial-refused-${kind}`);
    }
  });

  it('sends no line with an error, and says what is wrong with it', async () => {
    await tryAt(3);
    await desk.notice(/Line 3 cannot be tried/);
    assert.equal(await center().getByText('costs what any request costs').count(), 0);
    await desk.screenshot('trial-error-line');
    await desk.clearNotices();
  });

  it('asks which line to try, by number or words', async () => {
    await group(0).locator('.codelens-decoration a', { hasText: 'Try a Line…' }).first().click();
    await desk.quickRows.filter({ hasText: 'capital of Italy' }).waitFor();
    await desk.screenshot('trial-choose');
    await desk.quickInput.locator('input.input').first().fill('italy');
    await desk.quickRows.filter({ hasText: 'lighthouse' }).waitFor({ state: 'detached' });
    await desk.page.keyboard.press('Enter');
    await answer(/capital[^]*line\s2[^]*finish\sreason/).waitFor();
    await desk.screenshot('trial-chosen');
  });

  it('tells what a file of other bytes, a folder and a file that vanished come to', async () => {
    await checkFromExplorer('picture.jsonl');
    await desk.notice(/picture\.jsonl: This is not/);
    await desk.screenshot('check-binary');
    await desk.clearNotices();
    await checkFromExplorer('folder.jsonl');
    await desk.notice('folder.jsonl was not checked: this is not a file.');
    await desk.screenshot('check-folder');
    await desk.clearNotices();
    writeFileSync(path.join(folder, 'gone.jsonl'), `${asked.join('\n')}\n`);
    await explorerRow('gone.jsonl').dblclick();
    await desk.page.locator('.tab.active', { hasText: 'gone.jsonl' }).waitFor();
    await desk.page.locator('.squiggly-error').first().waitFor();
    rmSync(path.join(folder, 'gone.jsonl'));
    await desk.command('Inference Desk: Check Batch File…');
    await desk.notice('gone.jsonl was not checked: there is no such file any more.');
    await desk.screenshot('check-vanished');
    await desk.clearNotices();
    await desk.command('View: Close Editor');
  });

  it('shows how far a check is, and leaves nothing of it when it is cancelled', async () => {
    writeFileSync(path.join(folder, 'long.jsonl'), faulty(600_000));
    await checkFromExplorer('long.jsonl');
    await desk.command('Notifications: Show Notifications');
    await center()
      .getByText(/Checking long\.jsonl.*% of/)
      .first()
      .waitFor();
    await desk.screenshot('check-progress');
    await center().getByRole('button', { name: 'Cancel' }).click();
    await center().getByText('Checking long.jsonl').first().waitFor({ state: 'hidden' });
    await until(() => (reports().some((name) => name.includes('long.jsonl')) ? undefined : true), 'no report');
  });

  it('says that a file was written to while it was checked, and that its report is too much for the editor', async () => {
    const file = path.join(folder, 'growing.jsonl');
    writeFileSync(file, faulty(200_000));
    // All the time, for the check may be over before a single write is there.
    const growing = setInterval(() => appendFileSync(file, faulty(1)), 20);
    try {
      await checkFromExplorer('growing.jsonl');
      await desk.notice('growing.jsonl was written to meanwhile: check it again.');
    } finally {
      clearInterval(growing);
    }
    await desk.screenshot('check-changed');
    await center().getByRole('button', { name: 'Show Report' }).first().click();
    await desk.notice('too much for the editor');
    await desk.screenshot('check-large-report');
    await desk.clearNotices();
  });

  it('shows what it found in the Problems view and in a report', async () => {
    const line = request('same', 'Hello');
    writeFileSync(path.join(folder, 'doubled.jsonl'), `${line}\n${line}\n`);
    await checkFromExplorer('doubled.jsonl');
    await desk.notice('doubled.jsonl: 1 error in 2 requests.');
    await desk.screenshot('check-found');
    await center().getByRole('button', { name: 'Show Problems' }).click();
    const problem = desk.page.locator('.markers-panel .monaco-list-row', { hasText: 'custom-id.duplicate' });
    await problem.waitFor();
    await desk.screenshot('check-problems');
    await problem.dblclick();
    await desk.page.locator('.tab.active', { hasText: 'doubled.jsonl' }).waitFor();
    await desk.status(/Ln 2, Col 20 \(6 selected\)/).waitFor();
    await desk.command('Inference Desk: Check Batch File…');
    await desk.notice('doubled.jsonl: 1 error in 2 requests.');
    await center().getByRole('button', { name: 'Show Report' }).click();
    await desk.page.locator('.tab.active', { hasText: 'doubled.jsonl.problems.txt' }).waitFor();
    await desk.page.locator('.view-lines', { hasText: 'custom-id.duplicate' }).last().waitFor();
    await desk.screenshot('check-report');
  });

  it('refused nothing and threw nothing in its pages', () => {
    assert.deepEqual(desk.faults, []);
  });
});
