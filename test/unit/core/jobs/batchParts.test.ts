import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict';
import { readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BatchJob } from '../../../../src/core/jobs/batch/batchJob';
import { cancelEffect, planParts } from '../../../../src/core/jobs/batch/parts';
import { readRunFolder, resultPaths } from '../../../../src/core/batch/results/runFolder';
import { fastTime, idsIn, openEngine, submissionOf, writeBatchFile } from '../../../support/batchEngines';
import type { OpenEngine, OpenOptions, Service } from '../../../support/batchEngines';
import { startFilledDemo } from '../../../support/filledDemo';
import type { FilledDemo } from '../../../support/filledDemo';
import { setUpFolder } from '../../../support/temporaryFolder';

interface Listed {
  readonly id: string;
  readonly status: string;
  readonly metadata?: Readonly<Record<string, string>>;
}

describe('a batch file beyond a limit', function () {
  this.timeout(60_000);
  let demo: FilledDemo;
  let engine: OpenEngine | undefined;

  beforeEach(async () => {
    demo = await startFilledDemo({ pace: 'instant' });
  });
  afterEach(async () => {
    await engine?.dispose();
    engine = undefined;
    await demo.close();
  });
  const folder = setUpFolder();

  const at = (service?: string): Service => ({
    baseUrl: demo.baseUrl,
    apiKey: demo.apiKey,
    ...(service && { service }),
  });
  const open = (service?: string, more: OpenOptions = {}): OpenEngine =>
    (engine = openEngine(folder.path(), at(service), { ...fastTime(20), ...more }));
  const ended = ({ stage }: BatchJob) => stage === 'ended' || stage === 'refused';
  const listed = async () =>
    ((await demo.call('GET', '/batches')) as { readonly data: readonly Listed[] }).data.toReversed();
  const tell = (id: string, reported: object) => demo.call('POST', '/_control/tell', { id, as: reported });
  /** Each request has a few tokens, so that a limit of tokens makes parts of few lines. */
  const limited = { enqueuedTokens: 28 };
  const allIds = async ({ folder: results = '' }: BatchJob) => {
    const run = await readRunFolder(results);
    ok(run);
    const { outputs } = await resultPaths(run);
    return (await Promise.all(outputs.map((path) => idsIn(path)))).flat().toSorted((a, b) => a.localeCompare(b));
  };
  const isFinished = async (job: BatchJob, answered: number) => {
    const run = await readRunFolder(job.folder ?? '');
    deepEqual([run?.run.counts, run?.run.ended, run?.run.status], [{ answered, failed: 0 }, true, 'cancelled']);
    deepEqual(await readdir(join(folder.path(), 'jobs', 'sent')), []);
  };
  const lines = (count: number) =>
    Array.from({ length: count }, (_, index) => `line-${index + 1}`).toSorted((a, b) => a.localeCompare(b));

  for (const service of [undefined, 'anthropic', 'openrouter']) {
    it(`is one run of several consecutive batches at ${service ?? 'a service with files'}`, async () => {
      const path = await writeBatchFile(folder.path(), 7);
      const { id, parts = [] } = await open(service).submit(submissionOf(path, at(service), limited));
      deepEqual(
        parts.map(({ requests }) => requests),
        [3, 3, 1],
      );
      const job = await engine!.until(id, ended, 'the end');
      deepEqual([job.stage, job.lastError, job.batch?.status], ['ended', undefined, 'completed']);
      deepEqual(job.batch?.requestCounts, { total: 7, completed: 7, failed: 0 });
      deepEqual(await allIds(job), lines(7));
      equal(engine!.jobs.length, 1);
      const run = await readRunFolder(job.folder ?? '');
      deepEqual([run?.run.counts, run?.run.ended, run?.run.input?.requests], [{ answered: 7, failed: 0 }, true, 7]);
      deepEqual(await readdir(join(folder.path(), 'jobs', 'sent')), []);
      ok((await stat(join(job.folder ?? '', 'requests.jsonl'))).size === (await stat(path)).size);
    });
  }

  it('has one batch at a time at the service', async () => {
    await demo.call('POST', '/_control/pace', { pace: { batchQueueMs: 300 } });
    const path = await writeBatchFile(folder.path(), 6);
    const { id, batch } = await open().submit(submissionOf(path, at(), limited));
    equal((await listed()).length, 1);
    deepEqual(batch?.requestCounts?.total, 6, 'the whole is shown');
    const job = await engine!.until(id, ({ part }) => part === 1, 'the second part');
    deepEqual([job.batch?.status, job.batch?.id, job.batch?.requestCounts?.completed], ['in_progress', batch?.id, 3]);
    await engine!.until(id, ended, 'the end');
    deepEqual(
      (await listed()).map(({ status }) => status),
      ['completed', 'completed'],
    );
  });

  it('continues in another window where the first one stopped, and creates no part twice', async () => {
    await demo.call('POST', '/_control/pace', { pace: { batchQueueMs: 100 } });
    const path = await writeBatchFile(folder.path(), 9);
    const { id } = await open().submit(submissionOf(path, at(), limited));
    await engine!.until(id, ({ part }) => part === 1, 'the second part');
    await engine!.dispose();
    // The parts are read from what was sent, not from the file as it is by then.
    await rm(path);
    await open().refresh();
    const job = await engine!.until(id, ended, 'the end');
    deepEqual([job.stage, job.batch?.requestCounts?.completed], ['ended', 9]);
    deepEqual(await allIds(job), lines(9));
    equal((await listed()).length, 3);
  });

  it('finds a part whose response was lost', async () => {
    const path = await writeBatchFile(folder.path(), 6);
    const first = open();
    const { id } = await first.submit(submissionOf(path, at(), limited));
    await demo.call('POST', '/_control/arm', { fault: 'reset-after-headers', endpoint: 'POST /batches' });
    const job = await first.until(id, ended, 'the end');
    deepEqual([job.stage, job.batch?.requestCounts?.completed], ['ended', 6]);
    const tokens = (await listed()).map(({ metadata }) => metadata?.['inference_desk_job']);
    deepEqual(tokens, [id, `${id}-p2`]);
  });

  it('downloads the missing results of all its parts again', async () => {
    const path = await writeBatchFile(folder.path(), 7);
    const { id } = await open().submit(submissionOf(path, at(), limited));
    const { folder: results = '' } = await engine!.until(id, ended, 'the end');
    for (const name of ['output.jsonl', 'output-2.jsonl', 'output-3.jsonl']) await rm(join(results, name));
    const again = await engine!.fetchResults(id);
    deepEqual([again.stage, again.lastError, again.batch?.status], ['ended', undefined, 'completed']);
    deepEqual(await allIds(again), lines(7));
    equal((await listed()).length, 3);
  });

  it('downloads the results of earlier parts again if the last one has none', async () => {
    const path = join(folder.path(), 'requests.jsonl');
    const whole = await readFile(await writeBatchFile(folder.path(), 4), 'utf8');
    const bad = JSON.stringify({ custom_id: 'bad', method: 'POST', url: '/v1/other', body: {} });
    await writeFile(path, `${whole}${bad}\n`);
    const { id } = await open().submit(submissionOf(path, at(), limited));
    const { folder: results = '' } = await engine!.until(id, ended, 'the end');
    await rm(join(results, 'output.jsonl'));
    const again = await engine!.fetchResults(id);
    deepEqual([again.stage, again.part, again.batch?.status], ['ended', 1, 'failed']);
    deepEqual(await allIds(again), lines(3));
    equal((await listed()).length, 2);
  });

  it("isn't submitted further if it is canceled while the outcome of a part is unknown, which is canceled too", async () => {
    await demo.call('POST', '/_control/pace', { pace: { batchQueueMs: 300 } });
    const path = await writeBatchFile(folder.path(), 9);
    const { id } = await open().submit(submissionOf(path, at(), limited));
    // For the second part, so that it is still in the queue when it is canceled, however busy the machine is.
    await demo.call('POST', '/_control/pace', { pace: { batchQueueMs: 5000 } });
    await demo.call('POST', '/_control/arm', { fault: 'reset-after-headers', endpoint: 'POST /batches' });
    await demo.call('POST', '/_control/arm', { fault: 'html-502', endpoint: 'GET /batches', times: 12 });
    await engine!.until(id, ({ stage }) => stage === 'unknown', 'the lost answer');
    const stopped = await engine!.cancel(id);
    deepEqual([stopped.stage, stopped.isStopped], ['unknown', true]);
    await demo.call('POST', '/_control/reset', {});
    await engine!.wake();
    const job = await engine!.until(id, ended, 'the end');
    deepEqual([job.stage, job.batch?.status], ['ended', 'cancelled']);
    deepEqual(
      (await listed()).map(({ status }) => status),
      ['completed', 'cancelled'],
    );
  });

  it('can be canceled if that has an effect, which is reported', async () => {
    await demo.call('POST', '/_control/pace', { pace: { batchQueueMs: 300 } });
    const { id } = await open().submit(submissionOf(await writeBatchFile(folder.path(), 6), at(), limited));
    const job = engine!.jobs.find((one) => one.id === id)!;
    const effect = (more: Partial<BatchJob>, baseUrl = 'https://api.siliconflow.com/v1') =>
      cancelEffect({ batch: job.batch!, job: { ...job, ...more } }, baseUrl);
    const openRouter = 'https://openrouter.ai/api/v1';
    deepEqual(
      [effect({}), effect({ stage: 'unknown', isStopped: true }), effect({}, openRouter)],
      ['batch', undefined, 'laterParts'],
    );
    deepEqual(
      [
        effect({ part: 1 }, openRouter),
        effect({ isStopped: true }, openRouter),
        effect({ stage: 'queued' }, openRouter),
      ],
      [undefined, undefined, 'batch'],
    );
    deepEqual(
      [cancelEffect({ batch: job.batch! }, openRouter), cancelEffect({ batch: job.batch! }, undefined)],
      [undefined, 'batch'],
    );
  });

  it('is submitted again later if the service rejects it because of too many queued requests', async () => {
    await demo.call('POST', '/_control/pace', { pace: { batchQueueMs: 400 } });
    const path = await writeBatchFile(folder.path(), 2);
    const { id } = await open().submit(submissionOf(path, at()));
    const [first] = await listed();
    const message = 'Enqueued token limit reached for gpt-4o in organization x. Limit: 90,000 enqueued tokens.';
    await tell(first?.id ?? '', { status: 'failed', errors: { data: [{ code: 'token_limit_exceeded', message }] } });
    const waiting = await engine!.until(id, ({ dropped }) => dropped !== undefined, 'the queue');
    deepEqual([waiting.stage, waiting.lastError?.kind], ['queued', 'overQueue']);
    match(waiting.lastError?.message ?? '', /90,000/);
    equal(waiting.batch?.status, 'in_queue');
    const job = await engine!.until(id, ended, 'the end');
    deepEqual([job.stage, job.lastError, job.batch?.requestCounts?.completed], ['ended', undefined, 2]);
    equal((await listed()).length, 2);
    equal((await demo.requests()).filter(({ path: to, method }) => method === 'POST' && to === '/v1/files').length, 1);
  });

  it('is submitted in parts if it exceeds the limit that the service states', async () => {
    await demo.call('POST', '/_control/pace', { pace: { batchQueueMs: 400 } });
    const path = await writeBatchFile(folder.path(), 6);
    const { id } = await open().submit(submissionOf(path, at()));
    const [first] = await listed();
    const message = 'Enqueued token limit reached for gpt-4o in organization x. Limit: 31 enqueued tokens.';
    await tell(first?.id ?? '', { status: 'failed', errors: { data: [{ code: 'token_limit_exceeded', message }] } });
    const waiting = await engine!.until(id, ({ dropped }) => dropped !== undefined, 'the queue');
    deepEqual([waiting.stage, waiting.parts?.map(({ requests }) => requests)], ['queued', [3, 3]]);
    const job = await engine!.until(id, ended, 'the end');
    deepEqual([job.stage, job.lastError, job.batch?.requestCounts?.completed], ['ended', undefined, 6]);
    deepEqual(await allIds(job), lines(6));
  });

  it('is submitted in parts under the limits that the service stated earlier', async () => {
    const path = await writeBatchFile(folder.path(), 6);
    const stated = { requests: 2, enqueuedTokens: () => undefined };
    const { parts } = await open().submit(submissionOf(path, at(), { stated }));
    deepEqual(
      parts?.map(({ requests }) => requests),
      [2, 2, 2],
    );
  });

  it('stops at a part that the service rejects, and keeps the results before it', async () => {
    const path = join(folder.path(), 'requests.jsonl');
    const whole = await readFile(await writeBatchFile(folder.path(), 4), 'utf8');
    const bad = JSON.stringify({ custom_id: 'bad', method: 'POST', url: '/v1/other', body: {} });
    await writeFile(path, `${whole}${bad}\n`);
    const { id } = await open().submit(submissionOf(path, at(), limited));
    const job = await engine!.until(id, ended, 'the end');
    deepEqual([job.stage, job.part, job.batch?.status], ['ended', 1, 'failed']);
    deepEqual(await allIds(job), lines(3));
  });

  it('is not submitted further once it is canceled', async () => {
    await demo.call('POST', '/_control/pace', { pace: { batchQueueMs: 300 } });
    const path = await writeBatchFile(folder.path(), 6);
    const { id } = await open().submit(submissionOf(path, at(), limited));
    await engine!.cancel(id);
    const job = await engine!.until(id, ended, 'the end');
    deepEqual([job.stage, job.batch?.status], ['ended', 'cancelled']);
    equal((await listed()).length, 1);
  });

  it("ends with the current part, and isn't submitted further, if the service can't cancel", async () => {
    await demo.call('POST', '/_control/pace', { pace: { batchQueueMs: 300 } });
    const path = await writeBatchFile(folder.path(), 6);
    const { id } = await open('openrouter').submit(submissionOf(path, at('openrouter'), limited));
    await rejects(engine!.cancel(id), { kind: 'notOffered' });
    const job = await engine!.until(id, ended, 'the end');
    deepEqual([job.stage, job.batch?.status, job.batch?.requestCounts?.completed], ['ended', 'cancelled', 3]);
    equal((await listed()).length, 1);
    await isFinished(job, 3);
  });

  it('is not submitted further if the service rejects the cancellation', async () => {
    await demo.call('POST', '/_control/pace', { pace: { batchQueueMs: 300 } });
    const path = await writeBatchFile(folder.path(), 6);
    const { id } = await open().submit(submissionOf(path, at(), limited));
    await demo.call('POST', '/_control/arm', { fault: 'id-missing', endpoint: 'POST /batches/{id}/cancel' });
    await rejects(engine!.cancel(id), { kind: 'notFound' });
    const job = await engine!.until(id, ended, 'the end');
    deepEqual([job.stage, job.batch?.status], ['ended', 'cancelled']);
    equal((await listed()).length, 1);
  });

  it("isn't submitted further if it is canceled while the results of a part are downloaded", async () => {
    const path = await writeBatchFile(folder.path(), 6);
    const [begun, released] = [new AbortController(), new AbortController()];
    const once = ({ signal }: AbortController) => new Promise((resolve) => signal.addEventListener('abort', resolve));
    const [isBegun, isReleased] = [once(begun), once(released)];
    const beforeConnect = async () => {
      if (engine?.jobs[0]?.stage !== 'fetching') return;
      begun.abort();
      await isReleased;
    };
    const { id } = await open(undefined, { beforeConnect }).submit(submissionOf(path, at(), limited));
    await isBegun;
    const canceled = engine!.cancel(id);
    await engine!.until(id, ({ isStopped }) => isStopped === true, 'the wish');
    released.abort();
    await canceled;
    const job = await engine!.until(id, ended, 'the end');
    deepEqual([job.stage, job.part, job.batch?.status], ['ended', 0, 'cancelled']);
    equal((await listed()).length, 1);
    await isFinished(job, 3);
  });

  it("waits while the account isn't allowed to pay for its next part, and reports that", async () => {
    const path = await writeBatchFile(folder.path(), 6);
    let why: string | undefined = 'The cap is reached.';
    const checkPaid = async ({ stage }: BatchJob) => {
      if (stage === 'queued' && why !== undefined) throw Object.assign(new Error(why), { isBudgetRefusal: true });
    };
    const { id } = await open(undefined, { checkPaid }).submit(submissionOf(path, at(), limited));
    const waiting = await engine!.until(id, ({ lastError }) => lastError !== undefined, 'the refusal');
    deepEqual([waiting.stage, waiting.lastError?.kind, waiting.lastError?.message], ['queued', 'spendingCap', why]);
    equal((await listed()).length, 1);
    why = undefined;
    const job = await engine!.until(id, ended, 'the end');
    deepEqual([job.stage, job.lastError, job.batch?.requestCounts?.completed], ['ended', undefined, 6]);
  });

  it("is neither submitted nor stored if the account isn't allowed to pay for it, however many are submitted at once", async () => {
    const path = await writeBatchFile(folder.path(), 2);
    const all = new Set<string>();
    const checkPaid = async ({ id, input }: BatchJob) => {
      all.add(id);
      equal(input?.requests, 2);
      equal(
        engine!.jobs.some((job) => job.id === id),
        true,
      );
      if (engine!.jobs.length > 1) throw Object.assign(new Error('The cap is reached.'), { isBudgetRefusal: true });
    };
    open(undefined, { checkPaid });
    const sent = await Promise.allSettled([1, 2, 3].map(() => engine!.submit(submissionOf(path, at()))));
    const taken = sent.filter(({ status }) => status === 'fulfilled').length;
    equal(taken <= 1 && all.size === 3, true);
    equal((await listed()).length, taken);
    equal(engine!.jobs.length, taken);
  });

  it('has the results of its parts if it is canceled while the next one waits', async () => {
    const path = await writeBatchFile(folder.path(), 6);
    const checkPaid = async ({ stage }: BatchJob) => {
      if (stage === 'queued') throw Object.assign(new Error('The cap is reached.'), { isBudgetRefusal: true });
    };
    const { id } = await open(undefined, { checkPaid }).submit(submissionOf(path, at(), limited));
    await engine!.until(id, ({ lastError }) => lastError !== undefined, 'the refusal');
    await engine!.cancel(id);
    const job = await engine!.until(id, ended, 'the end');
    deepEqual([job.stage, job.part, job.batch?.status, job.lastError], ['ended', 0, 'cancelled', undefined]);
    await isFinished(job, 3);
    await engine!.fetchResults(id);
    const again = await engine!.until(id, ended, 'the same end');
    deepEqual([again.stage, again.part, again.lastError], ['ended', 0, undefined]);
    equal((await listed()).length, 1);
  });

  it('continues after a part without results', async () => {
    await demo.call('POST', '/_control/pace', { pace: { batchQueueMs: 300 } });
    const path = await writeBatchFile(folder.path(), 6);
    const { id } = await open().submit(submissionOf(path, at(), limited));
    const [first] = await listed();
    const none = { total: 3, completed: 0, failed: 0 };
    await tell(first?.id ?? '', { status: 'expired', request_counts: none, output_file_id: null, error_file_id: null });
    const job = await engine!.until(id, ended, 'the end');
    deepEqual([job.stage, job.part, job.batch?.status], ['ended', 1, 'completed']);
    equal((await listed()).length, 2);
    equal(job.batch?.requestCounts?.completed, 3);
  });

  it("isn't shown as in progress once its next part is rejected", async () => {
    await demo.call('POST', '/_control/pace', { pace: { batchQueueMs: 300 } });
    const path = await writeBatchFile(folder.path(), 6);
    const { id } = await open().submit(submissionOf(path, at(), limited));
    await demo.call('POST', '/_control/arm', { fault: 'parameter', endpoint: 'POST /batches' });
    const job = await engine!.until(id, ended, 'the refusal');
    deepEqual([job.stage, job.part, job.batch?.status], ['refused', 1, 'completed']);
    await engine!.createAgain(id);
    const whole = await engine!.until(id, ended, 'the end');
    deepEqual([whole.stage, whole.batch?.requestCounts?.completed], ['ended', 6]);
  });

  it("isn't submitted again for a batch that is only tracked", async () => {
    await demo.call('POST', '/_control/pace', { pace: { batchQueueMs: 300 } });
    await demo.makeBatch('Elsewhere', 2);
    const [there] = await listed();
    const batch = { id: there?.id ?? '', status: 'in_queue', errors: [], metadata: {}, inputFileId: 'file-1' };
    const message = 'Enqueued token limit reached.';
    await tell(batch.id, { status: 'failed', errors: { data: [{ code: 'token_limit_exceeded', message }] } });
    const { id } = await open().watch(batch, { profileId: 'mine', baseUrl: demo.baseUrl });
    const job = await engine!.until(id, ended, 'the end');
    deepEqual([job.stage, job.batch?.status, job.batch?.errors[0]?.message], ['ended', 'failed', message]);
    equal((await listed()).length, 1);
  });

  it('is split between requests for any line breaks, and covered completely', async () => {
    const path = join(folder.path(), 'odd.jsonl');
    const texts = ['{"custom_id":"a"}', '{"custom_id":"bb"}', '', '{"custom_id":"c"}'];
    await writeFile(path, `\ufeff${texts.join('\r\n')}`);
    const parts = await planParts(path, { bytes: 40 });
    const bytes = await readFile(path);
    deepEqual(
      parts.map(({ start, end }) => bytes.subarray(start, end).toString()),
      ['{"custom_id":"a"}\r\n{"custom_id":"bb"}\r\n\r\n', '{"custom_id":"c"}'],
    );
    deepEqual((await planParts(path, { requests: 1 })).length, 3);
    deepEqual((await planParts(path, { bytes: 5 })).length, 3, 'a longer line stands alone');
  });
});
