import assert from 'node:assert/strict';
import { createTestClient, failureOf } from '../../../../support/apiClient';
import { type FixtureServer, jsonAnswer, startFixtureServer } from '../../../../support/fixtureServer';
import type { ModelListRequest } from '../../../../../src/core/api/models/models.schema';

describe('models', () => {
  let server: FixtureServer;
  beforeEach(async () => void (server = await startFixtureServer()));
  afterEach(() => server.close());
  const list = (request: ModelListRequest = {}) => createTestClient(server.baseUrl).client.models.list(request);

  it('sends the set filters', async () => {
    server.answer(jsonAnswer('models/list.json'));
    await list();
    await list({ sub_type: 'text-to-image' });
    await list({ type: 'text', sub_type: 'chat' });
    assert.deepEqual(
      server.seen.map(({ method, path, query }) => ({ method, path, query })),
      [
        { method: 'GET', path: '/v1/models', query: {} },
        { method: 'GET', path: '/v1/models', query: { sub_type: 'text-to-image' } },
        { method: 'GET', path: '/v1/models', query: { type: 'text', sub_type: 'chat' } },
      ],
    );
  });

  it("keeps the service's order, and omits empty entries", async () => {
    server.answer(jsonAnswer('models/list.json'));
    assert.deepEqual(await list(), [
      { id: 'deepseek-ai/DeepSeek-V3.2' },
      { id: 'Pro/BAAI/bge-reranker-v2-m3', ownedBy: 'baai', created: 1730000000 },
      { id: 'Qwen/Qwen3-8B', contextLength: 131072, maxOutputTokens: 8192 },
    ]);
  });

  it('reads the lists of other servers', async () => {
    server.answer(jsonAnswer('models/bare.json'));
    assert.deepEqual(await list(), [{ id: 'local-model' }, { id: 'other', contextLength: 4096 }]);
    server.answer(jsonAnswer('models/under-models.json'));
    assert.deepEqual(await list(), [{ id: 'a.gguf' }]);
  });

  it('reports that the service has more models than it sends', async () => {
    let cutOff = 0;
    const read = () => createTestClient(server.baseUrl).client.models.list({}, undefined, () => cutOff++);
    server.answer(jsonAnswer('models/list.json'));
    await read();
    assert.equal(cutOff, 0);
    // A gateway before Anthropic's API that drops the query: each page is the first.
    const page = { data: [{ id: 'claude-sonnet-4-5-20250929', type: 'model' }], has_more: true, last_id: 'x' };
    server.answer({ headers: { 'content-type': 'application/json' }, body: JSON.stringify(page) });
    assert.equal((await read()).length, 1);
    assert.equal(cutOff, 1);
  });

  it('rejects an unknown filter, and names the known ones', async () => {
    const error = await failureOf(list({ type: 'smell' as 'text' }));
    assert.equal(error.kind, 'invalidParameter');
    assert.equal(error.message, 'type must be one of text, image, audio, video.');
    assert.equal(server.seen.length, 0);
  });

  it('accepts a base URL with a trailing slash', async () => {
    server.answer(jsonAnswer('models/list.json'));
    await createTestClient(`${server.baseUrl}/`).client.models.list({});
    assert.equal(server.seen[0]?.path, '/v1/models');
  });
});
