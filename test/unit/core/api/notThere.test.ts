import assert from 'node:assert/strict';
import type { Client } from '../../../../src/core/api/client';
import type { ApiErrorKind } from '../../../../src/core/api/errorKinds';
import { createOfferStore } from '../../../../src/core/api/offers';
import { toApiError } from '../../../../src/core/api/parseError';
import { createTestClient, drain, failureOf } from '../../../support/apiClient';
import { type FixtureServer, startFixtureServer } from '../../../support/fixtureServer';

const ask = [{ role: 'user', content: 'Hi' }] as const;

/** Calls without an id, some with a model, and those about one id. */
const calls = {
  'GET /models': (client: Client) => failureOf(client.models.list({})),
  'GET /user/info': (client: Client) => failureOf(client.account.info()),
  'GET /batches': (client: Client) => failureOf(client.batches.list()),
  'GET /files': (client: Client) => failureOf(client.files.list({})),
  'GET /audio/voice/list': (client: Client) => failureOf(client.voices.list()),
  'POST /rerank': (client: Client) =>
    failureOf(client.rerank.create({ model: 'some-model', query: 'q', documents: ['d'] })),
  'POST /completions': (client: Client) => failureOf(client.completions.create({ model: 'some-model', prompt: 'p' })),
  'POST /messages': (client: Client) =>
    failureOf(client.messages.create({ model: 'some-model', max_tokens: 9, messages: [...ask] })),
  'POST /messages (streamed)': async (client: Client) => {
    const { error } = await drain(client.messages.stream({ model: 'some-model', max_tokens: 9, messages: [...ask] }));
    assert.ok(error);
    return error;
  },
  'POST /chat/completions': async (client: Client) => {
    const { error } = await drain(client.chatCompletions.chunks({ model: 'some-model', messages: ask }));
    assert.ok(error);
    return error;
  },
  'POST /embeddings': (client: Client) => failureOf(client.embeddings.create({ model: 'some-model', input: 'text' })),
  'POST /images/generations': (client: Client) =>
    failureOf(client.images.generate({ model: 'some-model', prompt: 'a cat' })),
  'POST /video/submit': (client: Client) =>
    failureOf(client.videos.submit({ model: 'some-model', prompt: 'a cat', image_size: '1280x720' })),
  'POST /batches': (client: Client) =>
    failureOf(
      client.batches.create({ input_file_id: 'file-1', endpoint: '/v1/chat/completions', completion_window: '24h' }),
    ),
  'POST /video/status': (client: Client) => failureOf(client.videos.status({ requestId: 'r' })),
  'GET /batches/{id}': (client: Client) => failureOf(client.batches.retrieve({ id: 'b' })),
  'POST /batches/{id}/cancel': (client: Client) => failureOf(client.batches.cancel({ id: 'b' })),
} as const;

interface Row {
  readonly server: string;
  readonly call: keyof typeof calls;
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly kind: ApiErrorKind;
}

const nginx = (words: string) =>
  `<html>\r\n<head><title>${words}</title></head>\r\n<body>\r\n<center><h1>${words}</h1></center>\r\n<hr><center>nginx/1.27.3</center>\r\n</body>\r\n</html>\r\n`;
const express = (words: string) =>
  `<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>Error</title>\n</head>\n<body>\n<pre>${words}</pre>\n</body>\n</html>\n`;
const openAi = (message: string, rest: object = {}) => ({
  error: { message, type: 'invalid_request_error', param: null, code: null, ...rest },
});
const anthropic = (type: string, message: string) => ({
  type: 'error',
  error: { type, message },
  request_id: 'req_011CSJdwJdRY4cgapH1mAuMS',
});
const llamaCpp = (code: number, message: string, type: string) => ({ error: { code, message, type } });
const lmStudio = (words: string) => ({ error: `Unexpected endpoint or method. (${words})` });
const unknownUrl = (words: string) =>
  `Unknown request URL: ${words}. Please check the URL for typos, or see the docs at https://console.groq.com/docs/`;

const notOffered = (
  server: string,
  call: Row['call'],
  status: number,
  body: unknown,
  headers?: Row['headers'],
): Row => ({ server, call, status, body, ...(headers && { headers }), kind: 'notOffered' });
const other = (kind: ApiErrorKind, server: string, call: Row['call'], status: number, body: unknown): Row => ({
  server,
  call,
  status,
  body,
  kind,
});

const rows: readonly Row[] = [
  // Servers on one's own machine.
  notOffered('llama.cpp b9000', 'GET /batches', 404, llamaCpp(404, 'File Not Found', 'not_found_error')),
  notOffered('llama.cpp b9000', 'POST /messages', 404, llamaCpp(404, 'File Not Found', 'not_found_error')),
  notOffered('vLLM 0.11', 'GET /files', 404, { detail: 'Not Found' }),
  notOffered('vLLM 0.9', 'POST /messages (streamed)', 404, { detail: 'Not Found' }),
  notOffered('vLLM 0.11', 'POST /completions', 405, { detail: 'Method Not Allowed' }),
  notOffered('vLLM 0.6', 'POST /embeddings', 501, {
    object: 'error',
    message: 'Not implemented',
    type: 'NotImplementedError',
    param: null,
    code: 501,
  }),
  notOffered('SGLang 0.4', 'POST /images/generations', 404, { detail: 'Not Found' }),
  notOffered('Ollama 0.12', 'POST /rerank', 404, '404 page not found', { 'content-type': 'text/plain' }),
  notOffered('Ollama 0.12', 'GET /user/info', 404, '404 page not found', { 'content-type': 'text/plain' }),
  notOffered('Ollama 0.12', 'GET /batches', 405, '405 method not allowed', { 'content-type': 'text/plain' }),
  notOffered('LM Studio 0.3.14', 'POST /rerank', 200, lmStudio('POST /v1/rerank')),
  notOffered('LM Studio 0.3.14', 'GET /user/info', 200, lmStudio('GET /v1/user/info')),
  notOffered('LM Studio 0.3.14', 'POST /messages', 200, lmStudio('POST /v1/messages')),
  notOffered('LM Studio 0.3.14', 'POST /messages (streamed)', 200, lmStudio('POST /v1/messages')),
  notOffered('LM Studio 0.3.14', 'GET /batches/{id}', 200, lmStudio('GET /v1/batches/b')),
  notOffered(
    'KoboldCpp 1.81',
    'GET /files',
    404,
    'Error: HTTP Server is running, but this endpoint does not exist. Please check the URL.',
    { 'content-type': 'text/html' },
  ),
  notOffered(
    'KoboldCpp 1.81',
    'POST /rerank',
    404,
    'Error: HTTP Server is running, but this endpoint does not exist. Please check the URL.',
    { 'content-type': 'text/html' },
  ),
  notOffered('LocalAI 3 (Echo)', 'GET /batches', 404, { error: { code: 404, message: 'Not Found', type: '' } }),
  notOffered('Jan (Fastify)', 'POST /embeddings', 404, {
    message: 'Route POST:/v1/embeddings not found',
    error: 'Not Found',
    statusCode: 404,
  }),
  notOffered('text-generation-webui 3', 'GET /audio/voice/list', 404, { detail: 'Not Found' }),
  notOffered('TEI 1.7 (axum)', 'POST /completions', 404, '', { 'content-length': '0' }),
  notOffered('TEI 1.7 (axum)', 'GET /batches', 405, '', { allow: 'POST', 'content-length': '0' }),
  notOffered('Infinity 0.0.76', 'POST /completions', 404, { detail: 'Not Found' }),
  notOffered('mlx_lm.server 0.28', 'POST /rerank', 404, 'Not Found', { 'content-type': 'text/plain' }),
  notOffered('llama-swap 170 (gin)', 'GET /user/info', 404, '404 page not found', { 'content-type': 'text/plain' }),
  // Services and gateways.
  notOffered('OpenAI', 'POST /rerank', 404, openAi('Invalid URL (POST /v1/rerank)')),
  notOffered('OpenAI', 'GET /user/info', 404, openAi('Invalid URL (GET /v1/user/info)')),
  notOffered('OpenAI', 'GET /audio/voice/list', 405, openAi('Invalid method for URL (GET /v1/audio/voice/list)')),
  notOffered(
    'OpenAI in 2024',
    'POST /messages',
    404,
    openAi(
      'Unknown request URL: POST /v1/messages. Please check the URL for typos, or see the docs at https://platform.openai.com/docs/api-reference/.',
      { code: 'unknown_url' },
    ),
  ),
  notOffered('Anthropic', 'POST /completions', 404, anthropic('not_found_error', 'Not Found')),
  notOffered('Anthropic', 'GET /batches', 404, anthropic('not_found_error', 'Not found')),
  notOffered('Anthropic', 'GET /files', 405, anthropic('invalid_request_error', 'Method Not Allowed')),
  notOffered(
    'OpenRouter',
    'GET /batches',
    404,
    '<!DOCTYPE html><html lang="en"><head><title>Not Found | OpenRouter</title></head></html>',
    { 'content-type': 'text/html' },
  ),
  notOffered('OpenRouter', 'POST /rerank', 404, { error: { message: 'Not Found', code: 404 } }),
  notOffered('Groq', 'POST /rerank', 404, openAi(unknownUrl('POST /openai/v1/rerank'), { code: 'unknown_url' })),
  notOffered('Groq', 'POST /messages', 404, { error: { message: 'Not Found' } }),
  notOffered('Mistral (Kong)', 'POST /rerank', 404, {
    message: 'no Route matched with those values',
    request_id: '6f1c4c1b6e0c4d2f',
  }),
  notOffered('Mistral', 'GET /user/info', 404, { detail: 'Not Found' }),
  notOffered('DeepSeek', 'POST /embeddings', 404, {
    event_id: '30-inst-128-20250121121528-c081afe0',
    error_msg: 'Not Found. Please check the configuration.',
  }),
  notOffered('DeepSeek', 'GET /files', 404, '', { 'content-length': '0' }),
  notOffered('Together', 'POST /messages', 404, openAi('Invalid URL (POST /v1/messages)', { code: null })),
  notOffered('Azure OpenAI', 'POST /rerank', 404, { error: { code: '404', message: 'Resource not found' } }),
  notOffered(
    'Google (OpenAI interface)',
    'POST /rerank',
    404,
    '<!DOCTYPE html>\n<html lang=en>\n  <meta charset=utf-8>\n  <title>Error 404 (Not Found)!!1</title>\n  <p>The requested URL <code>/v1beta/openai/rerank</code> was not found on this server.',
    { 'content-type': 'text/html' },
  ),
  notOffered('Google (OpenAI interface)', 'GET /user/info', 404, [
    { error: { code: 404, message: 'Requested URL was not found.', status: 'NOT_FOUND' } },
  ]),
  notOffered('xAI', 'POST /rerank', 404, {
    error: {
      code: 404,
      message:
        'The requested resource was not found. Please check the URL and try again. Documentation is available at https://docs.x.ai/',
    },
  }),
  notOffered('Cloudflare Workers AI', 'POST /rerank', 400, {
    result: null,
    success: false,
    errors: [{ code: 7000, message: 'No route for that URI' }],
    messages: [],
  }),
  notOffered('AWS API Gateway', 'GET /user/info', 403, { message: 'Missing Authentication Token' }),
  notOffered('LiteLLM 1.75', 'GET /user/info', 405, { detail: 'Method Not Allowed' }),
  notOffered('LiteLLM 1.75', 'GET /audio/voice/list', 404, { detail: 'Not Found' }),
  notOffered('one-api 0.6', 'POST /rerank', 404, openAi('Invalid URL (POST /v1/rerank)', { param: '', code: '' })),
  notOffered('one-api 0.6', 'GET /files', 501, {
    error: { message: 'API not implemented', type: 'one_api_error', param: '', code: 'api_not_implemented' },
  }),
  notOffered('nginx 1.27', 'GET /batches', 404, nginx('404 Not Found'), { 'content-type': 'text/html' }),
  notOffered('nginx 1.27', 'POST /batches', 405, nginx('405 Not Allowed'), { 'content-type': 'text/html' }),
  notOffered('Express 4', 'POST /messages', 404, express('Cannot POST /v1/messages'), { 'content-type': 'text/html' }),
  notOffered('NestJS 10', 'POST /video/submit', 404, {
    message: 'Cannot POST /v1/video/submit',
    error: 'Not Found',
    statusCode: 404,
  }),
  notOffered('Spring Boot 3', 'POST /images/generations', 404, {
    timestamp: '2026-03-01T10:00:00.000+00:00',
    status: 404,
    error: 'Not Found',
    path: '/v1/images/generations',
  }),
  notOffered('Hono 4', 'GET /files', 404, '404 Not Found', { 'content-type': 'text/plain' }),
  notOffered('any server', 'POST /batches/{id}/cancel', 501, ''),
  notOffered('any server', 'GET /batches/{id}', 405, { detail: 'Method Not Allowed' }),
  notOffered('the public service', 'GET /user/info', 410, { message: 'gone' }),

  // What is missing is the model.
  other('unknownModel', 'Anthropic', 'POST /messages', 404, anthropic('not_found_error', 'model: claude-x')),
  other('unknownModel', 'Anthropic', 'POST /messages (streamed)', 404, anthropic('not_found_error', 'model: opus-4')),
  other(
    'unknownModel',
    'Anthropic',
    'POST /messages',
    404,
    anthropic('not_found_error', 'Claude Fable 5 is not available. Please use Opus 4.8.'),
  ),
  other('unknownModel', 'Ollama 0.12', 'POST /chat/completions', 404, {
    error: { message: 'model "x" not found, try pulling it first', type: 'api_error', param: null, code: null },
  }),
  other(
    'unknownModel',
    'OpenAI',
    'POST /chat/completions',
    404,
    openAi('The model `gpt-x` does not exist or you do not have access to it.', { code: 'model_not_found' }),
  ),
  other('unknownModel', 'vLLM 0.11', 'POST /rerank', 404, {
    error: { message: 'The model `x` does not exist.', type: 'NotFoundError', param: 'model', code: 404 },
  }),
  other('unknownModel', 'llama-swap 170', 'POST /chat/completions', 400, {
    error: 'could not find real modelID for some-model',
  }),
  other('unknownModel', 'OpenRouter', 'POST /messages', 404, {
    error: { message: 'No endpoints found for stepfun/step-3.5-flash:free.', code: 404 },
  }),
  other('unknownModel', 'OpenRouter', 'POST /chat/completions', 400, {
    error: { message: 'some-model is not a valid model ID', code: 400 },
  }),
  other(
    'unknownModel',
    'Together',
    'POST /chat/completions',
    404,
    openAi('Unable to access model x. Please visit https://api.together.ai/models to view the list.', {
      code: 'model_not_available',
    }),
  ),
  other('unknownModel', 'Mistral', 'POST /chat/completions', 400, {
    object: 'error',
    message: 'Invalid model: x',
    type: 'invalid_model',
    param: null,
    code: '1500',
  }),
  other('unknownModel', 'DeepSeek', 'POST /chat/completions', 400, openAi('Model Not Exist')),
  other('unknownModel', 'Moonshot', 'POST /messages', 404, {
    error: { message: 'Not found the model kimi-k2.5 or Permission denied', type: 'resource_not_found_error' },
  }),
  other('unknownModel', 'Google (OpenAI interface)', 'POST /chat/completions', 404, [
    {
      error: {
        code: 404,
        message: 'models/gemini-x is not found for API version v1main, or is not supported for generateContent.',
        status: 'NOT_FOUND',
      },
    },
  ]),
  other('unknownModel', 'Azure OpenAI', 'POST /chat/completions', 404, {
    error: {
      code: 'DeploymentNotFound',
      message:
        'The API deployment for this resource does not exist. If you created the deployment within the last 5 minutes, please wait a moment and try again.',
    },
  }),
  // The endpoint is there, and does not take this.
  other(
    'badRequest',
    'OpenAI',
    'POST /completions',
    404,
    openAi(
      'This is a chat model and not supported in the v1/completions endpoint. Did you mean to use v1/chat/completions?',
      { param: 'model' },
    ),
  ),
  other(
    'badRequest',
    'OpenAI',
    'POST /chat/completions',
    404,
    openAi('This is not a chat model and thus not supported in the v1/chat/completions endpoint.', { param: 'model' }),
  ),
  other('badRequest', 'OpenRouter', 'POST /chat/completions', 404, {
    error: {
      message:
        'No endpoints found that support tool use. To learn more about provider routing, visit: https://openrouter.ai/docs/provider-routing',
      code: 404,
    },
  }),
  other('badRequest', 'OpenRouter', 'POST /chat/completions', 404, {
    error: {
      message: 'No endpoints available matching your guardrail restrictions and data policy.',
      code: 404,
    },
  }),
  // The endpoint is there, and this model does not do it. A server of several models passes on what the server of one says of itself.
  other(
    'badRequest',
    'llama.cpp b9000, one model or a router of several',
    'POST /rerank',
    501,
    llamaCpp(501, 'This server does not support reranking. Start it with `--reranking`', 'not_supported_error'),
  ),
  other(
    'badRequest',
    'llama.cpp b9000, one model or a router of several',
    'POST /embeddings',
    501,
    llamaCpp(501, 'This server does not support embeddings. Start it with `--embeddings`', 'not_supported_error'),
  ),
  other(
    'badRequest',
    'llama.cpp b6800, behind llama-swap 170',
    'POST /chat/completions',
    501,
    llamaCpp(501, 'This server does not support completions. Start it without `--embeddings`', 'not_supported_error'),
  ),
  other('badRequest', 'Ollama 0.32', 'POST /embeddings', 501, {
    error: {
      message: 'This server does not support embeddings. Start it with `--embeddings`',
      type: 'api_error',
      param: null,
      code: null,
    },
  }),
  other('badRequest', 'any gateway', 'POST /completions', 501, { error: 'some-model has no completions' }),
  other(
    'badRequest',
    'any gateway',
    'POST /embeddings',
    400,
    openAi('This model does not support embeddings.', { type: 'not_supported_error' }),
  ),
  // The same words about a server that was asked for no model.
  notOffered(
    'llama.cpp b9000',
    'GET /files',
    501,
    llamaCpp(501, 'This server does not support files. Start it with `--files`', 'not_supported_error'),
  ),
  // What is missing is one thing.
  other('notFound', 'the public service', 'GET /batches/{id}', 404, { code: 20015, message: 'No such object.' }),
  other('notFound', 'the public service', 'POST /video/status', 404, { code: 20015, message: 'No such object.' }),
  other('notFound', 'a gateway', 'POST /video/status', 404, { error: 'Not Found' }),
  other('notFound', 'OpenAI', 'GET /batches/{id}', 404, openAi("No batch found with id 'b'.")),
  other('notFound', 'LiteLLM 1.75', 'GET /batches/{id}', 404, { detail: 'Not Found' }),
  other('notFound', 'any server', 'GET /batches/{id}', 410, 'Gone'),
  other('notFound', 'OpenAI', 'POST /batches', 404, openAi('No such File object: file-1', { param: 'id' })),
  other('notFound', 'VoyageAI', 'POST /batches', 404, { detail: 'Input file not found' }),
  other('notFound', 'a gateway in Python', 'POST /batches', 404, { detail: 'input_file_id not found' }),
  other('notFound', 'OpenAI', 'GET /batches', 404, openAi("No object found with id 'x'.", { param: 'after' })),
  // Nothing is missing.
  other('auth', 'the public service', 'GET /user/info', 401, '"404 page not found"'),
  other('server', 'any server', 'GET /batches', 500, { error: 'Internal Server Error' }),
  other('network', 'ngrok', 'POST /chat/completions', 404, nginx('ERR_NGROK_3200')),
  // Every service lists its models: the address is wrong.
  other('notFound', 'vLLM 0.11', 'GET /models', 404, { detail: 'Not Found' }),
  other('notFound', 'LM Studio 0.3.14', 'GET /models', 200, lmStudio('GET /wrong/v1/models')),
];

describe('a not-found response', () => {
  let server: FixtureServer;
  beforeEach(async () => void (server = await startFixtureServer()));
  afterEach(() => server.close());

  for (const { server: name, call, status, body, headers, kind } of rows) {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    it(`is ${kind}: ${name}, ${call}, ${status} ${text.slice(0, 60).replaceAll(/\s+/g, ' ').trim()}`, async () => {
      const offers = createOfferStore();
      const { client } = createTestClient(server.baseUrl, { offers });
      server.answer({
        status,
        headers: { ...headers, ...(kind === 'network' && { 'ngrok-error-code': 'ERR_NGROK_3200' }) },
        body: text,
      });
      const error = await calls[call](client);
      const endpoint = call.replace(' (streamed)', '');
      const isMissing = offers.missingSince(endpoint) !== undefined;
      assert.deepEqual([error.kind, isMissing], [kind, kind === 'notOffered'], error.message);
      if (kind === 'server' || kind === 'network') return;
      assert.equal(error.details.maybeBilled, false);
      assert.equal(server.seen.length, 1, 'it is not sent again');
      if (kind !== 'notOffered') return;
      assert.equal((await calls[call](client)).kind, 'notOffered');
      assert.equal(server.seen.length, 1, 'it is not asked again');
    });
  }

  it('keeps a base URL without a version after a successful request', async () => {
    const offers = createOfferStore();
    const { client } = createTestClient(server.baseUrl.replace('/v1', ''), { offers });
    server.answer({ body: '{"data":[{"id":"some-model"}]}' }, { status: 404, body: '' });
    await client.models.list({});
    assert.equal((await failureOf(client.account.info())).kind, 'notOffered');
    assert.notEqual(offers.missingSince('GET /user/info'), undefined);
  });

  it('is forgotten when a local server stops, because it can return with other options', async () => {
    const offers = createOfferStore();
    const { client } = createTestClient(server.baseUrl, { offers });
    server.answer({ status: 501, body: '' });
    assert.equal((await calls['POST /rerank'](client)).kind, 'notOffered');
    await server.close();
    assert.equal((await calls['POST /embeddings'](client)).kind, 'network');
    assert.equal(offers.missingSince('POST /rerank'), undefined);
  });
});

/** Server and version, status, and its words. */
const overflows: readonly (readonly [server: string, status: number, body: unknown])[] = [
  [
    'llama.cpp b6400',
    400,
    {
      error: {
        code: 400,
        message: 'request (131168 tokens) exceeds the available context size (131072 tokens), try increasing it',
        type: 'exceed_context_size_error',
        n_prompt_tokens: 131168,
        n_ctx: 131072,
      },
    },
  ],
  [
    'llama.cpp b6360',
    500,
    llamaCpp(500, 'the request exceeds the available context size', 'exceed_context_size_error'),
  ],
  ['llama.cpp b4000', 500, llamaCpp(500, 'Context size has been exceeded.', 'server_error')],
  [
    'vLLM 0.6',
    400,
    {
      object: 'error',
      message:
        "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens in the messages.",
      type: 'BadRequestError',
      param: null,
      code: 400,
    },
  ],
  [
    'vLLM 0.11',
    400,
    openAi('The decoder prompt (length 8357) is longer than the maximum model length of 8192.', { code: 400 }),
  ],
  ['OpenAI', 400, openAi('Your input exceeds the context window of this model.', { code: 'context_length_exceeded' })],
  ['Anthropic', 400, anthropic('invalid_request_error', 'prompt is too long: 213462 tokens > 200000 maximum')],
  [
    'Anthropic',
    400,
    anthropic('invalid_request_error', 'input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000'),
  ],
  ['Ollama 0.12', 400, { error: 'the input length exceeds the context length' }],
  ['Ollama 0.9', 500, { error: { message: 'input length exceeds the context length', type: 'api_error' } }],
  [
    'LM Studio 0.3',
    400,
    {
      error:
        'Trying to keep the first 9000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens, which is not enough.',
    },
  ],
  ['SGLang 0.4', 400, openAi("The input (150000 tokens) is longer than the model's context length (128000 tokens).")],
  [
    'Google (OpenAI interface)',
    400,
    [
      {
        error: {
          code: 400,
          message: 'The input token count (1196265) exceeds the maximum number of tokens allowed (1048575).',
        },
      },
    ],
  ],
  ['Bedrock', 400, { message: 'Input is too long for requested model.' }],
  [
    'xAI',
    400,
    { code: 'x', error: "This model's maximum prompt length is 131072 but the request contains 537812 tokens." },
  ],
  [
    'TEI 1.7',
    413,
    { error: 'Input validation error: `inputs` must have less than 512 tokens. Given: 600', error_type: 'Validation' },
  ],
];

describe('an error about a text that is too long for the model', () => {
  for (const [server, status, body] of overflows) {
    it(`is recognized in the message of ${server}: ${JSON.stringify(body).slice(0, 70)}`, () => {
      assert.equal(toApiError({ status, headers: {}, body: JSON.stringify(body), now: 0 }).kind, 'tooLong');
    });
  }

  it('is distinguished from the bound of a parameter', () => {
    for (const message of [
      'max_tokens: 100000 > 8192, which is the maximum allowed number of output tokens for claude-x',
      'temperature is deprecated for this model',
      'The model requires more system memory than is available',
    ]) {
      const body = JSON.stringify(openAi(message));
      assert.equal(toApiError({ status: 400, headers: {}, body, now: 0 }).kind, 'badRequest', message);
    }
  });
});
