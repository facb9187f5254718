import Anthropic from '@anthropic-ai/sdk';
import type { ClientOptions } from '../../src/core/api/clientOptions';
import { createClient } from '../../src/core/api/client';
import { createOfferStore } from '../../src/core/api/offers';
import { createApiTransport } from '../../src/core/api/transport/apiTransport';
import type { BenchLine } from '../host/benchLine';
import { cutAnywhere, messageStream } from './streamBytes';

const deltas = 100_000;
const rounds = 5;
const goal = 0.5;

type Pieces = readonly Uint8Array[];
type Reader = (pieces: Pieces) => Promise<number>;

/** From the bytes of one messages stream to its last event, the network left out: CPU of the process per event. */
export async function run(): Promise<readonly BenchLine[]> {
  const bytes = messageStream(deltas);
  const small = cutAnywhere(bytes, 1400);
  const large = cutAnywhere(bytes, 65_536);
  return [
    await compare('stream to parsed events, pieces up to 64 kB', large, [ourEvents, theirEvents]),
    await compare('stream to parsed events, pieces up to 1.4 kB', small, [ourEvents, theirEvents]),
    await compare('stream to events and the whole message, pieces up to 64 kB', large, [ourMessage, theirMessage]),
    await compare('stream to events and the whole message, pieces up to 1.4 kB', small, [ourMessage, theirMessage]),
  ];
}

async function compare(name: string, pieces: Pieces, [ours, theirs]: readonly [Reader, Reader]): Promise<BenchLine> {
  // Both warm up, then take turns, so that neither has the quieter machine.
  for (let round = 0; round < 2; round += 1) for (const reader of [ours, theirs]) await measure(() => reader(pieces));
  const own: number[] = [];
  const peer: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    own.push(await measure(() => ours(pieces)));
    peer.push(await measure(() => theirs(pieces)));
  }
  const ratio = Math.min(...own) / Math.min(...peer);
  return {
    name,
    ours: Math.min(...own) / deltas,
    peer: Math.min(...peer) / deltas,
    peerName: '@anthropic-ai/sdk',
    ratio,
    unit: 'µs CPU per event',
    goal: `ratio <= ${goal}`,
    met: ratio <= goal,
  };
}

/** Microseconds of CPU, the system's share included. */
async function measure(work: () => Promise<number>): Promise<number> {
  globalThis.gc?.();
  const before = process.cpuUsage();
  const events = await work();
  const { user, system } = process.cpuUsage(before);
  if (events < deltas) throw new Error(`Only ${events} events came.`);
  return user + system;
}

const question = { model: 'm', max_tokens: 1, messages: [{ role: 'user' as const, content: 'x' }] };
const headers = { 'content-type': 'text/event-stream' };

const optionsFor = (pieces: Pieces): ClientOptions => ({
  baseUrl: 'http://127.0.0.1/v1',
  apiKey: () => Promise.resolve('key'),
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
    body: question,
    isLast,
  })) {
    events += batch.length;
  }
  return events;
}

async function theirEvents(pieces: Pieces): Promise<number> {
  let events = 0;
  for await (const _event of await sdkFor(pieces).messages.create({ ...question, stream: true })) events += 1;
  return events;
}

async function ourMessage(pieces: Pieces): Promise<number> {
  let events = 0;
  let length = 0;
  for await (const event of createClient(optionsFor(pieces)).messages.stream(question)) {
    events += 1;
    if (event.type === 'end') length = JSON.stringify(event.message).length;
  }
  return length > 0 ? events : 0;
}

async function theirMessage(pieces: Pieces): Promise<number> {
  const stream = sdkFor(pieces).messages.stream(question);
  let events = 0;
  for await (const _event of stream) events += 1;
  return JSON.stringify(await stream.finalMessage()).length > 0 ? events : 0;
}

const sdkFor = (pieces: Pieces) =>
  new Anthropic({
    apiKey: 'key',
    baseURL: 'http://127.0.0.1',
    fetch: () => Promise.resolve(new Response(pull(pieces), { headers })),
  });

async function* asyncPieces(pieces: Pieces): AsyncGenerator<Uint8Array> {
  yield* pieces;
}

/** One piece for each asked for, as `fetch` gives them. */
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
