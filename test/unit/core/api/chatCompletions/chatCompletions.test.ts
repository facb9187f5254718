import assert from 'node:assert/strict';
import { ChatAssembler } from '../../../../../src/core/api/chatCompletions/chatAssembler';
import type { ContentBlock, MessageEvent } from '../../../../../src/core/api/messages/messageEvents';
import type { MessageRequest } from '../../../../../src/core/api/messages/messages.schema';
import { createSseReader } from '../../../../../src/core/api/sse';
import { atChatCompletions, createTestClient, drain } from '../../../../support/apiClient';
import {
  type FixtureServer,
  fixture,
  jsonAnswer,
  startFixtureServer,
  streamAnswer,
} from '../../../../support/fixtureServer';

const request: MessageRequest = { model: 'm', messages: [{ role: 'user', content: 'Weather?' }] };

describe('chat completions', () => {
  let server: FixtureServer;
  beforeEach(async () => void (server = await startFixtureServer()));
  afterEach(() => server.close());
  const chat = () => createTestClient(server.baseUrl, atChatCompletions).client.chat;
  const written = (service?: string) => createTestClient(server.baseUrl, { service }).client.chatCompletions;

  it('sends a body of the user with all its properties, and streams the response', async () => {
    server.answer(streamAnswer(fixture('chatCompletions/stream.sse')));
    const body = { model: 'm', messages: 'none', top_k: 999, own_member: { a: 1 }, stream: false };
    const { events, error } = await drain(written('siliconFlow').chunks(body));
    assert.equal(error, undefined);
    assert.equal(server.seen[0]?.body, JSON.stringify({ ...body, stream: true }));
    const lines = fixture('chatCompletions/stream.sse').matchAll(/^data: (\{.*)$/gm);
    assert.deepEqual(
      events,
      [...lines].map(([, json = '']) => JSON.parse(json) as unknown),
    );
  });

  describe('with a body of the user at another service', () => {
    const body = { model: 'm', messages: 'none', own_member: 1 };
    const sent = () => server.seen.map((seen) => JSON.parse(seen.body) as Readonly<Record<string, unknown>>);
    const usage = { prompt_tokens: 9, completion_tokens: 2, total_tokens: 11 };
    /** vLLM 0.11, which tells the usage where it is asked for it only. */
    const counted = streamAnswer(
      [
        {
          id: 'chatcmpl-1',
          object: 'chat.completion.chunk',
          created: 1,
          model: 'm',
          choices: [{ index: 0, delta: { content: 'Hi' }, finish_reason: 'stop' }],
        },
        { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [], usage },
      ]
        .map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`)
        .join('') + 'data: [DONE]\n\n',
    );
    const usageOf = async (service?: string) => {
      const { events, error } = await drain(written(service).chunks(body));
      assert.equal(error, undefined);
      return (events.at(-1) as { readonly usage: unknown }).usage;
    };

    it('requests the usage', async () => {
      for (const service of ['openai', 'openrouter', 'ollama', 'lmStudio', 'llamaCpp', 'vllm', undefined]) {
        server.answer(counted);
        assert.deepEqual(await usageOf(service), usage, service);
        assert.deepEqual(sent().at(-1), { ...body, stream: true, stream_options: { include_usage: true } });
      }
    });

    it('keeps the stream options of the body', async () => {
      server.answer(counted);
      const own = { ...body, stream_options: { include_usage: false } };
      await drain(written('openai').chunks(own));
      assert.deepEqual(sent(), [{ ...own, stream: true }]);
    });

    const refusals = {
      // Mistral's own API
      'in FastAPI’s form': {
        status: 422,
        body: JSON.stringify({
          detail: [
            {
              type: 'extra_forbidden',
              loc: ['body', 'stream_options'],
              msg: 'Extra inputs are not permitted',
              input: {},
            },
          ],
        }),
      },
      // Azure OpenAI, API version 2024-02
      'in OpenAI’s form': {
        status: 400,
        body: JSON.stringify({
          error: {
            message: 'Unrecognized request argument supplied: stream_options',
            type: 'invalid_request_error',
            param: null,
            code: null,
          },
        }),
      },
    };
    for (const [form, refusal] of Object.entries(refusals)) {
      it(`resends it unchanged if the service rejects the usage option, and stops requesting usage: ${form}`, async () => {
        server.answer(refusal, counted, counted);
        const client = written();
        for (let round = 0; round < 2; round += 1) {
          const { error } = await drain(client.chunks(body));
          assert.equal(error, undefined);
        }
        assert.deepEqual(
          sent().map((one) => 'stream_options' in one),
          [true, false, false],
        );
      });
    }

    it('returns any other rejection immediately', async () => {
      server.answer({ status: 400, body: JSON.stringify({ error: { message: 'Unknown parameter: own_member' } }) });
      const { error } = await drain(written('openai').chunks(body));
      assert.equal(error?.kind, 'badRequest');
      assert.equal(server.seen.length, 1);
    });
  });

  it('reads reasoning, tool calls and the counts within the usage', async () => {
    server.answer(jsonAnswer('chatCompletions/answer.json'));
    assert.deepEqual(await chat().create(request), {
      id: 'chat-1',
      model: 'm',
      content: [
        { type: 'thinking', thinking: 'hm' },
        { type: 'tool_use', id: 'call_1', name: 'f', input: { a: 1 } },
      ],
      stop_reason: 'tool_use',
      usage: { input_tokens: 10, output_tokens: 5, cache_read_input_tokens: 4 },
    });
  });

  it('streams through empty choices, repeated usage and calls whose pieces have empty names', async () => {
    server.answer(streamAnswer(fixture('chatCompletions/stream.sse')));
    const { events, error } = await drain(chat().stream(request));
    assert.equal(error, undefined);
    const content: readonly ContentBlock[] = [
      { type: 'thinking', thinking: '想' },
      { type: 'text', text: 'Sure.' },
      { type: 'tool_use', id: 'call_1', name: 'weather', input: { city: 'Paris' } },
    ];
    assert.deepEqual(events, [
      { type: 'start', id: 'chat-1', model: 'm', usage: {} },
      { type: 'blockStart', index: 0, block: { type: 'thinking' } },
      { type: 'thinking', index: 0, text: '想' },
      { type: 'blockStop', index: 0, block: content[0] },
      { type: 'blockStart', index: 1, block: { type: 'text' } },
      { type: 'text', index: 1, text: 'Sure.' },
      { type: 'blockStop', index: 1, block: content[1] },
      { type: 'blockStart', index: 2, block: { type: 'tool_use', id: 'call_1', name: 'weather' } },
      { type: 'toolInput', index: 2, text: '{"city"' },
      { type: 'toolInput', index: 2, text: ':"Paris"}' },
      { type: 'blockStop', index: 2, block: content[2] },
      {
        type: 'end',
        message: {
          id: 'chat-1',
          model: 'm',
          content,
          stop_reason: 'tool_use',
          usage: { input_tokens: 9, output_tokens: 7, cache_read_input_tokens: 3 },
        },
      },
    ]);
  });

  it('returns the same events for a split at every byte', () => {
    const bytes = Buffer.from(fixture('chatCompletions/stream.sse'));
    const expected = eventsOf([bytes]);
    for (let at = 1; at < bytes.length; at += 1) {
      assert.deepEqual(eventsOf([bytes.subarray(0, at), bytes.subarray(at)]), expected, `cut at ${at}`);
    }
  });

  const deltas: readonly object[] = [
    { content: 'said' },
    { role: 'assistant', content: '' },
    { content: null, reasoning_content: 'thought' },
    { content: null, refusal: 'no', reasoning: '', tool_calls: null },
    { reasoning: 'thought', reasoning_details: [{ text: 'thought' }] },
    { content: [{ type: 'text', text: 'said' }] },
    { content: 7 },
    { content: 'said', tool_calls: [{ index: 0, id: 'c', function: { name: 'f', arguments: '{}' } }] },
    {},
  ];
  for (const delta of deltas)
    it(`reads a plain chunk like one with a text index: ${JSON.stringify(delta)}`, () => {
      const events = (index: unknown) => {
        const [assembler, read]: [ChatAssembler, MessageEvent[]] = [new ChatAssembler(), []];
        assembler.push({ id: 'a', choices: [] }, read);
        assembler.push({ choices: [{ index, delta, finish_reason: null }], usage: null }, read);
        assembler.end(read);
        return read;
      };
      assert.deepEqual(events(0), events('0'));
    });

  it('is truncated if the body ends before every choice has a finish reason', async () => {
    const unfinished = { index: 1, delta: { content: 'more' }, finish_reason: null };
    const body = fixture('chatCompletions/stream.sse').replace('data: [DONE]\n\n', '');
    server.answer(streamAnswer(`${body}data: ${JSON.stringify({ choices: [unfinished] })}\n\n`));
    assert.equal((await drain(written().chunks(request))).error?.kind, 'truncated');
  });
});

function eventsOf(pieces: readonly Uint8Array[]) {
  const texts: string[] = [];
  const reader = createSseReader(1_000_000, { onData: (text) => texts.push(text), onStray: assert.fail });
  const assembler = new ChatAssembler();
  for (const piece of pieces) reader.push(piece);
  reader.end();
  const events: MessageEvent[] = [];
  for (const text of texts) {
    if (text === '[DONE]') assembler.end(events);
    else assembler.push(JSON.parse(text), events);
  }
  return events;
}
