import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createCompareRunsHost } from '../support/compareRunsHost';
import { look } from '../support/pageLooks';
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

describe('two runs of a batch file, on their page', () => {
  const openPage = screenPages();
  let folder: string;
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

  it('stand beside each other: the same, the different, what one has alone, and how often they agree', async () => {
    const { page, row } = await open();
    await row('one').waitFor();
    assert.equal(await row('one').textContent(), 'DifferentoneSort one.billing and refundbilling, not refund');
    assert.match((await row('five').textContent()) ?? '', /^A onlyfive.*only hereno response$/);
    assert.match((await row('four').textContent()) ?? '', /^Neitherfour/);
    await page.getByText('2 the same').waitFor();
    await page.getByText(/^batch_2 · Qwen\/Qwen3-8B · \d+ tokens in/).waitFor();
    // Responses that differ come first.
    const first = page.locator('.compare-row [role=gridcell]').first();
    assert.equal(await first.textContent(), 'Different');
    await page.getByRole('tab', { name: 'Different' }).click();
    await row('three').waitFor({ state: 'detached' });
    await row('two').waitFor();
    await page.getByLabel('Ignore case and spaces').check();
    await row('two').waitFor({ state: 'detached' });
    await page.getByText('3 the same').waitFor();
    await row('one').waitFor();
  });

  it('mark the words that differ, as text, and lead to the line; what is chosen is kept over a reload', async () => {
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
    await page.getByRole('tab', { name: 'Different' }).click();
    await row('three').waitFor({ state: 'detached' });
    await page.reload();
    await details.getByRole('heading', { name: 'one' }).waitFor();
    assert.equal(await page.getByRole('tab', { name: 'Different' }).getAttribute('aria-selected'), 'true');
    await page.getByText('Export…').click();
    await until(() => ours.asked.find((method) => method === 'export'), 'an export');
  });

  it('can be read and reached', async () => {
    const { page, row, details } = await open();
    await row('one').click();
    await details.locator('.compare-differs').first().waitFor();
    await look(page, 'batchCompare', { colours: true });
  });
});
