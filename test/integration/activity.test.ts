import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createRunFolder } from '../../src/core/batch/results/runFolder';
import type { Run } from '../../src/core/batch/results/runFile';
import { WorkBoard } from '../../src/core/jobs/workBoard';
import { Leases } from '../../src/core/storage/leases';
import { leaseIdOf, localRunLeases, ownResultsRoot } from '../../src/services/batches/resultsRoot';
import { readActivity, readSpendTable } from '../../src/features/activity/activityView';
import type { ActivitySelection } from '../../src/protocol/activity';
import type { Services } from '../../src/services/services';
import { beginAnew, deskServices, signInAnew, until } from '../support/deskServices';
import { until as poll } from '../support/until';
import { startFilledDemo } from '../support/filledDemo';
import { requestLine } from '../support/requestLine';
import type { FilledDemo } from '../support/filledDemo';

const week: ActivitySelection = { days: 7, by: 'client', account: '' };
const image = { model: 'black-forest-labs/FLUX.2-pro', prompt: 'A harbor', image_size: '512x512' } as const;

describe('activity and spending', function () {
  this.timeout(120_000);
  let services: Services;
  let demo: FilledDemo;
  let folder: string;
  before(async () => {
    services = await deskServices();
    demo = await startFilledDemo({ pace: 'instant' });
    folder = mkdtempSync(path.join(tmpdir(), 'activity-'));
  });
  beforeEach(() => signInAnew(services, 'spender', demo));
  afterEach(async () => {
    for (const { id } of services.media.jobs) await (await services.media()).forget(id);
    for (const { id } of services.batchJobs.jobs) await (await services.batchJobs()).forget(id);
  });
  after(async () => {
    await beginAnew(services);
    await demo.close();
    rmSync(folder, { recursive: true });
  });
  const rowOf = async (name: string) => {
    const { active, finished } = await readActivity(services, week);
    return [...active, ...finished].find((row) => row.name === name);
  };

  it('lists a batch while it runs and when it has ended', async () => {
    const file = path.join(folder, 'tickets.jsonl');
    writeFileSync(
      file,
      `${['a', 'b', 'c'].map((id) => requestLine(id, 'Hello', { model: 'deepseek-ai/DeepSeek-V3' })).join('\n')}\n`,
    );
    const { batchJobs } = services;
    const { id } = await (
      await batchJobs()
    ).submit({ path: file, completion_window: '24h', metadata: { name: 'Tickets' } });
    const running = await rowOf('Tickets');
    equal(running?.kind, 'batch');
    match(running?.state ?? '', /^Batch · /);
    await (await batchJobs()).checkNow(id);
    await until(batchJobs.onDidChange, () => batchJobs.jobs.find((job) => job.id === id)?.stage === 'ended');
    const ended = await rowOf('Tickets');
    equal(ended?.outcome, 'done');
    match(ended?.state ?? '', /completed · 3 of 3/);
    deepEqual(
      ended?.actions.map(({ action }) => action),
      ['cleanUp', 'forget'],
    );
  });

  it('lists a series of images as one row with the number of failed ones', async () => {
    const { media } = services;
    const submit = async (request: object) =>
      (await media()).submit({ kind: 'image', request: { ...image, ...request } }, { group: 'series-1' });
    await (await media()).whenEnded((await submit({ seed: 1 })).id);
    await (await media()).whenEnded((await submit({ seed: 2 })).id);
    const row = await rowOf('A harbor');
    equal(row?.outcome, 'done');
    match(row?.state ?? '', /^2 images · .*FLUX\.2-pro · 2 done$/);
    const { spend } = await readActivity(services, week);
    equal(spend.rows.find(({ id }) => id === 'media')?.requests, '2');
  });

  it('counts a failure until the user has seen it in the list', async () => {
    const { media, failures } = services;
    await failures.markSeen();
    await demo.call('POST', '/_control/arm', { fault: 'parameter', endpoint: 'POST /images/generations' });
    await (
      await media()
    )
      .submit({ kind: 'image', request: { ...image, prompt: 'A refused one' } })
      .catch(() => undefined);
    equal((await rowOf('A refused one'))?.outcome, 'failed');
    equal(failures.count, 1);
    await failures.markSeen();
    equal(failures.count, 0);
  });

  it('lists the work in progress of this window and others, with its window', async () => {
    const { activity, context } = services;
    const other = new WorkBoard(path.join(context.globalStorageUri.fsPath, 'work'), () => 'Other project');
    const own = activity.start('Completing', { kind: 'completion', stop: () => own.dispose() });
    const expected = [{ model: 'm', requests: 1, inputTokens: 1_000_000, outputLimit: 0 }];
    const hidden = activity.start('Getting results', { kind: 'job' });
    try {
      await other.publish([{ kind: 'chat', label: 'Answering', subject: 'A question', startedAt: 1 }]);
      const { active } = await readActivity(services, week);
      deepEqual(
        active.map(({ kind, name, state, opens, actions }) => [kind, name, state, opens, actions.length]),
        [
          ['completion', 'Completing', '', false, 1],
          ['chat', 'A question', 'Answering · in window Other project', false, 0],
        ],
      );
      await services.settings.set('prices', { m: { input: 2, output: 0 } });
      await other.publish([{ kind: 'chat', label: 'Answering', startedAt: 1, profileId: 'spender', expected }]);
      const asking = activity.start('Answering here', { kind: 'chat', profileId: 'spender', expected: () => expected });
      const prices = (await readActivity(services, week)).active.map(({ name, cost }) => [name, cost]);
      asking.dispose();
      deepEqual(prices.slice(0, 1).concat(prices.slice(-1)), [
        ['Answering here', '~2.00'],
        ['Answering', '~2.00'],
      ]);
      await services.settings.set('prices', {});
      await other.publish([{ kind: 'chat', label: 'Answering', subject: 'A question', startedAt: 1, stopId: '4' }]);
      const row = (await readActivity(services, week)).active.find(({ name }) => name === 'A question');
      deepEqual(
        row?.actions.map(({ action }) => action),
        ['stop'],
      );
      // An account that is selected has also what names none, but not what is of another.
      await other.publish([{ kind: 'chat', label: 'Answering', subject: 'Of another', startedAt: 1, profileId: 'b' }]);
      const ofOne = await readActivity(services, { ...week, account: 'spender' });
      deepEqual(
        ofOne.active.map(({ name }) => name),
        ['Completing'],
      );
      await other.publish([{ kind: 'chat', label: 'Answering', subject: 'A question', startedAt: 1, stopId: '4' }]);
      await services.otherWork.stop(row?.id.replace(/^other:/, '') ?? '');
      deepEqual(await other.stopRequests(), ['4']);
      const ours = await poll(
        async () => (await other.elsewhere()).find(({ label }) => label === 'Completing'),
        'the work of this window',
      );
      await other.askToStop(ours);
      await poll(() => (activity.running.some(({ id }) => String(id) === ours.stopId) ? undefined : true), 'its end');
    } finally {
      own.dispose();
      hidden.dispose();
      await other.dispose();
    }
    deepEqual((await readActivity(services, week)).active, []);
  });

  it('lists the runs of batch files with their outcomes and prices, except removed ones', async () => {
    const root = ownResultsRoot(services.context);
    const leases = new Leases(path.join(services.context.globalStorageUri.fsPath, localRunLeases), () => '');
    const run = (name: string, part: Partial<Run>) =>
      createRunFolder(root, {
        kind: 'local',
        name,
        createdAt: Date.now(),
        profileId: 'spender',
        input: { path: `/work/${name}.jsonl`, sha256: '', bytes: 1, requests: 4 },
        files: {},
        ended: true,
        ...part,
      });
    const rows = [
      await run('whole', { counts: { answered: 4, failed: 0 }, cost: 0.5 }),
      await run('mixed', { counts: { answered: 2, failed: 1, incomplete: 1 } }),
      await run('halted', { counts: { answered: 2, failed: 0 }, ended: false }),
      await run('busy', { ended: false }),
    ];
    const lease = await leases.take(leaseIdOf(rows[3]!.path));
    try {
      const { active, finished } = await readActivity(services, week);
      deepEqual(
        [...active, ...finished]
          .filter(({ kind }) => kind === 'run')
          .map(({ name, outcome, state, cost, actions }) => [
            name,
            outcome,
            state,
            cost,
            actions.map(({ action }) => action).join(' '),
          ])
          .toSorted(([one = ''], [other = '']) => (one < other ? -1 : 1)),
        [
          ['busy.jsonl', 'active', 'Batch file run · in progress', '', ''],
          ['halted.jsonl', 'partly', 'Batch file run · stopped · 2 of 4', 'unknown', 'continue forget'],
          ['mixed.jsonl', 'partly', 'Batch file run · completed · 4 of 4 · 2 failed', 'unknown', 'retryFailed forget'],
          ['whole.jsonl', 'done', 'Batch file run · completed · 4 of 4', '0.50', 'forget'],
        ],
      );
      await services.settings.set('prices', { m: { input: 2, output: 0 } });
      const expected = [{ model: 'm', requests: 4, inputTokens: 1_000_000, outputLimit: 0 }];
      const facts = {
        kind: 'batchFile',
        folder: rows[3]!.path,
        profileId: 'spender',
        expected: () => expected,
      } as const;
      const work = services.activity.start('Running a batch file', facts);
      const price = (await rowOf('busy.jsonl'))?.cost;
      work.dispose();
      await services.settings.set('prices', {});
      equal(price, '~2.00');
      await (await services.localRuns()).forget(rows[0]!.path);
      equal(await rowOf('whole.jsonl'), undefined);
    } finally {
      await lease.release();
      leases.dispose();
      for (const one of rows) rmSync(one.path, { recursive: true });
    }
  });

  it('counts requests and tokens by what sent them, and exports them', async () => {
    const { connections } = services;
    const request = {
      model: 'Qwen/Qwen3-30B-A3B-Instruct-2507',
      messages: [{ role: 'user', content: 'Hello' }],
    } as const;
    await (await connections.client(undefined, { purpose: 'chat' })).chat.create(request);
    await (await connections.client(undefined, { source: 'vsCodeChat' })).chat.create(request);
    await (await connections.client(undefined, { source: 'vsCodeChat' })).chat.create(request);
    const { spend } = await readActivity(services, { ...week, account: 'spender' });
    const requests = Object.fromEntries(spend.rows.map((row) => [row.id, row.requests]));
    equal(requests['chat'], '1');
    equal(requests['vsCodeChat'], '2');
    ok(spend.days.at(-1)?.isToday);
    const byModel = await readActivity(services, { days: 1, by: 'model', account: 'spender' });
    deepEqual(
      byModel.spend.rows.map(({ label, requests: count }) => [label, count]),
      [[request.model, '3']],
    );
    const table = await readSpendTable(services, { ...week, account: 'spender' });
    match(table, /\d{4}-\d\d-\d\d,VS Code Chat,Qwen\/Qwen3-30B-A3B-Instruct-2507,2,\d+,\d+,,\r\n/);
  });
});
