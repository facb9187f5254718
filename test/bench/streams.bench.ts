import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import type { ClientOptions } from '../../src/core/api/clientOptions';
import { createClient } from '../../src/core/api/client';
import { createOfferStore } from '../../src/core/api/offers';
import { createApiTransport } from '../../src/core/api/transport/apiTransport';
import type { BenchLine } from '../host/benchLine';
import { chatCompletionStream, cutAnywhere, messageStream } from './streamBytes';

const deltas = 100_000;
const rounds = 5;
const warmUps = 2;
/**
 * Unreachable for messages. `JSON.parse` of the lines takes 40 % of our time per event, and 30 % of the SDK's total. Most of the rest is
 * splitting lines, limiting the text, and garbage collection.
 */
const goal = 0.5;
/** The allowed additional cost of a chat, which also separates thinking, calls, and images from the text. */
const mostForMeaning = 1.5;

type Pieces = readonly Uint8Array[];
type Reader = (pieces: Pieces) => Promise<number>;

interface Peer {
  readonly name: string;
  readonly read: Reader;
  readonly ratioAtMost?: number;
}

/** Measures the process's CPU per event from the bytes of one stream to its last event, without the network. */
export async function run(): Promise<readonly BenchLine[]> {
  const bytes = messageStream(deltas);
  const small = cutAnywhere(bytes, 1400);
  const large = cutAnywhere(bytes, 65_536);
  const chunks = chatCompletionStream(deltas);
  const [smallChunks, largeChunks] = [cutAnywhere(chunks, 1400), cutAnywhere(chunks, 65_536)];
  const sdk = { name: '@anthropic-ai/sdk', read: theirEvents, ratioAtMost: goal };
  const wholeSdk = { name: '@anthropic-ai/sdk', read: theirMessage, ratioAtMost: goal };
  const openai = { name: 'openai', read: theirChunks, ratioAtMost: goal };
  return [
    ...(await compare('messages stream to events, pieces up to 64 kB', large, ourEvents, [
      sdk,
      { name: 'JSON.parse', read: parseOf(bytes) },
    ])),
    ...(await compare('messages stream to events, pieces up to 1.4 kB', small, ourEvents, [sdk])),
    ...(await compare('messages stream to events and the whole message, pieces up to 64 kB', large, ourMessage, [
      wholeSdk,
    ])),
    ...(await compare('messages stream to events and the whole message, pieces up to 1.4 kB', small, ourMessage, [
      wholeSdk,
    ])),
    ...(await compare('chat completions stream to chunks, pieces up to 64 kB', largeChunks, ourChunks, [openai])),
    ...(await compare('chat completions stream to chunks, pieces up to 1.4 kB', smallChunks, ourChunks, [openai])),
    ...(await compare('chat to events, pieces up to 64 kB', largeChunks, ourChat, [
      openai,
      { name: 'our chunks', read: ourChunks, ratioAtMost: mostForMeaning },
    ])),
  ];
}

async function compare(name: string, pieces: Pieces, ours: Reader, peers: readonly Peer[]): Promise<BenchLine[]> {
  const readers = [ours, ...peers.map(({ read }) => read)];
  const best = readers.map(() => Infinity);
  // After warming up, they take turns, so that none of them has a quieter machine.
  for (let round = -warmUps; round < rounds; round += 1) {
    for (const [at, reader] of readers.entries()) {
      const cost = await measure(() => reader(pieces));
      if (round >= 0) best[at] = Math.min(best[at] ?? Infinity, cost);
    }
  }
  const [own = Infinity, ...others] = best.map((cost) => cost / deltas);
  return peers.map(({ name: peerName, ratioAtMost }, at) => ({
    name,
    ours: own,
    peer: others[at]!,
    peerName,
    unit: 'µs CPU per event',
    ...(ratioAtMost !== undefined && { ratioAtMost }),
  }));
}

/** Returns microseconds of CPU, including the system's share. */
async function measure(work: () => Promise<number>): Promise<number> {
  globalThis.gc?.();
  const before = process.cpuUsage();
  const events = await work();
  const { user, system } = process.cpuUsage(before);
  if (events < deltas) throw new Error(`Only ${events} events came.`);
  return user + system;
}

/** A minimal request that a stream answers. */
export const chatQuestion = { model: 'm', max_tokens: 1, messages: [{ role: 'user' as const, content: 'x' }] };
const headers = { 'content-type': 'text/event-stream' };

/** Returns a client whose service answers every request with these bytes. */
export const optionsFor = (pieces: Pieces): ClientOptions => ({
  baseUrl: 'http://127.0.0.1/v1',
  // As long as a real key, because a shorter one isn't searched for in the response.
  apiKey: () => Promise.resolve('sk-bench-0123456789abcdefghijklmnopqrstuvwxyz'),
  stack: {
    name: 'undici',
    send: () => Promise.resolve({ status: 200, headers, body: asyncPieces(pieces) }),
    close: () => Promise.resolve(),
  },
  offers: createOfferStore(),
  onExchange: () => {},
});

async function ourEvents(pieces: Pieces): Promise<number> {
  const transport = createApiTransport(optionsFor(pieces));
  const isLast = (data: unknown) => (data as { readonly type: string }).type === 'message_stop';
  let events = 0;
  for await (const batch of transport.stream({
    method: 'POST',
    path: '/messages',
    work: 'text',
    body: chatQuestion,
    isLast,
  })) {
    events += batch.length;
  }
  return events;
}

async function theirEvents(pieces: Pieces): Promise<number> {
  let events = 0;
  for await (const _event of await sdkFor(pieces).messages.create({ ...chatQuestion, stream: true })) events += 1;
  return events;
}

/** Returns a reader that does the minimum: it parses the same JSON, with lines split beforehand. */
function parseOf(bytes: Buffer): Reader {
  const lines = [...String(bytes).matchAll(/^data: (.*)$/gm)].map(([, json = '']) => json);
  return async () => {
    let events = 0;
    for (const line of lines) if ((JSON.parse(line) as { readonly type?: string }).type !== undefined) events += 1;
    return events;
  };
}

async function ourChunks(pieces: Pieces): Promise<number> {
  let events = 0;
  for await (const _event of createClient(optionsFor(pieces)).chatCompletions.chunks(chatQuestion)) events += 1;
  return events;
}

async function ourChat(pieces: Pieces): Promise<number> {
  let events = 0;
  for await (const _event of createClient(optionsFor(pieces)).chat.stream(chatQuestion)) events += 1;
  return events;
}

async function theirChunks(pieces: Pieces): Promise<number> {
  const sdk = new OpenAI({ apiKey: 'key', baseURL: 'http://127.0.0.1/v1', fetch: answering(pieces) });
  let events = 0;
  for await (const _chunk of await sdk.chat.completions.create({ ...chatQuestion, stream: true })) events += 1;
  return events;
}

async function ourMessage(pieces: Pieces): Promise<number> {
  let events = 0;
  let length = 0;
  for await (const event of createClient(optionsFor(pieces)).messages.stream(chatQuestion)) {
    events += 1;
    if (event.type === 'end') length = JSON.stringify(event.message).length;
  }
  return length > 0 ? events : 0;
}

async function theirMessage(pieces: Pieces): Promise<number> {
  const stream = sdkFor(pieces).messages.stream(chatQuestion);
  let events = 0;
  for await (const _event of stream) events += 1;
  return JSON.stringify(await stream.finalMessage()).length > 0 ? events : 0;
}

const sdkFor = (pieces: Pieces) =>
  new Anthropic({
    apiKey: 'key',
    baseURL: 'http://127.0.0.1',
    fetch: answering(pieces),
  });

const answering = (pieces: Pieces) => () => Promise.resolve(new Response(pull(pieces), { headers }));

async function* asyncPieces(pieces: Pieces): AsyncGenerator<Uint8Array> {
  yield* pieces;
}

/** Returns one piece per pull, like `fetch`. */
function pull(pieces: Pieces): ReadableStream<Uint8Array> {
  let next = 0;
  return new ReadableStream({
    pull(controller) {
      const piece = pieces[next];
      next += 1;
      if (piece) controller.enqueue(piece);
      else controller.close();
    },
  });
}
