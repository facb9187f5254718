import assert from 'node:assert/strict';
import { createTestClient, failureOf } from '../../../../support/apiClient';
import { type FixtureServer, jsonAnswer, startFixtureServer } from '../../../../support/fixtureServer';

describe('embeddings', () => {
  let server: FixtureServer;
  beforeEach(async () => void (server = await startFixtureServer()));
  afterEach(() => server.close());

  it('gives vectors in the order of the inputs, numbers or base64', async () => {
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

  it('refuses no input at all and warns of more than one call takes', async () => {
    const { client } = createTestClient(server.baseUrl);
    assert.equal((await failureOf(client.embeddings.create({ model: 'm', input: [] }))).kind, 'invalidParameter');
    const warnings = client.embeddings.warnings({ model: 'm', input: Array(33).fill('x'), dimensions: 8 });
    assert.deepEqual(warnings, [
      { parameter: 'input', rule: 'maxItems', bound: 32, actual: 33 },
      { parameter: 'dimensions', rule: 'modelSupport', actual: 'm' },
    ]);
  });
});
