import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { BatchRequest } from '../../../../../src/core/api/batches/batches.schema';
import { createTestClient, failureOf } from '../../../../support/apiClient';
import { type FixtureServer, jsonAnswer, startFixtureServer } from '../../../../support/fixtureServer';

const request: BatchRequest = {
  input_file_id: 'file-jkvytbjtow',
  endpoint: '/v1/chat/completions',
  completion_window: '24h',
};

describe('batches', () => {
  let server: FixtureServer;
  beforeEach(async () => void (server = await startFixtureServer()));
  afterEach(() => server.close());
  const batches = () => createTestClient(server.baseUrl).client.batches;

  it('creates a batch with the set options, and reads a waiting one', async () => {
    server.answer(jsonAnswer('batches/created.json'));
    const full = { ...request, metadata: { description: 'nightly eval job' }, replace: { model: 'a/b' } };
    const batch = await batches().create(full);
    assert.equal(`${server.seen[0]?.method} ${server.seen[0]?.path}`, 'POST /v1/batches');
    assert.equal(server.seen[0]?.body, JSON.stringify(full));
    assert.deepEqual(batch, {
      id: 'batch_rdyqgrcgjg',
      status: 'in_queue',
      endpoint: '/v1/chat/completions',
      inputFileId: 'file-jkvytbjtow',
      completionWindow: '24h',
      createdAt: 1741685413,
      expiresAt: 1741771813,
      errors: [],
      metadata: { description: 'nightly eval job' },
    });
  });

  it('reads results by URL, counts, times, and both forms of errors', async () => {
    server.answer(jsonAnswer('batches/completed.json'));
    const batch = await batches().retrieve({ id: 'batch_a/b' });
    assert.equal(`${server.seen[0]?.method} ${server.seen[0]?.path}`, 'GET /v1/batches/batch_a%2Fb');
    assert.equal(batch.outputFileId, 'https://storage.example/out.jsonl?sig=1');
    assert.equal(batch.errorFileId, 'file-err');
    assert.deepEqual(batch.errors, [{ line: 3, message: 'bad line', code: 'invalid' }, { message: 'plain' }]);
    assert.deepEqual(batch.requestCounts, { total: 100, completed: 95, failed: 5 });
    assert.deepEqual(batch.metadata, { batch_description: 'x', name: 'y', number: '7' });
    assert.equal(batch.completedAt, 1741685440);
    assert.ok(!('failedAt' in batch), 'a time of 0 means not yet');
  });

  it('lists without parameters by default, and passes on unknown statuses', async () => {
    server.answer(jsonAnswer('batches/list.json'));
    const page = await batches().list();
    await batches().list({ limit: 5, after: 'batch_1' });
    assert.deepEqual(
      server.seen.map(({ query }) => query),
      [{}, { limit: '5', after: 'batch_1' }],
    );
    assert.equal(page.batches[0]?.status, 'paused_by_operator');
    assert.equal(page.batches[0]?.fileName, 'requests.jsonl');
    assert.deepEqual(page.batches[0]?.errors, [{ message: 'one' }, { message: 'two' }]);
    assert.deepEqual(page.batches[0]?.requestCounts, {});
    assert.deepEqual(page.batches[0]?.metadata, {});
    assert.deepEqual([page.firstId, page.lastId, page.hasMore], ['batch_1', 'batch_1', true]);
  });

  it('reads the results of OpenRouter in the batch, or else on the pages at their own path', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'results-'));
    const toPath = path.join(folder, 'output.jsonl');
    const { client } = createTestClient(server.baseUrl, { service: 'openrouter' });
    const resultsOf = async (...answers: readonly object[]) => {
      const [first, ...more] = answers.map((body) => ({ body: JSON.stringify(body) }));
      server.answer(first!, ...more);
      await client.batches.results({ id: 'b', toPath, maxBytes: 1000 });
      return readFileSync(toPath, 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as unknown);
    };
    const [one, two] = [
      { custom_id: 'a', error: null },
      { custom_id: 'b', error: null },
    ];
    const batch = { id: 'b', status: 'completed', results: null };
    try {
      assert.deepEqual(await resultsOf({ ...batch, results: [one, two] }), [one, two]);
      const page = { object: 'list', has_more: false, next_cursor: null };
      assert.deepEqual(
        await resultsOf(batch, { ...page, data: [one], has_more: true, next_cursor: 'x1' }, { ...page, data: [two] }),
        [one, two],
      );
      assert.deepEqual(
        server.seen.slice(-2).map(({ path: at, query }) => [at, query]),
        [
          ['/v1/batches/b/results', { limit: '100' }],
          ['/v1/batches/b/results', { limit: '100', cursor: 'x1' }],
        ],
      );
      await assert.rejects(resultsOf(batch, { ...page, data: [] }), { kind: 'badResponse' });
      server.answer({
        body: JSON.stringify({ ...batch, status: 'CANCELED', request_counts: { total: 2, completed: 1, failed: 0 } }),
      });
      const { status, hasOwnResults } = await client.batches.retrieve({ id: 'b' });
      assert.deepEqual([status, hasOwnResults], ['cancelled', true]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('reads errors as one string, a list, an object with a list, or none', async () => {
    const errorsOf = async (errors: unknown) => {
      server.answer({ body: JSON.stringify({ id: 'batch_1', status: 'failed', errors }) });
      return (await batches().retrieve({ id: 'batch_1' })).errors;
    };
    assert.deepEqual(await errorsOf('line 3: bad line'), [{ message: 'bad line', line: 3 }]);
    assert.deepEqual(await errorsOf(['one', null, { message: 'two', code: 'c', line: 2 }]), [
      { message: 'one' },
      { message: 'two', code: 'c', line: 2 },
    ]);
    // OpenAI
    const data = [{ code: 'invalid_json_line', message: 'This line is not parseable.', param: null, line: 7 }];
    assert.deepEqual(await errorsOf({ object: 'list', data }), [
      { message: 'This line is not parseable.', code: 'invalid_json_line', line: 7 },
    ]);
    assert.deepEqual(await errorsOf({ object: 'list', data: 'one' }), [{ message: 'one' }]);
    assert.deepEqual(await errorsOf({ message: 'one', code: 500 }), [{ message: 'one', code: '500' }]);
    for (const none of [null, '', [], {}, { object: 'list', data: null }, { data: [] }, false, 0]) {
      assert.deepEqual(await errorsOf(none), []);
    }
  });

  it('reads a batch in an envelope, with numbers and strings interchanged, and times as dates', async () => {
    const data = {
      id: 17,
      status: 'completed',
      output_file_id: 18,
      created_at: '1741685413',
      completed_at: '2025-03-11T09:30:40Z',
      expires_at: 1_741_771_813_000,
      failed_at: '',
      cancelled_at: 'never',
      request_counts: { total: '100', completed: '95', failed: 5 },
      metadata: [],
    };
    const expected = {
      id: '17',
      status: 'completed',
      outputFileId: '18',
      createdAt: 1_741_685_413,
      completedAt: 1_741_685_440,
      expiresAt: 1_741_771_813,
      errors: [],
      requestCounts: { total: 100, completed: 95, failed: 5 },
      metadata: {},
    };
    for (const body of [data, { code: 20000, message: 'Ok', status: true, data }]) {
      server.answer({ body: JSON.stringify(body) });
      assert.deepEqual(await batches().create(request), expected);
      assert.deepEqual(await batches().retrieve({ id: '17' }), expected);
      assert.deepEqual(await batches().cancel({ id: '17' }), expected);
    }
  });

  it('recognizes the requested batch without an ID, and accepts no other response', async () => {
    server.answer({ body: '{"status":"in_progress"}' });
    assert.equal((await batches().retrieve({ id: 'batch_1' })).id, 'batch_1');
    assert.equal((await batches().cancel({ id: 'batch_1' })).id, 'batch_1');
    assert.equal((await failureOf(batches().create(request))).kind, 'badResponse');
    server.answer({ body: '{"detail":"Not Found"}' });
    assert.equal((await failureOf(batches().retrieve({ id: 'batch_1' }))).kind, 'badResponse');
    server.answer({ body: '{"id":"batch_1"}' });
    assert.equal((await batches().create(request)).status, 'unknown');
  });

  it('cancels without a body', async () => {
    server.answer(jsonAnswer('batches/cancelling.json'));
    const batch = await batches().cancel({ id: 'batch_1' });
    assert.equal(`${server.seen[0]?.method} ${server.seen[0]?.path}`, 'POST /v1/batches/batch_1/cancel');
    assert.equal(server.seen[0]?.body, '');
    assert.equal(batch.cancellingAt, 1741685500);
  });

  it('rejects metadata beyond its limits, and names the pair', async () => {
    const many = Object.fromEntries(Array.from({ length: 17 }, (_, index) => [`k${index}`, 'v']));
    const cases: readonly (readonly [Record<string, string>, object])[] = [
      [many, { parameter: 'metadata', rule: 'maxItems', bound: 16, actual: 17 }],
      [
        { ['k'.repeat(65)]: 'v' },
        { parameter: `metadata.${'k'.repeat(65)}`, rule: 'maxLength', bound: 64, actual: 65 },
      ],
      [{ k: 'v'.repeat(513) }, { parameter: 'metadata.k', rule: 'maxLength', bound: 512, actual: 513 }],
    ];
    for (const [metadata, issue] of cases) {
      const error = await failureOf(batches().create({ ...request, metadata }));
      assert.equal(error.kind, 'invalidParameter');
      assert.deepEqual(error.details.issue, issue);
    }
    assert.equal(server.seen.length, 0);
  });

  it('accepts metadata at its limits', async () => {
    server.answer(jsonAnswer('batches/created.json'));
    const most: readonly Record<string, string>[] = [
      Object.fromEntries(Array.from({ length: 16 }, (_, index) => [`k${index}`, 'v'])),
      { ['k'.repeat(64)]: 'v' },
      { k: 'v'.repeat(512) },
      {},
    ];
    for (const metadata of most) await batches().create({ ...request, metadata });
    assert.deepEqual(
      server.seen.map(({ body }) => (JSON.parse(body) as BatchRequest).metadata),
      most,
    );
  });

  it('rejects another endpoint and an invalid completion window', async () => {
    const wrongEndpoint = await failureOf(batches().create({ ...request, endpoint: '/v1/embeddings' }));
    assert.equal(wrongEndpoint.message, 'endpoint must be one of /v1/chat/completions, not /v1/embeddings.');
    assert.equal(
      (await failureOf(batches().create({ ...request, completion_window: '1 day' }))).kind,
      'invalidParameter',
    );
  });
});
