import { deepEqual, equal } from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import type { DeskWindow } from '../host/window';
import { chatOf } from '../support/chatJourney';
import type { JourneyChat } from '../support/chatJourney';
import { startFilledDemo } from '../support/filledDemo';
import type { FilledDemo } from '../support/filledDemo';
import { inOrder } from '../support/inOrder';
import { until } from '../support/until';

const reviews = ['id,review', 'r1,The lamp broke after a week.', 'r2,Arrived on time.', 'r3,Too expensive.'].join('\n');

describe("a new user's first hour, with a failure at each step", function () {
  inOrder(this);
  let desk: DeskWindow;
  let demo: FilledDemo;
  let chat: JourneyChat;
  let folder: string;

  before(async function () {
    demo = await startFilledDemo({ pace: 'fast' });
    folder = mkdtempSync(path.join(tmpdir(), 'new-user-'));
    writeFileSync(path.join(folder, 'reviews.csv'), reviews);
    const cell = { cell_type: 'code', metadata: {}, source: ['total = '], outputs: [], execution_count: null };
    const metadata = { language_info: { name: 'python' } };
    writeFileSync(
      path.join(folder, 'totals.ipynb'),
      JSON.stringify({ cells: [cell], metadata, nbformat: 4, nbformat_minor: 5 }),
    );
    desk = await this.openDesk({ folder, size: { width: 1400, height: 900 } });
    chat = chatOf(desk);
  });
  after(async () => {
    await desk?.close();
    await demo?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const title = (text: string) => desk.quickInput.locator('.quick-input-title', { hasText: text }).waitFor();
  const explorerRow = (name: string): Locator =>
    desk.page.locator('.explorer-folders-view .monaco-list-row', { hasText: name }).first();
  const arm = (fault: string, endpoint: string) => demo.call('POST', '/_control/arm', { fault, endpoint, times: 9 });
  const reset = () => demo.call('POST', '/_control/reset', {});
  /** Takes screenshots in a narrow and in a wide window. */
  const look = async (name: string): Promise<void> => {
    for (const width of [900, 1400]) {
      await desk.page.setViewportSize({ width, height: 900 });
      await desk.screenshot(`new-user-${name}-${width}`);
    }
  };

  it('signs in after the service rejects a key', async () => {
    await desk.openChat();
    await desk.webview.getByText('Sign In', { exact: true }).waitFor();
    await look('welcome');
    await desk.webview.getByText('Sign In', { exact: true }).click();
    await title('Sign In');
    await desk.answer('Other URL…');
    await title('base URL');
    await desk.answer(demo.baseUrl);
    await title('enter a name');
    await desk.answer('First');
    await title('key for First');
    await desk.answer('sk-mistyped-0123456789');
    await title('rejected this key');
    await look('key-rejected');
    await desk.pick('Edit Key');
    await title('key for First');
    await desk.answer(demo.apiKey);
    await desk.webview.getByRole('button', { name: /Qwen/ }).waitFor();
    await look('signed-in');
  });

  it('gets an answer after a failed one', async () => {
    await desk.clearNotices();
    await arm('cut-stream', 'POST /messages');
    await chat.ask('What is a batch?');
    const again = chat.lastTurn.getByText('Try Again').first();
    await again.waitFor();
    await look('answer-failed');
    await reset();
    await again.click();
    // The truncated answer has a token count, too.
    await again.waitFor({ state: 'detached' });
    await chat.counted.waitFor({ timeout: 60_000 });
    await look('answer');
  });

  it('submits a batch from a table after a failed attempt', async () => {
    await desk.command('View: Show Explorer');
    await desk.chooseInMenu(explorerRow('reviews.csv'), [/^Batch File$/, 'New Batch File from Table…'], {
      until: desk.quickInput,
    });
    const target = path.join(folder, 'reviews.requests.jsonl');
    await until(
      async () => {
        if (existsSync(target)) return true;
        if (await desk.quickInput.isVisible()) await desk.page.keyboard.press('Enter');
        return undefined;
      },
      'the batch file',
      60_000,
    );
    equal(readFileSync(target, 'utf8').trimEnd().split('\n').length, 3);
    const tab = desk.page.locator('.tab', { hasText: 'reviews.requests.jsonl' }).first();
    await tab.waitFor();
    const submitFile = async (): Promise<Locator> => {
      await tab.click();
      await desk.page.locator('.codelens-decoration a:visible', { hasText: 'Submit Batch…' }).first().click();
      const submit = desk.editorPage.locator('vscode-button', { hasText: /^Submit/ }).first();
      await submit.waitFor();
      return submit.locator('button');
    };
    await look('batch-file');
    await arm('parameter', 'POST /batches');
    await (await submitFile()).click();
    await desk.editorPage
      .getByText(/wasn't submitted/)
      .first()
      .waitFor();
    await look('batch-failed');
    await reset();
    await desk.editorPage.getByRole('button', { name: 'Try Again' }).first().click();
    await desk.editorPage.locator('vscode-button', { hasText: 'Open Results' }).waitFor({ timeout: 60_000 });
    await look('batch-done');
    const again = await submitFile();
    await look('batch-again');
    await again.click();
    await until(
      async () => {
        const { data } = (await demo.call('GET', '/batches')) as { readonly data: readonly unknown[] };
        return data.length >= 2 || undefined;
      },
      'the second batch',
      60_000,
    );
    await desk.editorPage.locator('vscode-button', { hasText: 'Open Results' }).waitFor({ timeout: 60_000 });
    await desk.editorPage.locator('vscode-button', { hasText: 'Open Results' }).locator('button').click();
    await desk.editorPage.locator('.results-row').first().waitFor();
    await desk.clearNotices();
    await look('batch-results');
  });

  it('shows an image at full size after a failed one', async () => {
    await desk.command('View: Close All Editors');
    await desk.command('Inference Desk: Generate Images');
    const prompt = desk.editorPage.getByRole('textbox', { name: 'Prompt', exact: true });
    await prompt.click();
    await prompt.fill('A lighthouse at dusk');
    await look('image-form');
    await arm('parameter', 'POST /images/generations');
    await prompt.press('Control+Enter');
    const retry = desk.editorPage.getByRole('button', { name: /Try Again|Retry/ }).first();
    await retry.waitFor();
    await look('image-failed');
    await reset();
    await retry.click();
    const image = desk.editorPage.locator('.images-open img');
    await until(
      () => image.evaluate((one: HTMLImageElement) => (one.complete && one.naturalWidth > 0) || undefined),
      'the image',
    );
    await look('image');
  });

  it('completes a notebook cell after a failed request', async () => {
    await desk.command('View: Close All Editors');
    await desk.command('View: Show Explorer');
    await explorerRow('totals.ipynb').dblclick();
    const line = desk.page.locator('.notebookOverlay .cell .view-line', { hasText: 'total =' }).first();
    const complete = async () => {
      await line.click();
      await desk.page.keyboard.press('Control+End');
      await desk.command('Inference Desk: Complete Text');
    };
    await arm('balance-403', 'POST /completions');
    await complete();
    await desk.notice(/credit/i);
    await look('notebook-failed');
    await desk.command('Notifications: Clear All Notifications');
    await reset();
    await complete();
    const cell = desk.page.locator('.notebookOverlay .cell .view-lines').first();
    await until(
      async () => ((await cell.textContent()) ?? '').length > 'total = '.length + 10 || undefined,
      'the text',
    );
    await look('notebook');
  });

  it('shows the account and its balance', async () => {
    await desk.openView('Account');
    await desk.page
      .locator('.sidebar')
      .getByText(/balance/i)
      .first()
      .waitFor();
    await look('account');
    deepEqual(desk.faults, []);
  });
});
