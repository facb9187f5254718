import assert from 'node:assert/strict';
import { ApiError } from '../../../../src/core/api/errors';
import type { HttpStack } from '../../../../src/core/api/transport/transport';
import { createTestClient, drain, everythingIn, failureOf, testKey } from '../../../support/apiClient';
import {
  type FixtureServer,
  fixture,
  jsonAnswer,
  startFixtureServer,
  streamAnswer,
} from '../../../support/fixtureServer';

const limit = (kind: string, headers = {}) => ({
  status: 429,
  headers,
  body: JSON.stringify({ message: `Details: ${kind} limit reached.`, data: null }),
});
const rerank = { model: 'a/reranker', query: 'x', documents: ['y'] };
const question = { model: 'a/model', messages: [{ role: 'user' as const, content: 'x' }] };
const image = { model: 'an/imager', prompt: 'x' };

describe('a call', () => {
  let server: FixtureServer;
  beforeEach(async () => void (server = await startFixtureServer()));
  afterEach(() => server.close());

  describe('that may be charged', () => {
    const isHeld = new Error('The cap is reached.');
    const held = async () => Promise.reject(isHeld);

    it("fails without a request and with the reason if the account isn't allowed to pay", async () => {
      const { client, exchanges } = createTestClient(server.baseUrl, { holdPaid: held });
      for (const call of [
        client.rerank.create(rerank),
        client.images.generate(image),
        client.messages.create(question),
      ])
        await assert.rejects(call, isHeld);
      assert.deepEqual([server.seen.length, exchanges.length], [0, 0]);
    });

    it("isn't repeated after the account reached its spending limit", async () => {
      server.answer(limit('RPM'), jsonAnswer('images/answer.json'));
      let asked = 0;
      const holdPaid = async () => {
        asked += 1;
        if (asked > 1) throw isHeld;
      };
      const { client, exchanges } = createTestClient(server.baseUrl, { holdPaid });
      await assert.rejects(client.images.generate(image), isHeld);
      assert.deepEqual([server.seen.length, exchanges.length], [1, 1]);
    });

    it("doesn't include reading, polling, canceling, and uploading a batch file", async () => {
      server.answer(jsonAnswer('models/list.json'));
      const { client } = createTestClient(server.baseUrl, { holdPaid: held });
      await client.models.list({});
      for (const call of [client.videos.status({ requestId: 'r' }), client.batches.cancel({ id: 'b' })])
        await call.catch((error: unknown) => assert.notEqual(error, isHeld));
      assert.equal(server.seen.length, 3);
    });

    it('is counted while it is in progress, unless it is a job, which is measured by itself', async () => {
      const counted: string[] = [];
      const { client } = createTestClient(server.baseUrl, {
        onPaidCall: () => {
          counted.push(`begins after ${server.seen.length}`);
          return () => counted.push(`ends after ${server.seen.length}`);
        },
      });
      const sent: readonly (() => Promise<unknown>)[] = [
        () => client.rerank.create(rerank),
        () => client.messages.create(question),
        () => client.models.list({}),
        () => client.batches.cancel({ id: 'b' }),
        () => client.images.generate(image),
      ];
      for (const send of sent) {
        server.answer(jsonAnswer('rerank/answer.json'));
        await send().catch(() => undefined);
      }
      assert.deepEqual(counted, ['begins after 0', 'ends after 1', 'begins after 1', 'ends after 2']);
      assert.equal(server.seen.length, sent.length);
    });
  });

  describe('is retried', () => {
    it('up to three attempts if it only reads', async () => {
      server.answer({ status: 500, body: '' }, { status: 502, body: '' }, jsonAnswer('models/list.json'));
      const { client, sleeps, exchanges } = createTestClient(server.baseUrl);
      assert.equal((await client.models.list({})).length, 3);
      assert.deepEqual(sleeps, [250, 500]);
      assert.equal(exchanges.length, 1);
      assert.deepEqual(
        exchanges[0]?.attempts.map(({ status, waitedMs, errorKind }) => ({ status, waitedMs, errorKind })),
        [
          { status: 500, waitedMs: 250, errorKind: 'server' },
          { status: 502, waitedMs: 500, errorKind: 'server' },
          { status: 200, waitedMs: undefined, errorKind: undefined },
        ],
      );
    });

    it('no more often than that, and then returns the last failure', async () => {
      server.answer({ status: 500, body: 'first' }, { status: 503, body: 'last' });
      const { client, exchanges } = createTestClient(server.baseUrl);
      const error = await failureOf(client.models.list({}));
      assert.equal(error.message, 'last');
      assert.equal(server.seen.length, 3);
      assert.equal(error.details.exchangeId, exchanges[0]?.id);
      assert.equal(error.details.maybeBilled, false);
    });

    it('with the same body after a per-minute limit, also if it is paid', async () => {
      server.answer(limit('IPM'), limit('IPM', { 'retry-after': '3' }), jsonAnswer('images/answer.json'));
      const { client, sleeps, waits, now } = createTestClient(server.baseUrl);
      const startedAt = now();
      await client.images.generate(image);
      assert.deepEqual(sleeps, [1000, 3000]);
      assert.equal(new Set(server.seen.map(({ body }) => body)).size, 1);
      assert.deepEqual(waits, [
        {
          reason: 'rateLimit',
          limit: 'IPM',
          model: 'an/imager',
          endpoint: 'POST /images/generations',
          until: startedAt + 1000,
          attempt: 2,
        },
        {
          reason: 'rateLimit',
          limit: 'IPM',
          model: 'an/imager',
          endpoint: 'POST /images/generations',
          until: startedAt + 4000,
          attempt: 3,
        },
      ]);
    });

    it('before a stream begins, but never after', async () => {
      server.answer(
        { status: 503, body: '{"code":50505,"message":"busy","data":null}' },
        streamAnswer(fixture('messages/stream.sse')),
      );
      const { client, waits } = createTestClient(server.baseUrl);
      const whole = await drain(client.messages.stream(question));
      assert.equal(whole.error, undefined);
      assert.deepEqual(
        waits.map(({ reason, attempt }) => [reason, attempt]),
        [['overloaded', 2]],
      );

      server.answer(streamAnswer(fixture('messages/stream.sse').slice(0, 900)));
      const before = server.seen.length;
      assert.equal((await drain(client.messages.stream(question))).error?.kind, 'truncated');
      assert.equal(server.seen.length, before + 1);
    });

    it('never after a daily limit, or if the service requests more than a minute', async () => {
      const { client, sleeps } = createTestClient(server.baseUrl);
      server.answer(limit('TPD'));
      assert.equal((await failureOf(client.messages.create(question))).details.limit, 'TPD');
      server.answer(limit('RPM', { 'retry-after': '3600' }));
      assert.equal((await failureOf(client.models.list({}))).details.retryAfterMs, 3_600_000);
      assert.equal(server.seen.length, 2);
      assert.deepEqual(sleeps, []);
    });

    it('never after a failure that may have been charged', async () => {
      const { client } = createTestClient(server.baseUrl);
      for (const answer of [
        { status: 500, body: '' },
        { status: 504, body: '' },
        { body: '', afterwards: 'reset' as const },
      ]) {
        server.answer(answer);
        const before = server.seen.length;
        const error = await failureOf(client.images.generate(image));
        assert.equal(error.details.maybeBilled, true, error.kind);
        assert.equal(server.seen.length, before + 1);
      }
    });

    it('if nothing was sent, whatever it would have cost', async () => {
      let refused = 0;
      const stack: HttpStack = {
        name: 'editor',
        send: () => {
          refused += 1;
          return Promise.reject(new ApiError({ kind: 'network', message: 'ECONNREFUSED', sent: false }));
        },
        close: () => Promise.resolve(),
      };
      const { client, exchanges } = createTestClient(server.baseUrl, { stack });
      const error = await failureOf(client.images.generate(image));
      assert.deepEqual([error.kind, error.details.maybeBilled, refused], ['network', false, 3]);
      assert.equal(exchanges[0]?.stack, 'editor');
    });

    it('not after its signal aborts during the wait', async () => {
      const stop = new AbortController();
      server.answer({ status: 503, body: '' });
      const { client } = createTestClient(server.baseUrl, { onWait: () => stop.abort() });
      assert.equal((await failureOf(client.rerank.create(rerank, stop.signal))).kind, 'aborted');
      assert.equal(server.seen.length, 1);
    });
  });

  it('waits with all others for the same model, and all are sent after the limit has passed', async () => {
    server.answer(limit('RPM'), jsonAnswer('rerank/answer.json'));
    const { client, waits } = createTestClient(server.baseUrl);
    const answers = await Promise.all(Array.from({ length: 5 }, () => client.rerank.create(rerank)));
    assert.equal(answers.length, 5);
    assert.ok(waits.length >= 1);
  });

  it("requests the key each time and doesn't store it", async () => {
    server.answer(jsonAnswer('models/list.json'));
    const keys = ['first-key-000000', 'second-key-00000', undefined];
    const { client } = createTestClient(server.baseUrl, { apiKey: () => Promise.resolve(keys.shift()) });
    await client.models.list({});
    await client.models.list({});
    const error = await failureOf(client.models.list({}));
    assert.deepEqual(
      server.seen.map(({ headers }) => headers.authorization),
      ['Bearer first-key-000000', 'Bearer second-key-00000'],
    );
    assert.deepEqual([error.kind, error.details.status, error.details.sent], ['auth', undefined, false]);
  });

  it('distinguishes a failing key store from a failing network', async () => {
    const { client } = createTestClient(server.baseUrl, {
      apiKey: () => Promise.reject(new ApiError({ kind: 'auth', message: 'locked' })),
    });
    assert.equal((await failureOf(client.models.list({}))).message, 'locked');
  });

  it('never shows the key, although the service echoes it everywhere', async () => {
    const echo = `you sent ${testKey}`;
    const everywhere = { 'x-echo': echo, 'x-siliconcloud-trace-id': `trace-${testKey}` };
    const { client, exchanges } = createTestClient(server.baseUrl);
    const errors: ApiError[] = [];
    server.answer({
      status: 400,
      headers: everywhere,
      body: JSON.stringify({ error: { message: echo, code: testKey, param: testKey } }),
    });
    errors.push(await failureOf(client.completions.create({ model: testKey, prompt: echo })));
    server.answer({ headers: everywhere, body: `<html><title>${echo}</title></html>` });
    errors.push(await failureOf(client.models.list({})));
    server.answer({ headers: everywhere, body: `{"${testKey}` });
    errors.push(await failureOf(client.models.list({})));
    server.answer({ ...streamAnswer(`data: {"type":"ping","x":"${echo}"}\n\n{"code":60000,"message":"${echo}"}\n`) });
    errors.push((await drain(client.messages.stream(question))).error as ApiError);
    for (const error of errors) assert.ok(!everythingIn(error).includes(testKey), everythingIn(error));
    assert.equal(exchanges.length, 4);
    assert.ok(!JSON.stringify(exchanges).includes(testKey));
    assert.equal(errors[0]?.message, 'you sent [key]');
  });

  it('truncates its error message without a part of the key at the end', async () => {
    const { client, exchanges } = createTestClient(server.baseUrl, { limits: { exchangeChars: 2000 } });
    for (const before of Array.from({ length: testKey.length + 2 }, (_, count) => 'x'.repeat(1999 - count))) {
      server.answer({ status: 400, body: JSON.stringify({ message: `${before} ${testKey} and more` }) });
      const { message } = await failureOf(client.models.list({}));
      assert.match(message, /^x+ ?(\[key\])?[ andmore]*…?$/);
      server.answer({ status: 400, body: `${before} ${testKey} and more` });
      await failureOf(client.models.list({}));
      assert.match(exchanges.at(-1)?.response?.body ?? '', /^x+ ?(\[key\])?[ andmore]*$/);
    }
    server.answer({ body: `no JSON: ${'x'.repeat(150)} ${testKey}` });
    const { message } = await failureOf(client.voices.list());
    assert.ok(!message.includes(testKey.slice(0, 3)), message);
  });

  it('removes the key from errors however the service encodes it', async () => {
    const { client, exchanges } = createTestClient(server.baseUrl);
    const basic = Buffer.from(`user:${testKey}`).toString('base64');
    const escaped = testKey
      .split('')
      .map((char) => `\\u00${char.charCodeAt(0).toString(16)}`)
      .join('');
    const percent = testKey
      .split('')
      .map((char) => `%${char.charCodeAt(0).toString(16)}`)
      .join('');
    const body = `{"error":{"message":"Basic ${basic} ${escaped} ${percent}","code":"${escaped}"}}`;
    server.answer({ status: 400, headers: { 'x-echo': basic }, body });
    const error = await failureOf(client.completions.create({ model: basic, prompt: percent }));
    assert.match(error.message, /^Basic \S*\[key\] \[key\] \[key\]$/);
    for (const part of [basic.slice(8), escaped, percent]) {
      assert.ok(!everythingIn(error).includes(part), everythingIn(error));
      assert.ok(!JSON.stringify(exchanges).includes(part), part);
    }
  });

  it('is logged with everything that was sent and received', async () => {
    server.answer({
      ...jsonAnswer('rerank/answer.json'),
      headers: { 'x-siliconcloud-trace-id': 'ti_1', 'set-cookie': 'session=1' },
    });
    const { client, exchanges } = createTestClient(server.baseUrl);
    await client.rerank.create(rerank);
    const [exchange] = exchanges;
    assert.ok(exchange);
    assert.equal(exchange.method, 'POST');
    assert.equal(exchange.path, '/v1/rerank');
    assert.equal(exchange.model, 'a/reranker');
    assert.equal(exchange.stack, 'undici');
    assert.equal(exchange.traceId, 'ti_1');
    assert.deepEqual(exchange.request, {
      headers: {
        authorization: '[key]',
        'user-agent': 'inference-desk',
        accept: 'application/json',
        'content-type': 'application/json',
      },
      body: JSON.stringify(rerank),
      bytes: JSON.stringify(rerank).length,
    });
    assert.equal(exchange.response?.status, 200);
    assert.equal(exchange.response?.headers['set-cookie'], '[key]');
    assert.equal(exchange.response?.body, fixture('rerank/answer.json'));
    assert.equal(exchange.errorKind, undefined);
    assert.equal(exchange.events, undefined);
  });

  it('logs a stream by its events, up to the limit', async () => {
    server.answer(streamAnswer(fixture('messages/stream.sse')));
    const { client, exchanges } = createTestClient(server.baseUrl, { limits: { exchangeChars: 500 } });
    await drain(client.messages.stream({ ...question, system: 'x'.repeat(1000) }));
    const [exchange] = exchanges;
    assert.equal(exchange?.request.body?.length, 500);
    assert.ok((exchange?.request.bytes ?? 0) > 1000);
    assert.equal(exchange?.eventCount, 19);
    assert.ok((exchange?.events?.length ?? 0) < 5);
    assert.match(exchange?.events?.[0]?.text ?? '', /^\{"type":"message_start"/);
    assert.equal(exchange?.response?.bytes, Buffer.byteLength(fixture('messages/stream.sse')));
  });

  it('logs the events of a stream up to and including the limit, never a part of one', async () => {
    server.answer(streamAnswer(fixture('messages/stream.sse')));
    const saved = async (exchangeChars: number) => {
      const { client, exchanges } = createTestClient(server.baseUrl, { limits: { exchangeChars } });
      await drain(client.messages.stream(question));
      return (exchanges[0]?.events ?? []).map(({ text }) => text);
    };
    const all = await saved(1_000_000);
    assert.equal(all.length, 19);
    const chars = (count: number) => all.slice(0, count).join('').length;
    for (const count of [1, 2, 18, 19]) {
      assert.deepEqual(await saved(chars(count)), all.slice(0, count));
      assert.deepEqual(await saved(chars(count) - 1), all.slice(0, count - 1));
    }
  });

  it('logs a stream without a key that its events contain in parts', async () => {
    const parts = testKey.match(/.{1,5}/g) ?? [];
    const events = parts.map((text) => ({
      type: 'content_block_delta',
      index: 0,
      delta: { type: 'text_delta', text },
    }));
    server.answer(streamAnswer(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')));
    const { client, exchanges } = createTestClient(server.baseUrl);
    await drain(client.messages.stream(question));
    const logged = exchanges[0]?.events?.map(({ text }) => JSON.parse(text) as (typeof events)[0]) ?? [];
    assert.deepEqual(
      logged,
      events.map((event, at) => ({ ...event, delta: { ...event.delta, text: at === 0 ? '[key]' : '' } })),
    );
  });

  it('rejects a response beyond its limit', async () => {
    server.answer({ body: JSON.stringify({ data: [{ id: 'x'.repeat(2000) }] }) });
    const { client } = createTestClient(server.baseUrl, { limits: { answerBytes: 1000 } });
    assert.equal((await failureOf(client.models.list({}))).kind, 'badResponse');
  });

  it('includes trace and request IDs in errors after a successful status', async () => {
    server.answer({ headers: { 'x-siliconcloud-trace-id': 'ti_1', 'x-request-id': 'req_1' }, body: '{"ok":true}' });
    const { client } = createTestClient(server.baseUrl);
    const { kind, details } = await failureOf(client.rerank.create(rerank));
    assert.deepEqual(
      [kind, details.traceId, details.requestId, details.model, details.endpoint],
      ['badResponse', 'ti_1', 'req_1', 'a/reranker', 'POST /rerank'],
    );
  });
});

describe('a stream', () => {
  let server: FixtureServer;
  beforeEach(async () => void (server = await startFixtureServer()));
  afterEach(() => server.close());
  const stream = async (body: string, headers = {}) => {
    server.answer({ headers: { 'content-type': 'text/event-stream', ...headers }, body });
    const { events, error } = await drain(createTestClient(server.baseUrl).client.messages.stream(question));
    return {
      types: events.map(({ type }) => type),
      kind: error?.kind,
      message: error?.message,
      maybeBilled: error?.details.maybeBilled,
    };
  };
  const head = 'data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hi"}}\n\n';

  it('ends in an error at a bare JSON line, after all earlier events', async () => {
    const line = '{"code":60000,"message":"Request processing has failed due to some unknown error.","data":null}';
    for (const end of ['', '\n', '\n\n']) {
      assert.deepEqual(await stream(`${head}${line}${end}`), {
        types: ['blockStart', 'text'],
        kind: 'server',
        message: 'Request processing has failed due to some unknown error.',
        maybeBilled: true,
      });
    }
  });

  it('ends in an error at an error event of each form', async () => {
    const kinds = await Promise.all(
      [
        '{"type":"error","error":{"type":"overloaded_error","message":"x"}}',
        '{"code":50505,"message":"x","data":null}',
        '{"error":{"message":"x","type":"rate_limit_error"}}',
      ].map(async (data, index) => {
        const own = await startFixtureServer();
        own.answer(streamAnswer(`${head}data: ${data}\n\ndata: [DONE]\n\n`));
        const { error } = await drain(createTestClient(own.baseUrl).client.messages.stream(question));
        await own.close();
        return [index, error?.kind, error?.details.maybeBilled];
      }),
    );
    assert.deepEqual(kinds, [
      [0, 'overloaded', true],
      [1, 'overloaded', true],
      [2, 'rateLimit', true],
    ]);
  });

  it('rejects a web page, a JSON response, and an empty body', async () => {
    assert.equal(
      (await stream('<!DOCTYPE html>\n<html>\n<title>Sign in: network</title></html>')).message,
      'The response is a web page: Sign in: network',
    );
    assert.equal((await stream('{\n "code": 20012,\n "message": "Model does not exist."\n}')).kind, 'unknownModel');
    assert.equal((await stream('{"id":"1","content":[]}')).kind, 'badResponse');
    assert.equal((await stream('')).message, 'The response is empty.');
    assert.equal((await stream(': comment\n\n')).kind, 'badResponse');
  });

  it("accepts a wrong content type, comments, and events that aren't JSON", async () => {
    const body = `: hello\n\ndata: {"broken\n\n${head}data: {"type":"message_stop"}\n\n`;
    assert.deepEqual(await stream(body, { 'content-type': 'text/html' }), {
      types: ['unknown', 'blockStart', 'text', 'blockStop', 'end'],
      kind: undefined,
      message: undefined,
      maybeBilled: undefined,
    });
  });

  it('redacts a key that the service repeats in a response', async () => {
    const echo = JSON.stringify({
      type: 'content_block_delta',
      index: 0,
      delta: { type: 'text_delta', text: testKey },
    });
    server.answer(streamAnswer([head, `data: ${echo}\n\n`, 'data: {"type":"message_stop"}\n\n']));
    const { client } = createTestClient(server.baseUrl);
    const { events } = await drain(client.messages.stream(question));
    assert.ok(JSON.stringify(events).includes('[key]') && !JSON.stringify(events).includes(testKey));
    server.answer({ status: 200, body: JSON.stringify({ data: [{ id: testKey }] }) });
    assert.deepEqual(await client.models.list({}), [{ id: '[key]' }]);
  });

  it('removes a key that it contains in parts, and loses no text where it breaks off', async () => {
    const parts = testKey.match(/.{1,5}/g) ?? [];
    const messages = parts.map((text) => ({ type: 'content_block_delta', index: 0, delta: { text } }));
    const completions = parts.map((text) => ({ choices: [{ index: 0, text }] }));
    const { client } = createTestClient(server.baseUrl);
    const body = (events: readonly object[], end: string) =>
      streamAnswer([...events.map((event) => `data: ${JSON.stringify(event)}\n\n`), end]);
    server.answer(body(messages, 'data: {"type":"message_stop"}\n\n'));
    const answered = JSON.stringify((await drain(client.messages.stream(question))).events);
    server.answer(body(completions, 'data: [DONE]\n\n'));
    const completed = (await drain(client.completions.stream({ model: 'm', prompt: 'x' }))).events;
    assert.ok(answered.includes('[key]') && !answered.includes(testKey.slice(5)), answered);
    assert.ok(!JSON.stringify(completed).includes(testKey.slice(5, 10)), JSON.stringify(completed));
    const begun = { type: 'content_block_delta', index: 0, delta: { text: `and ${testKey.slice(0, 7)}` } };
    for (const afterwards of ['end', 'reset'] as const) {
      server.answer({ ...body([begun], ''), afterwards });
      const { events, error } = await drain(client.messages.stream(question));
      assert.equal(error?.kind, 'truncated');
      assert.ok(JSON.stringify(events).includes(`and ${testKey.slice(0, 7)}`), afterwards);
    }
  });

  it('rejects an event beyond its limit', async () => {
    server.answer({
      ...streamAnswer([head, `data: {"x":"${'x'.repeat(3000)}`, `${'x'.repeat(3000)}"}\n\n`]),
      afterwards: 'hang',
    });
    const { client } = createTestClient(server.baseUrl, { limits: { eventChars: 2000 } });
    const { events, error } = await drain(client.messages.stream(question));
    assert.equal(error?.kind, 'badResponse');
    assert.equal(events.length, 2);
    await server.allClosed();
  });
});
