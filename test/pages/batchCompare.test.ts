import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createCompareRunsHost } from '../support/compareRunsHost';
import { SourceRowsWriter } from '../../src/core/batch/results/sourceRows';
import { headerLooks, look } from '../support/pageLooks';
import { screenPages } from '../support/screenPages';
import { until } from '../support/until';

const request = (id: string) =>
  JSON.stringify({ custom_id: id, body: { model: 'm', messages: [{ role: 'user', content: `Sort ${id}.` }] } });
const answer = (id: string, content: string) =>
  JSON.stringify({ custom_id: id, response: { body: { choices: [{ message: { role: 'assistant', content } }] } } });
const failure = (id: string) =>
  JSON.stringify({ custom_id: id, error: { code: 'batch_expired', message: 'Too late.' } });

const long = `request-${'x'.repeat(190)}`;
const ids = ['one', 'two', 'three', 'four', 'five', long];

describe('the page that compares runs of a batch file', () => {
  const openPage = screenPages();
  let folder: string;
  let stores = 0;
  before(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'compare-'));
  });
  after(() => {
    rmSync(folder, { recursive: true });
  });

  const write = (name: string, lines: readonly string[]) => {
    const file = path.join(folder, name);
    writeFileSync(file, lines.map((line) => `${line}\n`).join(''));
    return file;
  };
  async function open() {
    const input = { path: write('tickets.jsonl', ids.map(request)) };
    const a = [answer('one', 'billing and refund'), answer('two', 'Bug'), answer('three', 'فاتورة'), failure('four')];
    const b = [answer('one', 'billing, not refund'), answer('two', 'bug '), answer('three', 'فاتورة'), failure('four')];
    const source = (name: string, lines: readonly string[]) => ({ input, outputs: [write(name, lines)], errors: [] });
    const ours = createCompareRunsHost(
      source('a.jsonl', [...a, answer('five', 'only here'), answer(long, '<b>same</b> 一样')]),
      source('b.jsonl', [...b, answer(long, '<b>same</b> 一样')]),
    );
    const one = await openPage('batchCompare', { theme: 'dark', width: 1200, handlers: ours.handlers }, () =>
      ours.close(),
    );
    const { page } = one;
    const row = (id: string) =>
      page.locator('.compare-row', { has: page.locator('.compare-cell-id', { hasText: new RegExp(`^${id}$`) }) });
    return { ...one, ours, row, details: page.getByRole('complementary') };
  }

  it('shows runs side by side, changed rows first, with filters', async () => {
    const { page, row } = await open();
    await row('one').waitFor();
    assert.equal(await row('one').textContent(), 'ChangedoneSort one.billing and refundChanged billing, not refund');
    assert.match((await row('five').textContent()) ?? '', /^Incompletefive.*only hereno response$/);
    assert.match((await row('four').textContent()) ?? '', /^Incompletefour/);
    await page.getByRole('cell', { name: '2 changed, 2 the same' }).waitFor();
    const first = page.locator('.compare-row [role=gridcell]').first();
    assert.equal(await first.textContent(), 'Changed');
    await page.getByRole('tab', { name: 'Changed' }).click();
    await row('three').waitFor({ state: 'detached' });
    await row('two').waitFor();
    await page.getByRole('button', { name: 'Choose Columns' }).click();
    await page.getByRole('dialog').getByLabel('Ignore case and spaces').check();
    await row('two').waitFor({ state: 'detached' });
    await page.getByRole('cell', { name: '1 changed, 3 the same' }).waitFor();
    await row('one').waitFor();
  });

  it('sets the reference by keyboard, and shows differences from it', async () => {
    const { page, row } = await open();
    await row('one').click();
    const runs = page.getByRole('region', { name: 'Runs' });
    const reference = runs.locator('tr', { has: page.locator('[aria-pressed=true]') });
    assert.match((await reference.textContent()) ?? '', /^A/);
    assert.deepEqual(await row('one').locator('strong').allTextContents(), ['billing, not refund']);
    await page.keyboard.press('2');
    await runs.getByRole('columnheader', { name: 'Compared with B' }).waitFor();
    assert.match((await reference.textContent()) ?? '', /^B/);
    await row('one').locator('strong', { hasText: 'billing and refund' }).waitFor();
    assert.equal(await row('one').locator('strong').count(), 1);
    // There is no third run.
    await page.keyboard.press('3');
    await page.keyboard.press('1');
    await runs.getByRole('columnheader', { name: 'Compared with A' }).waitFor();
  });

  it('highlights different words as text, links to the line, and restores the choices after a reload', async () => {
    const { page, row, details, ours } = await open();
    await row('one').click();
    await details.locator('.compare-differs').first().waitFor();
    const [left, right] = await Promise.all(
      [0, 1].map((side) => details.locator('.compare-side').nth(side).locator('mark').allTextContents()),
    );
    assert.match(left?.join('') ?? '', /and/);
    assert.match(right?.join('') ?? '', /not/);
    await details.getByRole('button', { name: 'Go to Input Line 1' }).click();
    await until(() => ours.asked.find((method) => method === 'goTo'), 'a jump');
    await page.getByRole('tab', { name: 'Changed' }).click();
    await row('three').waitFor({ state: 'detached' });
    await page.reload();
    await details.getByRole('heading', { name: 'one', exact: true }).waitFor();
    assert.equal(await page.getByRole('tab', { name: 'Changed' }).getAttribute('aria-selected'), 'true');
    for (const [name, method] of [
      ['Export…', 'export'],
      ['Add Runs…', 'addRuns'],
      ['Run B Again With…', 'runAgain 1'],
    ] as const) {
      await page.getByRole('button', { name }).click();
      await until(() => ours.asked.find((asked) => asked === method), name);
    }
  });

  it('is readable and reachable', async () => {
    const { page, row, details } = await open();
    await row('one').click();
    await details.locator('.compare-differs').first().waitFor();
    await look(page, 'batchCompare', { colours: true });
  });

  it('rates runs by expected answers, and compares them by a JSON property', async () => {
    const { page, row } = await openRated();
    const runs = page.getByRole('region', { name: 'Runs' });
    await runs.getByRole('row', { name: /^A .*reference/ }).waitFor();
    await runs.getByText('74.4%', { exact: true }).waitFor();
    await runs
      .getByRole('cell', { name: /points · \d+ better, \d+ worse/ })
      .first()
      .waitFor();
    assert.equal(await page.getByLabel('Compare by').first().inputValue(), 'response:label');
    await page.getByRole('tab', { name: 'Worse than A' }).click();
    await row('T-1003').waitFor();
    await row('T-1001').waitFor({ state: 'detached' });
    await page.getByLabel('Group by').first().selectOption('source:product');
    await page.locator('.group-heading').first().waitFor();
  });

  it('keeps its header and filters in one line each', async () => {
    const { page, row, details } = await openRated();
    await row('T-1001').waitFor();
    await headerLooks(page, 'compare');
    await row('T-1001').click();
    await details.locator('.compare-differs').first().waitFor();
    await headerLooks(page, 'compare-row');
  });

  /** Three runs of a table with expected answers. */
  async function openRated() {
    const labels = ['bug', 'billing', 'delivery', 'feature'];
    const tickets = Array.from({ length: 40 }, (_, index) => `T-${1001 + index}`);
    const store = path.join(folder, 'store');
    const writer = await SourceRowsWriter.begin(store, `table-${++stores}`, ['product', 'expected']);
    for (const [index, id] of tickets.entries())
      await writer.add(id, [index % 3 === 0 ? 'Web app' : 'Desk lamp', labels[index % 4] ?? '']);
    const input = write(`rated-${stores}.jsonl`, tickets.map(request));
    await writer.end({ source: 'support-tickets.csv', used: [], path: input, sha256: '' });
    const answers = (run: number) =>
      tickets.map((id, index) => {
        const isWrong = index % (4 + run * 5) === run;
        const label = labels[(index + Number(isWrong)) % 4];
        const reason = `Because the text of ${id} says so, run ${run}`;
        return index === 7 && run < 2 ? failure(id) : answer(id, JSON.stringify({ label, priority: 'high', reason }));
      });
    const source = (run: number) => ({
      input: { path: input },
      columns: { store },
      outputs: [write(`rated-${stores}-${run}.jsonl`, answers(run))],
      errors: [],
    });
    const ours = createCompareRunsHost(source(0), source(1), source(2));
    const one = await openPage('batchCompare', { theme: 'dark', width: 1600, handlers: ours.handlers }, () =>
      ours.close(),
    );
    const { page } = one;
    const row = (id: string) =>
      page.locator('.compare-row', { has: page.locator('.compare-cell-id', { hasText: new RegExp(`^${id}$`) }) });
    return { ...one, row, details: page.getByRole('complementary') };
  }
});
