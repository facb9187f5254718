import assert from 'node:assert/strict';
import type { MessageEvent } from '../../../../../src/core/api/messages/messageEvents';
import type { MessageRequest } from '../../../../../src/core/api/messages/messages.schema';
import { createTestClient, drain, failureOf } from '../../../../support/apiClient';
import {
  type FixtureServer,
  fixture,
  jsonAnswer,
  startFixtureServer,
  streamAnswer,
} from '../../../../support/fixtureServer';

const request: MessageRequest = {
  model: 'zai-org/GLM-4.6',
  messages: [{ role: 'user', content: 'Hello' }],
  max_tokens: 100,
};

describe('messages', () => {
  let server: FixtureServer;
  beforeEach(async () => void (server = await startFixtureServer()));
  afterEach(() => server.close());
  const client = () => createTestClient(server.baseUrl).client;

  it('sends every parameter under its name, exactly as set', async () => {
    server.answer(jsonAnswer('messages/answer.json'));
    const full: MessageRequest = {
      model: 'm',
      messages: [
        { role: 'system', content: 'Short.' },
        { role: 'user', content: [{ type: 'text', text: 'Weather?' }] },
        { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'weather', input: { city: 'Paris' } }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: '20 °C', is_error: false }] },
        { role: 'assistant', content: 'It is' },
      ],
      max_tokens: 10,
      system: [{ type: 'text', text: 'Kind.' }],
      stop_sequences: ['END'],
      temperature: 0,
      top_p: null,
      top_k: 50,
      tools: [{ name: 'weather', description: 'Now', input_schema: { type: 'object' } }],
      tool_choice: { type: 'tool', name: 'weather', disable_parallel_tool_use: true },
      thinking: { type: 'enabled', budget_tokens: 1000 },
    };
    await client().messages.create(full);
    assert.equal(`${server.seen[0]?.method} ${server.seen[0]?.path}`, 'POST /v1/messages');
    assert.equal(server.seen[0]?.headers['content-type'], 'application/json');
    assert.equal(server.seen[0]?.body, JSON.stringify(full));
  });

  it('returns tool calls and unknown blocks unchanged', async () => {
    server.answer(jsonAnswer('messages/answer.json'));
    const raw = { type: 'redacted_thinking', data: 'xyz' };
    const state = { block: { caller: { type: 'direct' } }, call: { extra_content: {} } };
    const called = { type: 'tool_use', id: 't1', name: 'weather', input: {} } as const;
    const content = [
      { type: 'unknown', raw },
      { ...called, state },
    ] as const;
    await client().messages.create({ ...request, messages: [{ role: 'assistant', content }] });
    const { messages } = JSON.parse(server.seen[0]?.body ?? '') as { readonly messages: readonly object[] };
    assert.deepEqual(messages, [{ role: 'assistant', content: [raw, { caller: { type: 'direct' }, ...called }] }]);
  });

  it("always sends max_tokens, by default the model's known maximum", async () => {
    server.answer(jsonAnswer('messages/answer.json'));
    for (const model of ['some/old-7b', 'deepseek-ai/DeepSeek-R1', 'Pro/Qwen/Qwen3-8B']) {
      await client().messages.create({ model, messages: request.messages });
    }
    assert.deepEqual(
      server.seen.map(({ body }) => JSON.parse(body).max_tokens),
      [4096, 8192, 8192],
    );
  });

  it('reads an answer with reasoning, text, a tool call, and an unknown block', async () => {
    server.answer(jsonAnswer('messages/answer.json'));
    assert.deepEqual(await client().messages.create(request), {
      id: '0195c1',
      model: 'deepseek-ai/DeepSeek-V3.2',
      stop_reason: 'tool_use',
      content: [
        { type: 'thinking', thinking: 'Let me see.', signature: 'c2ln' },
        { type: 'text', text: 'Hi, I am here.' },
        { type: 'tool_use', id: 'toolu_1', name: 'get_stock_price', input: { ticker: '^GSPC' } },
        { type: 'unknown', raw: { type: 'server_note', note: 'kept' } },
      ],
      usage: { input_tokens: 2095, output_tokens: 503, cache_read_input_tokens: 12 },
    });
  });

  it('reads the stop sequence that ended an answer without content', async () => {
    server.answer(jsonAnswer('messages/stop-sequence.json'));
    const message = await client().messages.create(request);
    assert.deepEqual([message.stop_reason, message.stop_sequence, message.content], ['stop_sequence', 'END', []]);
  });

  it('requests a stream and returns its events in order', async () => {
    server.answer(streamAnswer(fixture('messages/stream.sse')));
    const { events, error } = await drain(client().messages.stream(request));
    assert.equal(error, undefined);
    assert.equal(server.seen[0]?.body, JSON.stringify({ ...request, stream: true }));
    assert.equal(server.seen[0]?.headers.accept, 'text/event-stream');
    assert.deepEqual(events, expectedEvents);
  });

  it('reuses one connection for consecutive streams', async () => {
    server.answer(streamAnswer(fixture('messages/stream.sse')));
    const { messages } = client();
    await drain(messages.stream(request));
    // The pool takes a connection back one turn after its answer ended.
    await new Promise((resolve) => setImmediate(resolve));
    await drain(messages.stream(request));
    assert.equal(server.connections(), 1);
  });

  it('ends with message_stop even if the service keeps the connection open', async () => {
    const body = fixture('messages/stream.sse').replace('data: [DONE]\n\n', '');
    server.answer({ ...streamAnswer(body), afterwards: 'hang' });
    const { events, error } = await drain(client().messages.stream(request));
    assert.equal(error, undefined);
    assert.deepEqual(events, expectedEvents);
    await server.allClosed();
  });

  it('cancels the request when the loop ends', async () => {
    server.answer({ ...streamAnswer(fixture('messages/stream.sse').slice(0, 600)), afterwards: 'hang' });
    const { client: leaving, exchanges } = createTestClient(server.baseUrl);
    for await (const event of leaving.messages.stream(request)) if (event.type === 'thinking') break;
    await server.allClosed();
    assert.equal(exchanges[0]?.errorKind, 'aborted');
  });

  it('ends with `aborted`, possibly charged, when the signal aborts during a wait', async () => {
    server.answer({ ...streamAnswer(fixture('messages/stream.sse').slice(0, 600)), afterwards: 'hang' });
    const stop = new AbortController();
    const { client: stopping } = createTestClient(server.baseUrl);
    const seen: MessageEvent[] = [];
    const error = await failureOf(
      (async () => {
        for await (const event of stopping.messages.stream(request, stop.signal)) {
          seen.push(event);
          if (event.type === 'thinking') stop.abort();
        }
      })(),
    );
    assert.equal(error.kind, 'aborted');
    assert.equal(error.details.maybeBilled, true);
    assert.ok(seen.length > 0);
    await server.allClosed();
  });

  it('warns about undocumented behavior, and sends the request', async () => {
    server.answer(jsonAnswer('messages/answer.json'));
    const many: MessageRequest = {
      ...request,
      messages: Array.from({ length: 11 }, () => ({ role: 'user', content: 'x' })),
      top_p: 0.05,
      top_k: 80,
    };
    assert.deepEqual(client().messages.warnings(many), [
      { parameter: 'messages', rule: 'maxItems', bound: 10, actual: 11 },
      { parameter: 'top_p', rule: 'min', bound: 0.1, actual: 0.05 },
      { parameter: 'top_k', rule: 'max', bound: 50, actual: 80 },
    ]);
    await client().messages.create(many);
    assert.equal(server.seen.length, 1);
    assert.deepEqual(client().messages.warnings(request), []);
  });
});

const expectedEvents: readonly MessageEvent[] = [
  { type: 'start', id: 'msg_1', model: 'zai-org/GLM-4.6', usage: { input_tokens: 25 } },
  { type: 'blockStart', index: 0, block: { type: 'thinking' } },
  { type: 'thinking', index: 0, text: 'The user says ' },
  { type: 'thinking', index: 0, text: '«你好».' },
  {
    type: 'blockStop',
    index: 0,
    block: { type: 'thinking', thinking: 'The user says «你好».', signature: 'c2lnbmF0dXJl' },
  },
  { type: 'blockStart', index: 1, block: { type: 'text' } },
  { type: 'text', index: 1, text: 'Hello, ' },
  { type: 'text', index: 1, text: 'wörld 🌍' },
  { type: 'blockStop', index: 1, block: { type: 'text', text: 'Hello, wörld 🌍' } },
  { type: 'blockStart', index: 2, block: { type: 'tool_use', id: 'toolu_1', name: 'weather' } },
  { type: 'toolInput', index: 2, text: '{"city": "Pa' },
  { type: 'toolInput', index: 2, text: 'ris"}' },
  {
    type: 'blockStop',
    index: 2,
    block: { type: 'tool_use', id: 'toolu_1', name: 'weather', input: { city: 'Paris' } },
  },
  {
    type: 'end',
    message: {
      id: 'msg_1',
      model: 'zai-org/GLM-4.6',
      stop_reason: 'tool_use',
      content: [
        { type: 'thinking', thinking: 'The user says «你好».', signature: 'c2lnbmF0dXJl' },
        { type: 'text', text: 'Hello, wörld 🌍' },
        { type: 'tool_use', id: 'toolu_1', name: 'weather', input: { city: 'Paris' } },
      ],
      usage: { input_tokens: 25, output_tokens: 89 },
    },
  },
];
