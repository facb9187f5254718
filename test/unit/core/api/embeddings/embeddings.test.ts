import assert from 'node:assert/strict';
import { createTestClient, failureOf } from '../../../../support/apiClient';
import { type FixtureServer, jsonAnswer, startFixtureServer } from '../../../../support/fixtureServer';

describe('embeddings', () => {
  let server: FixtureServer;
  beforeEach(async () => void (server = await startFixtureServer()));
  afterEach(() => server.close());

  it('returns vectors in the order of the inputs, as numbers or base64', async () => {
    server.answer(jsonAnswer('embeddings/answer.json'));
    const request = {
      model: 'Qwen/Qwen3-Embedding-8B',
      input: ['a', 'b'],
      encoding_format: 'float' as const,
      dimensions: 2,
    };
    const { client } = createTestClient(server.baseUrl);
    assert.deepEqual(await client.embeddings.create(request), {
      model: 'Qwen/Qwen3-Embedding-8B',
      vectors: [
        [1.5, -2.5],
        [0.5, -1],
      ],
      usage: { prompt_tokens: 4, completion_tokens: 0, total_tokens: 4 },
    });
    assert.equal(`${server.seen[0]?.method} ${server.seen[0]?.path}`, 'POST /v1/embeddings');
    assert.equal(server.seen[0]?.body, JSON.stringify(request));
  });

  const vectorsOf = async (body: unknown) => {
    server.answer({ body: JSON.stringify(body) });
    return (await createTestClient(server.baseUrl).client.embeddings.create({ model: 'm', input: ['a', 'b'] })).vectors;
  };
  const vectors = [
    [1.5, -2.5],
    [0.5, -1],
  ];
  const base64 = vectors.map((vector) => Buffer.from(Float32Array.from(vector).buffer).toString('base64'));
  const usage = { prompt_tokens: 4, total_tokens: 4 };
  const entries = vectors.map((embedding, index) => ({ object: 'embedding', index, embedding }));
  const servers: Readonly<Record<string, unknown>> = {
    'OpenAI, TEI 1.8 and Ollama 0.12': { object: 'list', data: entries, model: 'm', usage },
    'vLLM 0.11': {
      id: 'embd-1',
      object: 'list',
      created: 1_741_685_413,
      model: 'm',
      data: entries.toReversed(),
      usage: { ...usage, completion_tokens: 0, prompt_tokens_details: null },
    },
    'Infinity 0.0.77': {
      object: 'list',
      data: base64.map((embedding, index) => ({ object: 'embedding', embedding, index })),
      model: 'm',
      usage,
      id: 'infinity-1',
      created: 1_741_685_413,
    },
    'llama.cpp b6700 below /v1': { model: 'm', object: 'list', usage, data: entries },
    'llama.cpp b6700 without /v1': entries.map(({ index, embedding }) => ({ index, embedding: [embedding] })),
    'the native endpoint of TEI 1.8': vectors,
    'the native endpoint of Ollama 0.12': { model: 'm', embeddings: vectors, prompt_eval_count: 4 },
    DashScope: {
      output: { embeddings: vectors.map((embedding, at) => ({ text_index: at, embedding })).toReversed() },
      usage: { total_tokens: 4 },
      request_id: 'r',
    },
    Google: { embeddings: vectors.map((values) => ({ values })) },
    'Jina, v1': { model: 'm', object: 'list', usage: { total_tokens: 4 }, data: entries },
  };
  for (const [name, body] of Object.entries(servers)) {
    it(`reads the response of ${name}`, async () => {
      assert.deepEqual(await vectorsOf(body), vectors);
      assert.deepEqual(await vectorsOf({ code: 20000, message: 'Ok', status: true, data: body }), vectors);
    });
  }

  it('leaves a gap for a missing vector, so the others stay with their inputs', async () => {
    const [first, second] = entries;
    for (const odd of [null, 'text', {}, { index: 0 }, { index: 0, embedding: null }, { embedding: ['a'] }]) {
      assert.deepEqual(await vectorsOf({ data: [odd, second] }), [[], vectors[1]], JSON.stringify(odd));
    }
    assert.deepEqual(await vectorsOf({ data: [first, { ...second, index: '1' }] }), vectors);
    assert.deepEqual(await vectorsOf({ data: [second, { ...first, index: 0 }] }), vectors);
    for (const index of [0, 5, -1, 1.5, null, 'x']) {
      assert.deepEqual(
        await vectorsOf({ data: entries.map((entry) => ({ ...entry, index })) }),
        vectors,
        String(index),
      );
    }
    assert.deepEqual(await vectorsOf({ data: null }), []);
  });

  it('rejects empty input, and warns of more inputs than one call supports', async () => {
    const { client } = createTestClient(server.baseUrl);
    assert.equal((await failureOf(client.embeddings.create({ model: 'm', input: [] }))).kind, 'invalidParameter');
    const warnings = client.embeddings.warnings({ model: 'm', input: Array(33).fill('x'), dimensions: 8 });
    assert.deepEqual(warnings, [
      { parameter: 'input', rule: 'maxItems', bound: 32, actual: 33 },
      { parameter: 'dimensions', rule: 'modelSupport', actual: 'm' },
    ]);
  });
});
