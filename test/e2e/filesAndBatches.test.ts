import { deepEqual, equal } from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import type { DeskWindow } from '../host/window';
import { signInTo } from '../support/chatJourney';
import { startFilledDemo } from '../support/filledDemo';
import type { FilledDemo } from '../support/filledDemo';
import { inOrder } from '../support/inOrder';
import { requestLine } from '../support/requestLine';

const request = (id: string, content: string) => requestLine(id, content, { model: 'deepseek-ai/DeepSeek-V3' });
const requests = (count: number, about: string) =>
  `${Array.from({ length: count }, (_, index) => request(`${about}-${index + 1}`, `Sort ${about} ${index + 1}.`)).join('\n')}\n`;

describe('files and batches in the side bar', function () {
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
    writeFileSync(path.join(folder, 'dropped.jsonl'), requests(40, 'invoice'));
    demo = await startFilledDemo({ pace: 'fast' });
    desk = await this.openDesk({ folder, size: { width: 1280, height: 1000 } });
  });
  after(async () => {
    await desk?.close();
    await demo?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const control = (action: string, body: object) => demo.call('POST', `/_control/${action}`, body);
  const rowOf = (view: Locator, text: string) => view.locator('.monaco-list-row', { hasText: text }).first();
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
    await desk.chooseInMenu(explorerRow(name), 'Upload File…');
  };

  it('say what files are for while there is none', async () => {
    await signInTo(desk, demo);
    await fold('Chat');
    const files = await desk.openView('Files');
    await files.getByText('Upload File…', { exact: true }).waitFor();
    await desk.screenshot('files-empty');
  });

  it('upload from the Explorer: errors are overridden on purpose', async () => {
    await uploadFromExplorer('broken.jsonl');
    await dialog().getByText('broken.jsonl has 2 errors').waitFor();
    await desk.screenshot('files-errors');
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    await dialog().waitFor({ state: 'detached' });
    await uploadFromExplorer('broken.jsonl');
    await dialog().getByRole('button', { name: 'Upload Anyway' }).click();
    await desk.notice('broken.jsonl is uploaded');
    await desk.clearNotices();
  });

  it('show how far an upload is, and let it be cancelled', async () => {
    await control('arm', { fault: 'never-answers', endpoint: 'POST /files' });
    await uploadFromExplorer('triage.jsonl');
    await desk.notice(/sending, \d+ %/);
    await desk.screenshot('files-uploading');
    await center().getByRole('button', { name: 'Cancel' }).click();
    await center()
      .getByText(/sending/)
      .waitFor({ state: 'detached' });
    // It was sent, and may have arrived: that is said.
    await uploadFromExplorer('triage.jsonl');
    await dialog().getByText('triage.jsonl may be uploaded already').waitFor();
    await desk.screenshot('files-perhaps');
    await dialog().getByRole('button', { name: 'Upload Again' }).click();
    await desk.notice('triage.jsonl is uploaded: 1,200 requests.');
    await desk.clearNotices();
    await uploadFromExplorer('triage.jsonl');
    await dialog().getByText('The content of triage.jsonl is uploaded already').waitFor();
    await desk.screenshot('files-reuse');
    await dialog().getByRole('button', { name: 'Use the Uploaded File' }).click();
    await desk.notice('was there already; nothing was sent');
    await desk.clearNotices();
  });

  it('take a file that is dropped onto the list', async () => {
    await showExplorer();
    await explorerRow('dropped.jsonl').dblclick();
    const tab = desk.page.locator('.tabs-container .tab', { hasText: 'dropped.jsonl' });
    await tab.waitFor();
    const files = await desk.openView('Files');
    await rowOf(files, 'triage.jsonl').waitFor();
    await tab.dragTo(rowOf(files, 'triage.jsonl'));
    await rowOf(files, 'dropped.jsonl').waitFor();
    await desk.notice('dropped.jsonl is uploaded: 40 requests.');
    await desk.clearNotices();
  });

  it('say in plain words where the service gives no content, and show it where it does', async () => {
    await control('arm', { fault: 'id-missing', endpoint: 'GET /files/{id}/content' });
    const files = await desk.openView('Files');
    const open = () => desk.chooseInMenu(rowOf(files, 'dropped.jsonl'), 'Open Content');
    await open();
    await desk.notice('The service does not know this item');
    await desk.clearNotices();
    await open();
    await desk.page.locator('.tabs-container .tab.active', { hasText: 'dropped.jsonl' }).waitFor();
    await desk.page.locator('.monaco-editor .view-line', { hasText: 'invoice-1' }).first().waitFor();
  });

  it('show batches in every state, in every theme, and in a narrow side bar', async () => {
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
    await desk.command('Inference Desk: Refresh Batches');
    await rowOf(batches, 'from-next-year').waitFor();
    await rowOf(batches, 'nightly-labels').waitFor();
    await desk.page.locator('.tabs-container').first().hover();
    for (const theme of ['light', 'dark', 'highContrast', 'highContrastLight'] as const) {
      await desk.theme(theme);
      await desk.screenshot(`batches-states-${theme}`);
    }
    await desk.theme('light');
    await rowOf(batches, 'bad-file').click();
    await rowOf(batches, 'line 3: custom_id is missing').waitFor();
    await rowOf(batches, '客户反馈分类').click();
    await rowOf(batches, 'Expires').waitFor();
    await desk.screenshot('batches-details');
    await desk.widenSideBar(220);
    await desk.screenshot('batches-narrow');
    await desk.widenSideBar(420);
    await desk.screenshot('batches-wide');
  });

  it("show errors in the service's words, and cancel what someone wants cancelled", async () => {
    const batches = await desk.openView('Batches');
    await rowOf(batches, 'line 3: custom_id is missing').click();
    await desk.page.locator('.monaco-editor .view-line', { hasText: 'line 9' }).first().waitFor();
    await desk.screenshot('batches-errors');
    await rowOf(batches, '客户反馈分类').hover();
    await rowOf(batches, '客户反馈分类').getByRole('button', { name: 'Cancel Batch' }).click();
    await dialog().getByText('Cancel the batch “客户反馈分类：三月”?').waitFor();
    await desk.screenshot('batches-cancel');
    await dialog().getByRole('button', { name: 'Let It Run' }).click();
    await control('arm', { fault: 'method', endpoint: 'POST /batches/{id}/cancel' });
    await desk.chooseInMenu(rowOf(batches, 'nightly-labels'), 'Cancel Batch…', {
      whenShown: () => desk.screenshot('batches-menu'),
      until: dialog(),
    });
    await dialog().getByRole('button', { name: 'Cancel Batch' }).click();
    await desk.notice('This service does not cancel batches');
    await desk.screenshot('batches-no-cancel');
    await desk.clearNotices();
  });

  it('keep an order that was refused, and one whose fate is not known, with what to do', async () => {
    const submit = async (file: string) => {
      await fold('Batches');
      const files = await desk.openView('Files');
      await rowOf(files, file).hover();
      await rowOf(files, file).getByRole('button', { name: 'Submit Batch' }).click();
      await desk.editorPage.getByRole('heading', { name: `Submit ${file}` }).waitFor();
      await desk.editorPage.locator('vscode-button', { hasText: 'Submit' }).locator('button').click();
    };
    await control('arm', { fault: 'parameter', endpoint: 'POST /batches' });
    await submit('dropped.jsonl');
    await fold('Files');
    const batches = await desk.openView('Batches');
    await rowOf(batches, 'not made').waitFor();
    await control('arm', { fault: 'reset-before-headers', endpoint: 'POST /batches' });
    await control('arm', { fault: 'server-60000', endpoint: 'GET /batches', times: 99 });
    await submit('triage.jsonl');
    await fold('Files');
    await desk.openView('Batches');
    await rowOf(batches, 'not known whether it was made').waitFor();
    await fold('Files');
    await rowOf(batches, 'not made').click();
    await rowOf(batches, 'The batch was not created').waitFor();
    await desk.screenshot('batches-orders');
    await desk.chooseInMenu(rowOf(batches, 'not known whether it was made'), 'Forget Batch…', {
      whenShown: () => desk.screenshot('batches-orders-menu'),
      until: dialog().getByText('Forget “triage”?'),
    });
    await desk.screenshot('batches-forget');
    await dialog().getByRole('button', { name: 'Forget' }).click();
    await rowOf(batches, 'not known whether it was made').waitFor({ state: 'detached' });
    await control('reset', {});
  });

  it('show a batch that was made elsewhere to its end, and which files were used', async () => {
    await control('pace', { pace: 'fast' });
    await demo.makeBatch('made-elsewhere', 4);
    await desk.command('Inference Desk: Refresh Batches');
    const batches = await desk.openView('Batches');
    await rowOf(batches, 'made-elsewhere').waitFor();
    const ended = rowOf(batches, 'made-elsewhere').filter({ hasText: 'completed' });
    // One that is not followed is asked for when someone wants to know.
    while (!(await ended.isVisible())) {
      await desk.command('Inference Desk: Refresh Batches');
      await ended.waitFor({ timeout: 2000 }).catch(() => undefined);
    }
    const files = await desk.openView('Files');
    await desk.command('Inference Desk: Refresh Files');
    await rowOf(files, 'dropped.jsonl').filter({ hasText: 'unused' }).waitFor();
    await rowOf(files, 'bad-file.jsonl').filter({ hasText: '1 batch' }).waitFor();
    await fold('Batches');
    await desk.screenshot('files-uses');
    await desk.widenSideBar(220);
    await desk.screenshot('files-narrow');
    await desk.theme('dark');
    await desk.screenshot('files-narrow-dark');
  });

  it('leave no fault behind', () => {
    deepEqual(desk.faults, []);
    equal(desk.faults.length, 0);
  });
});
