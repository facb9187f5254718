import assert from 'node:assert/strict';
import { createTestClient, failureOf, testKey } from '../../../../support/apiClient';
import { type FixtureServer, jsonAnswer, startFixtureServer } from '../../../../support/fixtureServer';

const request = { model: 'BAAI/bge-reranker-v2-m3', query: 'apple', documents: ['apple', 'banana'] };

describe('rerank', () => {
  let server: FixtureServer;
  beforeEach(async () => void (server = await startFixtureServer()));
  afterEach(() => server.close());
  const create = async (name: string) => {
    server.answer(jsonAnswer(`rerank/${name}.json`));
    return createTestClient(server.baseUrl).client.rerank.create(request);
  };

  it('sends every parameter under its name, null as null, and omits unset ones', async () => {
    server.answer(jsonAnswer('rerank/answer.json'));
    const { client } = createTestClient(server.baseUrl);
    const full = {
      ...request,
      top_n: 1,
      return_documents: true,
      max_chunks_per_doc: 4,
      overlap_tokens: 80,
      instruction: 'fruit',
    };
    await client.rerank.create(full);
    await client.rerank.create({ ...request, top_n: null, return_documents: undefined });
    assert.equal(`${server.seen[0]?.method} ${server.seen[0]?.path}`, 'POST /v1/rerank');
    assert.equal(server.seen[0]?.headers['content-type'], 'application/json');
    assert.equal(server.seen[0]?.body, JSON.stringify(full));
    assert.equal(server.seen[1]?.body, JSON.stringify({ ...request, top_n: null }));
  });

  it('sorts best first, whatever the order of the response', async () => {
    assert.deepEqual(await create('answer'), {
      id: 'rerank-1',
      results: [
        { index: 0, relevance_score: 0.99, text: 'apple' },
        { index: 1, relevance_score: 0.2, text: 'banana' },
      ],
      tokens: { input_tokens: 28, output_tokens: 0 },
    });
  });

  it("returns the response's model and IDs, without a key", async () => {
    const { client } = createTestClient(server.baseUrl);
    const results = [{ index: 0, relevance_score: 1 }];
    const headers = { 'x-siliconcloud-trace-id': 'ti_1', 'x-request-id': `of ${testKey}` };
    server.answer({ headers, body: JSON.stringify({ id: 'r', model: 'other', results }) });
    const { id, model, requestId, traceId } = await client.rerank.create(request);
    assert.deepEqual([id, model, requestId, traceId], ['r', 'other', 'of [key]', 'ti_1']);
    server.answer({ headers: { 'x-trace-id': 'ti_2' }, body: JSON.stringify({ model: {}, results }) });
    const another = await client.rerank.create(request);
    assert.deepEqual([another.model, 'requestId' in another, another.traceId], [undefined, false, 'ti_2']);
  });

  it('reads responses of other servers at this path', async () => {
    assert.deepEqual(await create('meta'), {
      id: 'rerank-2',
      results: [{ index: 0, relevance_score: 0.5, text: 'apple' }],
      tokens: { input_tokens: 7, output_tokens: 0 },
    });
    assert.deepEqual(await create('llama'), {
      model: 'm',
      results: [
        { index: 0, relevance_score: 2.5, text: 'apple' },
        { index: 1, relevance_score: -1.5, text: 'banana' },
      ],
      tokens: { input_tokens: 31 },
    });
    assert.deepEqual(await create('infinity'), {
      results: [{ index: 0, relevance_score: 0.7, text: 'apple' }],
      tokens: { input_tokens: 5 },
    });
    assert.deepEqual(await create('tei'), {
      results: [
        { index: 0, relevance_score: 0.9, text: 'apple' },
        { index: 1, relevance_score: 0.1, text: 'banana' },
      ],
      tokens: {},
    });
    assert.deepEqual((await create('cohere')).tokens, { input_tokens: 4 });
  });

  const scored = [
    '{"index":1,"relevance_score":0.9,"text":"banana"}',
    '{"index":0,"relevance_score":0.1,"text":"apple"}',
  ];
  const entries = [
    { index: 1, relevance_score: 0.9 },
    { index: 0, relevance_score: 0.1 },
  ];
  const servers: Readonly<Record<string, unknown>> = {
    'vLLM 0.11': {
      id: 'rerank-1',
      model: 'm',
      usage: { total_tokens: 9, prompt_tokens: 9 },
      results: [
        { index: 1, document: { text: 'banana', multi_modal: null }, relevance_score: 0.9 },
        { index: 0, document: { text: 'apple', multi_modal: null }, relevance_score: 0.1 },
      ],
    },
    'LiteLLM 1.77': {
      id: 'r-1',
      results: entries.map((entry) => ({ ...entry, document: null })),
      meta: { api_version: { version: '2' }, billed_units: { search_units: 1 }, tokens: null },
    },
    'Xinference 1.10': {
      id: 'r-1',
      results: entries.map((entry) => ({ ...entry, document: null })),
      meta: { api_version: null, billed_units: null, tokens: { input_tokens: 9, output_tokens: 9 }, warnings: null },
    },
    'Infinity 0.0.77': {
      object: 'rerank',
      results: entries.map((entry) => ({ ...entry, document: null })),
      model: 'm',
      usage: { prompt_tokens: 9, total_tokens: 9 },
      id: 'infinity-1',
      created: 1_741_685_413,
    },
    'Jina, v1': {
      model: 'm',
      object: 'list',
      usage: { total_tokens: 9 },
      results: [
        { index: 1, relevance_score: 0.9, document: { text: 'banana' } },
        { index: 0, relevance_score: 0.1, document: { text: 'apple' } },
      ],
    },
    'Cohere, v2': {
      id: 'r-1',
      results: entries,
      meta: { api_version: { version: '2' }, billed_units: { search_units: 1 } },
    },
    'Voyage, v1': { object: 'list', data: entries, model: 'm', usage: { total_tokens: 9 } },
    'llama.cpp b6700': { model: 'm', object: 'list', usage: { prompt_tokens: 9, total_tokens: 9 }, results: entries },
    'TEI 1.8': [
      { index: 1, score: 0.9 },
      { index: 0, score: 0.1 },
    ],
  };
  for (const [name, body] of Object.entries(servers)) {
    it(`reads the response of ${name}, bare and in an envelope`, async () => {
      assert.deepEqual(await answered(body), scored);
      assert.deepEqual(await answered({ code: 20000, message: 'Ok', status: true, data: body }), scored);
    });
  }

  const answered = async (body: unknown) => {
    server.answer({ body: typeof body === 'string' ? body : JSON.stringify(body) });
    const { results } = await createTestClient(server.baseUrl).client.rerank.create(request);
    return results.map(({ text, ...said }) => JSON.stringify({ ...said, text }));
  };

  it('reads a missing list as empty, but not an error', async () => {
    for (const body of [
      { results: [] },
      { results: null },
      { data: null },
      { object: 'list' },
      { code: 20000, data: null },
    ]) {
      assert.deepEqual(await answered(body), [], JSON.stringify(body));
    }
    for (const body of ['{"detail":"Not Found"}', '{"message":"no such thing"}', '"text"', '7', 'null']) {
      server.answer({ body });
      const error = await failureOf(createTestClient(server.baseUrl).client.rerank.create(request));
      assert.equal(error.kind, 'badResponse', body);
      assert.equal(error.details.maybeBilled, true);
    }
  });

  it('reads numbers in strings, and a response without scores or indexes', async () => {
    assert.deepEqual(
      await answered(
        '{"results":[{"index":0},{"index":1,"relevance_score":null},{"index":"1","relevance_score":0.4},{"index":9,"relevance_score":"0.5"},{"index":"first","relevance_score":0.3}]}',
      ),
      [
        '{"index":9,"relevance_score":0.5,"text":""}',
        '{"index":1,"relevance_score":0.4,"text":"banana"}',
        '{"relevance_score":0.3,"text":""}',
        '{"index":0,"text":"apple"}',
        '{"index":1,"text":"banana"}',
      ],
    );
    assert.deepEqual(await answered('{"results":[{"index":0,"relevance_score":1e999}]}'), [
      '{"index":0,"relevance_score":null,"text":"apple"}',
    ]);
  });

  it('omits an invalid entry, not the list', async () => {
    const entry = { index: 0, relevance_score: 0.5 };
    for (const odd of [null, 7, 'text', true, []]) {
      assert.deepEqual(await answered({ results: [odd, entry, odd] }), [
        '{"index":0,"relevance_score":0.5,"text":"apple"}',
      ]);
    }
  });

  it("reads the other scores if one is Python's NaN", async () => {
    assert.deepEqual(
      await answered(
        '{"results":[{"index":0,"relevance_score":NaN},{"index":1,"relevance_score":0.5,"document":"Is \\"NaN\\\\\\" or -Infinity"}],"usage":{"total_tokens":-Infinity}}',
      ),
      ['{"index":1,"relevance_score":0.5,"text":"Is \\"NaN\\\\\\" or -Infinity"}', '{"index":0,"text":"apple"}'],
    );
  });

  it('rejects a list of something else as a ranking', async () => {
    for (const body of [
      '{"results":[{"text":"a"}]}',
      '[{"error":"x"}]',
      '{"results":[{"index":NaN}]}',
      '{"results":NaN',
    ]) {
      server.answer({ body, headers: { 'content-type': 'application/json' } });
      const error = await failureOf(createTestClient(server.baseUrl).client.rerank.create(request));
      assert.equal(error.kind, 'badResponse', body);
    }
  });
});
