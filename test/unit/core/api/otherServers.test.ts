import assert from 'node:assert/strict';
import type { CompletionEvent } from '../../../../src/core/api/completions/completionEvents';
import type { ContentBlock, MessageEvent } from '../../../../src/core/api/messages/messageEvents';
import { createEditorStack } from '../../../../src/core/api/transport/editorTransport';
import type { HttpStack } from '../../../../src/core/api/transport/transport';
import { createUndiciStack } from '../../../../src/core/api/transport/undiciTransport';
import { atChatCompletions, createTestClient, drain, failureOf } from '../../../support/apiClient';
import { type FixtureServer, startFixtureServer, streamAnswer } from '../../../support/fixtureServer';

const chatRequest = { model: 'm', messages: [{ role: 'user' as const, content: 'Hi' }] };
const messageRequest = { ...chatRequest, max_tokens: 100 };
const completionRequest = { model: 'm', prompt: 'Once' };

const sse = (...events: readonly unknown[]) =>
  `${events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')}data: [DONE]\n\n`;

/** Answers as servers other than the vendor's send them. Each body has the shape that the server and version named in its title sends. */
for (const create of [createUndiciStack, createEditorStack]) {
  describe(`responses of other servers over ${create().name}`, () => {
    let server: FixtureServer;
    let stack: HttpStack;
    beforeEach(async () => {
      server = await startFixtureServer();
      stack = create();
    });
    afterEach(() => Promise.all([server.close(), stack.close()]));
    const client = () => createTestClient(server.baseUrl, { ...atChatCompletions, stack }).client;

    const chatStream = (body: string, headers?: Record<string, string>) => {
      server.answer(headers ? { body, headers } : streamAnswer(body));
      return drain(client().chat.stream(chatRequest));
    };
    const completionStream = (body: string, headers?: Record<string, string>) => {
      server.answer(headers ? { body, headers } : streamAnswer(body));
      return drain(client().completions.stream(completionRequest));
    };
    const messageStream = (body: string, headers?: Record<string, string>) => {
      server.answer(headers ? { body, headers } : streamAnswer(body));
      return drain(client().messages.stream(messageRequest));
    };

    describe('secondary properties of other types', () => {
      /** Members as gateways rewrite them: numbers as text, ids as numbers, null where something else was. */
      const odd = {
        id: 1741685413,
        created: '1741685413',
        model: 'm',
        system_fingerprint: null,
        seed: '42',
        timings: 'n/a',
        usage: { prompt_tokens: '9', completion_tokens: '2', total_tokens: null, prompt_tokens_details: 0 },
      };

      it("don't drop text of a chat stream (a gateway, one-api 0.6, in front of llama.cpp)", async () => {
        const chunk = (content: string) => ({
          ...odd,
          choices: [{ index: '0', delta: { content }, finish_reason: null }],
        });
        const { events, error } = await chatStream(sse(chunk('Hel'), chunk('lo')));
        assert.equal(error, undefined);
        assert.equal(textOf(events), 'Hello');
        const message = endOf(events);
        assert.equal(message?.id, '1741685413');
        assert.deepEqual(message.usage, { input_tokens: 9, output_tokens: 2 });
        assert.deepEqual(
          events.filter(({ type }) => type === 'unknown'),
          [],
        );
      });

      it("don't drop text of a completion stream, whatever its logprobs are", async () => {
        const chunk = (text: string, logprobs: unknown) => ({ ...odd, choices: [{ index: '0', text, logprobs }] });
        const { events, error } = await completionStream(
          sse(
            chunk('a', 'none'),
            chunk('b', []),
            chunk('c', { tokens: 7, token_logprobs: 'x' }),
            chunk('d', { tokens: ['d'], token_logprobs: ['-0.5'], top_logprobs: [{ d: '-0.5', e: null }] }),
            chunk('e', { tokens: ['e'], token_logprobs: null, top_logprobs: [null] }),
          ),
        );
        assert.equal(error, undefined);
        assert.equal(completionText(events), 'abcde');
        assert.deepEqual(completionEnd(events)?.choices[0]?.logprobs, {
          tokens: ['d', 'e'],
          token_logprobs: [-0.5, null],
          top_logprobs: [{ d: -0.5 }, null],
        });
      });

      it("don't invalidate a response", async () => {
        server.answer({
          body: JSON.stringify({
            ...odd,
            choices: [null, { index: '0', message: { role: 'assistant', content: 'Hi', tool_calls: null } }],
          }),
        });
        const chat = await client().chat.create(chatRequest);
        assert.deepEqual(chat.content, [{ type: 'text', text: 'Hi' }]);
        server.answer({ body: JSON.stringify({ ...odd, choices: [{ index: '0', text: 'Hi', finish_reason: 1 }] }) });
        const completion = await client().completions.create(completionRequest);
        assert.deepEqual(completion.choices, [{ index: 0, text: 'Hi', finish_reason: '1' }]);
        const content = [null, { type: 'text', text: 'Hi' }, 'x', { type: 7 }];
        server.answer({ body: JSON.stringify({ ...odd, type: 'message', content, usage: { input_tokens: '3' } }) });
        const message = await client().messages.create(messageRequest);
        assert.deepEqual([message.content, message.usage], [[{ type: 'text', text: 'Hi' }], { input_tokens: 3 }]);
      });

      it("don't count an empty error as one (a gateway, one-api 0.6)", async () => {
        const choices = [{ index: 0, delta: { content: 'Hi' }, message: { content: 'Hi' } }];
        for (const error of [null, {}, '', { message: '', type: '', param: null, code: 0 }]) {
          const { events, error: failure } = await chatStream(sse({ choices, error }));
          assert.deepEqual([failure, textOf(events)], [undefined, 'Hi']);
          server.answer({ body: JSON.stringify({ choices, error }) });
          assert.deepEqual((await client().chat.create(chatRequest)).content, [{ type: 'text', text: 'Hi' }]);
        }
      });

      it("don't count a success code as an error (Spark v1, 2025)", async () => {
        const head = { code: 0, message: 'Success', sid: 'cha000b0003@dx1905cd86d6bb86d552' };
        const { events, error } = await chatStream(sse({ ...head, choices: [{ index: 0, delta: { content: 'Hi' } }] }));
        assert.deepEqual([error, textOf(events)], [undefined, 'Hi']);
      });

      it("don't turn another response into an answer", async () => {
        for (const body of ['{}', '{"choices":null}', '{"content":null}', '[]']) {
          server.answer({ body });
          const { messages, completions, chat } = client();
          assert.equal((await failureOf(chat.create(chatRequest))).kind, 'badResponse', body);
          assert.equal((await failureOf(completions.create(completionRequest))).kind, 'badResponse', body);
          assert.equal((await failureOf(messages.create(messageRequest))).kind, 'badResponse', body);
          assert.equal((await drain(messages.stream(messageRequest))).error?.kind, 'badResponse', body);
        }
      });

      it('keep a call whose arguments are an object (Ollama 0.3, some llama.cpp templates)', async () => {
        const call = { id: 7, type: 'function', function: { name: 'f', arguments: { a: 1 } } };
        server.answer({ body: JSON.stringify({ choices: [{ message: { content: '', tool_calls: [call] } }] }) });
        const { content } = await client().chat.create(chatRequest);
        assert.deepEqual(content, [{ type: 'tool_use', id: '7', name: 'f', input: { a: 1 } }]);
      });
    });

    describe('a complete response to a streaming request', () => {
      const json = { 'content-type': 'application/json' };
      const chat = {
        id: 'chatcmpl-1',
        object: 'chat.completion',
        created: 1741685413,
        model: 'm',
        choices: [
          {
            index: 0,
            message: {
              role: 'assistant',
              content: 'Hello',
              tool_calls: [
                { id: 'c1', type: 'function', function: { name: 'f', arguments: '{}' } },
                { id: 'c2', type: 'function', function: { name: 'g', arguments: '{"a":1}' } },
              ],
            },
            finish_reason: 'tool_calls',
          },
        ],
        usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
      };

      it("is read from /chat/completions (LM Studio 0.3, which doesn't stream some models' tool calls)", async () => {
        for (const body of [JSON.stringify(chat), JSON.stringify(chat, undefined, 2), `${JSON.stringify(chat)}\n`]) {
          const { events, error } = await chatStream(body, json);
          assert.equal(error, undefined);
          assert.deepEqual(
            events.map(({ type }) => type),
            'start blockStart text blockStop blockStart toolInput blockStart toolInput blockStop blockStop end'.split(
              ' ',
            ),
          );
          assert.deepEqual(endOf(events)?.content, [
            { type: 'text', text: 'Hello' },
            { type: 'tool_use', id: 'c1', name: 'f', input: {} },
            { type: 'tool_use', id: 'c2', name: 'g', input: { a: 1 } },
          ]);
        }
      });

      it('is read from /completions (vLLM 0.10 with n = 2), whatever its content type', async () => {
        const body = JSON.stringify({
          id: 'cmpl-1',
          object: 'text_completion',
          created: 1741685413,
          model: 'm',
          choices: [
            {
              index: 0,
              text: ' upon',
              logprobs: null,
              finish_reason: 'length',
              stop_reason: null,
              prompt_logprobs: null,
            },
            {
              index: 1,
              text: ' there',
              logprobs: null,
              finish_reason: 'length',
              stop_reason: null,
              prompt_logprobs: null,
            },
          ],
          service_tier: null,
          system_fingerprint: null,
          usage: { prompt_tokens: 2, total_tokens: 4, completion_tokens: 2, prompt_tokens_details: null },
          kv_transfer_params: null,
        });
        for (const type of ['application/json', 'text/event-stream', 'text/plain']) {
          const { events, error } = await completionStream(body, { 'content-type': type });
          assert.equal(error, undefined);
          const completion = completionEnd(events);
          assert.deepEqual(
            completion?.choices.map(({ text }) => text),
            [' upon', ' there'],
          );
          assert.deepEqual(completion.usage, { prompt_tokens: 2, completion_tokens: 2, total_tokens: 4 });
        }
      });

      it('is read from /messages (Anthropic 2023-06-01, through a proxy that drops `stream`)', async () => {
        const body = JSON.stringify({
          id: 'msg_013Zva2CMHLNnXjNJJKqJ2EF',
          type: 'message',
          role: 'assistant',
          model: 'claude-sonnet-4-5-20250929',
          content: [
            { type: 'thinking', thinking: 'hm', signature: 'c2ln' },
            { type: 'text', text: 'Hello', citations: null },
            { type: 'tool_use', id: 'toolu_1', name: 'f', input: { a: 1 } },
          ],
          stop_reason: 'tool_use',
          stop_sequence: null,
          usage: { input_tokens: 10, output_tokens: 20, service_tier: 'standard' },
        });
        const { events, error } = await messageStream(body, json);
        assert.equal(error, undefined);
        server.answer({ body });
        const whole = await client().messages.create(messageRequest);
        assert.deepEqual(events, [
          { type: 'start', id: whole.id, model: whole.model, usage: whole.usage },
          { type: 'blockStart', index: 0, block: { type: 'thinking' } },
          { type: 'thinking', index: 0, text: 'hm' },
          { type: 'blockStop', index: 0, block: { type: 'thinking', thinking: 'hm', signature: 'c2ln' } },
          { type: 'blockStart', index: 1, block: { type: 'text' } },
          { type: 'text', index: 1, text: 'Hello' },
          { type: 'blockStop', index: 1, block: { type: 'text', text: 'Hello' } },
          { type: 'blockStart', index: 2, block: { type: 'tool_use', id: 'toolu_1', name: 'f' } },
          { type: 'toolInput', index: 2, text: '{"a":1}' },
          { type: 'blockStop', index: 2, block: { type: 'tool_use', id: 'toolu_1', name: 'f', input: { a: 1 } } },
          { type: 'end', message: whole },
        ]);
        assert.equal(whole.stop_reason, 'tool_use');
      });

      it('is read with an end mark after it (a mock of the OpenAI API)', async () => {
        const { events, error } = await chatStream(`${JSON.stringify(chat)}\n\ndata: [DONE]\n\n`);
        assert.deepEqual([error, textOf(events), events.at(-1)?.type], [undefined, 'Hello', 'end']);
      });

      it('is logged as text', async () => {
        const { client: recorded, exchanges } = createTestClient(server.baseUrl, { ...atChatCompletions, stack });
        const body = JSON.stringify(chat, undefined, 2);
        server.answer({ body });
        await drain(recorded.chat.stream(chatRequest));
        assert.deepEqual([exchanges[0]?.response?.body, exchanges[0]?.events], [body, undefined]);
      });

      it('is truncated if it is too long, like any other', async () => {
        const { client: bounded } = createTestClient(server.baseUrl, {
          ...atChatCompletions,
          stack,
          limits: { textBytes: 1000 },
        });
        server.answer({ body: JSON.stringify({ choices: [{ message: { content: 'x'.repeat(500) } }] }, undefined, 2) });
        assert.equal((await drain(bounded.chat.stream(chatRequest))).error, undefined);
        const long = [1, 2, 3].map(() => ({ message: { content: 'x'.repeat(500) } }));
        server.answer({ body: JSON.stringify({ choices: long }, undefined, 2) });
        assert.equal((await drain(bounded.chat.stream(chatRequest))).error?.details.hint, 'tooMuch');
      });
    });

    describe('ends and errors within a stream', () => {
      const begun = 'data: {"choices":[{"index":0,"delta":{"content":"Hi"}}]}\n\n';

      it('ends at an end mark with white space (text-generation-webui 1.8)', async () => {
        for (const mark of ['data: [DONE] \n\n', 'data:  [DONE]\r\n\r\n', 'data: [DONE]\t\n\n']) {
          const { events, error } = await chatStream(begun + mark);
          assert.deepEqual([error, events.at(-1)?.type], [undefined, 'end'], JSON.stringify(mark));
        }
      });

      it('reads an SSE field `error` (llama.cpp b5966)', async () => {
        const line =
          'error: {"code":500,"message":"context shift is disabled","type":"server_error"}\n\ndata: [DONE]\n\n';
        for (const [body, text] of [[begun + line, 'Hi'] as const, [line, ''] as const]) {
          const { events, error } = await chatStream(body);
          assert.deepEqual(
            [textOf(events), error?.kind, error?.message],
            [text, 'server', 'context shift is disabled'],
          );
        }
        const wrapped = 'error: {"error":{"code":503,"message":"Loading model","type":"unavailable_error"}}\n\n';
        assert.equal((await chatStream(begun + wrapped)).error?.message, 'Loading model');
      });

      it('reads events without blank lines between them, and skips empty ones (mocks; llama.cpp b5966)', async () => {
        const chunk = (content: string) => `data: {"choices":[{"index":0,"delta":{"content":"${content}"}}]}\n`;
        const { events, error } = await chatStream(`data:\n\n${chunk('H')}${chunk('i')}data: [DONE]\n\n`);
        assert.deepEqual([error, textOf(events)], [undefined, 'Hi']);
        assert.deepEqual(
          events.map(({ type }) => type),
          ['start', 'blockStart', 'text', 'blockStop', 'end'],
        );
      });

      it('reads an error with its own event type (vLLM 0.8; LM Studio 0.3)', async () => {
        const vllm = {
          object: 'error',
          message: 'EngineCore encountered an issue.',
          type: 'InternalServerError',
          code: null,
        };
        const { error } = await chatStream(`${begun}data: ${JSON.stringify(vllm)}\n\n`);
        assert.deepEqual([error?.kind, error?.message], ['server', vllm.message]);
        const studio = 'event: error\ndata: {"error":{"message":"The model has crashed."}}\n\n';
        assert.equal((await chatStream(begun + studio)).error?.message, 'The model has crashed.');
      });

      it('reads a rate-limit rejection without a code anywhere in the stream (SiliconFlow 2026-10)', async () => {
        const words = 'Request was rejected due to rate limiting. Details: TPM limit reached.';
        const refusal = JSON.stringify({ message: words, data: null });
        for (const body of [refusal, `${begun}${refusal}\n`, `${begun}data: ${refusal}\n\n`]) {
          const { error } = await chatStream(body);
          assert.deepEqual([error?.kind, error?.message, error?.details.limit], ['rateLimit', words, 'TPM'], body);
        }
        server.answer({ body: refusal });
        const error = await failureOf(client().messages.create(messageRequest));
        assert.deepEqual([error.kind, error.details.limit], ['rateLimit', 'TPM']);
      });
    });

    describe('reasoning and content in parts', () => {
      const delta = (value: unknown) => ({ choices: [{ index: 0, delta: value }] });
      const read = async (...deltas: readonly unknown[]) => {
        const { events } = await chatStream(sse(...deltas.map(delta)));
        return saidIn(endOf(events)?.content);
      };

      it('is read from `reasoning` (Ollama 0.12, vLLM 0.11) and `reasoning_content` (llama.cpp b6000), and once from both', async () => {
        assert.deepEqual(await read({ reasoning: 'h' }, { reasoning: 'm' }, { content: 'Hi' }), ['hm', 'Hi']);
        assert.deepEqual(await read({ reasoning_content: 'hm', content: null }, { content: 'Hi' }), ['hm', 'Hi']);
        assert.deepEqual(await read({ reasoning_content: 'hm', reasoning: 'hm' }, { content: 'Hi' }), ['hm', 'Hi']);
      });

      it('is read from `reasoning_details` if no other field has it (OpenRouter 2025-07)', async () => {
        const details = [
          { type: 'reasoning.text', text: 'hm', signature: null, format: 'anthropic-claude-v1', index: 0 },
          { type: 'reasoning.encrypted', data: 'xyz', format: 'openai-responses-v1', index: 1 },
        ];
        const summary = [{ type: 'reasoning.summary', summary: 'In short', format: 'openai-responses-v1', index: 0 }];
        assert.deepEqual(await read({ content: '', reasoning: 'hm', reasoning_details: details }), ['hm', '']);
        assert.deepEqual(await read({ content: '', reasoning: null, reasoning_details: details }), ['hm', '']);
        assert.deepEqual(await read({ content: 'Hi', reasoning_details: summary }), ['In short', 'Hi']);
      });

      it('is read from content lists (Mistral 2025-07, magistral-medium)', async () => {
        const thinking = (text: string) => ({ type: 'thinking', thinking: [{ type: 'text', text }] });
        assert.deepEqual(
          await read(
            { role: 'assistant', content: '' },
            { content: [thinking('h')] },
            {
              content: [
                { ...thinking('m'), closed: true },
                { type: 'text', text: 'H' },
              ],
            },
            { content: [{ type: 'reference', reference_ids: [1] }, null, { type: 'text', text: 'i' }] },
            { content: '!' },
          ),
          ['hm', 'Hi!'],
        );
        const content = [thinking('hm'), { type: 'text', text: 'Hi!' }];
        server.answer({ body: JSON.stringify({ choices: [{ index: 0, message: { role: 'assistant', content } }] }) });
        assert.deepEqual(saidIn((await client().chat.create(chatRequest)).content), ['hm', 'Hi!']);
      });

      it('includes a refusal (OpenAI 2024-08, structured outputs)', async () => {
        const refusal = 'I’m sorry, I can’t help with that.';
        assert.deepEqual(await read({ role: 'assistant', content: null, refusal }), [undefined, refusal]);
      });
    });

    describe('parallel calls', () => {
      const call = (id: string, city: string, index?: number) => ({
        ...(index === undefined ? {} : { index }),
        id,
        type: 'function',
        function: { name: 'weather', arguments: `{"city":"${city}"}` },
      });
      const callsOf = async (...calls: readonly (readonly unknown[])[]) => {
        const { events } = await chatStream(
          sse(...calls.map((tool_calls) => ({ choices: [{ delta: { tool_calls } }] }))),
        );
        return endOf(events)?.content.flatMap((block) => (block.type === 'tool_use' ? [[block.id, block.input]] : []));
      };
      const expected = [
        ['a', { city: 'Rome' }],
        ['b', { city: 'Oslo' }],
        ['c', { city: 'Bonn' }],
      ];

      it('stay separate if all have index 0 (SGLang 0.4, Dynamo 0.7) or none (Gemini v1beta/openai)', async () => {
        const cities = ['Rome', 'Oslo', 'Bonn'];
        for (const index of [0, undefined]) {
          const calls = cities.map((city, at) => call('abc'.charAt(at), city, index));
          assert.deepEqual(await callsOf(...calls.map((one) => [one])), expected);
          assert.deepEqual(await callsOf(calls), expected);
        }
      });

      it('are joined from parts that repeat their ID or have different ones (vLLM 0.8)', async () => {
        const piece = (id: unknown, name: unknown, text: string, index = 0) => [
          { index, id, function: { name, arguments: text } },
        ];
        assert.deepEqual(
          await callsOf(
            piece('a', 'weather', '{"city"'),
            piece('a', 'weather', ':"Ro'),
            piece('chatcmpl-tool-7', null, 'me"}'),
            piece('b', 'weather', '{"city":'),
            piece(null, '', '"Oslo"}'),
            piece('c', 'weather', '{"city":"Bonn"}', 1),
          ),
          expected,
        );
      });
    });

    describe('logprobs as a token list (llama.cpp b6000)', () => {
      const token = (text: string, logprob: number) => ({ id: 1, token: text, bytes: [...Buffer.from(text)], logprob });
      const logprobs = (text: string, logprob: number, other: string) => ({
        content: [{ ...token(text, logprob), top_logprobs: [token(text, logprob), token(other, -3)] }],
      });
      const choice = (text: string, logprob: number, other: string) => ({
        text,
        index: 0,
        logprobs: logprobs(text, logprob, other),
        finish_reason: null,
      });
      const expected = {
        tokens: [' upon', ' a'],
        token_logprobs: [-0.1, -0.2],
        top_logprobs: [
          { ' upon': -0.1, ' in': -3 },
          { ' a': -0.2, ' the': -3 },
        ],
      };
      const rest = {
        created: 1741685413,
        model: 'm',
        system_fingerprint: 'b6000-1',
        object: 'text_completion',
        id: 'c',
      };

      it('are the same as parallel lists, streamed and not', async () => {
        const choices = [choice(' upon', -0.1, ' in'), choice(' a', -0.2, ' the')];
        const timings = { prompt_n: 1, prompt_ms: 20.5, predicted_n: 2, predicted_ms: 30.1 };
        const { events } = await completionStream(sse(...choices.map((one) => ({ ...rest, choices: [one], timings }))));
        assert.deepEqual(completionEnd(events)?.choices[0]?.logprobs, expected);
        const content = choices.flatMap((one) => one.logprobs.content);
        server.answer({
          body: JSON.stringify({
            ...rest,
            choices: [{ ...choices[0], text: ' upon a', logprobs: { content } }],
            timings,
          }),
        });
        const completion = await client().completions.create(completionRequest);
        assert.deepEqual(completion.choices[0]?.logprobs, expected);
      });
    });

    describe('blocks of /messages (Anthropic 2023-06-01 with web search)', () => {
      const query = (partial_json: string) => ({
        type: 'content_block_delta',
        index: 1,
        delta: { type: 'input_json_delta', partial_json },
      });
      const serverTool = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} };
      const result = { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [] };
      const text = (index: number, words: string, citation?: unknown) => [
        {
          type: 'content_block_start',
          index,
          content_block: { type: 'text', text: '', ...(citation ? { citations: [] } : {}) },
        },
        { type: 'content_block_delta', index, delta: { type: 'text_delta', text: words } },
        ...(citation ? [{ type: 'content_block_delta', index, delta: { type: 'citations_delta', citation } }] : []),
        { type: 'content_block_stop', index },
      ];
      const citation = { type: 'web_search_result_location', cited_text: 'x', url: 'https://example.com', title: 't' };
      const stream = sse(
        { type: 'message_start', message: { id: 'msg_1', type: 'message', role: 'assistant', content: [], usage: {} } },
        ...text(0, 'I will look.'),
        { type: 'content_block_start', index: 1, content_block: serverTool },
        query(''),
        query('{"query"'),
        query(': "rain"}'),
        { type: 'content_block_stop', index: 1 },
        { type: 'content_block_start', index: 2, content_block: result },
        { type: 'content_block_stop', index: 2 },
        ...text(3, 'According to the page, '),
        ...text(4, 'it rains', citation),
        ...text(5, '. Take an umbrella.'),
        { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: '9' } },
        { type: 'message_stop' },
      );

      it("separate a server's own tool and its input, and join text that citations split", async () => {
        const { events, error } = await messageStream(stream);
        assert.equal(error, undefined);
        const end = events.at(-1);
        assert.deepEqual(end?.type === 'end' && end.message.content, [
          { type: 'text', text: 'I will look.' },
          { type: 'unknown', raw: { ...serverTool, input: { query: 'rain' } } },
          { type: 'unknown', raw: result },
          { type: 'text', text: 'According to the page, it rains. Take an umbrella.' },
        ]);
        assert.equal(end?.type === 'end' && end.message.usage.output_tokens, 9);
        assert.deepEqual(
          events.flatMap((event) =>
            event.type === 'blockStart' || event.type === 'blockStop' ? [[event.type, event.index]] : [],
          ),
          [0, 1, 2, 3].flatMap((index) => [
            ['blockStart', index],
            ['blockStop', index],
          ]),
        );
      });

      it('are the same without streaming', async () => {
        const content = [
          { type: 'text', text: 'According to the page, ' },
          { type: 'text', text: 'it rains', citations: [citation] },
          { type: 'text', text: '.' },
          { ...serverTool, input: { query: 'rain' } },
        ];
        server.answer({ body: JSON.stringify({ type: 'message', content }) });
        assert.deepEqual((await client().messages.create(messageRequest)).content, [
          { type: 'text', text: 'According to the page, it rains.' },
          { type: 'unknown', raw: content[3] },
        ]);
      });

      it('accept the input of a call as text (a gateway, new-api 0.9)', async () => {
        const content = [' {"a":1}', '', undefined].map((input, at) => ({
          type: 'tool_use',
          id: `t${at}`,
          name: 'f',
          input,
        }));
        const body = JSON.stringify({ type: 'message', content });
        server.answer({ body });
        const { content: whole } = await client().messages.create(messageRequest);
        assert.deepEqual(
          whole.map((block) => block.type === 'tool_use' && block.input),
          [{ a: 1 }, {}, {}],
        );
        const end = (await messageStream(body)).events.at(-1);
        assert.deepEqual(end?.type === 'end' && end.message.content, whole);
      });

      it('ignore the input of a call that never began', async () => {
        const { events } = await messageStream(
          sse(...text(0, 'Hi'), query('{"a"'), query(':1}'), { type: 'message_stop' }),
        );
        const end = events.at(-1);
        assert.deepEqual(end?.type === 'end' && end.message.content, [{ type: 'text', text: 'Hi' }]);
        assert.equal(events.filter(({ type }) => type === 'unknown').length, 2);
      });

      it('append text of an unknown type', async () => {
        const delta = (type: string, value: object) => ({
          type: 'content_block_delta',
          index: 0,
          delta: { type, ...value },
        });
        const { events } = await messageStream(
          sse(
            { type: 'content_block_start', index: 0, content_block: { type: 'compaction', content: 'In ' } },
            delta('compaction_delta', { content: 'short' }),
            delta('text_delta', { text: 'own' }),
            { type: 'content_block_stop', index: 0 },
            ...text(1, 'Hi'),
          ),
        );
        const end = events.at(-1);
        assert.deepEqual(end?.type === 'end' && end.message.content, [
          { type: 'unknown', raw: { type: 'compaction', content: 'In short', text: 'own' } },
          { type: 'text', text: 'Hi' },
        ]);
      });
    });
  });
}

describe('a rate-limited service that requests no wait', () => {
  for (const [title, headers] of [
    ['0', { 'retry-after': '0' }],
    ['a negative number', { 'retry-after': '-5' }],
    ['a past time', { 'retry-after': 'Thu, 01 Oct 2020 10:00:00 GMT' }],
    ['0 milliseconds', { 'retry-after-ms': '0' }],
  ] as const) {
    it(`isn't called again without a pause: ${title}`, async () => {
      const server = await startFixtureServer();
      const { client, sleeps } = createTestClient(server.baseUrl);
      server.answer({ status: 429, headers, body: '{"message":"Details: RPM limit reached.","data":null}' });
      assert.equal((await failureOf(client.messages.create(messageRequest))).kind, 'rateLimit');
      await server.close();
      assert.deepEqual([server.seen.length, sleeps], [5, [250, 500, 1000, 2000]]);
    });
  }
});

function textOf(events: readonly MessageEvent[]): string {
  return events.map((event) => (event.type === 'text' ? event.text : '')).join('');
}

function endOf(events: readonly MessageEvent[]) {
  const last = events.at(-1);
  return last?.type === 'end' ? last.message : undefined;
}

/** The thinking, if there is any, and the text. */
function saidIn(content: readonly ContentBlock[] = []): readonly [string | undefined, string] {
  const thoughts = content.flatMap((block) => (block.type === 'thinking' ? [block.thinking] : []));
  const texts = content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
  return [thoughts.length === 0 ? undefined : thoughts.join(''), texts.join('')];
}

function completionText(events: readonly CompletionEvent[]): string {
  return events.map((event) => (event.type === 'text' ? event.text : '')).join('');
}

function completionEnd(events: readonly CompletionEvent[]) {
  const last = events.at(-1);
  return last?.type === 'end' ? last.completion : undefined;
}
