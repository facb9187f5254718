import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { createRunFolder } from '../../src/core/batch/results/runFolder';
import type { DeskWindow } from '../host/window';
import { inOrder } from '../support/inOrder';
import { requestLine } from '../support/requestLine';
import { until } from '../support/until';

const request = (id: string, content: string) => requestLine(id, content, { model: 'Qwen/Qwen3-8B' });
const answer = (id: string, content: string) =>
  JSON.stringify({
    custom_id: id,
    response: {
      status_code: 200,
      body: {
        model: 'Qwen/Qwen3-8B',
        choices: [{ message: { role: 'assistant', content }, finish_reason: 'stop' }],
        usage: { prompt_tokens: 20, completion_tokens: 5, total_tokens: 25 },
      },
    },
    error: null,
  });
const failure = (id: string) =>
  JSON.stringify({ custom_id: id, response: null, error: { code: 'batch_expired', message: 'Not begun in time.' } });

const hostile = '<img src=https://evil.example/x onerror=alert(1)> [run](command:workbench.action.quit) **bold**';
const ids = Array.from({ length: 300 }, (_, index) => `ticket-${index + 1}`);
const labels = ['billing', 'bug', 'feature'];
const labelOf = (index: number) => labels[index % labels.length] ?? '';

describe('the results of a batch', function () {
  inOrder(this);
  let desk: DeskWindow;
  let folder: string;
  let results: string;
  let input: string;
  let first: string;

  before(async function () {
    folder = mkdtempSync(path.join(tmpdir(), 'results-'));
    results = mkdtempSync(path.join(tmpdir(), 'results-kept-'));
    input = path.join(folder, 'tickets.jsonl');
    writeFileSync(input, ids.map((id) => `${request(id, `Sort ${id}.`)}\n`).join(''));
    first = await makeRun('batch_first', 0);
    await makeRun('batch_second', 1);
    desk = await this.openDesk({
      folder,
      settings: { 'inferenceDesk.batch.resultsFolder': results },
      size: { width: 1400, height: 900 },
    });
  });
  after(async () => {
    await desk?.close();
    rmSync(folder, { recursive: true, force: true });
    rmSync(results, { recursive: true, force: true });
  });

  /** The third request failed, the fourth is missing; the second run, which is newer, says other things now and then. */
  async function makeRun(batchId: string, shift: number): Promise<string> {
    const made = await createRunFolder(results, {
      kind: 'batch',
      name: `tickets ${batchId}`,
      createdAt: Date.now() - 3_600_000 + shift * 1000,
      batchId,
      model: 'Qwen/Qwen3-8B',
      input: { path: input, sha256: '', bytes: 0, requests: ids.length },
      files: { output: 'output.jsonl', errors: 'errors.jsonl' },
      ended: true,
    });
    const lines = ids.flatMap((id, index) => {
      if (index === 2 || index === 3) return [];
      if (index === 1) return [answer(id, hostile)];
      return [answer(id, labelOf(index % 10 === 0 ? index + shift : index))];
    });
    writeFileSync(path.join(made.path, 'output.jsonl'), `${lines.toReversed().join('\n')}\n`);
    writeFileSync(path.join(made.path, 'errors.jsonl'), `${failure('ticket-3')}\n`);
    return made.path;
  }

  const row = (id: string): Locator =>
    desk.editorPage.locator('.results-row', {
      has: desk.editorPage.locator('.results-cell-id', { hasText: new RegExp(`^${id}$`) }),
    });
  const details = (): Locator => desk.editorPage.getByRole('complementary');
  const tab = (name: string): Locator => desk.editorPage.getByRole('tab', { name });
  /** Confirms the file that a dialog proposes. */
  const takeProposed = async (name: string): Promise<string> => {
    const target = path.join(folder, name);
    const box = desk.quickInput.locator('input.input').first();
    await desk.page.waitForFunction(
      (wanted) =>
        [...document.querySelectorAll<HTMLInputElement>('.quick-input-widget input.input')].some(
          ({ value }) => value === wanted,
        ),
      target,
    );
    await box.press('Enter');
    return target;
  };
  const editorTab = (title: string): Locator => desk.page.locator('.tabs-container .tab', { hasText: title });
  const explorerRow = (name: string): Locator =>
    desk.page.locator('.explorer-folders-view .monaco-list-row', { hasText: name });

  it('are on the lines of the batch file, whole under the pointer, and inert', async () => {
    await explorerRow('tickets.jsonl').dblclick();
    await desk.page.locator('.codelens-decoration', { hasText: '300 requests' }).first().waitFor();
    // One beside its line, one above the line of the cursor.
    await desk.page.locator('.view-line', { hasText: '→ bug' }).first().waitFor();
    await desk.page.locator('.view-line', { hasText: '✗ batch_expired' }).first().waitFor();
    await desk.page.locator('.view-line', { hasText: 'no answer' }).first().waitFor();
    await desk.page.locator('.codelens-decoration a', { hasText: '→' }).first().waitFor();
    await desk.screenshot('results-on-lines');
    await desk.page.locator('.view-line span span', { hasText: /^"?ticket-2"?$/ }).hover();
    const hover = desk.page.locator('.monaco-hover', { hasText: 'Open in Results' }).first();
    await hover.getByText('<img src=https://evil.example/x').waitFor();
    assert.equal(await hover.locator('img, strong:text("bold"), a[data-href*="quit"]').count(), 0);
    await desk.screenshot('results-hover');
    await hover.getByText('Open in Results').click();
    await editorTab('Results of tickets.jsonl').waitFor();
    await details().getByRole('heading', { name: 'ticket-2', exact: true }).waitFor();
  });

  it('stand beside their requests, in groups of what failed', async () => {
    await row('ticket-1').waitFor();
    assert.match((await row('ticket-4').textContent()) ?? '', /no answer in either file/);
    await desk.screenshot('results-page');
    await tab('Failed').click();
    await desk.editorPage.getByText('batch_expired · Not begun in time.').first().waitFor();
    await row('ticket-3').click();
    await details().locator('.details-failure', { hasText: 'batch_expired' }).waitFor();
    await desk.screenshot('results-failed');
    await details().getByRole('button', { name: 'Go to line 3' }).click();
    await desk.status(/Ln 3, Col 1/).waitFor();
  });

  it('are exported', async () => {
    await editorTab('Results of tickets.jsonl').click();
    await tab('All').click();
    await row('ticket-1').waitFor();
    await desk.editorPage.getByText('Export…').click();
    await desk.pick('CSV');
    const target = await takeProposed('tickets.results.csv');
    await explorerRow('tickets.results.csv').waitFor();
    await desk.screenshot('results-exported');
    // It stands in the Explorer before all of it is written.
    await until(() => (/ticket-1,answered/.test(readFileSync(target, 'utf8')) ? true : undefined), 'the table');
  });

  it('are asked again where they failed or are missing: one file, ready to be submitted', async () => {
    await desk.editorPage.getByText('Retry 2 Failed or Missing').click();
    await desk.pick('Failed and missing');
    const target = await takeProposed('tickets.retry.jsonl');
    await editorTab('tickets.retry.jsonl').first().waitFor();
    await desk.page.locator('.codelens-decoration a:visible', { hasText: '2 requests' }).waitFor();
    assert.deepEqual(
      readFileSync(target, 'utf8')
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as { custom_id: string }).custom_id),
      ['ticket-3', 'ticket-4'],
    );
    await desk.screenshot('results-retry');
    await desk.page.locator('.codelens-decoration a:visible', { hasText: 'Submit…' }).click();
    await desk.editorPage.getByText('tickets.retry.jsonl').first().waitFor();
    await desk.screenshot('results-submit');
  });

  it('of two runs stand beside each other', async () => {
    await editorTab('Results of tickets.jsonl').click();
    await desk.editorPage.getByText('Compare with…').click();
    await desk.quickRows.filter({ hasText: 'tickets batch_first' }).waitFor();
    await desk.screenshot('results-compare-with');
    await desk.pick('tickets batch_first');
    await editorTab('Compare tickets.jsonl').waitFor();
    const compared = (id: string) =>
      desk.editorPage.locator('.compare-row', {
        has: desk.editorPage.locator('.compare-cell-id', { hasText: new RegExp(`^${id}$`) }),
      });
    await compared('ticket-1').click();
    await details().locator('.compare-differs').first().waitFor();
    await tab('Different').click();
    await compared('ticket-2').waitFor({ state: 'detached' });
    await compared('ticket-11').waitFor();
    await desk.screenshot('results-compare');
  });

  it('come back after a reload of the window, in every kind of theme', async () => {
    await editorTab('Results of tickets.jsonl').click();
    await tab('Failed').click();
    await row('ticket-3').click();
    await desk.reloadWindow();
    await editorTab('Results of tickets.jsonl').click();
    await details().locator('.details-failure', { hasText: 'batch_expired' }).waitFor({ timeout: 60_000 });
    for (const kind of ['light', 'highContrast'] as const) {
      await desk.theme(kind);
      await row('ticket-3').waitFor();
      await desk.screenshot(`results-${kind}`);
    }
  });

  it('refused nothing and threw nothing in its pages', () => {
    assert.ok(first.startsWith(results));
    assert.deepEqual(desk.faults, []);
  });
});
