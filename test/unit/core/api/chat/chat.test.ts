import { deepEqual, equal, ok } from 'node:assert/strict';
import type { Client } from '../../../../../src/core/api/client';
import type { MessageEvent } from '../../../../../src/core/api/messages/messageEvents';
import type { MessageRequest } from '../../../../../src/core/api/messages/messages.schema';
import { createOfferStore, offerMemoryMs } from '../../../../../src/core/api/offers';
import { createDayTokens } from '../../../../../src/core/usage/dayTokens';
import { meteredClient } from '../../../../../src/core/usage/meteredClient';
import { createUsageLedger } from '../../../../../src/core/usage/usageLedger';
import type { CallUsage } from '../../../../../src/core/usage/usageOf';
import { createTestClient, drain, failureOf } from '../../../../support/apiClient';
import {
  type FixtureAnswer,
  type FixtureServer,
  fixture,
  jsonAnswer,
  startFixtureServer,
  streamAnswer,
} from '../../../../support/fixtureServer';
import { startOrigin } from '../../../../support/originServer';
import { setUpFolder } from '../../../../support/temporaryFolder';

const request: MessageRequest = {
  model: 'm',
  messages: [{ role: 'user', content: 'Hello' }],
  max_tokens: 100,
  stop_sequences: ['END'],
};
const notThere: FixtureAnswer = { status: 404, body: '404 page not found', headers: { 'content-type': 'text/plain' } };
const messagesStream = streamAnswer(fixture('messages/stream.sse'));
const chatStream = streamAnswer(fixture('chatCompletions/stream.sse'));

const refusal = (message: string, param: string): FixtureAnswer => ({
  status: 400,
  body: JSON.stringify({ error: { message, type: 'invalid_request_error', param, code: null } }),
});

describe('a chat', () => {
  let server: FixtureServer;
  beforeEach(async () => void (server = await startFixtureServer()));
  afterEach(() => server.close());
  const asked = () => server.seen.map(({ path }) => path.replace('/v1', ''));
  const sent = (): readonly unknown[] => server.seen.map(({ body }) => JSON.parse(body) as unknown);
  const textOf = (events: readonly MessageEvent[]) =>
    events.flatMap((event) => (event.type === 'text' ? [event.text] : [])).join('');

  it('uses /messages with the same request', async () => {
    server.answer(messagesStream);
    const { client } = createTestClient(server.baseUrl);
    const { events } = await drain(client.chat.stream(request));
    deepEqual(events, (await drain(client.messages.stream(request))).events);
    equal(server.seen[0]?.body, server.seen[1]?.body);
    deepEqual(server.seen[0]?.headers, server.seen[1]?.headers);
    server.answer(jsonAnswer('messages/answer.json'));
    deepEqual(await client.chat.create(request), await client.messages.create(request));
    equal(server.seen[2]?.body, server.seen[3]?.body);
    deepEqual(asked(), ['/messages', '/messages', '/messages', '/messages']);
  });

  it('sends a prefill without the white space at its end, which Anthropic rejects', async () => {
    server.answer(messagesStream, chatStream);
    const question = { role: 'user', content: 'Count.' } as const;
    for (const service of ['anthropic', 'openrouter']) {
      const { client } = createTestClient(server.baseUrl, { service });
      const prefill = [{ type: 'text', text: '1,\n' }] as const;
      await drain(
        client.chat.stream({ ...request, messages: [question, { role: 'assistant', content: [...prefill] }] }),
      );
    }
    const last = sent().map((body) => (body as MessageRequest).messages.at(-1));
    deepEqual(last, [
      { role: 'assistant', content: [{ type: 'text', text: '1,' }] },
      { role: 'assistant', content: '1,' },
    ]);
  });

  it('sends no prefill that is only white space', async () => {
    server.answer(messagesStream);
    const { client } = createTestClient(server.baseUrl);
    await drain(
      client.chat.stream({ ...request, messages: [...request.messages, { role: 'assistant', content: ' ' }] }),
    );
    deepEqual((sent()[0] as MessageRequest).messages, request.messages);
  });

  it('continues with /chat/completions in the same call if there is no /messages, and remembers it', async () => {
    server.answer(notThere, chatStream);
    const { client, exchanges } = createTestClient(server.baseUrl);
    const { events, error } = await drain(client.chat.stream(request));
    equal(error, undefined);
    equal(textOf(events), 'Sure.');
    await drain(client.chat.stream(request));
    deepEqual(asked(), ['/messages', '/chat/completions', '/chat/completions']);
    deepEqual(sent()[1], {
      model: 'm',
      messages: [{ role: 'user', content: 'Hello' }],
      max_tokens: 100,
      stop: ['END'],
      stream: true,
      stream_options: { include_usage: true },
    });
    deepEqual(
      exchanges.map(({ path, errorKind }) => [path, errorKind]),
      [
        ['/v1/messages', 'notOffered'],
        ['/v1/chat/completions', undefined],
        ['/v1/chat/completions', undefined],
      ],
    );
  });

  it("does so for a response that isn't streamed, too", async () => {
    server.answer(notThere, jsonAnswer('chatCompletions/answer.json'));
    const { client } = createTestClient(server.baseUrl);
    equal((await client.chat.create(request)).stop_reason, 'tool_use');
    deepEqual(asked(), ['/messages', '/chat/completions']);
  });

  it('does so if a server reports the missing endpoint with status 200, as LM Studio 0.3 does', async () => {
    const odd = { body: JSON.stringify({ error: 'Unexpected endpoint or method. (POST /v1/messages)' }) };
    server.answer(odd, chatStream);
    const { events, error } = await drain(createTestClient(server.baseUrl).client.chat.stream(request));
    deepEqual([error, textOf(events)], [undefined, 'Sure.']);
    server.answer(odd, jsonAnswer('chatCompletions/answer.json'));
    equal((await createTestClient(server.baseUrl).client.chat.create(request)).stop_reason, 'tool_use');
    deepEqual(asked(), ['/messages', '/chat/completions', '/messages', '/chat/completions']);
  });

  it('asks for /messages again after a day', async () => {
    server.answer(notThere, chatStream);
    const { client, advance } = createTestClient(server.baseUrl);
    await drain(client.chat.stream(request));
    advance(offerMemoryMs + 1);
    server.answer(messagesStream);
    await drain(client.chat.stream(request));
    deepEqual(asked(), ['/messages', '/chat/completions', '/messages']);
  });

  it('asks for it again after a sign-in', async () => {
    server.answer(notThere, chatStream);
    const offers = createOfferStore();
    const { client } = createTestClient(server.baseUrl, { offers });
    await drain(client.chat.stream(request));
    offers.clear();
    server.answer(messagesStream);
    await drain(client.chat.stream(request));
    deepEqual(asked(), ['/messages', '/chat/completions', '/messages']);
  });

  for (const service of ['openai', 'openrouter', 'ollama', 'lmStudio', 'llamaCpp', 'vllm']) {
    it(`uses /chat/completions of ${service} immediately`, async () => {
      server.answer(chatStream);
      await drain(createTestClient(server.baseUrl, { service }).client.chat.stream(request));
      deepEqual(asked(), ['/chat/completions']);
    });
  }

  it('falls back to /messages if the other endpoint is missing', async () => {
    server.answer(notThere, messagesStream);
    const { client } = createTestClient(server.baseUrl, { service: 'ollama' });
    const { events } = await drain(client.chat.stream(request));
    equal(events.at(-1)?.type, 'end');
    deepEqual(asked(), ['/chat/completions', '/messages']);
  });

  it('fails once without a charge if the service has neither endpoint', async () => {
    server.answer(notThere);
    const { client } = createTestClient(server.baseUrl);
    const { events, error } = await drain(client.chat.stream(request));
    deepEqual(events, []);
    equal(error?.kind, 'notOffered');
    equal(error?.details.endpoint, 'POST /messages, POST /chat/completions');
    ok(!error?.details.maybeBilled);
    equal((await failureOf(client.chat.create(request))).kind, 'notOffered');
    deepEqual(asked(), ['/messages', '/chat/completions']);
  });

  it("continues if the base URL has no version, which some services don't need, and remembers it", async () => {
    const baseUrl = server.baseUrl.replace('/v1', '');
    server.answer(notThere, chatStream);
    const { client } = createTestClient(baseUrl);
    equal((await drain(client.chat.stream(request))).error, undefined);
    await drain(client.chat.stream(request));
    deepEqual(asked(), ['/messages', '/chat/completions', '/chat/completions']);
    server.answer(notThere);
    const { error } = await drain(createTestClient(baseUrl).client.chat.stream(request));
    equal(error?.details.hint, 'missingVersion');
  });

  it("doesn't fall back after any other failure, or once a response has begun", async () => {
    const { client } = createTestClient(server.baseUrl);
    server.answer({ status: 401, body: '"Invalid token"' });
    equal((await failureOf(client.chat.create(request))).kind, 'auth');
    server.answer({ ...messagesStream, body: `${fixture('messages/stream.sse').slice(0, 600)}\n\n` });
    equal((await drain(client.chat.stream(request))).error?.kind, 'truncated');
    deepEqual(asked(), ['/messages', '/messages']);
  });

  it('rejects an out-of-range parameter by its own name before sending', async () => {
    const { client } = createTestClient(server.baseUrl, { service: 'openai' });
    const { error } = await drain(client.chat.stream({ ...request, temperature: 9 }));
    deepEqual([error?.kind, error?.details.parameter], ['invalidParameter', 'temperature']);
    equal((await failureOf(client.chat.create({ ...request, top_p: 9 }))).details.parameter, 'top_p');
    deepEqual(asked(), []);
  });

  it('stops requesting usage after the service rejects that', async () => {
    server.answer(refusal('Extra inputs are not permitted: stream_options', 'stream_options'), chatStream);
    const { client } = createTestClient(server.baseUrl, { service: 'llamaCpp' });
    equal((await drain(client.chat.stream(request))).error, undefined);
    await drain(client.chat.stream(request));
    deepEqual(
      sent().map((body) => Object.hasOwn(body as object, 'stream_options')),
      [true, false, false],
    );
  });

  it('resends a chat after an error that confirms that no text was generated', async () => {
    const error = { message: 'Extra inputs are not permitted: stream_options', failed_generation: '' };
    server.answer({ status: 400, body: JSON.stringify({ error }) }, chatStream);
    const { client } = createTestClient(server.baseUrl, { service: 'llamaCpp' });
    equal((await drain(client.chat.stream(request))).error, undefined);
    equal(sent().length, 2);
  });

  it("uses the service's name for the token limit", async () => {
    const message =
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.";
    server.answer(refusal(message, 'max_tokens'), chatStream);
    const { client } = createTestClient(server.baseUrl, { service: 'llamaCpp' });
    equal((await drain(client.chat.stream(request))).error, undefined);
    deepEqual(
      sent().map((body) => (body as { readonly max_completion_tokens?: number }).max_completion_tokens),
      [undefined, 100],
    );
  });

  it('reports a rejection of a set parameter', async () => {
    server.answer(refusal("Invalid 'temperature': expected a value of at most 2, but got 2.5.", 'temperature'));
    const { client } = createTestClient(server.baseUrl, { service: 'openai' });
    const { error } = await drain(client.chat.stream({ ...request, temperature: 2 }));
    deepEqual([error?.kind, error?.details.parameter], ['badRequest', 'temperature']);
    equal(asked().length, 1);
  });

  it('cancels the request when the loop ends', async () => {
    server.answer({ ...streamAnswer(fixture('chatCompletions/stream.sse').slice(0, 700)), afterwards: 'hang' });
    const { client, exchanges } = createTestClient(server.baseUrl, { service: 'openai' });
    for await (const event of client.chat.stream(request)) if (event.type === 'start') break;
    await server.allClosed();
    equal(exchanges[0]?.errorKind, 'aborted');
  });

  it('reports the request ID of the answer', async () => {
    server.answer(notThere, chatStream);
    const { client, exchanges } = createTestClient(server.baseUrl);
    const ids: string[] = [];
    await drain(client.chat.stream({ ...request, watch: { onStart: (id) => ids.push(id) } }));
    equal(ids.at(-1), exchanges.at(-1)?.id);
    ok(!server.seen.some(({ body }) => body.includes('watch')));
  });

  it('returns the request as it would be sent', async () => {
    const { client } = createTestClient(server.baseUrl);
    deepEqual(client.chat.written(request), { path: '/messages', body: request });
    server.answer(notThere, jsonAnswer('chatCompletions/answer.json'));
    await client.chat.create(request);
    deepEqual(client.chat.written(request), { path: '/chat/completions', body: sent()[1] });
  });

  it('ends the request at the server if it is stopped before any response', async () => {
    let arrived = () => {};
    const isThere = new Promise<void>((resolve) => (arrived = resolve));
    const origin = await startOrigin((asked) => void asked.resume().once('end', arrived));
    const stop = new AbortController();
    const { client } = createTestClient(new URL('v1', origin.url).href);
    const answer = drain(client.chat.stream(request, stop.signal));
    await isThere;
    stop.abort();
    await origin.allClosed();
    equal((await answer).error?.kind, 'aborted');
    await origin.close();
  });

  describe('with metering', () => {
    const folder = setUpFolder();

    it('is counted once, by the endpoint that answered', async () => {
      const reported: CallUsage[] = [];
      const meter = createDayTokens({
        ledger: createUsageLedger(folder.in('usage'), () => undefined),
        account: 'mine',
        budget: () => ({ soft: 0, hard: 0 }),
        refuse: () => new Error('used up'),
      });
      const metered = (client: Client) => meteredClient(client, meter, { onUsage: (usage) => reported.push(usage) });
      server.answer(notThere, chatStream);
      const { client } = createTestClient(server.baseUrl);
      await drain(metered(client).chat.stream(request));
      deepEqual(reported, [{ inputTokens: 9, outputTokens: 7 }]);
      server.answer(jsonAnswer('chatCompletions/answer.json'));
      await metered(client).chat.create(request);
      deepEqual(reported[1], { inputTokens: 10, outputTokens: 5 });
      equal(reported.length, 2);
      await meter.settled();
    });
  });
});
