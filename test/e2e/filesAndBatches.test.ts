import { deepEqual, equal } from 'node:assert/strict';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import type { BatchJob } from '../../src/core/jobs/batch/batchJob';
import type { DeskWindow } from '../host/window';
import { idsIn } from '../support/batchEngines';
import { signInTo } from '../support/chatJourney';
import { startFilledDemo } from '../support/filledDemo';
import type { FilledDemo } from '../support/filledDemo';
import { inOrder } from '../support/inOrder';
import { killExtensionHosts } from '../support/killExtensionHosts';
import { requestLine } from '../support/requestLine';
import { until } from '../support/until';

const request = (id: string, content: string) => requestLine(id, content, { model: 'deepseek-ai/DeepSeek-V3' });
const requests = (count: number, about: string) =>
  `${Array.from({ length: count }, (_, index) => request(`${about}-${index + 1}`, `Sort ${about} ${index + 1}.`)).join('\n')}\n`;

describe('the file and batch views in the side bar', function () {
  inOrder(this);
  let desk: DeskWindow;
  let demo: FilledDemo;
  let folder: string;
  before(async function () {
    folder = mkdtempSync(path.join(tmpdir(), 'journey-'));
    writeFileSync(path.join(folder, 'triage.jsonl'), requests(1200, 'ticket'));
    writeFileSync(
      path.join(folder, 'broken.jsonl'),
      `${requests(3, 'order')}${request('order-1', 'again')}\n{"custom_id":\n`,
    );
    writeFileSync(path.join(folder, 'dropped.jsonl'), requests(3, 'invoice'));
    demo = await startFilledDemo({ pace: 'fast' });
    desk = await this.openDesk({ folder, size: { width: 1280, height: 1000 } });
  });
  after(async () => {
    await desk?.close();
    await demo?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const control = (action: string, body: object) => demo.call('POST', `/_control/${action}`, body);
  const rowOf = (view: Locator, text: string | RegExp) => view.locator('.monaco-list-row', { hasText: text }).first();
  const explorerRow = (name: string) =>
    desk.page.locator('.explorer-folders-view .monaco-list-row', { hasText: name }).first();
  const dialog = () => desk.page.locator('.monaco-dialog-box');
  const center = () => desk.page.locator('.notifications-center');
  const fold = async (view: string) => {
    const header = desk.page.locator(`.sidebar .pane-header[aria-label^="${view}"]`);
    if ((await header.getAttribute('aria-expanded')) === 'true') await header.click();
  };
  const showExplorer = async () => {
    await desk.command('View: Show Explorer');
    await explorerRow('triage.jsonl').waitFor();
  };
  const uploadFromExplorer = async (name: string) => {
    await showExplorer();
    await desk.chooseInMenu(explorerRow(name), [/^Batch File$/, 'Upload File…']);
  };
  /** Returns the records on disk. Each is only ever replaced atomically or removed. */
  const records = (): readonly BatchJob[] =>
    globSync('**/inference-desk.inference-desk/jobs/*.json', { cwd: desk.server.dataFolder }).flatMap((name) => {
      const file = path.join(desk.server.dataFolder, name);
      try {
        return [JSON.parse(readFileSync(file, 'utf8')) as BatchJob];
      } catch (error) {
        if (existsSync(file)) throw error;
        return [];
      }
    });
  const job = (is: (one: BatchJob) => boolean, what: string) => until(() => records().find(is), what, 60_000);
  /** Returns the IDs of the service's batches for a file. */
  const madeOf = async (inputId: string | undefined) => {
    const { data } = (await demo.call('GET', '/batches')) as {
      readonly data: readonly { readonly id: string; readonly input_file_id: string }[];
    };
    return data.filter(({ input_file_id: id }) => id === inputId).map(({ id }) => id);
  };

  it('explains files while the list is empty', async () => {
    await signInTo(desk, demo);
    const files = await desk.openView('Files');
    await fold('Models');
    await files.getByText('Upload File', { exact: true }).waitFor();
    await desk.screenshot('files-empty');
  });

  it('uploads a file with errors from the Explorer after confirmation', async () => {
    await uploadFromExplorer('broken.jsonl');
    await dialog().getByText('broken.jsonl has 2 errors').waitFor();
    await dialog().getByRole('button', { name: 'Upload Anyway' }).click();
    await desk.notice('Uploaded broken.jsonl');
    await desk.clearNotices();
  });

  it('shows upload progress, and cancels the upload', async () => {
    await control('arm', { fault: 'never-answers', endpoint: 'POST /files' });
    await uploadFromExplorer('triage.jsonl');
    await desk.notice(/sending, \d+%/);
    await desk.screenshot('files-uploading');
    await center().getByRole('button', { name: 'Cancel' }).click();
    await center()
      .getByText(/sending/)
      .waitFor({ state: 'detached' });
    // The upload was sent and might have arrived, which is reported.
    await uploadFromExplorer('triage.jsonl');
    await dialog().getByText('triage.jsonl might already be uploaded').waitFor();
    await dialog().getByRole('button', { name: 'Upload Again' }).click();
    await desk.notice('Uploaded triage.jsonl: 1,200 requests.');
    await uploadFromExplorer('triage.jsonl');
    await dialog().getByText('The content of triage.jsonl is already uploaded').waitFor();
    await dialog().getByRole('button', { name: 'Use Uploaded File' }).click();
    await desk.notice('already exists at the service');
    await desk.clearNotices();
  });

  it('uploads a file dropped onto the list', async () => {
    await showExplorer();
    await explorerRow('dropped.jsonl').dblclick();
    const tab = desk.page.locator('.tabs-container .tab', { hasText: 'dropped.jsonl' });
    await tab.waitFor();
    const files = await desk.openView('Files');
    await rowOf(files, 'triage.jsonl').waitFor();
    await tab.dragTo(rowOf(files, 'triage.jsonl'));
    await rowOf(files, 'dropped.jsonl').waitFor();
    await desk.notice('Uploaded dropped.jsonl: 3 requests.');
    await desk.clearNotices();
  });

  it('shows batches in every state and their details, also in a narrow side bar', async () => {
    await control('pace', { pace: { batchQueueMs: 3_600_000 } });
    const long =
      'Quarterly review of every support conversation that was escalated more than once and its outcome '.repeat(2);
    const counts = (completed: number, failed = 0) => ({ total: 5000, completed, failed });
    const now = Math.floor(Date.now() / 1000);
    const states: readonly (readonly [string, object])[] = [
      ['nightly-labels', { status: 'validating' }],
      ['客户反馈分类：三月', { status: 'in_progress', in_progress_at: now - 4000, request_counts: counts(3120, 12) }],
      ['מיון פניות לקוחות', { status: 'finalizing', request_counts: counts(5000) }],
      ['summaries', { status: 'completed', completed_at: now - 60, request_counts: counts(5000), output_file_id: 'f' }],
      [
        'translations',
        {
          status: 'completed',
          completed_at: now,
          request_counts: counts(4962, 38),
          output_file_id: 'f',
          error_file_id: 'g',
        },
      ],
      ['empty-handed', { status: 'completed', completed_at: now }],
      ['all-refused', { status: 'completed', request_counts: counts(0, 5000), error_file_id: 'g' }],
      [
        'bad-file',
        { status: 'failed', failed_at: now, errors: ['line 3: custom_id is missing', 'line 9: model is missing'] },
      ],
      ['too-slow', { status: 'expired', expired_at: now, request_counts: counts(4100, 900), output_file_id: 'f' }],
      ['stopping', { status: 'cancelling', request_counts: counts(10) }],
      ['stopped', { status: 'cancelled', cancelled_at: now, request_counts: counts(10) }],
      ['from-next-year', { status: 'awaiting_capacity' }],
      [long.slice(0, 200), {}],
    ];
    for (const [name, as] of states) {
      const id = await demo.makeBatch(name, 2);
      await control('tell', { id, as: { created_at: now - 5000, ...as } });
    }
    const batches = await desk.openView('Batches');
    await fold('Files');
    await desk.viewAction('Batches', 'Refresh');
    await rowOf(batches, 'from-next-year').waitFor();
    await rowOf(batches, 'nightly-labels').waitFor();
    await rowOf(batches, 'bad-file').click();
    await rowOf(batches, 'line 3: custom_id is missing').waitFor();
    await rowOf(batches, '客户反馈分类').click();
    await rowOf(batches, /Deadline/).waitFor();
    await desk.screenshot('batches-details');
    await desk.widenSideBar(220);
    await desk.screenshot('batches-narrow');
    await desk.widenSideBar(420);
  });

  it('cancels a batch after confirmation', async () => {
    const batches = await desk.openView('Batches');
    await demo.makeBatch('unwanted', 2);
    await desk.viewAction('Batches', 'Refresh');
    await rowOf(batches, 'unwanted').hover();
    await rowOf(batches, 'unwanted').getByRole('button', { name: 'Cancel Batch' }).click();
    await dialog().getByText('Cancel the batch "unwanted"?').waitFor();
    await desk.screenshot('batches-cancel');
    await dialog().getByRole('button', { name: 'Cancel Batch' }).click();
    await rowOf(batches, 'unwanted')
      .filter({ hasText: /cancel/i })
      .waitFor();
  });

  it('keeps a rejected batch in the list, with its next step', async () => {
    await control('pace', { pace: { batchQueueMs: 500, batchLineMs: 200, batchFinalizeMs: 0 } });
    await control('arm', { fault: 'parameter', endpoint: 'POST /batches' });
    await fold('Batches');
    const files = await desk.openView('Files');
    await rowOf(files, 'dropped.jsonl').hover();
    await rowOf(files, 'dropped.jsonl').getByRole('button', { name: 'Submit Batch' }).click();
    await desk.editorPage.getByRole('heading', { name: 'Submit dropped.jsonl' }).waitFor();
    await desk.editorPage.locator('vscode-button', { hasText: 'Submit' }).locator('button').click();
    await fold('Files');
    const batches = await desk.openView('Batches');
    await rowOf(batches, 'not created').click();
    await rowOf(batches, "The batch wasn't created").waitFor();
    await desk.screenshot('batches-refused');
  });

  it('creates a batch once if the extension host is killed during creation', async () => {
    await control('arm', { fault: 'slow-first-byte', endpoint: 'POST /batches', delayMs: 20_000 });
    await desk.editorPage.getByRole('button', { name: 'Try Again' }).click();
    const { inputFileId } = await job(({ stage }) => stage === 'submitting', 'the order');
    let made: readonly string[] = [];
    while (made.length === 0) made = await madeOf(inputFileId);
    await control('tell', { id: made[0], as: { status: 'in_progress', completed_at: null, output_file_id: null } });
    await killExtensionHosts(desk);
    await job(({ batch }) => batch !== undefined, 'the batch that was found');
    deepEqual(await madeOf(inputFileId), made);
  });

  it('notifies of the end of a batch once', async () => {
    const batches = await desk.openView('Batches');
    await rowOf(batches, 'dropped').waitFor();
    const found = await job(({ batch }) => batch !== undefined, 'the batch');
    await control('tell', { id: found.batch?.id });
    const ended = await job(({ stage, toldEndAt }) => stage === 'ended' && toldEndAt !== undefined, 'the results');
    deepEqual(await idsIn(path.join(ended.folder ?? '', 'output.jsonl')), ['invoice-1', 'invoice-2', 'invoice-3']);
    deepEqual(await madeOf(found.inputFileId), [found.batch?.id]);
    await desk.notice('is done');
    equal(await center().locator('.notification-list-item', { hasText: 'is done' }).count(), 1);
    await desk.clearNotices();
  });

  it('removes a batch from the list after confirmation', async () => {
    const batches = await desk.openView('Batches');
    const ended = batches.locator('.monaco-list-row', { hasText: /dropped.*3 done/ }).first();
    await desk.chooseInMenu(ended, 'Remove from List…', {
      until: dialog().getByText('Remove "dropped" from the list?'),
    });
    await dialog().getByRole('button', { name: 'Remove from List' }).click();
    await until(() => (records().some(({ stage }) => stage === 'ended') ? undefined : true), 'no record of it');
    await fold('Batches');
    const files = await desk.openView('Files');
    await rowOf(files, 'dropped.jsonl').filter({ hasText: '1 batch' }).waitFor();
    await desk.screenshot('files-uses');
  });

  it('logs no errors', () => {
    deepEqual(desk.faults, []);
  });
});
