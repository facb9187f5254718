import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { mock } from 'node:test';
import * as vscode from 'vscode';
import { batchActions, type BatchAction, type BatchQuestions } from '../../src/features/batches/batchActions';
import { badgeOf } from '../../src/features/batches/batches';
import { batchTooltip, toBatchItem, batchDetails } from '../../src/features/batches/batchDrawing';
import { createBatchRows } from '../../src/features/batches/logic/batchRows';
import { openInput } from '../../src/features/batches/rowTexts';
import type { BatchJob, BatchRow } from '../../src/services/batches/batches';
import { isUserError } from '../../src/platform/errors/userError';
import type { Services } from '../../src/services/services';
import { beginAnew, deskServices, signInAnew, until as untilEvent } from '../support/deskServices';
import { startFilledDemo, type FilledDemo } from '../support/filledDemo';
import { requestLine } from '../support/requestLine';
import { until } from '../support/until';

const now = Date.UTC(2026, 0, 2, 12);
const request = (id: string) => requestLine(id, `Hello from ${id}`, { model: 'deepseek-ai/DeepSeek-V3' });

describe('batches of the account', function () {
  this.timeout(120_000);
  let services: Services;
  let demo: FilledDemo;
  let folder: string;
  let asked: string[];

  before(async () => {
    services = await deskServices();
    demo = await startFilledDemo({ pace: 'instant' });
    folder = mkdtempSync(path.join(tmpdir(), 'batches-'));
    await signInAnew(services, 'batches', demo);
    await services.batchJobs();
  });
  beforeEach(async () => {
    asked = [];
    await demo.call('POST', '/_control/reset', {});
    await demo.call('POST', '/_control/pace', { pace: 'instant' });
    await services.connections.forgetOffers('batches');
  });
  afterEach(async () => {
    for (const { id } of services.batchJobs.jobs) await (await services.batchJobs()).forget(id);
    await vscode.commands.executeCommand('notifications.clearAll');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });
  after(async () => {
    await beginAnew(services);
    await demo.close();
    rmSync(folder, { recursive: true });
  });

  const answers = (yes: boolean, input?: string): BatchQuestions => {
    const answer = (question: string) => async () => (asked.push(question), yes);
    return {
      cancel: answer('cancel'),
      createAgain: answer('createAgain'),
      forget: answer('forget'),
      stopParts: answer('stopParts'),
      cleanUp: answer('cleanUp'),
      input: async () => (input === undefined ? undefined : vscode.Uri.file(input)),
    };
  };
  const act = (name: keyof typeof batchActions, row: BatchRow, yes = true, input?: string) =>
    (batchActions[name] as BatchAction)(row, services, answers(yes, input));
  const rows = async () => {
    const { items, readAt } = await services.batchList.refresh();
    return createBatchRows()({ batches: items, readAt, jobs: services.batchJobs.jobs, costs: services.costs });
  };
  const rowOf = async (id: string) => (await rows()).find(({ batch }) => batch?.id === id)!;
  const tell = (id: string, as?: object) => demo.call('POST', '/_control/tell', { id, ...(as && { as }) });
  const slow = () => demo.call('POST', '/_control/pace', { pace: { batchQueueMs: 3_600_000 } });
  const describeRow = (row: BatchRow) => String(toBatchItem(row, Date.now()).description);
  const submit = async (name: string) => {
    const file = path.join(folder, name);
    writeFileSync(file, `${request('a')}\n${request('b')}\n`);
    return (await services.batchJobs()).submit({ path: file, completion_window: '24h', metadata: { name } });
  };
  const job = (id: string) => services.batchJobs.jobs.find((one) => one.id === id)!;

  it('show their outcome in every state the service reports', async () => {
    await slow();
    const id = await demo.makeBatch('states', 3);
    const counts = (completed: number, failed: number) => ({ total: 3, completed, failed });
    const states: readonly (readonly [object, RegExp])[] = [
      [{ status: 'validating' }, /^validating · /],
      [{}, /^queued · deadline in 2\d hr$/],
      [{ status: 'in_progress', request_counts: counts(1, 1) }, /^66% of 3 · 1 failed · /],
      [{ status: 'finalizing', request_counts: counts(3, 0) }, /^finalizing · 3 of 3 · /],
      [{ status: 'completed', request_counts: counts(3, 0), output_file_id: 'o' }, /^3 done · now$/],
      [
        { status: 'completed', request_counts: counts(2, 1), error_file_id: 'e', output_file_id: 'o' },
        /^1 of 3 failed · now$/,
      ],
      [{ status: 'completed', request_counts: counts(0, 3), error_file_id: 'e' }, /^all 3 failed · now$/],
      [{ status: 'completed', request_counts: null }, /^completed without results · now$/],
      [{ status: 'completed', error_file_id: 'e' }, /^completed, all requests failed · /],
      [{ status: 'failed', errors: ['line 1: no'] }, /^failed · /],
      [{ status: 'expired', request_counts: counts(2, 1) }, /^expired · 2 of 3 · /],
      [{ status: 'cancelling' }, /^canceling · /],
      [{ status: 'cancelled' }, /^canceled · /],
      [{ status: 'thinking_about_it' }, /^thinking_about_it · /],
    ];
    for (const [as, words] of states) {
      await tell(id, as);
      match(describeRow(await rowOf(id)), words);
    }
  });

  it('are tracked from submission on in one row', async () => {
    await slow();
    const { id, batch } = await submit('followed.jsonl');
    const shown = await rows();
    const mine = shown.filter(({ batch: one }) => one?.id === batch?.id);
    deepEqual([mine.length, mine[0]?.key, mine[0]?.job?.id], [1, id, id]);
    equal(toBatchItem(mine[0]!, Date.now()).label, 'followed.jsonl');
    match(describeRow(mine[0]!), /^[a-z ]+ · DeepSeek-V3 · deadline in 2\d hr$/);
    match(batchTooltip(mine[0]!, Date.now()).value.replaceAll('\\', ''), /Model: deepseek-ai\/DeepSeek-V3/);
    deepEqual(badgeOf(services.batchJobs.jobs, 0)?.value, 1);
    const requestCounts = { total: 2, completed: 2, failed: 0 };
    const done = { ...batch!, status: 'completed', requestCounts, outputFileId: 'o' };
    const output = { from: 'o', bytes: 1, lines: 2, counts: { answered: 1, truncated: 1 } };
    const incomplete = { ...mine[0]!, batch: done, job: { ...job(id), batch: done, fetched: { output } } };
    match(describeRow(incomplete), /^1 of 2 completed · 1 incomplete · /);
    await demo.call('POST', '/_control/pace', { pace: 'instant' });
  });

  it('are canceled only on request, tracked or not', async () => {
    await slow();
    const other = await demo.makeBatch('elsewhere', 2);
    const own = await submit('own.jsonl');
    await act('cancel', await rowOf(other), false);
    equal((await rowOf(other)).batch?.status, 'in_queue');
    await act('cancel', await rowOf(other));
    await act('cancel', await rowOf(own.batch!.id));
    match(String((await rowOf(other)).batch?.status), /^cancell/);
    match(String(job(own.id).batch?.status), /^cancell/);
    deepEqual(asked, ['cancel', 'cancel', 'cancel']);
  });

  it("explain once that the service can't cancel batches", async () => {
    await slow();
    const id = await demo.makeBatch('stays', 2);
    await demo.call('POST', '/_control/arm', { fault: 'method', endpoint: 'POST /batches/{id}/cancel' });
    const refused = (error: unknown) => isUserError(error) && /continues/.test(error.detail);
    await rejects(act('cancel', await rowOf(id)), refused);
    await rejects(act('cancel', await rowOf(id)), refused);
    const requests = await demo.requests();
    equal(requests.filter(({ path: asking }) => asking.endsWith('/cancel')).length, 1);
  });

  it('from another machine can be tracked with their results', async () => {
    const id = await demo.makeBatch('watched', 2);
    await act('watch', await rowOf(id));
    await untilEvent(services.batchJobs.onDidChange, () => services.batchJobs.jobs[0]?.stage === 'ended');
    const [followed] = services.batchJobs.jobs;
    deepEqual([followed?.batch?.id, followed?.folder !== undefined], [id, true]);
  });

  it('that the service rejects stay in the list with a next step', async () => {
    await demo.call('POST', '/_control/arm', { fault: 'parameter', endpoint: 'POST /batches' });
    const refused = await submit('refused.jsonl');
    equal(refused.stage, 'refused');
    const row = (await rows()).find(({ key }) => key === refused.id)!;
    match(describeRow(row), /^not created · 2 requests · /);
    const item = toBatchItem(row, Date.now());
    match(String(item.contextValue), /\bagain\b.*\bforgettable\b/);
    match(JSON.stringify(batchDetails(row, Date.now())[0]?.label), /created/);
    await demo.call('POST', '/_control/arm', { fault: 'parameter', endpoint: 'POST /batches' });
    const failed = mock.method(vscode.window, 'showErrorMessage', async () => undefined);
    await act('createAgain', row);
    equal(job(refused.id).stage, 'refused');
    match(
      JSON.stringify(failed.mock.calls[0]?.arguments),
      /Batch .{0,2}"refused\.jsonl.{0,2}": .*parameter is invalid/,
    );
    await slow();
    await act('createAgain', row);
    deepEqual([job(refused.id).stage, asked, failed.mock.callCount()], ['running', ['createAgain', 'createAgain'], 1]);
    failed.mock.restore();
  });

  it('show their state when a check finds no change', async () => {
    await slow();
    const other = await demo.makeBatch('another', 2);
    const own = await submit('checked.jsonl');
    const reported = mock.method(vscode.window, 'showInformationMessage', async () => undefined);
    await act('checkNow', await rowOf(other));
    match(
      JSON.stringify(reported.mock.calls[0]?.arguments),
      /Batch .{1,2}another.{1,2} hasn't changed since the last check\. Status: queued\./,
    );
    await act('checkNow', await rowOf(own.batch!.id));
    equal(reported.mock.callCount(), 2);
    const before = await rowOf(other);
    await tell(other, { status: 'in_progress' });
    await act('checkNow', before);
    equal(reported.mock.callCount(), 2);
    reported.mock.restore();
  });

  it('with an unknown outcome are resubmitted only on request', async () => {
    await slow();
    await demo.call('POST', '/_control/arm', { fault: 'reset-before-headers', endpoint: 'POST /batches' });
    await demo.call('POST', '/_control/arm', { fault: 'server-60000', endpoint: 'GET /batches', times: 9 });
    const lost = await submit('lost.jsonl');
    equal(lost.stage, 'unknown');
    const row: BatchRow = { key: lost.id, job: lost };
    match(describeRow(row), /^not confirmed · /);
    match(String(toBatchItem(row, Date.now()).contextValue), /\bdoubtful\b/);
    await act('createAgain', row, false);
    deepEqual([asked, job(lost.id).stage], [['createAgain'], 'unknown']);
  });

  it('are removed from the list on request, and stay at the service', async () => {
    await slow();
    const { id, batch } = await submit('forgotten.jsonl');
    await act('forget', await rowOf(batch!.id), false);
    ok(job(id));
    await act('forget', await rowOf(batch!.id));
    equal(job(id) as BatchJob | undefined, undefined);
    equal((await rowOf(batch!.id)).job, undefined);
  });

  it('have their files at the service deleted after one confirmation, and keep their results here', async () => {
    const { id, batch } = await submit('finished.jsonl');
    const ended = await until(() => (job(id).stage === 'ended' ? job(id) : undefined), 'the end');
    const { outputFileId = '' } = ended.batch ?? {};
    const { files } = await services.connections.client();
    const target = () => ({ file: outputFileId, toPath: path.join(folder, `copy-${Math.random()}`), maxBytes: 1e6 });
    await act('cleanUp', await rowOf(batch!.id), false);
    await files.content(target());
    await act('cleanUp', await rowOf(batch!.id));
    deepEqual(asked, ['cleanUp', 'cleanUp']);
    await rejects(files.content(target()), { kind: 'notFound' });
    const input = (await files.list({})).find((file) => file.id === ended.inputFileId);
    equal(input, undefined);
    ok(existsSync(path.join(ended.folder ?? '', 'output.jsonl')));
    // What is gone already is no error.
    await act('cleanUp', await rowOf(batch!.id));
  });

  it('are canceled and cleaned up with their own account, even if another is active, and report if it is signed out', async () => {
    await slow();
    const running = await submit('others-running.jsonl');
    await demo.call('POST', '/_control/pace', { pace: 'instant' });
    const done = await submit('others-done.jsonl');
    await until(() => (job(done.id).stage === 'ended' ? true : undefined), 'the end');
    const { profiles } = services;
    const mine = profiles.active!.id;
    const ofJob = (id: string): BatchRow => ({ key: id, job: job(id), batch: job(id).batch! });
    await profiles.save({ id: 'another', name: 'Another', baseUrl: 'http://127.0.0.1:9/v1' });
    await profiles.storeKey('another', 'sk-another');
    await profiles.setActive('another');
    try {
      await profiles.signOut(mine);
      for (const name of ['cancel', 'cleanUp'] as const) {
        const { id } = name === 'cancel' ? running : done;
        const signedOut = { title: 'Account is signed out', detail: /is signed out/ };
        await rejects(act(name, ofJob(id)), signedOut as never, name);
      }
      await profiles.storeKey(mine, demo.apiKey);
      await act('cancel', ofJob(running.id));
      await until(() => (/cancel/.test(job(running.id).batch?.status ?? '') ? true : undefined), 'the cancellation');
      await act('cleanUp', ofJob(done.id));
      await profiles.save({ ...profiles.get(mine)!, baseUrl: 'https://other.example/v1' });
      await rejects(act('cleanUp', ofJob(done.id)), { title: 'Base URL changed' });
    } finally {
      await profiles.save({ ...profiles.get(mine)!, baseUrl: demo.baseUrl });
      await profiles.setActive(mine);
      await profiles.remove('another');
    }
  });

  it("show the service's errors", async () => {
    await slow();
    const id = await demo.makeBatch('wrong', 1);
    await tell(id, { status: 'failed', errors: ['line 3: custom_id is missing', '第 4 行: 模型不存在'] });
    const [first] = batchDetails(await rowOf(id), Date.now());
    deepEqual(
      [first?.label, first?.description, first?.command?.command],
      ['2 errors', 'Line 3: custom_id is missing', 'inferenceDesk.batches.showErrors'],
    );
    await vscode.commands.executeCommand('inferenceDesk.batches.refresh');
    await vscode.commands.executeCommand('inferenceDesk.batches.showErrors', id);
    const text = vscode.window.activeTextEditor?.document.getText() ?? '';
    match(text, /Line 3: custom_id is missing\nLine 4: 模型不存在\n$/);
  });

  it('open their input from the linked file, or else from the service', async () => {
    await slow();
    const id = await demo.makeBatch('inputs', 2);
    await openInput(await rowOf(id), services);
    equal(vscode.window.activeTextEditor?.document.uri.scheme, 'inference-desk-file');
    const file = path.join(folder, 'linked.jsonl');
    writeFileSync(file, `${request('a')}\n${request('b')}\n`);
    await act('linkInput', await rowOf(id), true, file);
    await openInput(await rowOf(id), services);
    equal(vscode.window.activeTextEditor?.document.uri.fsPath, file);
    const gone: BatchRow = { key: 'x', batch: { id: 'x', status: 'completed', errors: [], metadata: {} } };
    await rejects(openInput(gone, services), (error: unknown) => isUserError(error));
  });

  it('show the duration of each phase and the time left', () => {
    const seconds = (minutesAgo: number) => now / 1000 - minutesAgo * 60;
    const row: BatchRow = {
      key: 'b',
      batch: {
        id: 'batch_1',
        status: 'finalizing',
        errors: [],
        metadata: { name: 'א'.repeat(200) },
        createdAt: seconds(90),
        inProgressAt: seconds(80),
        finalizingAt: seconds(20),
        expiresAt: seconds(-45),
        requestCounts: { total: 5000, completed: 5000 },
        inputFileId: 'file-1',
      },
    };
    deepEqual(
      batchDetails(row, now).map(({ label, description }) => `${label as string}: ${description as string}`),
      [
        'Created: 1 hr. ago',
        'Started: 1 hr. ago · after 10 min',
        'Finalizing: 20 min. ago · after 1 hr',
        'Requests: 5,000 of 5,000',
        'Deadline: 45 min left',
        'Input file: file-1',
        'ID: batch_1',
      ],
    );
    equal(toBatchItem(row, now).label, 'א'.repeat(200));
  });
});
