import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict';
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BatchJob } from '../../../../src/core/jobs/batch/batchJob';
import { fastTime, idsIn, openEngine, submissionOf, writeBatchFile } from '../../../support/batchEngines';
import type { OpenEngine, Service } from '../../../support/batchEngines';
import { startFilledDemo } from '../../../support/filledDemo';
import type { FilledDemo } from '../../../support/filledDemo';
import { setUpFolder } from '../../../support/temporaryFolder';

const model = 'deepseek-ai/DeepSeek-V3';
const forms = [
  { service: 'anthropic', endpoint: 'POST /messages/batches', list: '/messages/batches' },
  { service: 'openrouter', endpoint: 'POST /batches', list: '/batches' },
] as const;

/** A request of a Message Batch. */
const message = (id: string, more: object = {}) =>
  JSON.stringify({
    custom_id: id,
    params: { model, max_tokens: 50, messages: [{ role: 'user', content: `Question of ${id}` }], ...more },
  });
const chat = (id: string, body: object = {}) =>
  JSON.stringify({
    custom_id: id,
    method: 'POST',
    url: '/v1/chat/completions',
    body: { model, messages: [{ role: 'user', content: `Question of ${id}` }], ...body },
  });

describe('inline batches', function () {
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
  // Removed after the engine has stopped writing there.
  const folder = setUpFolder();

  const at = (service: string): Service => ({ baseUrl: demo.baseUrl, apiKey: demo.apiKey, service });
  const open = (service: string): OpenEngine => (engine = openEngine(folder.path(), at(service), fastTime(20)));
  const file = async (lines: readonly string[]): Promise<string> => {
    const path = join(folder.path(), 'requests.jsonl');
    await writeFile(path, lines.map((line) => `${line}\n`).join(''));
    return path;
  };
  const ended = ({ stage }: BatchJob) => stage === 'ended' || stage === 'refused';
  const linesOf = async ({ folder: results = '' }: BatchJob) =>
    (await readFile(join(results, 'output.jsonl'), 'utf8'))
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  const asked = async () => (await demo.requests()).map(({ method, path }) => `${method} ${path}`);
  const listed = async (path: string) =>
    ((await demo.call('GET', path)) as { readonly data: readonly { readonly id: string }[] }).data;

  for (const { service, endpoint, list } of forms) {
    describe(`at ${service}`, () => {
      it('are created without an upload, tracked, and downloaded completely', async () => {
        const path = await writeBatchFile(folder.path(), 6);
        const { id } = await open(service).submit(submissionOf(path, at(service)));
        const job = await engine!.until(id, ended, 'the end');
        deepEqual([job.stage, job.lastError, job.batch?.status], ['ended', undefined, 'completed']);
        deepEqual(job.batch?.requestCounts, { total: 6, completed: 6, failed: 0 });
        deepEqual(
          await idsIn(join(job.folder ?? '', 'output.jsonl')),
          [1, 2, 3, 4, 5, 6].map((number) => `line-${number}`),
        );
        ok((await asked()).includes(`POST /v1${endpoint.slice('POST '.length)}`));
        ok(!(await asked()).includes('POST /v1/files'));
        deepEqual(await readdir(join(folder.path(), 'jobs', 'sent')), [], 'what was sent is not left behind');
      });

      it('are found by the IDs of their requests if the response was lost, and not created twice', async () => {
        await demo.call('POST', '/_control/arm', { fault: 'reset-after-headers', endpoint });
        const path = await writeBatchFile(folder.path(), 4);
        const { id, stage } = await open(service).submit(submissionOf(path, at(service)));
        equal(stage, 'unknown');
        const job = await engine!.until(id, ended, 'the end');
        deepEqual([job.stage, job.fetched?.output?.lines], ['ended', 4]);
        equal((await listed(list)).length, 1);
      });

      it("aren't confused with a batch of as many other requests", async () => {
        const other = await file([chat('x-1'), chat('x-2')]);
        await open(service).submit(submissionOf(other, at(service)));
        const [foreign] = await listed(list);
        await engine!.dispose();
        // In a folder of its own, this engine knows nothing of that batch.
        const own = { ...at(service) };
        engine = openEngine(join(folder.path(), 'elsewhere'), own, {
          ...fastTime(20),
          beforeConnect: () => demo.call('POST', '/_control/arm', { fault: 'server-empty', endpoint }).then(() => {}),
        });
        const path = await writeBatchFile(folder.path(), 2);
        const { id } = await engine.submit(submissionOf(path, own));
        const job = await engine.until(id, ({ looks = 0 }) => looks > 1, 'two searches');
        deepEqual([job.stage, job.batch, job.lastError?.kind], ['unknown', undefined, 'answerLost']);
        deepEqual(
          (await listed(list)).map((batch) => batch.id),
          [foreign?.id],
        );
      });

      it("wait for a batch in progress that might be the same, and aren't sent again in the meantime", async () => {
        await demo.call('POST', '/_control/pace', { pace: { batchQueueMs: 3_600_000 } });
        await demo.call('POST', '/_control/arm', { fault: 'reset-after-headers', endpoint });
        const path = await writeBatchFile(folder.path(), 3);
        const { id } = await open(service).submit(submissionOf(path, at(service)));
        const job = await engine!.until(id, ({ looks = 0 }) => looks > 0, 'a search');
        deepEqual([job.stage, job.lastError?.kind], ['unknown', 'unconfirmed']);
        await rejects(engine!.createAgain(id), { kind: 'maybeRunning' });
        equal((await listed(list)).length, 1);
      });
    });
  }

  it('report the number of failed results', async () => {
    const path = await file([
      message('good', { max_tokens: 4000 }),
      message('bad', { temperature: 9 }),
      message('fine', { max_tokens: 4000 }),
    ]);
    const { id } = await open('anthropic').submit(submissionOf(path, at('anthropic')));
    const job = await engine!.until(id, ended, 'the end');
    deepEqual(job.batch?.requestCounts, { total: 3, completed: 2, failed: 1 });
    const run = JSON.parse(await readFile(join(job.folder ?? '', 'run.json'), 'utf8')) as { readonly counts: unknown };
    deepEqual(run.counts, { answered: 2, failed: 1 });
    const types = (await linesOf(job)).map(
      ({ custom_id, result }) => `${String(custom_id)} ${(result as { readonly type: string }).type}`,
    );
    deepEqual(
      types.toSorted((a, b) => a.localeCompare(b)),
      ['bad errored', 'fine succeeded', 'good succeeded'],
    );
  });

  it('are canceled at Anthropic, and canceled requests are among the results', async () => {
    await demo.call('POST', '/_control/pace', { pace: { batchQueueMs: 500 } });
    const path = await writeBatchFile(folder.path(), 3);
    const { id } = await open('anthropic').submit(submissionOf(path, at('anthropic')));
    const { batch } = await engine!.cancel(id);
    equal(batch?.status, 'cancelling');
    const job = await engine!.until(id, ended, 'the end');
    deepEqual([job.batch?.status, job.batch?.requestCounts?.failed, job.fetched?.output?.lines], ['cancelled', 3, 3]);
  });

  it("can't be canceled at OpenRouter, which gets no such request", async () => {
    await demo.call('POST', '/_control/pace', { pace: { batchQueueMs: 500 } });
    const path = await writeBatchFile(folder.path(), 2);
    const { id } = await open('openrouter').submit(submissionOf(path, at('openrouter')));
    await rejects(engine!.cancel(id), { kind: 'notOffered' });
    ok(!(await asked()).some((request) => request.endsWith('/cancel')));
  });

  it('have Anthropic requests unchanged, and chat completions converted to messages', async () => {
    const system = { role: 'developer', content: 'Be brief.' };
    const turns = [system, { role: 'user', content: 'Hello' }];
    const path = await file([message('as-is', { top_k: 5 }), chat('said', { messages: turns, max_tokens: 9, n: 1 })]);
    await open('anthropic').submit(submissionOf(path, at('anthropic')));
    const sent = (await demo.requests()).find(({ method, path: to }) => method === 'POST' && to.endsWith('/batches'));
    deepEqual(sent?.body['requests'], [
      JSON.parse(message('as-is', { top_k: 5 })),
      {
        custom_id: 'said',
        params: {
          model,
          messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }],
          system: 'Be brief.',
          max_tokens: 9,
        },
      },
    ]);
  });

  it('have the model and the endpoint before the requests at OpenRouter', async () => {
    const path = await file([chat('one'), chat('two')]);
    const { id } = await open('openrouter').submit(submissionOf(path, at('openrouter')));
    const sent = (await demo.requests()).find(({ method, path: to }) => method === 'POST' && to.endsWith('/batches'));
    deepEqual(Object.keys(sent?.body ?? {}), ['endpoint', 'model', 'completion_window', 'requests']);
    deepEqual([sent?.body['endpoint'], sent?.body['model']], ['/v1/chat/completions', model]);
    deepEqual(
      ((sent?.body['requests'] ?? []) as readonly object[]).map((request) => Object.keys(request)),
      [
        ['custom_id', 'body'],
        ['custom_id', 'body'],
      ],
    );
    const job = await engine!.until(id, ended, 'the end');
    equal(job.batch?.model, model);
  });

  it('use the model of the batch for requests without one at OpenRouter', async () => {
    const path = await file([chat('one', { model: undefined }), chat('two')]);
    const { id } = await open('openrouter').submit(submissionOf(path, at('openrouter')));
    const sent = (await demo.requests()).find(({ method, path: to }) => method === 'POST' && to.endsWith('/batches'));
    equal(sent?.body['model'], model);
    const requests = (sent?.body['requests'] ?? []) as readonly { readonly body: { readonly model?: string } }[];
    deepEqual(
      requests.map(({ body }) => body.model),
      [undefined, model],
    );
    equal((await engine!.until(id, ended, 'the end')).batch?.requestCounts?.completed, 2);
  });

  it('replace the model of all requests', async () => {
    const path = await file([chat('one', { model: 'a' }), chat('two', { model: 'b' })]);
    for (const { service, list } of forms) {
      const { id } = await open(service).submit(submissionOf(path, at(service), { replace: { model } }));
      const job = await engine!.until(id, ended, 'the end');
      deepEqual([job.stage, job.batch?.requestCounts?.completed], ['ended', 2], service);
      await engine!.dispose();
      equal((await listed(list)).length, 1);
    }
  });

  const refused: readonly (readonly [what: string, service: string, lines: readonly string[], why: RegExp])[] = [
    [
      "a property that Anthropic doesn't support",
      'anthropic',
      [message('a'), chat('b', { logit_bias: { 1: 2 } })],
      /^Line 2: .*"logit_bias"/,
    ],
    [
      'JSON mode at Anthropic',
      'anthropic',
      [chat('a', { response_format: { type: 'json_object' } })],
      /^Line 1: .*"response_format/,
    ],
    ['an ID that Anthropic rejects', 'anthropic', [message('a b')], /^Line 1: .*"a b"/],
    [
      'another endpoint at Anthropic',
      'anthropic',
      [JSON.stringify({ custom_id: 'a', url: '/v1/embeddings', body: { input: 'x' } })],
      /^Line 1: .*"\/v1\/embeddings"/,
    ],
    ['two models at OpenRouter', 'openrouter', [chat('a'), chat('b', { model: 'other' })], /^Line 2: .*"other"/],
    ['two endpoints at OpenRouter', 'openrouter', [chat('a'), message('b')], /^Line 2: .*"\/v1\/messages"/],
    ['no model at OpenRouter', 'openrouter', [chat('a', { model: undefined })], /^No model specified/],
    ['an invalid request', 'openrouter', [chat('a'), '', '[1]'], /^Line 3: /],
  ];
  for (const [what, service, lines, why] of refused) {
    it(`aren't created with ${what}, and the line is named`, async () => {
      const path = await file(lines);
      const { stage, lastError } = await open(service).submit(submissionOf(path, at(service)));
      deepEqual([stage, lastError?.kind], ['refused', 'input']);
      match(lastError?.message ?? '', why);
      deepEqual(await asked(), []);
    });
  }
});
