import { deepEqual, equal, ok } from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import type { DeskWindow } from '../host/window';
import { signInTo } from '../support/chatJourney';
import { startFilledDemo } from '../support/filledDemo';
import type { FilledDemo } from '../support/filledDemo';
import { requestLine } from '../support/requestLine';
import { until } from '../support/until';

const tickets = 60;
const products = ['Desk lamp', 'Bookshelf', 'Web app'];
const ticket = (number: number) =>
  `T-${number},"Where is order ${number}, please?",${products[number % 3]},${number % 2 === 0 ? 'delivery' : 'billing'}`;
const table = ['id,message,product,expected', ...Array.from({ length: tickets }, (_, index) => ticket(index + 1))];

const stories = Array.from({ length: 6 }, (_, index) =>
  requestLine(`story-${index + 1}`, `Write a story about ship ${index + 1}.`, {
    model: 'deepseek-ai/DeepSeek-V3',
    max_tokens: 5,
  }),
);

const widths = [500, 900, 1900];
const size = { width: 1280, height: 900 };

describe('repeated runs of a batch file: edit, retry, change, compare', function () {
  let desk: DeskWindow;
  let demo: FilledDemo;
  let folder: string;
  before(async function () {
    folder = mkdtempSync(path.join(tmpdir(), 'loop-'));
    writeFileSync(path.join(folder, 'support.csv'), table.join('\n'));
    writeFileSync(path.join(folder, 'stories.jsonl'), `${stories.join('\n')}\n`);
    demo = await startFilledDemo({ pace: 'fast' });
    desk = await this.openDesk({ folder, size });
    await signInTo(desk, demo);
  });
  after(async () => {
    await desk?.close();
    await demo?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const page = () => desk.editorPage;
  const explorerRow = (name: string): Locator =>
    desk.page.locator('.explorer-folders-view .monaco-list-row', { hasText: name }).first();
  const tab = (title: string | RegExp): Locator => desk.page.locator('.tabs-container .tab', { hasText: title });
  const lens = (text: string): Locator =>
    desk.page.locator('.codelens-decoration a:visible', { hasText: text }).first();
  const press = (text: string) => page().locator('vscode-button:visible', { hasText: text }).locator('button').click();
  const row = (id: string): Locator =>
    page().locator('.results-row', {
      has: page().locator('.results-cell-id', { hasText: new RegExp(`^${id}$`) }),
    });
  const openFile = async (name: string) => {
    await desk.command('View: Show Explorer');
    await explorerRow(name).dblclick();
    await tab(name).and(desk.page.locator('.active')).waitFor();
  };
  /** Submits on the open page, and opens the results once the batch has ended. */
  const submitAndOpen = async () => {
    await press('Submit');
    await page().locator('vscode-button', { hasText: 'Open Results' }).waitFor({ timeout: 60_000 });
    await press('Open Results');
    await page().locator('.results-row').first().waitFor();
    // A window reload would restore the page of a batch that has ended.
    await tab(/^Submit /).waitFor({ state: 'detached' });
    await desk.clearNotices();
  };
  /** On request, takes screenshots of the page in narrow, half, and wide windows and in each kind of theme. */
  const look = async (name: string) => {
    if (!process.env['INFERENCE_DESK_PICTURES']) return;
    if (await desk.page.locator('.part.sidebar').isVisible())
      await desk.command('View: Toggle Primary Side Bar Visibility');
    for (const theme of ['dark', 'highContrast', 'light'] as const) {
      await desk.theme(theme);
      for (const width of widths) {
        await desk.page.setViewportSize({ width, height: size.height });
        await desk.screenshot(`loop-${name}-${width}-${theme}`);
      }
    }
    await desk.page.setViewportSize(size);
  };

  it('creates a batch file from a table, and keeps its columns in results and exports', async () => {
    await desk.command('View: Show Explorer');
    await desk.chooseInMenu(explorerRow('support.csv'), [/^Batch File$/, 'New Batch File from Table…'], {
      until: desk.quickInput,
    });
    const target = path.join(folder, 'support.requests.jsonl');
    // The default of each step is accepted.
    await until(
      async () => {
        if (existsSync(target)) return true;
        if (await desk.quickInput.isVisible()) await desk.page.keyboard.press('Enter');
        return undefined;
      },
      'the batch file',
      60_000,
    );
    await desk.page.locator('.tab.active', { hasText: 'support.requests.jsonl' }).waitFor();
    const made = readFileSync(target, 'utf8').trimEnd().split('\n');
    deepEqual([made.length, (JSON.parse(made[59]!) as { custom_id: string }).custom_id], [tickets, 'T-60']);
    await desk.page.locator('.codelens-decoration a:visible', { hasText: 'Submit Batch…' }).first().click();
    await press('Submit');
    await page().locator('vscode-button', { hasText: 'Open Results' }).waitFor({ timeout: 60_000 });
    await press('Open Results');
    await row('T-1').getByText('billing', { exact: true }).waitFor();
    await desk.clearNotices();
    await desk.screenshot('results-columns');

    // At this width, the list of columns contains the options.
    await page().getByRole('button', { name: 'Choose Columns' }).click();
    await page().getByRole('combobox', { name: 'Group by' }).selectOption({ label: 'Group by product' });
    await desk.page.keyboard.press('Escape');
    await page()
      .locator('.group-heading', { hasText: 'Bookshelf' })
      .getByText(/20 rows/)
      .waitFor();
    await desk.reloadWindow();
    await page().locator('.group-heading', { hasText: 'Bookshelf' }).waitFor({ timeout: 60_000 });
    await page().getByRole('searchbox').fill('product:lamp');
    await row('T-1').waitFor({ state: 'detached' });
    await row('T-3').click();
    await page().getByRole('complementary').getByText('Columns from support.csv').waitFor();
    await desk.screenshot('results-row');
    await look('table');

    await page().getByRole('button', { name: 'Export…' }).click();
    await desk.pick('All results');
    await desk.pick('All columns');
    await desk.pick('CSV');
    const file = path.join(folder, 'support.requests.results.csv');
    await desk.page.waitForFunction(
      (requested) =>
        [...document.querySelectorAll<HTMLInputElement>('.quick-input-widget input.input')].some(
          ({ value }) => value === requested,
        ),
      file,
    );
    await desk.quickInput.locator('input.input').first().press('Enter');
    const rows = await until(() => {
      const found = existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : [];
      return found.length >= 61 ? found : undefined;
    }, 'the export');
    const [header = ''] = rows;
    for (const name of ['custom_id', 'request', 'answer', 'id', 'message', 'product', 'expected', 'as_expected'])
      ok(header.replace('\ufeff', '').trimEnd().split(',').includes(name), `${name} in ${header}`);
    ok(rows.some((line) => line.includes('"Where is order 60, please?",Desk lamp,delivery')));
    await desk.command('View: Show Explorer');
    // Its rows move when the file is listed.
    await explorerRow('support.requests.results.csv').waitFor();
  });

  it('submits an edited file again on a separate page', async () => {
    const file = path.join(folder, 'support.requests.jsonl');
    writeFileSync(file, readFileSync(file, 'utf8').replace('order 1, please', 'order 1 today, please'));
    await openFile('support.requests.jsonl');
    await lens('Submit Batch…').click();
    await page().getByRole('heading', { name: 'Submit support.requests.jsonl' }).waitFor();
    await look('resubmit');
    await submitAndOpen();
    await row('T-1').getByText('Where is order 1 today, please?', { exact: true }).waitFor();
    // The table's columns belong to the edited file, too.
    await row('T-2').getByText('delivery', { exact: true }).waitFor();
    await page().getByRole('button', { name: 'Run 2 of 2' }).click();
    await until(
      async () => ((await desk.quickRows.filter({ hasText: '60 of 60' }).count()) === 1 ? true : undefined),
      'the other run',
    );
    await desk.page.keyboard.press('Escape');
  });

  it('resends truncated requests with a higher limit, and restores them after a reload', async () => {
    await openFile('stories.jsonl');
    await lens('Submit Batch…').click();
    await submitAndOpen();
    await row('story-1').getByText('Truncated').waitFor();
    await page().getByRole('tab', { name: 'Truncated' }).click();
    await press('Retry 6 Truncated');
    await desk.quickInput.getByPlaceholder('Token limit reached: 5. Select a new limit.').waitFor();
    await desk.pick('Retry with Up to 1,024 Tokens');
    await page().getByRole('heading', { name: 'Retry stories.jsonl' }).waitFor();
    await desk.reloadWindow();
    await page().getByRole('heading', { name: 'Retry stories.jsonl' }).waitFor({ timeout: 60_000 });
    await submitAndOpen();
    await page().getByRole('tab', { name: 'All' }).click();
    await row('story-6').getByText('Completed').waitFor();
    equal(await page().locator('vscode-button', { hasText: 'Retry' }).count(), 0);
    await row('story-6').click();
    await page().getByRole('complementary').getByText('Retry 1').waitFor();
    await look('retried');
  });

  it('sends the file to another model, and compares the responses when that run ends', async () => {
    await openFile('stories.jsonl');
    await lens('Results').click();
    await row('story-1').waitFor();
    await page().getByRole('button', { name: 'Run Again With…' }).click();
    await desk.pick('All requests');
    await desk.pick('Model');
    await desk.quickInput.locator('input.input').first().fill('Qwen3-30B');
    await desk.pick('Qwen/Qwen3-30B-A3B-Instruct-2507');
    await desk.pick('Submit Batch…');
    await page().getByRole('heading', { name: 'Submit stories.Qwen3-30B-A3B-Instruct-2507.jsonl' }).waitFor();
    await press('Submit');
    await page().getByRole('heading', { name: 'Comparison' }).waitFor({ timeout: 60_000 });
    const runs = page().getByRole('region', { name: 'Runs' });
    await runs.getByText('Qwen3-30B-A3B-Instruct-2507').first().waitFor();
    await runs.getByText('DeepSeek-V3').first().waitFor();
    await desk.clearNotices();
    await look('compared');
  });

  it('shows a run on this machine and a batch of the same file side by side', async () => {
    await openFile('support.requests.jsonl');
    await desk.command('Inference Desk: Run Batch File Now…');
    const dialog = desk.page.locator('.monaco-dialog-box');
    await dialog.getByText('Run support.requests.jsonl now at full price?').waitFor();
    await dialog.locator('.monaco-button', { hasText: 'Run' }).click();
    const ended = await desk.notice('support.requests.jsonl: 60 responses.');
    await ended.getByText('Open Results').click();
    await row('T-1').getByText('billing', { exact: true }).waitFor();
    await desk.clearNotices();
    await desk.reloadWindow();
    await row('T-1').waitFor({ timeout: 60_000 });
    await page().getByRole('button', { name: 'Compare', exact: true }).click();
    await page().getByRole('menuitem', { name: 'Compare Runs…' }).click();
    await desk.quickRows.filter({ hasText: '60 of 60' }).first().click();
    await desk.quickInput.getByRole('button', { name: 'OK' }).click();
    const runs = page().getByRole('region', { name: 'Runs' });
    await runs
      .getByText(/ · direct$/)
      .first()
      .waitFor();
    await runs
      .getByText(/ · batch$/)
      .first()
      .waitFor();
    await page().locator('.compare-row', { hasText: 'T-1' }).first().click();
    await page().getByRole('complementary').waitFor();
    await look('side-by-side');
  });

  it('has no rejected calls and no errors in the pages', () => {
    deepEqual(desk.faults, []);
  });
});
