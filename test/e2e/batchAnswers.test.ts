import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { createRunFolder } from '../../src/core/batch/results/runFolder';
import type { DeskWindow } from '../host/window';
import { signInTo } from '../support/chatJourney';
import { startFilledDemo } from '../support/filledDemo';
import type { FilledDemo } from '../support/filledDemo';
import { inOrder } from '../support/inOrder';
import { localRequest, resultsOf } from '../support/localRuns';
import { requestLine } from '../support/requestLine';
import { until } from '../support/until';

const request = (id: string, more: object = {}) =>
  requestLine(id, `Sort ${id}.`, { model: 'deepseek-ai/DeepSeek-V3', ...more });
const ids = (count: number) => Array.from({ length: count }, (_, index) => `id-${index + 1}`);
const idsOf = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { custom_id: string }).custom_id);

describe('a batch file and its responses', function () {
  inOrder(this);
  let desk: DeskWindow;
  let demo: FilledDemo;
  let folder: string;
  let results: string;
  before(async function () {
    folder = mkdtempSync(path.join(tmpdir(), 'answers-'));
    const write = (name: string, lines: readonly string[]) =>
      writeFileSync(path.join(folder, name), `${lines.join('\n')}\n`);
    const tickets = ['ticket-1', 'ticket-2', 'ticket-3', 'ticket-4'].map((id) => request(id));
    write('tickets.jsonl', [...tickets, request('ticket-5', { temperature: 9 })]);
    write(
      'stories.jsonl',
      ids(24).map((id) => localRequest(id, 'Write a story about the sea.', { max_tokens: 60 })),
    );
    write('limited.jsonl', [
      localRequest('a', 'Hello'),
      '{"custom_id":"faulty"}',
      localRequest('b', 'Hello', { model: 'fault/rate-limit-rpd' }),
      localRequest('c', 'Hello', { model: 'fault/rate-limit-rpd' }),
    ]);
    write(
      'refused.jsonl',
      ids(3).map((id) => request(id)),
    );
    const elsewhere = ['line-1', 'line-2', 'line-3'].map((id) => JSON.parse(request(id)) as unknown);
    writeFileSync(path.join(folder, 'elsewhere.json'), JSON.stringify(elsewhere, undefined, 2));
    demo = await startFilledDemo({ pace: 'fast' });
    desk = await this.openDesk({
      folder,
      size: { width: 1280, height: 900 },
      settings: { 'editor.wordWrap': 'on' },
    });
    results = path.join(desk.server.dataFolder, 'data/User/globalStorage/inference-desk.inference-desk/results');
    await signInTo(desk, demo);
    await desk.command('View: Show Explorer');
    await openFile('tickets.jsonl');
  });
  after(async () => {
    await desk?.close();
    await demo?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const explorerRow = (name: string): Locator =>
    desk.page.locator('.explorer-folders-view .monaco-list-row', { hasText: name });
  const editorTab = (title: string | RegExp): Locator =>
    desk.page.locator('.tabs-container .tab', { hasText: title }).first();
  const openFile = async (name: string): Promise<void> => {
    await explorerRow(name).dblclick();
    await desk.page.locator('.tab.active', { hasText: name }).waitFor();
  };
  const lens = (text: string): Locator =>
    desk.page.locator('.codelens-decoration a:visible', { hasText: text }).first();
  const pageButton = (text: string): Locator => desk.editorPage.locator('vscode-button', { hasText: text });
  const resultTab = (name: string): Locator => desk.editorPage.getByRole('tab', { name });
  const row = (id: string): Locator =>
    desk.editorPage.locator('.results-row', {
      has: desk.editorPage.locator('.results-cell-id', { hasText: new RegExp(`^${id}$`) }),
    });
  const details = (): Locator => desk.editorPage.getByRole('complementary');
  /** Accepts the suggested name in a save dialog. */
  const takeProposed = async (name: string): Promise<string> => {
    const target = path.join(folder, name);
    await desk.page.waitForFunction(
      (requested) =>
        [...document.querySelectorAll<HTMLInputElement>('.quick-input-widget input.input')].some(
          ({ value }) => value === requested,
        ),
      target,
    );
    await desk.quickInput.locator('input.input').first().press('Enter');
    return target;
  };
  const dialog = (): Locator => desk.page.locator('.monaco-dialog-box');
  const dialogButton = (name: string): Locator => dialog().locator('.monaco-button', { hasText: name });
  const pace = (figures: object | string) => demo.call('POST', '/_control/pace', { pace: figures });
  const runFolder = (name: string): string =>
    path.join(results, readdirSync(results).find((entry) => new RegExp(` ${name}( \\w{6})?$`).test(entry)) ?? '');
  const run = (name: string) =>
    JSON.parse(readFileSync(path.join(runFolder(name), 'run.json'), 'utf8')) as Readonly<Record<string, unknown>>;

  it('shows the errors of a batch file, and submits it', async () => {
    await lens('Submit Batch…').click();
    await desk.editorPage.getByRole('main').getByText('1 error in 5 requests').waitFor();
    await desk.editorPage.getByText('Submit with these errors').click();
    await pageButton('Submit').locator('button').click();
    await desk.editorPage.getByRole('heading', { name: /The batch (is submitted|has ended)/ }).waitFor();
  });

  it('notifies when a batch ends, and opens its results from the notification', async () => {
    await pageButton('Open Results').waitFor({ timeout: 60_000 });
    const reported = 'Batch "tickets" is done.';
    const notice = await desk.notice(reported);
    assert.equal(
      await desk.page.locator('.notifications-center .notification-list-item', { hasText: reported }).count(),
      1,
    );
    // Simulates a service that loses the response to a request.
    const output = path.join(runFolder('tickets'), 'output.jsonl');
    const lines = readFileSync(output, 'utf8').split('\n');
    writeFileSync(output, lines.filter((line) => !line.includes('"ticket-4"')).join('\n'));
    await notice.hover();
    await notice.getByRole('button', { name: 'Open Results' }).click();
    await row('ticket-1').waitFor();
    await row('ticket-4').getByText('no response').waitFor();
    await desk.screenshot('answers-results');
  });

  it('shows responses on lines, and links a failed request to its line and back', async () => {
    await resultTab('Failed').click();
    await row('ticket-1').waitFor({ state: 'detached' });
    await row('ticket-5').click();
    await details().getByRole('button', { name: 'Go to Input Line 5' }).click();
    await desk.status(/Ln 5, Col 1/).waitFor();
    for (const text of ['→', '✗', 'no response'])
      await desk.page.locator('.view-line', { hasText: text }).first().waitFor();
    const tickets = path.join(folder, 'tickets.jsonl');
    writeFileSync(tickets, readFileSync(tickets, 'utf8').replace('Sort ticket-2.', 'Summarise ticket-2.'));
    await desk.page
      .locator('.view-line', { hasText: /line\s+changed/ })
      .first()
      .waitFor();
    const row1 = desk.page.locator('.codelens-decoration:visible', { hasText: 'Submit Batch…' });
    await row1.filter({ hasText: 'Results' }).waitFor();
    assert.match(await row1.innerText(), /^Submit Batch…[\s|]*Results: \d+ of 5[\s|]*Retry 2/);
    // The response to the first line is only after it, because the row above it shows actions for the file.
    await desk.page.keyboard.press('Control+Home');
    await row1.filter({ hasText: 'Test Request' }).waitFor();
    assert.doesNotMatch(await row1.innerText(), /→/);
    await desk.page.locator('.glyph-margin-widgets .cgmr').nth(4).waitFor();
    // Lines are collapsed to their question, except for the one with the cursor, and expand immediately.
    const rawLines = () => desk.page.locator('.view-line', { hasText: 'custom_id' });
    const rawTexts = async () => (await rawLines().allInnerTexts()).filter((text) => text.includes('custom_id')).length;
    await desk.page.getByRole('button', { name: 'Toggle Readable Requests' }).first().click();
    await until(async () => ((await rawTexts()) === 1 ? true : undefined), 'collapsed lines');
    await desk.screenshot('answers-readable');
    await desk.page.getByRole('button', { name: 'Toggle Readable Requests' }).first().click();
    await until(async () => ((await rawTexts()) > 3 ? true : undefined), 'complete lines');
    await desk.page.locator('.view-line span span', { hasText: /^"?ticket-2"?$/ }).hover();
    const hover = desk.page.locator('.monaco-hover', { hasText: 'Open in Results' }).first();
    await hover.waitFor();
    await desk.screenshot('answers-lines');
    await hover.getByText('The line has changed since the run.').waitFor();
    await hover.getByText('Open in Results').click();
    await details().getByRole('heading', { name: 'ticket-2', exact: true }).waitFor();
    await details().getByText('The line has changed since the run.').waitFor();
    await details().getByText('Sort ticket-2.', { exact: true }).waitFor();
    await desk.screenshot('answers-changed');
  });

  it('exports results, and compares them with another run', async () => {
    await desk.editorPage.getByRole('button', { name: 'Export…' }).click();
    await desk.pick('CSV');
    const target = await takeProposed('tickets.results.csv');
    await explorerRow('tickets.results.csv').waitFor();
    // It appears in the Explorer before it has been written completely.
    await until(() => (/ticket-1,answered/.test(readFileSync(target, 'utf8')) ? true : undefined), 'the table');
    const earlier = await createRunFolder(results, {
      kind: 'batch',
      name: 'tickets earlier',
      createdAt: Date.now() - 3_600_000,
      input: { path: path.join(folder, 'tickets.jsonl'), sha256: '', bytes: 0, requests: 5 },
      files: { output: 'output.jsonl' },
      ended: true,
    });
    const message = { role: 'assistant', content: 'billing' };
    const response = { status_code: 200, body: { choices: [{ message, finish_reason: 'stop' }] } };
    writeFileSync(path.join(earlier.path, 'output.jsonl'), `${JSON.stringify({ custom_id: 'ticket-1', response })}\n`);
    await desk.editorPage.getByRole('button', { name: 'Compare', exact: true }).click();
    await desk.editorPage.getByRole('menuitem', { name: 'Compare Runs…' }).click();
    const earlierRun = desk.quickRows.filter({ hasText: 'tickets earlier' }).first();
    await earlierRun.click();
    await desk.screenshot('answers-runs');
    await desk.quickInput.getByRole('button', { name: 'OK' }).click();
    await editorTab('Compare tickets.jsonl').waitFor();
    const compared = desk.editorPage.locator('.compare-row', { hasText: 'ticket-1' });
    await compared.click();
    await details().locator('.compare-differs').first().waitFor();
    await desk.screenshot('answers-compared');
    await desk.command('View: Close Editor');
  });

  it('retries failed and missing requests from the page that states the cost', async () => {
    await pageButton('Retry 2 Failed or Missing').click();
    await desk.quickInput.getByPlaceholder('Without changes, 1 request will be rejected again.').waitFor();
    await desk.screenshot('answers-retry-question');
    await desk.pick('Retry Without Changes');
    await desk.editorPage.getByRole('heading', { name: 'Retry tickets.jsonl' }).waitFor();
    await desk.editorPage.getByText('2 of 5').waitFor();
    await desk.editorPage.getByRole('main').getByText('1 error in 2 requests').waitFor();
    const [retry, ...others] = readdirSync(path.join(runFolder('tickets'), 'retries'));
    assert.deepEqual([retry, others], ['1', []]);
    const requests = path.join(runFolder('tickets'), 'retries', '1', 'requests.jsonl');
    assert.deepEqual(idsOf(readFileSync(requests, 'utf8')), ['ticket-4', 'ticket-5']);
    assert.ok(!readdirSync(folder).some((name) => name.includes('retry')));
    await desk.editorPage.getByLabel('Description').fill('Sort the tickets of March');
    await desk.clearNotices();
    await desk.screenshot('answers-retry');
  });

  it('shows why the service rejected the batch, on the page and on the lines until they are edited', async () => {
    await pace({ batchQueueMs: 3_600_000 });
    await desk.command('View: Show Explorer');
    await openFile('refused.jsonl');
    await lens('Submit Batch…').click();
    await pageButton('Submit').locator('button').click();
    await desk.editorPage.getByRole('heading', { name: 'Batch submitted' }).waitFor();
    const { data } = (await demo.call('GET', '/batches')) as {
      readonly data: readonly { readonly id: string; readonly status: string }[];
    };
    const id = data.find(({ status }) => status === 'in_queue')?.id;
    const errors = {
      object: 'list',
      data: [
        { code: 'content_policy', message: 'The request was refused by the content policy.', param: null, line: 2 },
        { code: 'too_long', message: 'The prompt is longer than the model takes.', param: null, line: 3 },
      ],
    };
    await demo.call('POST', '/_control/tell', { id, as: { status: 'failed', failed_at: 1_790_000_000, errors } });
    const notice = await desk.notice(/Batch "refused.*" failed\. Line 2: content_policy · .* 1 more error\./);
    await notice.hover();
    await notice.getByRole('button', { name: 'Show Errors' }).click();
    const faults = desk.editorPage.getByRole('region', { name: 'Service errors' });
    await faults.getByText('The request was refused by the content policy.').waitFor();
    await desk.screenshot('answers-refused');
    await faults.getByRole('button', { name: 'Line 2' }).click();
    await desk.status(/Ln 2, Col 1/).waitFor();
    await desk.page.locator('.squiggly-warning').nth(1).waitFor();
    await lens('2 warnings').waitFor();
    await desk.screenshot('answers-refused-lines');
    await desk.page.keyboard.press('End');
    await desk.page.keyboard.type(' x');
    await until(
      async () => ((await desk.page.locator('.squiggly-warning').count()) === 1 ? true : undefined),
      'one is left',
    );
    await desk.command('File: Save');
    await editorTab('Results of refused.jsonl').click();
    await faults.getByText('Changed since submission').waitFor();
    await desk.command('View: Close Editor');
    await desk.clearNotices();
    await editorTab('Retry tickets.jsonl').click();
    await pace('fast');
  });

  it('runs the file after a confirmation with its cost, and pauses and stops the run', async () => {
    await pace({ firstTokenMs: 100, tokenMs: 30 });
    await desk.chooseInMenu(explorerRow('stories.jsonl'), [/^Batch File$/, 'Run Batch File Now…'], { until: dialog() });
    await dialog().getByText('Run stories.jsonl now at full price?').waitFor();
    await desk.screenshot('batch-local-confirm');
    const text = await dialog().innerText();
    for (const said of [
      /24 requests, up to 4 concurrently/,
      /Model: Qwen\/Qwen3-30B-A3B-Instruct-2507/,
      /Input: about [\d,]+ tokens/,
      /Account: Journey/,
      /full price/,
    ])
      assert.match(text, said);
    await dialogButton('Run').click();
    await desk.status(/stories\.jsonl \d+\/24/).waitFor();
    const progress = await desk.notice(/0 of 24 completed, [2-9] incomplete.* tokens\/min · Pause/);
    await desk.screenshot('batch-local-progress');
    await progress.getByText('Pause').click();
    await (await desk.notice(/Paused/)).getByText('Resume').click();
    await desk.notice(/tokens\/min · Pause/);
    await desk.command('Inference Desk: Stop Run');
    await desk.notice(/Stopped the run of/);
    await desk.clearNotices();
    assert.equal(run('stories')['ended'], false);
    await pace('fast');
  });

  it('restores every page after the window is reloaded', async () => {
    await desk.reloadWindow();
    const description = desk.editorPage.getByLabel('Description');
    await description.waitFor({ timeout: 60_000 });
    assert.equal(await description.inputValue(), 'Sort the tickets of March');
    await editorTab('Results of tickets.jsonl').click();
    await details().getByRole('heading', { name: 'ticket-2', exact: true }).waitFor();
    await editorTab('Submit tickets.jsonl').click();
    await desk.editorPage.getByRole('heading', { name: 'The batch has ended' }).waitFor();
    assert.equal(await pageButton('Submit').count(), 0);
    await desk.editorPage.getByText('Show in Batches').click();
    const batches = desk.page.locator('.sidebar .pane', {
      has: desk.page.locator('.pane-header[aria-label^="Batches"]'),
    });
    await batches.locator('.monaco-list-row', { hasText: 'tickets' }).first().waitFor();
  });

  it('replaces the page of an ended batch with a new form on resubmission', async () => {
    await editorTab('tickets.jsonl').first().click();
    await lens('Submit Batch…').click();
    await desk.editorPage.getByRole('heading', { name: 'Submit tickets.jsonl' }).waitFor();
    await desk.editorPage.getByRole('main').getByText('1 error in 5 requests').waitFor();
    await pageButton('Submit').waitFor();
    assert.equal(await editorTab('Submit tickets.jsonl').count(), 1);
    await desk.screenshot('answers-submit-again');
    await desk.command('View: Close Editor');
  });

  it('shows a retry in progress, merges its responses, and exports all of them', async () => {
    await editorTab('Retry tickets.jsonl').click();
    await desk.editorPage.getByText('Submit with these errors').click();
    await pace({ batchQueueMs: 8000 });
    await pageButton('Submit').locator('button').click();
    await desk.editorPage.getByRole('heading', { name: 'Batch submitted' }).waitFor();
    const newest = async () => {
      const { data } = (await demo.call('GET', '/batches')) as {
        readonly data: readonly { readonly id: string; readonly status: string; readonly metadata: object }[];
      };
      return data.find(({ metadata }) => JSON.stringify(metadata).includes('Retry of tickets'));
    };
    const { id } = (await newest())!;
    const underWay = { status: 'in_progress', request_counts: { total: 2, completed: 0, failed: 0 } };
    await demo.call('POST', '/_control/tell', { id, as: underWay });
    await desk.editorPage.getByText('Show in Batches').click();
    const batches = desk.page.locator('.sidebar .pane', {
      has: desk.page.locator('.pane-header[aria-label^="Batches"]'),
    });
    const run = batches.locator('.monaco-list-row', { hasText: 'Retrying requests: 2 of 5' });
    await run.click();
    await batches.locator('.monaco-list-row[aria-level="2"]', { hasText: 'Retry of tickets' }).waitFor();
    await pageButton('Open Results').click();
    await desk.editorPage.getByText('Retrying requests: 2 of 5').waitFor();
    await row('ticket-4').getByText('retrying…').waitFor();
    assert.equal(await pageButton('Retry').count(), 0);
    await desk.screenshot('answers-retrying');
    await demo.call('POST', '/_control/tell', { id });
    await until(async () => ((await newest())?.status === 'completed' ? true : undefined), 'the end of the retry');
    await pageButton('Retry 1 Failed').waitFor({ timeout: 60_000 });
    await row('ticket-4').getByText('retrying…').waitFor({ state: 'detached' });
    await row('ticket-5').click();
    await details().getByText('First attempt').waitFor();
    await details().getByText('Retry 1').waitFor();
    await desk.screenshot('answers-retried');
    await batches.locator('.monaco-list-row', { hasText: '1 of 5 failed' }).first().waitFor();
    await desk.editorPage.getByRole('button', { name: 'Export…' }).click();
    await desk.pick('CSV');
    const target = await takeProposed('tickets.results-2.csv');
    await until(
      () => (existsSync(target) && /ticket-5,failed/.test(readFileSync(target, 'utf8')) ? true : undefined),
      'the merged table',
    );
    assert.match(readFileSync(target, 'utf8'), /ticket-4,answered/);
    await pageButton('Retry 1 Failed').click();
    await desk.pick('Retry Without Changes');
    await desk.editorPage.getByText('1 of 5').waitFor();
    await desk.command('View: Close Editor');
    // The notification that offers to resume after the reload remains for the next test.
    await pace('fast');
  });

  it('resumes a run after a reload with its responses, and opens the results', async () => {
    const before = resultsOf(runFolder('stories')).output;
    const offer = await desk.notice(/isn't complete/);
    await offer.getByText('Resume…').click();
    await dialog().getByText('Resume the run of stories.jsonl?').waitFor();
    await dialog().getByText('Price: ').waitFor();
    await dialogButton('Resume').click();
    const reported = await desk.notice('0 of 24 completed, 24 incomplete');
    const all = resultsOf(runFolder('stories')).output;
    assert.deepEqual(all.slice(0, before.length), before);
    assert.equal(all.length, 24);
    assert.deepEqual(new Set(all.map(({ custom_id: id }) => id)), new Set(ids(24)));
    assert.equal(run('stories')['ended'], true);
    assert.deepEqual(readdirSync(runFolder('stories')).toSorted(), [
      'errors.jsonl',
      'output.jsonl',
      'requests.jsonl',
      'run.json',
      'sent.txt',
    ]);
    await reported.getByText('Open Results').click();
    await row('id-24').waitFor();
  });

  it('skips invalid lines on request, and submits the rest of a limited run as a batch', async () => {
    await desk.command('View: Show Explorer');
    // The Explorer reloads the folder when it is shown, which moves its rows.
    await explorerRow('tickets.results-2.csv').waitFor();
    await openFile('limited.jsonl');
    await desk.command('Inference Desk: Run Batch File Now…');
    await dialog().getByText('Run limited.jsonl now at full price?').waitFor();
    await dialogButton('Run Without Invalid Lines').click();
    const limit = await desk.notice(/Daily limit reached \(RPD\)/);
    await limit.getByText('Submit Rest as Batch').click();
    await desk.editorPage.getByRole('heading', { name: 'Submit limited.rest.jsonl' }).waitFor();
    assert.equal(run('limited')['ended'], true);
    assert.deepEqual(idsOf(readFileSync(path.join(folder, 'limited.rest.jsonl'), 'utf8')), ['b', 'c']);
    assert.deepEqual(
      resultsOf(runFolder('limited')).errors.map(({ custom_id: id }) => id),
      ['faulty'],
    );
    assert.match(JSON.stringify(run('limited')['retries']), /limited\.rest\.jsonl/);
  });

  it('links a file to a batch from another tool, exports it, and retries missing requests', async () => {
    const id = await demo.makeBatch('elsewhere', 2);
    // The view doesn't track a batch that wasn't submitted here.
    await until(async () => {
      const batch = (await demo.call('GET', `/batches/${id}`)) as { readonly status?: string };
      return batch.status === 'completed' || undefined;
    }, 'the end of the batch');
    const batches = await desk.openView('Batches');
    await desk.viewAction('Batches', 'Refresh');
    const elsewhere = batches.locator('.monaco-list-row', { hasText: 'elsewhere' }).first();
    await elsewhere.hover();
    await elsewhere.getByRole('button', { name: 'Open Batch Results' }).click();
    await row('line-1').waitFor({ timeout: 60_000 });
    await desk.editorPage.getByText('Batch file not found').waitFor();
    await desk.editorPage.getByText('Find Input File…').click();
    // Text typed before the dialog has listed its folder is lost.
    await desk.quickRows.filter({ hasText: 'elsewhere.json' }).waitFor();
    await desk.quickInput.locator('input.input').first().fill(path.join(folder, 'elsewhere.json'));
    await desk.quickInput.locator('input.input').first().press('Enter');
    await desk.editorPage.getByText('2 of 3 requests have a result. Missing: 1.').waitFor();
    await row('line-3').getByText('Sort line-3.').waitFor();
    await desk.screenshot('answers-elsewhere');
    await desk.editorPage.getByRole('button', { name: 'Export…' }).click();
    await desk.pick('CSV');
    const target = await takeProposed('elsewhere.results.csv');
    await until(
      () => (existsSync(target) && /line-3,missing/.test(readFileSync(target, 'utf8')) ? true : undefined),
      'the table',
    );
    await pageButton('Retry 1 Missing').click();
    await desk.editorPage.getByText('1 of 3').waitFor();
    await pageButton('Submit').locator('button').click();
    await pageButton('Open Results').waitFor({ timeout: 60_000 });
    await pageButton('Open Results').click();
    await row('line-3').getByText('Completed').waitFor({ timeout: 60_000 });
    await desk.screenshot('answers-elsewhere-retried');
    await desk.command('View: Close Editor');
  });

  it('shows why a batch failed at a service with another status format', async () => {
    await pace({ batchQueueMs: 3_600_000 });
    const id = await demo.makeBatch('together', 3);
    const as = { status: 'FAILED', errors: null, error: 'Line 2: The model is not supported in batches.' };
    await demo.call('POST', '/_control/tell', { id, as });
    const batches = await desk.openView('Batches');
    await desk.viewAction('Batches', 'Refresh');
    const failed = batches.locator('.monaco-list-row', { hasText: 'together' }).first();
    await failed.filter({ hasText: 'failed' }).waitFor();
    await failed.click();
    await batches.getByText('The model is not supported in batches.').first().waitFor();
    await desk.screenshot('answers-together');
    await pace('fast');
  });

  it('has no rejected calls and no errors in the pages', () => {
    assert.deepEqual(desk.faults, []);
  });
});
