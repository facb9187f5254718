import assert from 'node:assert/strict';
import { createTestClient, failureOf } from '../../../../support/apiClient';
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

  it('sends every parameter under its name, null as null, and leaves out what is unset', async () => {
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

  it('ranks best first, whatever order came', async () => {
    assert.deepEqual(await create('answer'), {
      id: 'rerank-1',
      results: [
        { index: 0, relevance_score: 0.99, text: 'apple' },
        { index: 1, relevance_score: 0.2, text: 'banana' },
      ],
      tokens: { input_tokens: 28, output_tokens: 0 },
    });
  });

  it('reads the answers of other servers on this path', async () => {
    assert.deepEqual(await create('meta'), {
      id: 'rerank-2',
      results: [{ index: 0, relevance_score: 0.5, text: 'apple' }],
      tokens: { input_tokens: 7, output_tokens: 0 },
    });
    assert.deepEqual(await create('llama'), {
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

  it('does not take an answer without a ranking for an empty one', async () => {
    server.answer({ body: '{"object":"list"}' });
    const error = await failureOf(createTestClient(server.baseUrl).client.rerank.create(request));
    assert.equal(error.kind, 'badResponse');
    assert.equal(error.details.maybeBilled, true);
  });

  it('reads an answer that lacks scores or indexes, or has none that are numbers', async () => {
    const answered = async (body: string) => {
      server.answer({ body, headers: { 'content-type': 'application/json' } });
      const { results } = await createTestClient(server.baseUrl).client.rerank.create(request);
      return results.map(({ text, ...said }) => JSON.stringify({ ...said, text }));
    };
    assert.deepEqual(
      await answered(
        '{"results":[{"index":0},{"index":1,"relevance_score":null},{"index":"1","relevance_score":0.4},{"index":9,"relevance_score":"0.5"},{"index":1,"relevance_score":0.5}]}',
      ),
      [
        '{"index":1,"relevance_score":0.5,"text":"banana"}',
        '{"relevance_score":0.4,"text":""}',
        '{"index":0,"text":"apple"}',
        '{"index":1,"text":"banana"}',
        '{"index":9,"text":""}',
      ],
    );
    assert.deepEqual(await answered('{"results":[{"index":0,"relevance_score":1e999}]}'), [
      '{"index":0,"relevance_score":null,"text":"apple"}',
    ]);
    assert.deepEqual(await answered('{"results":[]}'), []);
  });

  it('takes no list of something else for a ranking', async () => {
    for (const body of [
      '{"results":[{"text":"a"}]}',
      '[{"error":"x"}]',
      '{"results":[{"index":0,"relevance_score":NaN}]}',
    ]) {
      server.answer({ body, headers: { 'content-type': 'application/json' } });
      const error = await failureOf(createTestClient(server.baseUrl).client.rerank.create(request));
      assert.equal(error.kind, 'badResponse', body);
    }
  });
});
