import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Handlers } from '../../src/protocol/call';
import type { BatchPreviewScreen } from '../../src/protocol/batchPreview';
import { look } from '../support/pageLooks';
import { createPreviewHost } from '../support/previewHost';
import { screenPages } from '../support/screenPages';
import { until } from '../support/until';
import type { Theme } from '../support/webviewPage';

const request = (id: string, content = 'Hello', model = 'Qwen/Qwen3-8B') =>
  JSON.stringify({
    custom_id: id,
    method: 'POST',
    url: '/v1/chat/completions',
    body: {
      model,
      messages: [
        { role: 'system', content: 'You sort messages of customers.\nAnswer with one word.' },
        { role: 'user', content },
      ],
      temperature: 0.2,
      max_tokens: 16,
    },
  });
const questions = [
  'My invoice shows two charges for March. Which one is right, and how do I get the other one back?',
  'The export button does nothing in Safari.',
  '帮我看一下这个订单为什么一直没有发货，已经等了三个星期了。',
  'هل يمكنكم إرسال الفاتورة مرة أخرى؟',
  '<b>Not markup</b> & "quotes"',
];
const ordinary = (count: number) =>
  Array.from({ length: count }, (_, index) => request(`ticket-${index + 1}`, questions[index % questions.length]));

describe('the preview page of a batch file', () => {
  const openPage = screenPages();
  let folder: string;
  let file: string;
  before(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'preview-'));
    file = path.join(folder, 'support-triage.jsonl');
  });
  after(() => {
    rmSync(folder, { recursive: true });
  });

  interface Looks {
    readonly theme?: Theme;
    readonly width?: number;
    readonly height?: number;
    readonly handlers?: Partial<Handlers<BatchPreviewScreen>>;
  }
  async function open(lines: readonly string[], { theme = 'dark', width = 1000, handlers, ...size }: Looks = {}) {
    writeFileSync(file, lines.map((line) => `${line}\n`).join(''));
    const ours = createPreviewHost(file);
    const all = { ...ours.handlers, ...handlers };
    const one = await openPage('batchPreview', { theme, width, ...size, handlers: all }, () => ours.close());
    const { page } = one;
    const grid = page.getByRole('grid');
    const row = (line: number) =>
      page.locator('.preview-rows .preview-row', {
        has: page.locator('.preview-cell-line', { hasText: new RegExp(`^${line}$`) }),
      });
    /** The lines of the rows drawn first, in their order. */
    const lines10 = () =>
      page.evaluate(() =>
        [...document.querySelectorAll<HTMLElement>('.preview-rows .preview-row')]
          .toSorted((a, b) => Number(a.ariaRowIndex) - Number(b.ariaRowIndex))
          .slice(0, 10)
          .map((one) => Number(one.querySelector('.preview-cell-line')?.textContent)),
      );
    const shows = async (requested: readonly number[]) => {
      let last: readonly unknown[] = [];
      const holds = async () => {
        last = await lines10();
        return JSON.stringify(last) === JSON.stringify(requested) ? true : undefined;
      };
      await until(holds, 'the rows').catch(() => assert.deepEqual(last, requested));
    };
    const details = page.getByRole('complementary');
    return { ...one, ours, grid, row, shows, details };
  }

  it('shows each line with its ID, question, and problems', async () => {
    const { page, row, grid } = await open([...ordinary(3), request('ticket-1').replace('POST', 'GET'), 'no JSON', '']);
    await row(4).waitFor();
    assert.equal(await grid.getAttribute('aria-rowcount'), '7');
    assert.match((await row(1).textContent()) ?? '', /^1ticket-1Qwen\/Qwen3-8B2My invoice shows two charges/);
    assert.match((await row(4).textContent()) ?? '', /Error2$/);
    assert.match((await row(5).textContent()) ?? '', /no JSON.*Error1/);
    assert.equal(await page.locator('h1').textContent(), 'support-triage.jsonl');
    assert.equal(await page.locator('b').count(), 0);
  });

  it('sorts by column headers in both directions', async () => {
    const { page, shows, row } = await open([
      request('b10'),
      request('b9', 'x'.repeat(99)),
      request('a').replace('POST', 'GET'),
    ]);
    await row(3).waitFor();
    const head = (name: string) => page.getByRole('columnheader', { name });
    await head('custom_id').getByRole('button').click();
    await shows([3, 2, 1]);
    assert.equal(await head('custom_id').getAttribute('aria-sort'), 'ascending');
    await head('custom_id').getByRole('button').click();
    await shows([1, 2, 3]);
    await head('Problems').getByRole('button').click();
    await shows([3, 1, 2]);
    await head('Size').getByRole('button').click();
    await shows([2, 1, 3]);
  });

  it('filters by search and by problems, and says if there are no matches', async () => {
    const { page, shows, row } = await open([...ordinary(4), request('ticket-9', 'Safari').replace('POST', 'GET')]);
    await row(5).waitFor();
    const box = page.getByRole('searchbox');
    await box.fill('SAFARI');
    await shows([2, 5]);
    await page.getByText('2 of 5 lines').first().waitFor();
    await page.getByLabel('Show only problems').check();
    await shows([5]);
    await box.fill('nothing like it');
    await page.getByText('No matches.').waitFor();
    await box.press('Escape');
    await shows([5]);
    await page.getByLabel('Show only problems').uncheck();
    await shows([1, 2, 3, 4, 5]);
  });

  it('navigates thousands of lines by keyboard, loading only visible ones', async () => {
    const { page, grid, row, details, ours } = await open(ordinary(20_000));
    await row(1).waitFor();
    await grid.focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await details.getByText('The export button').waitFor();
    await page.keyboard.press('End');
    await row(20_000).waitFor();
    await details.getByRole('heading', { name: 'Line 20,000' }).waitFor();
    const active = await grid.getAttribute('aria-activedescendant');
    assert.equal(await page.locator(`#${active}`).getAttribute('aria-rowindex'), '20001');
    await page.keyboard.press('PageUp');
    await page.keyboard.press('Home');
    await details.getByRole('heading', { name: 'Line 1', exact: true }).waitFor();
    assert.ok(ours.fetches() < 10, `${ours.fetches()} fetches`);
    await page.keyboard.press('Enter');
    await row(3).dblclick();
    await until(() => (ours.wentTo.length === 2 ? true : undefined), 'two jumps');
    assert.deepEqual(ours.wentTo, [0, 2]);
    assert.ok((await page.locator('.preview-rows .preview-row').count()) < 60);
  });

  it("jumps to a line by its number, and says if it isn't shown", async () => {
    const { page, row, details } = await open(ordinary(3000));
    await row(1).waitFor();
    const box = page.getByLabel('Line number');
    await box.fill('2500');
    await box.press('Enter');
    await row(2500).waitFor();
    await details.getByRole('heading', { name: 'Line 2,500' }).waitFor();
    await box.fill('3001');
    await box.press('Enter');
    await page.getByText("Line 3001 isn't shown").first().waitFor();
  });

  it('shows the messages and parameters of the selected line as plain text, and keeps the selection through a reload and sorting', async () => {
    const { page, row, details, shows } = await open(ordinary(5));
    await row(5).click();
    await details.locator('h3').nth(2).waitFor();
    assert.deepEqual(await details.locator('h3').allTextContents(), ['system', 'user', 'Parameters']);
    await details.getByText('<b>Not markup</b> & "quotes"').waitFor();
    await details.getByText('temperature').waitFor();
    await page.getByRole('columnheader', { name: 'Line' }).getByRole('button').click();
    await shows([5, 4, 3, 2, 1]);
    await row(5).and(page.locator('[aria-selected=true]')).waitFor();
    await page.reload();
    await shows([5, 4, 3, 2, 1]);
    await details.getByRole('heading', { name: 'Line 5' }).waitFor();
    await page.locator('.preview-rows .preview-row[aria-selected=true] .preview-cell-line', { hasText: '5' }).waitFor();
    await page.getByRole('button', { name: 'Go to Line' }).waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    await details.waitFor({ state: 'detached' });
  });

  it('shows loading progress, and the loaded lines when stopped', async () => {
    let finish = () => {};
    const isStopped = new Promise<void>((resolve) => (finish = resolve));
    const { page } = await open(ordinary(4), {
      handlers: {
        async 'preview/load'(_params, { emit }) {
          emit({ part: 0.4, text: '400 MB of 1 GB' });
          await isStopped;
          return { lines: 0, facts: '2 requests', holds: 'requests', partial: 'The first 2 lines are shown.' };
        },
        'preview/arrange': async () => ({ count: 0, text: '' }),
        async 'preview/stop'() {
          finish();
          return {};
        },
      },
    });
    await page.getByText('400 MB of 1 GB').waitFor();
    await look(page, 'preview-loading');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('The first 2 lines are shown.').waitFor();
  });

  it('says that the file changed, and reloads it', async () => {
    const { page, host, row } = await open(ordinary(2));
    await row(2).waitFor();
    host.tell('preview/notices', { changed: true, missing: false, unsaved: true });
    await page.getByText('The file has unsaved changes').waitFor();
    writeFileSync(file, `${request('new')}\n`);
    await page.getByRole('button', { name: 'Reload' }).click();
    await page.getByText('new', { exact: true }).waitFor();
    await row(2).waitFor({ state: 'detached' });
    writeFileSync(file, `${ordinary(3).join('\n')}\n`);
    host.tell('preview/stale', {});
    await row(3).waitFor();
    rmSync(file);
    host.tell('preview/notices', { changed: false, missing: true, unsaved: false });
    await page.getByText('The preview shows its last content.').waitFor();
    host.tell('preview/stale', {});
    await page.locator('.note-error', { hasText: 'The file no longer exists' }).waitFor();
  });

  it('says that an empty file is empty', async () => {
    const { page } = await open([]);
    await page.locator('.table-nothing', { hasText: 'The file is empty' }).waitFor();
    await look(page, 'preview-empty');
  });

  it('shows the responses of a batch', async () => {
    const answer = (id: string, response: object | null, error: object | null = null) =>
      JSON.stringify({ id: `r-${id}`, custom_id: id, response, error });
    const choices = [{ message: { role: 'assistant', content: 'billing · refund · high' } }];
    const { page, row } = await open([
      answer('ticket-1', { body: { model: 'm', choices, usage: { total_tokens: 212 } } }),
      answer('ticket-2', { status_code: 400, body: { message: 'prompt too long' } }),
      answer('ticket-3', null, { code: 'batch_expired', message: 'This request was not begun in time.' }),
    ]);
    await page.getByRole('columnheader', { name: 'Tokens' }).waitFor();
    await row(3).click();
    await page.getByRole('complementary').getByText('batch_expired').waitFor();
    await look(page, 'preview-answers', { colours: true });
  });

  it('is readable and reachable', async () => {
    const long = request('x'.repeat(200), 'Why? '.repeat(400), 'deepseek-ai/DeepSeek-V3.2-Exp');
    const broken = [request('ticket-2').replace('POST', 'GET').replace('user', 'human'), '{"custom_id":"cut off', ''];
    const { page, row, details, host } = await open([...ordinary(8), ...broken, long, ...ordinary(60)]);
    await row(9).click();
    await details.getByText('must be "POST"').waitFor();
    host.tell('preview/notices', { changed: false, missing: false, unsaved: true });
    await page.locator('.note').waitFor();
    await look(page, 'preview-long');
  });
});
