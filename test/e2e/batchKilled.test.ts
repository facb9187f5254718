import assert from 'node:assert/strict';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import type { BatchJob } from '../../src/core/jobs/batch/batchJob';
import type { DeskWindow } from '../host/window';
import { idsIn, writeBatchFile } from '../support/batchEngines';
import { killExtensionHosts } from '../support/killExtensionHosts';
import { signInTo } from '../support/chatJourney';
import { startFilledDemo, type FilledDemo } from '../support/filledDemo';
import { inOrder } from '../support/inOrder';
import { until } from '../support/until';

describe('a batch whose extension host is killed', function () {
  inOrder(this);
  let desk: DeskWindow;
  let demo: FilledDemo;
  let folder: string;

  before(async function () {
    demo = await startFilledDemo({ pace: { batchQueueMs: 500, batchLineMs: 200, batchFinalizeMs: 0 } });
    folder = mkdtempSync(path.join(tmpdir(), 'killed-'));
    await writeBatchFile(folder, 3);
    desk = await this.openDesk({ folder });
    await signInTo(desk, demo);
  });
  after(async () => {
    await desk?.close();
    await demo?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** The records as they are on disk; each is only ever replaced whole. */
  const records = (): readonly BatchJob[] =>
    globSync('**/inference-desk.inference-desk/jobs/*.json', { cwd: desk.server.dataFolder }).map(
      (name) => JSON.parse(readFileSync(path.join(desk.server.dataFolder, name), 'utf8')) as BatchJob,
    );
  const job = (is: (one: BatchJob) => boolean, what: string) => until(() => records().find(is), what, 60_000);
  const slow = (endpoint: string) =>
    demo.call('POST', '/_control/arm', { fault: 'slow-first-byte', endpoint, delayMs: 20_000 });
  const batches = async () => {
    const { data } = (await demo.call('GET', '/batches')) as { readonly data: readonly { readonly id: string }[] };
    return data.map(({ id }) => id);
  };
  /** What is told of the one batch in place of what is so; without it the truth. */
  const tell = async (as?: object) =>
    demo.call('POST', '/_control/tell', { id: (await batches())[0], ...(as && { as }) });
  const told = (page: Page) => page.locator('.notifications-center .notification-list-item', { hasText: 'is done' });

  it('is found again when it was just being created', async () => {
    await slow('POST /batches');
    await desk.command('View: Show Explorer');
    await desk.page.locator('.explorer-folders-view .monaco-list-row', { hasText: 'batch-3.jsonl' }).dblclick();
    await desk.command('Inference Desk: Submit Batch…');
    await desk.webview.getByRole('heading', { name: /batch-3/ }).waitFor();
    await desk.webview.getByRole('button', { name: 'Submit', exact: true }).click();
    await job(({ stage }) => stage === 'submitting', 'the order');
    let made: readonly string[] = [];
    while (made.length === 0) made = await batches();
    await tell({ status: 'in_progress', completed_at: null, output_file_id: null });
    await killExtensionHosts(desk);
    await job(({ batch }) => batch !== undefined, 'the batch that was found');
    assert.deepEqual(await batches(), made);
  });

  it('is followed on when it was just being asked for', async () => {
    await killExtensionHosts(desk);
    await desk.openView('Batches');
    await slow('GET /files/{id}/content');
    await tell();
    await job(({ stage }) => stage === 'fetching', 'the end of the batch');
  });

  it('has its results when they were just being fetched, and is told once', async () => {
    await killExtensionHosts(desk);
    const ended = await job(({ stage, toldEndAt }) => stage === 'ended' && toldEndAt !== undefined, 'the results');
    assert.deepEqual(await idsIn(path.join(ended.folder ?? '', 'output.jsonl')), ['line-1', 'line-2', 'line-3']);
    assert.deepEqual([records().length, (await batches()).length], [1, 1]);
    await desk.notice('is done');
    assert.equal(await told(desk.page).count(), 1);
    await desk.screenshot('batch-killed-told');
  });

  it('is told in one of two windows, and ordered once', async () => {
    const other = await desk.openAnother();
    await other.openView('Batches');
    await other.page.locator('.pane-body .monaco-list-row', { hasText: 'batch-3' }).first().waitFor();
    await other.clearNotices();
    await desk.clearNotices();
    const [first] = records();
    await desk.command('View: Close All Editors');
    await desk.command('View: Show Explorer');
    await desk.page.locator('.explorer-folders-view .monaco-list-row', { hasText: 'batch-3.jsonl' }).dblclick();
    await desk.command('Inference Desk: Submit Batch…');
    await desk.webview.getByRole('button', { name: 'Submit', exact: true }).click();
    const isNew = ({ id }: BatchJob) => id !== first?.id;
    await job((one) => isNew(one) && one.stage === 'ended' && one.toldEndAt !== undefined, 'the results');
    await Promise.all([desk, other].map((window) => window.command('Notifications: Show Notifications')));
    await Promise.race([desk, other].map(({ page }) => told(page).first().waitFor()));
    await desk.screenshot('batch-two-windows-first');
    await other.screenshot('batch-two-windows-second');
    const counts = await Promise.all([desk, other].map(({ page }) => told(page).count()));
    assert.equal(
      counts.reduce((sum, count) => sum + count, 0),
      1,
    );
    assert.equal((await batches()).length, 2);
    assert.deepEqual(other.faults, []);
  });

  it('threw nothing in its pages', () => {
    assert.deepEqual(desk.faults, []);
  });
});
