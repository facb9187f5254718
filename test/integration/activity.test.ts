import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readActivity, readSpendTable } from '../../src/features/activity/activityView';
import type { ActivitySelection } from '../../src/protocol/activity';
import type { Services } from '../../src/services/services';
import { beginAnew, deskServices, signInAnew, until } from '../support/deskServices';
import { startFilledDemo } from '../support/filledDemo';
import { requestLine } from '../support/requestLine';
import type { FilledDemo } from '../support/filledDemo';

const week: ActivitySelection = { days: 7, by: 'client', account: '' };
const image = { model: 'black-forest-labs/FLUX.2-pro', prompt: 'A harbor', image_size: '512x512' } as const;

describe('activity and spend', function () {
  this.timeout(90_000);
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
    for (const { id } of services.media.jobs) await services.media.forget(id);
    for (const { id } of services.batchJobs.jobs) await services.batchJobs.forget(id);
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
    const { id } = await batchJobs.submit({ path: file, completion_window: '24h', metadata: { name: 'Tickets' } });
    const running = await rowOf('Tickets');
    equal(running?.kind, 'batch');
    match(running?.state ?? '', /^Batch · /);
    await batchJobs.checkNow(id);
    await until(batchJobs.onDidChange, () => batchJobs.jobs.find((job) => job.id === id)?.stage === 'ended');
    const ended = await rowOf('Tickets');
    equal(ended?.outcome, 'done');
    match(ended?.state ?? '', /completed · 3 of 3/);
    deepEqual(
      ended?.actions.map(({ action }) => action),
      ['cleanUp', 'forget'],
    );
  });

  it('lists the images of a series as one row that says how many failed', async () => {
    const { media } = services;
    const submit = (request: object) =>
      media.submit({ kind: 'image', request: { ...image, ...request } }, { group: 'series-1' });
    await media.whenEnded((await submit({ seed: 1 })).id);
    await media.whenEnded((await submit({ seed: 2 })).id);
    const row = await rowOf('A harbor');
    equal(row?.outcome, 'done');
    match(row?.state ?? '', /^2 images · .*FLUX\.2-pro · 2 done$/);
    const { spend } = await readActivity(services, week);
    equal(spend.rows.find(({ id }) => id === 'media')?.requests, '2');
  });

  it('counts a failure until it was listed before the eyes of the user', async () => {
    const { media, failures } = services;
    await failures.markSeen();
    await demo.call('POST', '/_control/arm', { fault: 'parameter', endpoint: 'POST /images/generations' });
    await media.submit({ kind: 'image', request: { ...image, prompt: 'A refused one' } }).catch(() => undefined);
    equal((await rowOf('A refused one'))?.outcome, 'failed');
    equal(failures.count, 1);
    await failures.markSeen();
    equal(failures.count, 0);
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
