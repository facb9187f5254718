import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { SourceRowsWriter } from '../../src/core/batch/results/sourceRows';
import type { ResultsHead } from '../../src/protocol/batchResults';
import { asksOf } from '../support/asks';
import { headerLooks, look } from '../support/pageLooks';
import { requestLine } from '../support/requestLine';
import { createResultsHost } from '../support/resultsHost';
import { screenPages } from '../support/screenPages';
import { setUpFolder } from '../support/temporaryFolder';
import type { Theme } from '../support/webviewPage';

const head: ResultsHead = {
  name: 'support-triage.jsonl',
  facts: 'batch_7f21…9c · Qwen/Qwen3-32B · 60 requests',
  factsHint: '',
  phases: [],
  notices: [],
  faults: [],
};

const tickets = [
  ['The export button does nothing in Safari', 'Web app', 'bug'],
  ['My invoice shows two charges for March', 'Desk lamp', 'billing'],
  ['帮我看一下这个订单为什么一直没有发货', 'Bookshelf', 'delivery'],
  ['Can you add a dark theme to the app?', 'App', 'feature'],
  ['Hallo, ich kann mich nicht anmelden', 'Account', 'account'],
  ['Where do I change my delivery address?', 'Bookshelf', 'delivery'],
] as const;
const prompt = 'Read the message of a customer and answer with its label, priority and reason. Message: ';

const answer = (id: string, content: string) =>
  JSON.stringify({
    custom_id: id,
    response: {
      status_code: 200,
      body: {
        model: 'Qwen/Qwen3-32B',
        choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
        usage: { prompt_tokens: 160, completion_tokens: 38, total_tokens: 198 },
      },
    },
    error: null,
  });

describe('the columns on the results page', () => {
  const openPage = screenPages();
  const folder = setUpFolder();

  /** Every sixth ticket is answered wrongly, and the tenth of each ten failed. */
  async function open({ theme = 'dark' as Theme, width = 1300, height = 700, count = 60, isCompared = false } = {}) {
    const columns = ['id', 'message', 'product', 'language', 'expected'];
    const stored = await SourceRowsWriter.begin(folder.in('store'), `table ${width} ${theme}`, columns);
    const input: string[] = [];
    const output: string[] = [];
    for (let number = 0; number < count; number++) {
      const [message, product, expected] = tickets[number % tickets.length]!;
      const id = `T-${1042 + number}`;
      input.push(requestLine(id, prompt + message));
      await stored.add(id, [id, message, product, 'en', expected]);
      const label = number % 6 === 5 ? 'account' : expected;
      const reason = number % 3 === 0 ? { reason: 'The customer says so' } : {};
      output.push(
        number % 10 === 9
          ? JSON.stringify({ custom_id: id, response: null, error: { code: '20015', message: 'Prompt too long' } })
          : answer(id, JSON.stringify({ label, priority: number % 2 === 0 ? 'high' : 'normal', ...reason })),
      );
    }
    const write = (name: string, lines: readonly string[]) => {
      writeFileSync(folder.in(name), lines.map((line) => `${line}\n`).join(''));
      return folder.in(name);
    };
    const target = write('support-triage.jsonl', input);
    await stored.end({ source: 'support-tickets.csv', path: target, sha256: '', used: ['message'] });
    const source = {
      input: { path: target },
      outputs: [write('output.jsonl', output)],
      errors: [],
      columns: { store: path.join(folder.in('store')) },
    };
    const before = output.map((line) => line.replaceAll('billing', 'account').replace('feature', 'bug'));
    const reference = { ...source, outputs: [write('before.jsonl', before)] };
    const ours = createResultsHost(source, isCompared ? { ...head, runs: 'Run 2 of 2' } : head, reference);
    const one = await openPage('batchResults', { theme, width, height, handlers: ours.handlers }, () => ours.close());
    const { page } = one;
    const row = (id: string) => page.locator('.results-rows .results-row', { hasText: id });
    const heads = () => page.getByRole('columnheader').allTextContents();
    await row('T-1042').waitFor();
    return { ...one, ours, row, heads, asks: asksOf(ours.asked), details: page.getByRole('complementary') };
  }

  it('include table and response columns next to the request, without their common prefix', async () => {
    const { page, row, heads } = await open();
    assert.deepEqual(await heads(), [
      'State',
      'custom_id',
      'Request',
      'product',
      'language',
      'expected',
      'label',
      'priority',
      'Tokens',
    ]);
    assert.equal(
      await row('T-1042').textContent(),
      'CompletedT-1042…The export button does nothing in SafariWeb appenbugExpected responsebughigh198',
    );
    assert.match((await row('T-1047').textContent()) ?? '', /deliveryUnexpected responseaccountnormal198$/);
    assert.match((await row('T-1051').textContent()) ?? '', /^FailedT-1051.*20015 · Prompt too long/);
    await look(page, 'results-columns');
  });

  it('are chosen, searched, moved, and resized, and restored', async () => {
    const { page, heads, asks } = await open();
    await page.getByRole('button', { name: 'Choose Columns' }).click();
    const list = page.getByRole('dialog', { name: 'Columns' });
    await list.getByText('Columns from support-tickets.csv').waitFor();
    await look(page, 'results-column-chooser');
    await list.getByRole('searchbox').fill('rea');
    const reason = list.getByRole('checkbox', { name: 'reason' });
    await reason.check();
    assert.match(await list.locator('.columns-entry').innerText(), /reason\s+3\d%/);
    await list.getByRole('searchbox').fill('');
    await list.getByRole('checkbox', { name: 'language' }).uncheck();
    const priority = list.getByRole('checkbox', { name: 'priority' });
    await priority.press('Alt+ArrowUp');
    const requested = ['State', 'custom_id', 'Request', 'product', 'expected', 'priority', 'label', 'Tokens', 'reason'];
    assert.deepEqual(await heads(), requested);
    await list.getByRole('searchbox').press('Escape');
    await list.waitFor({ state: 'detached' });
    const product = page.getByRole('columnheader', { name: 'product' });
    const before = (await product.boundingBox())?.width ?? 0;
    await product.getByRole('button').press('Alt+ArrowRight');
    await page.waitForFunction(
      ([least]) => (document.querySelectorAll('[role=columnheader]')[3]?.clientWidth ?? 0) > least!,
      [before],
    );
    await page.reload();
    await page.locator('.results-rows .results-row').first().waitFor();
    assert.deepEqual(await heads(), requested);
    const { columns, widths } = (await asks('layout')) as { columns: readonly string[]; widths: object };
    assert.equal(columns.at(-1), 'response:reason');
    assert.deepEqual(Object.keys(widths), ['source:product']);
  });

  it('group the rows by a value, with counts and the share of expected values', async () => {
    const { page, row } = await open();
    await page.getByRole('combobox', { name: 'Group by' }).selectOption({ label: 'Group by expected' });
    const heading = page.locator('.group-heading');
    await heading.first().waitFor();
    assert.equal(await heading.first().textContent(), 'account10 rows · 100% as expected');
    await look(page, 'results-grouped');
    await heading.first().click();
    await page.locator('[role=gridcell][aria-expanded=false]').waitFor();
    await row('T-1046').waitFor({ state: 'detached' });
    const grid = page.getByRole('grid');
    await grid.focus();
    await grid.press(' ');
    await row('T-1046').waitFor();
    // A heading has no details.
    assert.equal(await page.getByRole('complementary').count(), 0);
  });

  it('filter the rows by a value, and by whether they match the expected one', async () => {
    const { page, row } = await open();
    await page.getByRole('searchbox').fill('product:bookshelf label:account');
    await row('T-1042').waitFor({ state: 'detached' });
    await row('T-1047').waitFor();
    await page.getByRole('searchbox').fill('');
    await row('T-1042').waitFor();
    const unexpected = page.getByRole('button', { name: /Unexpected/ });
    assert.match((await unexpected.textContent()) ?? '', /Unexpected \d+/);
    await unexpected.click();
    await row('T-1042').waitFor({ state: 'detached' });
    await row('T-1047').waitFor();
    await page.getByRole('columnheader', { name: 'product' }).getByRole('button').click();
    await page.locator('[aria-sort=ascending]', { hasText: 'product' }).waitFor();
  });

  it('show the difference from another run, and only the rows that differ', async () => {
    const { page, row, heads, asks } = await open({ isCompared: true });
    await page.getByRole('button', { name: 'Compare', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Add Comparison Column…' }).click();
    await asks('reference', true);
    await page.getByRole('columnheader', { name: 'Qwen3-14B · 09:12' }).waitFor();
    assert.equal(
      await row('T-1043').locator('.results-cell-value', { hasText: '→' }).textContent(),
      'account → billing',
    );
    await row('T-1042').getByText('same').waitFor();
    await look(page, 'results-difference');
    await page.setViewportSize({ width: 360, height: 800 });
    const runs = (await page.locator('.results-runs').first().boundingBox())!;
    const actions = (await page.locator('.results-actions').boundingBox())!;
    assert.ok(runs.x + runs.width <= actions.x || runs.y + runs.height <= actions.y, 'the run is covered');
    await page.setViewportSize({ width: 1300, height: 700 });
    await page.getByRole('button', { name: /^Changed \d+/ }).click();
    await row('T-1042').waitFor({ state: 'detached' });
    await row('T-1043').waitFor();
    await page.getByRole('button', { name: 'Run 2 of 2' }).click();
    await asks('otherRun');
    await page.getByRole('button', { name: /^Compared with/ }).click();
    await page.getByRole('menuitem', { name: 'Remove Comparison Column' }).click();
    await row('T-1042').waitFor();
    assert.ok(!(await heads()).includes('Qwen3-14B · 09:12'));
    await page.getByRole('button', { name: 'Run Again With…' }).click();
    await asks('runAgain');
  });

  it('are copied and exported as shown', async () => {
    const { page, asks } = await open();
    const grid = page.getByRole('grid');
    await grid.focus();
    await grid.press('Control+c');
    const text = (await asks('copyRows')) as string;
    assert.match(text, /^state\tcustom_id\trequest\tproduct\t/);
    assert.equal(text.trimEnd().split('\n').length, 61);
    await page.getByRole('button', { name: 'Export…' }).click();
    const { columns } = (await asks('export')) as { readonly columns: readonly string[] };
    assert.deepEqual(columns.slice(0, 4), ['run:state', 'run:customId', 'run:request', 'source:product']);
  });

  it('shrink for row details, which J and K switch without closing them', async () => {
    const { page, row, heads, details } = await open({ width: 900 });
    await row('T-1047').click();
    await details.getByRole('heading', { name: 'T-1047' }).waitFor();
    await details.getByText("The response isn't as expected.").waitFor();
    await details.getByText('Columns from support-tickets.csv').waitFor();
    assert.equal((await details.boundingBox())?.width, 400);
    await details.getByRole('button', { name: 'Raw Request' }).click();
    await details.getByText('"url": "/v1/chat/completions"').waitFor();
    await page.waitForFunction(() => document.querySelectorAll('[role=columnheader]').length < 6);
    assert.deepEqual((await heads()).slice(0, 2), ['State', 'custom_id']);
    assert.ok((await heads()).includes('label'));
    await look(page, 'results-row-900');
    await page.getByRole('grid').press('j');
    await details.getByRole('heading', { name: 'T-1048' }).waitFor();
    // What is shown of a row is shown of the next one too.
    await details.getByText('"custom_id": "T-1048"').waitFor();
    await details.getByRole('button', { name: 'Previous Row (K)' }).press('k');
    await details.getByRole('heading', { name: 'T-1047' }).waitFor();
    await page.keyboard.press('Escape');
    await details.waitFor({ state: 'detached' });
  });

  it('are covered by the details of a row on a narrow page, until those are closed', async () => {
    const { page, row, details } = await open({ width: 500 });
    await look(page, 'results-narrow');
    await row('T-1047').click();
    await details.getByRole('heading', { name: 'T-1047' }).waitFor();
    assert.equal((await details.boundingBox())?.width, 500);
    await look(page, 'results-row-narrow');
    await details.getByRole('button', { name: 'Close' }).click();
    await row('T-1047').click({ trial: true });
  });

  for (const [theme, width] of [
    ['light', 1900],
    ['highContrast', 900],
    ['light', 500],
  ] as const) {
    it(`are readable at ${width} px in ${theme}`, async () => {
      const { page, row, details } = await open({ theme, width });
      const isNarrow = width < 1000;
      if (isNarrow) await page.getByRole('button', { name: 'Choose Columns' }).click();
      await page.getByRole('combobox', { name: 'Group by' }).selectOption({ label: 'Group by product' });
      await page.locator('.group-heading').first().waitFor();
      if (isNarrow) await page.keyboard.press('Escape');
      await headerLooks(page, `results-${theme}-${width}`);
      if (width > 500) {
        await row('T-1047').first().click();
        await details.waitFor();
      }
      await look(page, `results-columns-${theme}-${width}`);
    });
  }
});
