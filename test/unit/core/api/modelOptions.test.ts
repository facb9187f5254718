import { deepEqual, equal, ok } from 'node:assert/strict';
import type { ClientOptions } from '../../../../src/core/api/clientOptions';
import { createLearnedStore } from '../../../../src/core/api/learned';
import type { MessageRequest } from '../../../../src/core/api/messages/messages.schema';
import type { ModelOptions } from '../../../../src/core/api/modelOptions.schema';
import type { HttpRequest } from '../../../../src/core/api/transport/transport';
import { createUndiciStack } from '../../../../src/core/api/transport/undiciTransport';
import { createTestClient, drain, failureOf, testKey } from '../../../support/apiClient';
import {
  eventsOf,
  startLoopbackService,
  streamHeaders,
  type OtherService,
  type Reply,
} from '../../../support/otherServices/loopbackService';

const request: MessageRequest = { model: 'm', messages: [{ role: 'user', content: 'Hi' }], max_tokens: 20 };

describe("the user's options for a model", () => {
  let service: OtherService;
  let text = 'Hello';
  const whole = (): Reply => ({
    json: { choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }] },
  });
  const stream = (): Reply => ({
    headers: streamHeaders,
    raw: eventsOf(
      (text.match(/./gs) ?? []).map((content, at) => ({
        choices: [{ index: 0, delta: { content }, finish_reason: at === text.length - 1 ? 'stop' : null }],
      })),
      'data: [DONE]\n\n',
    ),
  });

  before(async () => {
    service = await startLoopbackService({
      root: '/v1',
      routes: {
        'POST /chat/completions': ({ body }) =>
          (JSON.parse(body.toString()) as { readonly stream?: boolean }).stream ? stream() : whole(),
        'POST /messages': () => ({
          json: {
            id: 'x',
            type: 'message',
            role: 'assistant',
            content: [{ type: 'text', text }],
            stop_reason: 'end_turn',
          },
        }),
        'POST /rerank': () => ({ json: { results: [{ index: 0, relevance_score: 1 }] } }),
      },
      missing: () => ({ status: 404, json: { error: { message: 'File Not Found' } } }),
      failed: (error) => ({ status: 500, json: { error: { message: String(error) } } }),
    });
  });
  after(() => service.close());
  beforeEach(() => void (text = 'Hello'));

  const open = (own: ModelOptions, more: Partial<ClientOptions> = {}) =>
    createTestClient(service.baseUrl, {
      service: undefined,
      bounds: undefined,
      learned: createLearnedStore(),
      modelOptions: (model) => (model === 'm' ? own : {}),
      ...more,
    });
  const ask = async (own: ModelOptions, asked = request) => {
    const { client } = open(own);
    const before = service.asked.length;
    const { events, error } = await drain(client.chat.stream(asked));
    await client.close();
    const last = events.at(-1);
    return { sent: service.asked.slice(before), error, message: last?.type === 'end' ? last.message : undefined };
  };
  const bodyOf = ({ body }: { readonly body: Buffer }) =>
    JSON.parse(body.toString()) as Readonly<Record<string, unknown>>;

  it('selects the endpoint, without a fallback', async () => {
    const { sent } = await ask({ endpoint: 'messages' });
    deepEqual(
      sent.map(({ path }) => path),
      ['/v1/messages'],
    );
    const { client } = createTestClient(service.baseUrl.replace('/v1', '/v2'), {
      service: undefined,
      bounds: undefined,
      modelOptions: () => ({ endpoint: 'messages' }),
    });
    const before = service.asked.length;
    const error = await failureOf(client.chat.create(request));
    ok(!error.message.includes('none of'), error.message);
    equal(service.asked.length, before + 1);
    await client.close();
  });

  it('turns streaming off, and on even after a learned failure', async () => {
    const { sent, message } = await ask({ streams: false });
    equal(bodyOf(sent[0]!)['stream'], undefined);
    equal(message?.content[0]?.type, 'text');
    const learned = createLearnedStore({ models: { m: { way: { streams: false } } } });
    const { client } = open({ streams: true }, { learned });
    await drain(client.chat.stream(request));
    equal(bodyOf(service.asked.at(-1)!)['stream'], true);
    await client.close();
  });

  it('adds headers to every request with the model, and never replaces the key', async () => {
    const { client } = open({ headers: { 'X-Route': 'blue', AUTHORIZATION: 'Bearer other' } });
    await client.chat.create(request);
    await client.rerank.create({ model: 'm', query: 'q', documents: ['d'] });
    for (const { headers } of service.asked.slice(-2)) {
      equal(headers['x-route'], 'blue');
      equal(headers.authorization, `Bearer ${testKey}`);
    }
    await client.chat.create({ ...request, model: 'other' });
    equal(service.asked.at(-1)?.headers['x-route'], undefined);
    await client.close();
  });

  it('adds properties to the body of chats at both endpoints, and shows them in the logged request', async () => {
    const body = { top_n_sigma: 1, max_tokens: 7 };
    for (const endpoint of ['messages', 'chatCompletions'] as const) {
      const { sent } = await ask({ endpoint, body });
      deepEqual([bodyOf(sent[0]!)['top_n_sigma'], bodyOf(sent[0]!)['max_tokens']], [1, 7]);
    }
    const { client } = open({ body });
    equal((client.chat.written(request).body as Readonly<Record<string, unknown>>)['top_n_sigma'], 1);
    await client.close();
  });

  it('sets the time limit for the start of a response, also beyond the default total', async () => {
    const timersOf = async (own: ModelOptions) => {
      let timers: HttpRequest['timers'] | undefined;
      const stack = createUndiciStack();
      const { client } = open(own, {
        stack: { ...stack, send: (sent) => stack.send({ ...sent, timers: (timers = sent.timers) }) },
      });
      await client.chat.create(request);
      await client.close();
      return timers!;
    };
    const usual = await timersOf({});
    deepEqual(await timersOf({ waitSeconds: 10 }), { ...usual, firstByteMs: 10_000 });
    const long = await timersOf({ waitSeconds: 7200 });
    deepEqual([long.firstByteMs, long.idleMs], [7_200_000, 7_200_000]);
    ok(long.totalMs > 7_200_000);
    ok((await timersOf({ waitSeconds: 0 })).firstByteMs >= 24 * 60 * 60 * 1000);
  });

  for (const [open_, close] of [
    ['<hm>', '</hm>'],
    ['{{', '}}'],
    ['###think', '###end'],
    ['^^', ']]'],
  ] as const) {
    it(`separates thinking between ${open_} and ${close}, streamed and not`, async () => {
      text = `${open_}Hmm, a < b.${close}\n\nHello ] and - too`;
      for (const streams of [true, false]) {
        const { message } = await ask({ thinkingMarks: { open: open_, close }, streams });
        deepEqual(
          message?.content.map((block) =>
            block.type === 'thinking' ? ['thinking', block.thinking] : [block.type, 'text' in block && block.text],
          ),
          [
            ['thinking', 'Hmm, a < b.'],
            ['text', 'Hello ] and - too'],
          ],
        );
      }
    });
  }

  it('separates thinking if the opening tag is part of the prompt', async () => {
    text = 'Hmm.{{/hm}}Hello';
    const { message } = await ask({ thinkingMarks: { open: '{{hm}}', close: '{{/hm}}' } });
    deepEqual(
      message?.content.map(({ type }) => type),
      ['thinking', 'text'],
    );
  });

  it('leaves such tags in the text of other models', async () => {
    text = '<hm>Hmm</hm>Hello';
    const { message } = await ask({ thinkingMarks: { open: '<hm>', close: '</hm>' } }, { ...request, model: 'other' });
    deepEqual(message?.content, [{ type: 'text', text }]);
  });
});
