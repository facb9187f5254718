import assert from 'node:assert/strict';
import { createTestClient, failureOf } from '../../../support/apiClient';
import { type FixtureServer, startFixtureServer } from '../../../support/fixtureServer';

/** As the servers answer a request without content. */
const answers = {
  // OpenAI, 2026.
  openai: {
    status: 400,
    body: JSON.stringify({
      error: { message: 'you must provide a model parameter', type: 'invalid_request_error', param: null, code: null },
    }),
  },
  // Anthropic, 2026.
  anthropic: {
    status: 400,
    body: JSON.stringify({ type: 'error', error: { type: 'invalid_request_error', message: 'model: Field required' } }),
  },
  // vLLM 0.11.
  vllm: {
    status: 422,
    body: JSON.stringify({
      error: {
        message: "[{'type': 'missing', 'loc': ('body', 'messages')}]",
        type: 'Bad Request',
        param: null,
        code: 422,
      },
    }),
  },
  missing: { status: 404, body: '404 page not found' },
  // OpenRouter, which lists its models to anyone.
  refused: { status: 401, body: JSON.stringify({ error: { message: 'No cookie auth credentials found', code: 401 } }) },
};

describe('whether a service has chat', () => {
  let server: FixtureServer;
  beforeEach(async () => void (server = await startFixtureServer()));
  afterEach(() => server.close());
  const asked = () => server.seen.map(({ path, body }) => `${path} ${body}`);

  it('is detected by the rejection of an empty request', async () => {
    for (const answer of [answers.openai, answers.anthropic, answers.vllm]) {
      server.answer(answer);
      assert.equal(await createTestClient(server.baseUrl).client.hasChat('chatCompletions'), true, answer.body);
    }
    assert.deepEqual(new Set(asked()), new Set(['/v1/chat/completions {}']));
  });

  it('is requested at the likelier endpoint first, then at the other', async () => {
    server.answer(answers.missing, answers.anthropic);
    assert.equal(await createTestClient(server.baseUrl).client.hasChat('chatCompletions'), true);
    server.answer(answers.missing, answers.missing);
    assert.equal(await createTestClient(server.baseUrl).client.hasChat('messages'), false);
    assert.deepEqual(asked(), [
      '/v1/chat/completions {}',
      '/v1/messages {}',
      '/v1/messages {}',
      '/v1/chat/completions {}',
    ]);
  });

  it('stays unknown after a rejected key and without a response', async () => {
    server.answer(answers.refused);
    const { client } = createTestClient(server.baseUrl);
    assert.equal((await failureOf(client.hasChat('chatCompletions'))).kind, 'auth');
    const gone = await startFixtureServer();
    await gone.close();
    assert.equal((await failureOf(createTestClient(gone.baseUrl).client.hasChat('messages'))).kind, 'network');
  });
});
