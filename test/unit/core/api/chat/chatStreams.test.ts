import { deepEqual, equal, match, notEqual } from 'node:assert/strict';
import type { Message, MessageEvent } from '../../../../../src/core/api/messages/messageEvents';
import type { MessageRequest } from '../../../../../src/core/api/messages/messages.schema';
import { createTestClient, drain } from '../../../../support/apiClient';
import { type FixtureServer, fixture, startFixtureServer, streamAnswer } from '../../../../support/fixtureServer';

const request: MessageRequest = { model: 'm', messages: [{ role: 'user', content: 'Weather?' }] };
const done = 'data: [DONE]\n\n';

function stream(...chunks: readonly (object | string)[]): string {
  const lines = chunks.map((chunk) => (typeof chunk === 'string' ? chunk : `data: ${JSON.stringify(chunk)}`));
  return [...lines, 'data: [DONE]', ''].join('\n\n');
}

/** A chunk as OpenAI sends it, with what a server has besides. */
function chunk(delta: object, more: object = {}, choice: object = {}): object {
  const choices = [{ index: 0, delta, logprobs: null, finish_reason: null, ...choice }];
  return { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'm', choices, ...more };
}

const call = (first: object, piece: string) => ({ ...first, function: { name: 'weather', arguments: piece } });
const piece = (text: string) => ({ tool_calls: [{ index: 0, function: { arguments: text } }] });
const counts = { prompt_tokens: 9, completion_tokens: 7, total_tokens: 16 };

/** The same answer of several servers: it says "Sure.", and calls a tool in two pieces. */
const servers: Readonly<Record<string, string>> = {
  'llama.cpp b6400': stream(
    chunk({ role: 'assistant', content: null }, { system_fingerprint: 'b6400-1234' }),
    chunk({ content: 'Sure.' }),
    chunk({ tool_calls: [call({ index: 0, id: 'c1', type: 'function' }, '{"city"')] }),
    chunk(piece(':"Paris"}')),
    chunk({}, {}, { finish_reason: 'tool_calls' }),
    { choices: [], created: 1, id: 'chatcmpl-1', model: 'm', usage: counts, timings: { prompt_n: 9 } },
  ),
  'vLLM 0.10': stream(
    chunk({ role: 'assistant', content: '' }),
    chunk({ content: 'Sure.' }),
    chunk({ tool_calls: [{ id: 'c1', type: 'function', index: 0, function: { name: 'weather' } }] }),
    chunk(piece('{"city"')),
    chunk(piece(':"Paris"}')),
    chunk({ content: '' }, {}, { finish_reason: 'tool_calls', stop_reason: null }),
    { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [], usage: counts },
  ),
  'Ollama 0.12, which sends complete calls, and `stop` after them': stream(
    chunk({ role: 'assistant', content: 'Sure.' }, { system_fingerprint: 'fp_ollama' }),
    chunk({ role: 'assistant', content: '', tool_calls: [call({ id: 'c1', index: 0 }, '{"city":"Paris"}')] }),
    chunk({ role: 'assistant', content: '' }, {}, { finish_reason: 'stop' }),
    { id: 'chatcmpl-1', object: 'chat.completion.chunk', model: 'm', choices: [], usage: counts },
  ),
  'OpenRouter, with comments, and usage next to an empty delta': stream(
    ': OPENROUTER PROCESSING',
    chunk({ role: 'assistant', content: 'Sure.' }, { provider: 'Some' }),
    ': OPENROUTER PROCESSING',
    chunk({
      role: 'assistant',
      content: null,
      tool_calls: [call({ index: 0, id: 'c1', type: 'function' }, '{"city"')],
    }),
    chunk({ role: 'assistant', content: null, ...piece(':"Paris"}') }),
    chunk({ role: 'assistant', content: '' }, {}, { finish_reason: 'tool_calls', native_finish_reason: 'tool_calls' }),
    chunk({ role: 'assistant', content: '' }, { usage: { ...counts, cost: 0.1 } }),
  ),
  'OpenAI, whose every chunk has usage and padding': stream(
    chunk({ role: 'assistant', content: '', refusal: null }, { usage: null, obfuscation: 'x' }),
    chunk({ content: 'Sure.' }, { usage: null, obfuscation: 'xy' }),
    chunk({ tool_calls: [call({ index: 0, id: 'c1', type: 'function' }, '')] }, { usage: null }),
    chunk(piece('{"city"'), { usage: null }),
    chunk(piece(':"Paris"}'), { usage: null }),
    chunk({}, { usage: null }, { finish_reason: 'tool_calls' }),
    { ...chunk({}), choices: [], usage: { ...counts, completion_tokens_details: { reasoning_tokens: 0 } } },
  ),
  'DeepSeek, with usage on the last chunk': stream(
    chunk({ role: 'assistant', content: '' }),
    chunk({ content: 'Sure.' }),
    chunk({ tool_calls: [call({ index: 0, id: 'c1', type: 'function' }, '{"city"')] }),
    chunk(piece(':"Paris"}')),
    chunk(
      { content: '', reasoning_content: null },
      { usage: { ...counts, prompt_cache_hit_tokens: 0, prompt_cache_miss_tokens: 9 } },
      { finish_reason: 'tool_calls' },
    ),
  ),
  'Mistral, whose last chunk has the call, its end, and the usage': stream(
    chunk({ role: 'assistant', content: '' }),
    chunk({ content: 'Sure.' }),
    chunk(
      { content: '', tool_calls: [call({ id: 'c1', index: 0 }, '{"city":"Paris"}')] },
      { usage: counts },
      { finish_reason: 'tool_calls' },
    ),
  ),
  'the vendor, whose later chunks repeat empty IDs and names': stream(
    chunk({ role: 'assistant', content: '', reasoning_content: '' }, { usage: { ...counts, completion_tokens: 1 } }),
    chunk({ content: 'Sure.', reasoning_content: null }),
    chunk({ content: null, tool_calls: [call({ index: 0, id: 'c1', type: 'function' }, '{"city"')] }),
    chunk({ tool_calls: [{ index: 0, id: null, type: '', function: { name: '', arguments: ':"Paris"}' } }] }),
    chunk({ content: '' }, { usage: counts }, { finish_reason: 'tool_calls' }),
  ),
};

const input = { city: 'Paris' };
/** What the pieces of calls say together, because they are cut differently. */
function joined(events: readonly MessageEvent[]): readonly MessageEvent[] {
  return events.reduce<MessageEvent[]>((all, event) => {
    const before = all.at(-1);
    const goesOn = before?.type === 'toolInput' && event.type === 'toolInput' && before.index === event.index;
    return goesOn ? [...all.slice(0, -1), { ...event, text: before.text + event.text }] : [...all, event];
  }, []);
}

describe('a chat over /chat/completions', () => {
  let server: FixtureServer;
  beforeEach(async () => void (server = await startFixtureServer()));
  afterEach(() => server.close());
  // Of a service that is asked there first.
  const chat = () => createTestClient(server.baseUrl, { service: 'llamaCpp' }).client.chat;
  const read = async (body: string) => {
    server.answer(streamAnswer(body));
    const { events, error } = await drain(chat().stream(request));
    equal(error, undefined);
    equal(server.seen[0]?.path, '/v1/chat/completions');
    return events;
  };
  const readMessage = async (body: string): Promise<Message> => {
    const last = (await read(body)).at(-1);
    if (last?.type !== 'end') throw new Error('No end.');
    return last.message;
  };

  it('has up to 128 calls, and shows further ones as text', async () => {
    const calls = Array.from({ length: 130 }, (_, index) => call({ index, id: `c${index}` }, `{"day":${index}}`));
    const { content } = await readMessage(stream(chunk({ tool_calls: calls }, {}, { finish_reason: 'tool_calls' })));
    equal(content.filter(({ type }) => type === 'tool_use').length, 128);
    match(JSON.stringify(content.filter(({ type }) => type === 'text')), /weather .*128.*weather .*129/);
  });

  for (const [name, body] of Object.entries(servers)) {
    it(`reads the response of ${name}`, async () => {
      // Reasoning that is empty has to go back with the call.
      const state = name.startsWith('the vendor') ? { state: { reasoning: 'reasoning_content' as const } } : {};
      const called = { type: 'tool_use', id: 'c1', name: 'weather', input, ...state } as const;
      deepEqual(joined(await read(body)), [
        { type: 'start', id: 'chatcmpl-1', model: 'm', usage: {} },
        { type: 'blockStart', index: 0, block: { type: 'text' } },
        { type: 'text', index: 0, text: 'Sure.' },
        { type: 'blockStop', index: 0, block: { type: 'text', text: 'Sure.' } },
        { type: 'blockStart', index: 1, block: { type: 'tool_use', id: 'c1', name: 'weather' } },
        { type: 'toolInput', index: 1, text: '{"city":"Paris"}' },
        { type: 'blockStop', index: 1, block: called },
        {
          type: 'end',
          message: {
            id: 'chatcmpl-1',
            model: 'm',
            stop_reason: 'tool_use',
            content: [{ type: 'text', text: 'Sure.' }, called],
            usage: {
              input_tokens: 9,
              output_tokens: 7,
              ...(name.startsWith('DeepSeek') && { cache_read_input_tokens: 0 }),
              ...(name.startsWith('OpenRouter') && { cost: 0.1 }),
            },
          },
        },
      ]);
    });
  }

  it('returns the same blocks as /messages for the same response', async () => {
    const read = async (service: string, body: string) => {
      server.answer(streamAnswer(body));
      const { client } = createTestClient(server.baseUrl, { service });
      const { events } = await drain(client.chat.stream(request));
      const last = events.at(-1);
      return last?.type === 'end' ? last.message.content : undefined;
    };
    const whole = fixture('messages/stream.sse').replaceAll(/data: .*signature_delta.*\n\n/g, '');
    const asMessages = await read('anthropic', whole);
    const asChat = await read(
      'openai',
      stream(
        chunk({ reasoning_content: 'The user says ' }),
        chunk({ reasoning_content: '«你好».' }),
        chunk({ content: 'Hello, ' }),
        chunk({ content: 'wörld 🌍' }),
        chunk({ tool_calls: [{ index: 0, id: 'toolu_1', function: { name: 'weather', arguments: '' } }] }),
        chunk(piece('{"city": "Pa')),
        chunk(piece('ris"}')),
      ),
    );
    deepEqual(asChat, asMessages);
    equal(asChat?.length, 3);
  });

  it('shows reasoning as thinking, which ends where the text begins', async () => {
    const events = await read(
      stream(
        chunk({ role: 'assistant', content: null, reasoning_content: 'Hm' }),
        chunk({ reasoning_content: '.' }),
        chunk({ content: 'Hi.' }),
        chunk({}, {}, { finish_reason: 'stop' }),
      ),
    );
    deepEqual(
      events.map((event) => event.type),
      ['start', 'blockStart', 'thinking', 'thinking', 'blockStop', 'blockStart', 'text', 'blockStop', 'end'],
    );
    deepEqual(events.at(4), { type: 'blockStop', index: 0, block: { type: 'thinking', thinking: 'Hm.' } });
  });

  it('separates the chunks of two calls in any order', async () => {
    const { content: blocks } = await readMessage(
      stream(
        chunk({ tool_calls: [{ index: 0, id: 'a', function: { name: 'one', arguments: '{"n"' } }] }),
        chunk({ tool_calls: [{ index: 1, id: 'b', function: { name: 'two', arguments: '{"m"' } }] }),
        chunk({ tool_calls: [{ index: 0, function: { arguments: ':1}' } }] }),
        chunk({ tool_calls: [{ index: 1, function: { arguments: ':2}' } }] }),
      ),
    );
    deepEqual(blocks, [
      { type: 'tool_use', id: 'a', name: 'one', input: { n: 1 } },
      { type: 'tool_use', id: 'b', name: 'two', input: { m: 2 } },
    ]);
  });

  for (const [what, ids] of Object.entries({ 'no IDs': ['', ''], 'one ID for all': ['x', 'x'] })) {
    it(`assigns stable call IDs if a service sends ${what}`, async () => {
      const events = await read(
        stream(
          chunk({ tool_calls: [{ index: 0, id: ids[0], function: { name: 'one', arguments: '{}' } }] }),
          chunk({ tool_calls: [{ index: 1, id: ids[1], function: { name: 'two', arguments: '{}' } }] }),
        ),
      );
      const reported = events.flatMap((event) =>
        event.type === 'blockStart' && event.block.type === 'tool_use' ? [event.block.id] : [],
      );
      notEqual(reported[0], reported[1]);
      match(reported[1] ?? '', /^[0-9a-z]{9}$/);
      const last = events.at(-1);
      const saved =
        last?.type === 'end' ? last.message.content.map((block) => block.type === 'tool_use' && block.id) : [];
      deepEqual(saved, reported);
    });
  }

  it('shows a call once its name has arrived, and none without a name', async () => {
    const { content: blocks, stop_reason } = await readMessage(
      stream(
        chunk({ content: 'So.' }),
        chunk({ tool_calls: [{ index: 0, id: 'a', function: { arguments: '{"n"' } }] }),
        chunk({ tool_calls: [{ index: 0, function: { name: 'one', arguments: ':1}' } }] }),
        chunk({ tool_calls: [{ index: 1, id: 'b', function: { arguments: '{}' } }] }),
        chunk({}, {}, { finish_reason: 'stop' }),
      ),
    );
    deepEqual(blocks, [
      { type: 'text', text: 'So.' },
      { type: 'tool_use', id: 'a', name: 'one', input: { n: 1 } },
    ]);
    equal(stop_reason, 'tool_use');
  });

  it('reads empty arguments as none, and truncated ones as text', async () => {
    const { content: blocks } = await readMessage(
      stream(
        chunk({ tool_calls: [{ index: 0, id: 'a', function: { name: 'one', arguments: '' } }] }),
        chunk({ tool_calls: [{ index: 1, id: 'b', function: { name: 'two', arguments: '{"m":' } }] }),
        chunk({}, {}, { finish_reason: 'length' }),
      ),
    );
    deepEqual(
      blocks.map((block) => block.type === 'tool_use' && block.input),
      [{}, '{"m":'],
    );
  });

  const reasons = {
    stop: 'end_turn',
    eos: 'end_turn',
    length: 'max_tokens',
    content_filter: 'refusal',
    insufficient_system_resource: 'insufficient_system_resource',
  };
  for (const [reason, expected] of Object.entries(reasons)) {
    it(`returns ${expected} for ${reason}`, async () => {
      const body = stream(chunk({ content: 'Hi.' }), chunk({}, {}, { finish_reason: reason }));
      equal((await readMessage(body)).stop_reason, expected);
    });
  }

  it("reads a response that isn't streamed in the same way", async () => {
    const message = {
      role: 'assistant',
      content: 'Sure.',
      reasoning_content: 'Hm.',
      tool_calls: [
        { id: '', type: 'function', function: { name: 'weather', arguments: '{"city":"Paris"}' } },
        { id: 'c2', type: 'function', function: { name: 'weather', arguments: '' } },
      ],
    };
    const choices = [{ index: 0, message, finish_reason: 'tool_calls' }];
    const usage = { ...counts, prompt_tokens_details: { cached_tokens: 4 } };
    server.answer({ body: JSON.stringify({ id: 'a', model: 'm', choices, usage }) });
    const { content: blocks, ...rest } = await chat().create(request);
    deepEqual(rest, {
      id: 'a',
      model: 'm',
      stop_reason: 'tool_use',
      usage: { input_tokens: 9, output_tokens: 7, cache_read_input_tokens: 4 },
    });
    deepEqual(blocks[0], { type: 'thinking', thinking: 'Hm.' });
    deepEqual(blocks[1], { type: 'text', text: 'Sure.' });
    match(blocks[2]?.type === 'tool_use' ? blocks[2].id : '', /^[0-9a-z]{9}$/);
    deepEqual(blocks[3], { type: 'tool_use', id: 'c2', name: 'weather', input: {} });
  });

  it('is truncated if the end marker is missing after the text', async () => {
    server.answer(streamAnswer(stream(chunk({ content: 'Hi.' })).replace(done, '')));
    const { events, error } = await drain(chat().stream(request));
    equal(error?.kind, 'truncated');
    equal(error?.details.maybeBilled, true);
    deepEqual(events.at(-1), { type: 'text', index: 0, text: 'Hi.' });
  });
});
