import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { Adapted } from '../../../../../src/core/api/chat/chatAttempts';
import type { ClientOptions } from '../../../../../src/core/api/clientOptions';
import { createLearnedStore } from '../../../../../src/core/api/learned';
import type { MessageRequest } from '../../../../../src/core/api/messages/messages.schema';
import { createTestClient, drain } from '../../../../support/apiClient';
import { fixture, jsonAnswer, startFixtureServer, streamAnswer } from '../../../../support/fixtureServer';
import type { FixtureAnswer, FixtureServer } from '../../../../support/fixtureServer';

interface Rejection {
  readonly title: string;
  readonly endpoint: 'messages' | 'chatCompletions';
  readonly status: number;
  readonly body: unknown;
  /** The name of the form of the second request. */
  readonly then: keyof typeof forms;
  readonly change: Adapted['change'];
  /** Requested without a stream. */
  readonly whole?: true;
}

type Body = Readonly<Record<string, unknown>> & { readonly messages: readonly Readonly<Record<string, unknown>>[] };

interface Block {
  readonly type: string;
  readonly id?: string;
  readonly tool_use_id?: string;
}

const rejections = JSON.parse(readFileSync('test/cases/chat/rejections.json', 'utf8')) as {
  readonly cases: readonly Rejection[];
};

const callsIn = ({ messages }: Body) => messages.find((one) => one['tool_calls'] !== undefined) ?? {};

/** A schema as servers of tools write them, and what is left of it in the words that every service knows. */
const richSchema = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  type: 'object',
  additionalProperties: false,
  anyOf: [{ required: ['city'] }, { required: ['list'] }],
  properties: {
    city: { type: ['string', 'null'], minLength: 1, description: 'A city', default: 'Oslo' },
    days: { anyOf: [{ type: 'integer', exclusiveMinimum: 0 }, { type: 'null' }] },
    list: { type: 'array' },
    mode: { const: 'fast' },
    unit: { enum: ['C', 'F'] },
    place: { $ref: '#/$defs/place' },
  },
  required: ['city', 'gone'],
  $defs: { place: { type: 'object', properties: { lat: { type: 'number' } }, patternProperties: {} } },
};
const plainSchema = {
  type: 'object',
  properties: {
    city: { type: 'string', description: 'A city' },
    days: { type: 'integer' },
    list: { type: 'array', items: { type: 'string' } },
    mode: { type: 'string', enum: ['fast'] },
    unit: { type: 'string', enum: ['C', 'F'] },
    place: { type: 'object', properties: { lat: { type: 'number' } } },
  },
  required: ['city'],
};

const rolesOf = ({ messages }: Body) => messages.map(({ role }) => role);

/** What the second request of each form must be. */
const forms = {
  whole: (body: Body) => deepEqual([body['stream'], body['stream_options']], [undefined, undefined]),
  continued: (body: Body) => {
    deepEqual(rolesOf(body).slice(-2), ['assistant', 'user']);
    match(String(body.messages.at(-1)?.['content']), /^Continue your last message/);
  },
  withoutTemperature: (body: Body) => deepEqual([body['temperature'], body['top_p']], [undefined, 0.9]),
  withoutTopP: (body: Body) => deepEqual([body['temperature'], body['top_p']], [0.5, undefined]),
  alternating: (body: Body) => {
    const roles = rolesOf(body);
    ok(
      roles.every((role, at) => role !== roles[at - 1] && role !== 'system'),
      roles.join(),
    );
    match(JSON.stringify(body.messages[0]), /Be brief\..*First\..*Second\./);
  },
  systemInFirst: (body: Body) => {
    ok(!rolesOf(body).includes('system'));
    match(JSON.stringify(body.messages[0]), /Be brief\..*First\./);
  },
  withoutThinking: (body: Body) => equal(body['enable_thinking'], false),
  withoutParallel: (body: Body) => deepEqual([body['parallel_tool_calls'], body['tool_choice']], [undefined, 'auto']),
  shortIds: (body: Body) => {
    const calls = body.messages.flatMap((one) => (one['tool_calls'] ?? []) as readonly { readonly id: string }[]);
    const results = body.messages.flatMap((one) => one['tool_call_id'] ?? []);
    deepEqual(
      calls.map(({ id }) => id),
      results,
    );
    match(JSON.stringify(results[0]), /^"[a-zA-Z\d]{9}"$/);
  },
  shortIdsInMessages: (body: Body) => {
    const blocks = body.messages.flatMap(({ content }) => (Array.isArray(content) ? content : [])) as readonly Block[];
    const [call, result] = [blocks.find(({ type }) => type === 'tool_use'), blocks.find((one) => one.tool_use_id)];
    match(call?.id ?? '', /^[a-zA-Z\d]{9}$/);
    equal(result?.tool_use_id, call?.id);
  },
  withoutEmptyText: (body: Body) => ok(!('content' in callsIn(body))),
  withReasoning: (body: Body) => equal(callsIn(body)['reasoning_content'], ''),
  withoutReasoning: (body: Body) => ok(!/reasoning|extra_content/.test(JSON.stringify(callsIn(body)))),
  withSignatures: (body: Body) => match(JSON.stringify(callsIn(body)), /"thought_signature":"skip_thought/),
  withoutTopK: (body: Body) => deepEqual([body['temperature'], body['top_k']], [0.5, undefined]),
  withoutThinkingSetting: (body: Body) => ok(!('chat_template_kwargs' in body)),
  plainSchemas: (body: Body) => {
    const tools = body['tools'] as readonly { readonly function?: { readonly parameters: object } }[];
    const [tool] = tools as readonly { readonly input_schema?: object; readonly function?: { parameters: object } }[];
    deepEqual(tool?.input_schema ?? tool?.function?.parameters, plainSchema);
  },
  withoutEmptyParameters: (body: Body) => deepEqual(body['tools'], [{ type: 'function', function: { name: 'now' } }]),
  toolsAsText: (body: Body) => {
    ok(!rolesOf(body).includes('tool'));
    match(JSON.stringify(body), /Called the tool weather with .*Paris.*The tool returned: 21 degrees/);
  },
};

const request: MessageRequest = {
  model: 'm',
  system: 'Be brief.',
  messages: [
    { role: 'user', content: 'First.' },
    { role: 'user', content: 'Second.' },
    { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'weather', input: { city: 'Paris' } }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: '21 degrees' }] },
    { role: 'assistant', content: 'It is' },
  ],
  max_tokens: 100,
  temperature: 0.5,
  top_p: 0.9,
  tools: [{ name: 'weather', input_schema: { type: 'object' } }],
  tool_choice: { type: 'auto', disable_parallel_tool_use: true },
};

/** The same, whose call has reasoning and a signature. */
const thoughtful: MessageRequest = {
  ...request,
  messages: request.messages.map((message) =>
    message.role === 'assistant' && typeof message.content !== 'string'
      ? {
          ...message,
          content: [
            { type: 'thinking', thinking: 'Hm.' },
            ...message.content.map((block) => ({
              ...block,
              state: { call: { extra_content: { google: {} } }, message: { reasoning_details: [] } },
            })),
          ] as typeof message.content,
        }
      : message,
  ),
};

/** What is asked in place of the usual request. */
const askings: { readonly [Form in keyof typeof forms]?: MessageRequest } = {
  withoutReasoning: thoughtful,
  withoutTopK: { ...request, top_k: 40 },
  withoutThinkingSetting: { ...request, thinking: { type: 'disabled' } },
  withoutEmptyParameters: { ...request, tools: [{ name: 'now', input_schema: { type: 'object', properties: {} } }] },
  plainSchemas: { ...request, tools: [{ name: 'weather', input_schema: richSchema }] },
};

const streams = {
  messages: streamAnswer(fixture('messages/stream.sse')),
  chatCompletions: streamAnswer(fixture('chatCompletions/stream.sse')),
};
const whole = jsonAnswer('chatCompletions/answer.json');

describe('a rejected chat', () => {
  let server: FixtureServer;
  beforeEach(async () => void (server = await startFixtureServer()));
  afterEach(() => server.close());
  const bodies = () => server.seen.map(({ body }) => JSON.parse(body) as Body);

  for (const { title, endpoint, status, body, then, change, whole: isWhole } of rejections.cases) {
    it(`is resent in the form that ${title} accepts, which is used from then on`, async () => {
      const answer = then === 'whole' || isWhole ? whole : streams[endpoint];
      server.answer({ status, body: JSON.stringify(body) }, answer, answer);
      const adapted: Adapted[] = [];
      const service = endpoint === 'messages' ? 'anthropic' : 'vllm';
      const { client } = createTestClient(server.baseUrl, { service, onAdapt: (one) => adapted.push(one) });
      const asked = askings[then] ?? request;
      for (let count = 0; count < 2; count++) {
        if (isWhole) {
          await client.chat.create(asked);
          continue;
        }
        const { events, error } = await drain(client.chat.stream(asked));
        equal(error, undefined);
        equal(events.at(-1)?.type, 'end');
      }
      equal(server.seen.length, 3);
      forms[then](bodies()[1]!);
      deepEqual(bodies()[2], bodies()[1]);
      deepEqual(adapted, [{ model: 'm', change }]);
    });
  }

  it("is resent with the older name of the token limit to a deployment that doesn't support the newer one", async () => {
    const message = 'Unrecognized request argument supplied: max_completion_tokens';
    server.answer({ status: 400, body: JSON.stringify({ error: { message } }) }, streams.chatCompletions);
    const { client } = createTestClient(server.baseUrl, { service: 'openai' });
    equal((await drain(client.chat.stream(request))).error, undefined);
    deepEqual(
      bodies().map((body) => [body['max_tokens'], body['max_completion_tokens']]),
      [
        [undefined, 100],
        [100, undefined],
      ],
    );
  });

  it("isn't resent after an error that may have been charged, whatever its text and learned limits", async () => {
    const message = 'Unexpected error in the reasoning parser';
    const store = createLearnedStore();
    // As if another call had learned it in the meantime.
    const of = (model: string) => (server.seen.length === 0 ? {} : { ...store.of(model), way: { alternates: true } });
    const learned = { ...store, of };
    server.answer({ status: 500, body: JSON.stringify({ error: { message } }) });
    const { client } = createTestClient(server.baseUrl, { service: 'vllm', learned });
    const { error } = await drain(client.chat.stream({ ...request, thinking: { type: 'disabled' } }));
    match(error?.message ?? '', /reasoning parser/);
    equal(server.seen.length, 1);
    deepEqual(store.of('m'), {});
  });

  it('ends with the error if its options require streaming and that is rejected', async () => {
    const refused = { status: 400, body: '{"error":{"message":"Streaming is not supported for this model"}}' };
    const busy = { status: 400, body: '{"error":{"message":"Too long"}}' };
    server.answer(refused, busy, refused, busy);
    const { client } = createTestClient(server.baseUrl, { service: 'vllm', modelOptions: () => ({ streams: true }) });
    match((await drain(client.chat.stream(request))).error?.message ?? '', /Too long/);
    ok(server.seen.length <= 4);
  });

  it('is sent in the form learned in an earlier session', async () => {
    server.answer(streams.chatCompletions);
    const learned = createLearnedStore({ models: { m: { way: { takesSystem: false } } } });
    const { client } = createTestClient(server.baseUrl, { service: 'vllm', learned });
    await drain(client.chat.stream(request));
    forms.systemInFirst(bodies()[0]!);
  });
});

describe('the first chat with a model of an unknown service', () => {
  let server: FixtureServer;
  beforeEach(async () => void (server = await startFixtureServer()));
  afterEach(() => server.close());
  const paths = () => server.seen.map(({ path }) => path.replace('/v1', ''));
  const first: MessageRequest = { model: 'm', messages: [{ role: 'user', content: 'Hello' }], max_tokens: 10 };
  const unknown: Partial<ClientOptions> = { service: undefined };

  const refusals: readonly (readonly [what: string, answer: FixtureAnswer])[] = [
    [
      "a gateway's status 500",
      { status: 500, body: '{"status":"failure","message":"chat/completions is not supported by x"}' },
    ],
    ['400', { status: 400, body: '{"error":{"message":"Unknown field messages"}}' }],
    ['401', { status: 401, body: '{"error":{"message":"no access to this route"}}' }],
    ['403', { status: 403, body: '{"error":{"message":"forbidden"}}' }],
    [
      'a web page with status 200',
      { status: 200, body: '<!doctype html><title>Open WebUI</title>', headers: { 'content-type': 'text/html' } },
    ],
    ['422', { status: 422, body: '{"detail":"unprocessable"}' }],
    [
      'a web page',
      { status: 502, body: '<html><body>Bad gateway</body></html>', headers: { 'content-type': 'text/html' } },
    ],
  ];
  for (const [what, refusal] of refusals) {
    it(`is tried at the other endpoint after ${what}, which is used from then on`, async () => {
      server.answer(refusal, streams.messages, streams.messages);
      const learned = createLearnedStore();
      const { client } = createTestClient(server.baseUrl, { ...unknown, learned });
      for (let count = 0; count < 2; count++) equal((await drain(client.chat.stream(first))).error, undefined);
      deepEqual(paths(), ['/chat/completions', '/messages', '/messages']);
      deepEqual(learned.of('m'), { chat: 'messages' });
    });
  }

  it('fails with the error of the endpoint that was requested first if both reject it', async () => {
    server.answer(
      { status: 400, body: '{"error":{"message":"Unknown model m"}}' },
      { status: 400, body: '{"error":{"message":"something else"}}' },
    );
    const { client } = createTestClient(server.baseUrl, unknown);
    const { error } = await drain(client.chat.stream(first));
    match(error?.message ?? '', /Unknown model m/);
    deepEqual(paths(), ['/chat/completions', '/messages']);
  });

  it('uses only one endpoint after a chat was answered there', async () => {
    server.answer(streams.chatCompletions, { status: 400, body: '{"error":{"message":"no"}}' });
    const { client } = createTestClient(server.baseUrl, unknown);
    await drain(client.chat.stream(first));
    match((await drain(client.chat.stream(first))).error?.message ?? '', /no/);
    deepEqual(paths(), ['/chat/completions', '/chat/completions']);
  });

  it('uses the endpoint that supports images for them, and the earlier endpoint for text', async () => {
    const source = { type: 'base64', media_type: 'image/png', data: 'AA==' } as const;
    const withImage: MessageRequest = { ...first, messages: [{ role: 'user', content: [{ type: 'image', source }] }] };
    server.answer(
      streams.chatCompletions,
      { status: 400, body: '{"error":{"message":"Invalid content type image_url"}}' },
      streams.messages,
      streams.messages,
      streams.chatCompletions,
    );
    const learned = createLearnedStore();
    const { client } = createTestClient(server.baseUrl, { ...unknown, learned });
    for (const one of [first, withImage, withImage, first]) {
      equal((await drain(client.chat.stream(one))).error, undefined);
    }
    deepEqual(paths(), ['/chat/completions', '/chat/completions', '/messages', '/messages', '/chat/completions']);
    deepEqual(learned.of('m'), { chat: 'chatCompletions', chatWithImages: 'messages' });
  });

  it('remembers tools with images separately from tools only', async () => {
    const source = { type: 'base64', media_type: 'image/png', data: 'AA==' } as const;
    const withTools: MessageRequest = { ...first, tools: [{ name: 't', input_schema: { type: 'object' } }] };
    const withBoth: MessageRequest = {
      ...withTools,
      messages: [{ role: 'user', content: [{ type: 'image', source }] }],
    };
    server.answer(
      streams.chatCompletions,
      { status: 400, body: '{"error":{"message":"Invalid content type image_url"}}' },
      streams.messages,
      streams.messages,
      streams.chatCompletions,
    );
    const learned = createLearnedStore();
    const { client } = createTestClient(server.baseUrl, { ...unknown, learned });
    for (const one of [withTools, withBoth, withBoth, withTools]) {
      equal((await drain(client.chat.stream(one))).error, undefined);
    }
    deepEqual(paths(), ['/chat/completions', '/chat/completions', '/messages', '/messages', '/chat/completions']);
  });

  it('with tools starts with the endpoint that answered other chats', async () => {
    server.answer(streams.messages);
    const learned = createLearnedStore({ models: { m: { chat: 'messages' } } });
    const { client } = createTestClient(server.baseUrl, { ...unknown, learned });
    await drain(client.chat.stream({ ...first, tools: [{ name: 't', input_schema: { type: 'object' } }] }));
    deepEqual(paths(), ['/messages']);
  });
});
