import { deepEqual, equal, ok } from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { isApiError } from '../../../../src/core/api/errors';
import { atChatCompletions, createTestClient, failureOf } from '../../../support/apiClient';

const megabyte = 1024 * 1024;
const prompt = { model: 'a/model', prompt: 'hi' };
const question = { model: 'a/model', messages: [{ role: 'user' as const, content: 'hi' }] };

/** Of a stream, each in the form of one endpoint, with so much text in it. */
const messageDelta = (text: string) =>
  `data: ${JSON.stringify({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } })}\n\n`;
const messageThought = (thinking: string) =>
  `data: ${JSON.stringify({ type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking } })}\n\n`;
const chatDelta = (content: string) =>
  `data: ${JSON.stringify({ id: 'chat-1', model: 'a/model', choices: [{ index: 0, delta: { content, role: 'assistant' }, finish_reason: null }] })}\n\n`;
const toolDelta = (text: string) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta: { tool_calls: [{ index: 0, function: { name: 'f', arguments: text } }] } }] })}\n\n`;
const completionDelta = (text: string) => `data: ${JSON.stringify({ choices: [{ index: 0, text }] })}\n\n`;

describe('A response', function () {
  this.timeout(60_000);
  let head = '';
  let piece: Buffer;
  /** Pieces that are sent; endless where absent. */
  let count: number | undefined;
  let tail = '';
  let contentType = 'text/event-stream';
  let left: Promise<unknown>;
  const server = createServer((request, response) => {
    request.resume();
    left = once(response, 'close');
    response.writeHead(200, { 'content-type': contentType });
    // It fails where the client leaves.
    void pipeline(Readable.from(pieces()), response).catch(() => undefined);
  });
  function* pieces() {
    yield Buffer.from(head);
    for (let sent = 0; sent !== count; sent += 1) yield piece;
    yield Buffer.from(tail);
  }
  before(async () => void (await once(server.listen(0, '127.0.0.1'), 'listening')));
  after(() => void server.close());
  beforeEach(() => {
    head = '';
    tail = '';
    count = undefined;
    contentType = 'text/event-stream';
  });
  const baseUrl = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const client = () => createTestClient(baseUrl(), atChatCompletions).client;

  /** How much text came before it failed, and how that is told. */
  const gather = async (events: AsyncIterable<unknown>) => {
    let bytes = 0;
    try {
      for await (const event of events) bytes += Buffer.byteLength(JSON.stringify(event)) - 60;
    } catch (error) {
      ok(isApiError(error), String(error));
      const { kind, details } = error;
      return { bytes, reported: [kind, details.hint, details.maybeBilled] };
    }
    return { bytes, reported: 'whole' };
  };

  const streams: Readonly<Record<string, readonly [typeof messageDelta, () => AsyncIterable<unknown>]>> = {
    'of /messages': [messageDelta, () => client().messages.stream(question)],
    'of /messages with thinking': [messageThought, () => client().messages.stream(question)],
    'of /chat/completions': [chatDelta, () => client().chat.stream(question)],
    'of /chat/completions with a tool call': [toolDelta, () => client().chat.stream(question)],
    'of /chat/completions to a user-written body': [chatDelta, () => client().chatCompletions.chunks(question)],
    'of /completions': [completionDelta, () => client().completions.stream(prompt)],
  };
  const started = `data: ${JSON.stringify({ type: 'message_start', message: { id: 'm', model: 'a/model', usage: {} } })}\n\n`;

  for (const [what, [delta, open]] of Object.entries(streams)) {
    it(`${what} without end stops at 8 MB with the received content, and closes the connection`, async () => {
      if (what.includes('/messages')) head = started;
      piece = Buffer.from(delta('é'.repeat(32 * 1024)));
      const { bytes, reported } = await gather(open());
      deepEqual(reported, ['truncated', 'tooMuch', true]);
      ok(bytes > 7.9 * megabyte && bytes < 9 * megabyte, `${bytes}`);
      await left;
    });

    it(`${what} is complete below the limit`, async () => {
      if (what.includes('/messages')) head = started;
      piece = Buffer.from(delta('é'.repeat(32 * 1024)));
      count = 127;
      tail = 'data: {"type":"message_stop"}\n\ndata: [DONE]\n\n';
      equal((await gather(open())).reported, 'whole');
    });
  }

  it('of a hundred thousand small chunks is complete, whatever surrounds them', async () => {
    piece = Buffer.from(chatDelta('some'));
    count = 130_000;
    tail = 'data: [DONE]\n\n';
    equal((await gather(client().chat.stream(question))).reported, 'whole');
  });

  for (const [what, endless] of Object.entries({
    comments: `: ${'.'.repeat(60_000)}\n\n`,
    'unknown events': `data: ${JSON.stringify({ type: 'new', text: '.'.repeat(60_000) })}\n\n`,
    "events that aren't JSON": `data: ${'.'.repeat(60_000)}\n\n`,
    'empty choices': `data: ${JSON.stringify({ choices: [], more: '.'.repeat(60_000) })}\n\n`,
    'tokens next to the text': `data: ${JSON.stringify({ choices: [{ text: '', logprobs: { tokens: ['.'.repeat(60_000)] } }] })}\n\n`,
  })) {
    it(`with only ${what} is stopped too`, async () => {
      piece = Buffer.from(endless);
      const { reported } = await gather(client().completions.stream(prompt));
      deepEqual(reported, ['truncated', 'tooMuch', true]);
      await left;
    });
  }

  it('with an endless body stops at 8 MB, with its beginning in the recent request', async () => {
    contentType = 'application/json';
    head = '{"choices":[{"index":0,"text":"';
    piece = Buffer.from('.'.repeat(64 * 1024));
    const { client: own, exchanges } = createTestClient(baseUrl(), atChatCompletions);
    for (const create of [
      () => own.completions.create(prompt),
      () => own.chat.create(question),
      () => own.messages.create(question),
    ]) {
      const { kind, message, details } = await failureOf(create());
      deepEqual([kind, details.hint, details.maybeBilled], ['truncated', 'tooMuch', true]);
      equal(message, 'The response exceeds 8 MB.');
      await left;
      const { response } = exchanges.at(-1) ?? {};
      ok(response?.body?.startsWith(head), response?.body?.slice(0, 100));
      ok((response?.bytes ?? 0) < 9 * megabyte);
    }
  });

  it("that isn't text can be longer", async () => {
    contentType = 'application/json';
    head = '{"object":"list","data":[{"id":"';
    piece = Buffer.from('.'.repeat(64 * 1024));
    count = 150;
    tail = '"}]}';
    equal((await client().models.list({})).length, 1);
  });
});
