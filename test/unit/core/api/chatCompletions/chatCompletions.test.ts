import assert from 'node:assert/strict';
import { ChatAssembler } from '../../../../../src/core/api/chatCompletions/chatAssembler';
import type { ChatCompletionRequest } from '../../../../../src/core/api/chatCompletions/chatCompletions.schema';
import { createSseReader } from '../../../../../src/core/api/sse';
import { createTestClient, drain } from '../../../../support/apiClient';
import {
  type FixtureServer,
  fixture,
  jsonAnswer,
  startFixtureServer,
  streamAnswer,
} from '../../../../support/fixtureServer';

const request: ChatCompletionRequest = { model: 'm', messages: [{ role: 'user', content: 'Weather?' }] };

describe('chat completions', () => {
  let server: FixtureServer;
  beforeEach(async () => void (server = await startFixtureServer()));
  afterEach(() => server.close());
  const chat = () => createTestClient(server.baseUrl).client.chatCompletions;
  const written = (service?: string) => createTestClient(server.baseUrl, { service }).client.chatCompletions;

  it('sends every parameter under its name, exactly as set', async () => {
    server.answer(jsonAnswer('chatCompletions/answer.json'));
    const full: ChatCompletionRequest = {
      model: 'm',
      messages: [
        { role: 'system', content: 'Short.' },
        { role: 'user', content: [{ type: 'image_url', image_url: { url: 'https://x/y.png', detail: 'low' } }] },
        {
          role: 'assistant',
          content: '',
          reasoning_content: 'hm',
          tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }],
        },
        { role: 'tool', tool_call_id: 'c', content: '20' },
      ],
      max_tokens: 5,
      stop: 'END',
      temperature: 0.7,
      top_p: 0.7,
      top_k: 50,
      min_p: 0.05,
      frequency_penalty: 0.5,
      presence_penalty: 0.5,
      n: 1,
      seed: 3,
      response_format: { type: 'json_object' },
      tools: [{ type: 'function', function: { name: 'f', description: 'd', parameters: {}, strict: false } }],
      tool_choice: 'auto',
      enable_thinking: false,
      thinking_budget: 4096,
      stream_options: { include_usage: true },
    };
    await chat().create(full);
    assert.equal(`${server.seen[0]?.method} ${server.seen[0]?.path}`, 'POST /v1/chat/completions');
    assert.equal(server.seen[0]?.body, JSON.stringify(full));
  });

  it('sends a body of the user with all its properties, and streams the response', async () => {
    server.answer(streamAnswer(fixture('chatCompletions/stream.sse')));
    const body = { model: 'm', messages: 'none', top_k: 999, own_member: { a: 1 }, stream: false };
    const { events } = await drain(written('siliconFlow').streamWritten(body));
    assert.equal(server.seen[0]?.body, JSON.stringify({ ...body, stream: true }));
    assert.equal(events.at(-1)?.type, 'end');
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
      const { events, error } = await drain(written(service).streamWritten(body));
      assert.equal(error, undefined);
      return events.flatMap((event) => (event.type === 'usage' ? [event.usage.total_tokens] : []));
    };

    it('requests the usage', async () => {
      for (const service of ['openai', 'openrouter', 'ollama', 'lmStudio', 'llamaCpp', 'vllm', undefined]) {
        server.answer(counted);
        assert.deepEqual(await usageOf(service), [11], service);
        assert.deepEqual(sent().at(-1), { ...body, stream: true, stream_options: { include_usage: true } });
      }
      const { signal } = new AbortController();
      await drain(written('openai').chunks(body, { signal, watch: {} }));
      assert.deepEqual(sent().at(-1)?.['stream_options'], { include_usage: true });
    });

    it('keeps the stream options of the body', async () => {
      server.answer(counted);
      const own = { ...body, stream_options: { include_usage: false } };
      await drain(written('openai').streamWritten(own));
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
          const { error } = await drain(client.streamWritten(body));
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
      const { error } = await drain(written('openai').streamWritten(body));
      assert.equal(error?.kind, 'badRequest');
      assert.equal(server.seen.length, 1);
    });
  });

  it('reads reasoning, tool calls and the counts within the usage', async () => {
    server.answer(jsonAnswer('chatCompletions/answer.json'));
    assert.deepEqual(await chat().create(request), {
      id: 'chat-1',
      model: 'm',
      created: 1741685413,
      system_fingerprint: '',
      choices: [
        {
          index: 0,
          content: '',
          reasoning_content: 'hm',
          tool_calls: [{ id: 'call_1', name: 'f', arguments: '{"a":1}' }],
          finish_reason: 'tool_calls',
        },
      ],
      usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15, cached_tokens: 4, reasoning_tokens: 2 },
    });
  });

  it('streams through empty choices, repeated usage and calls whose pieces have empty names', async () => {
    server.answer(streamAnswer(fixture('chatCompletions/stream.sse')));
    const { events, error } = await drain(chat().stream(request));
    assert.equal(error, undefined);
    assert.deepEqual(
      events.filter(({ type }) => type !== 'usage'),
      [
        { type: 'start', id: 'chat-1', model: 'm' },
        { type: 'reasoning', index: 0, text: '想' },
        { type: 'text', index: 0, text: 'Sure.' },
        { type: 'toolCall', index: 0, call: 0, id: 'call_1', name: 'weather' },
        { type: 'toolArguments', index: 0, call: 0, text: '{"city"' },
        { type: 'toolArguments', index: 0, call: 0, text: ':"Paris"}' },
        { type: 'finish', index: 0, reason: 'tool_calls' },
        {
          type: 'end',
          completion: {
            id: 'chat-1',
            model: 'm',
            created: 1741685413,
            system_fingerprint: '',
            choices: [
              {
                index: 0,
                content: 'Sure.',
                reasoning_content: '想',
                tool_calls: [{ id: 'call_1', name: 'weather', arguments: '{"city":"Paris"}' }],
                finish_reason: 'tool_calls',
              },
            ],
            usage: { prompt_tokens: 9, completion_tokens: 7, total_tokens: 16, cached_tokens: 3, reasoning_tokens: 1 },
          },
        },
      ],
    );
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
        const assembler = new ChatAssembler();
        assembler.push({ id: 'a', choices: [] });
        const choices = [{ index, delta, finish_reason: null }];
        return [...assembler.push({ choices, usage: null }), ...assembler.end()];
      };
      assert.deepEqual(events(0), events('0'));
    });

  it('is truncated if the body ends before every choice has a finish reason', async () => {
    const unfinished = { index: 1, delta: { content: 'more' }, finish_reason: null };
    const body = fixture('chatCompletions/stream.sse').replace('data: [DONE]\n\n', '');
    server.answer(streamAnswer(`${body}data: ${JSON.stringify({ choices: [unfinished] })}\n\n`));
    const { error } = await drain(chat().stream(request));
    assert.equal(error?.kind, 'truncated');
  });
});

function eventsOf(pieces: readonly Uint8Array[]) {
  const texts: string[] = [];
  const reader = createSseReader(1_000_000, { onData: (text) => texts.push(text), onStray: assert.fail });
  const assembler = new ChatAssembler();
  for (const piece of pieces) reader.push(piece);
  reader.end();
  return texts.flatMap((text) => (text === '[DONE]' ? assembler.end() : assembler.push(JSON.parse(text))));
}
