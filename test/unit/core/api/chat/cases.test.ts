import { deepEqual, equal, match } from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ContentBlock, Message, MessageEvent } from '../../../../../src/core/api/messages/messageEvents';
import type { MessageRequest } from '../../../../../src/core/api/messages/messages.schema';
import { createTestClient, drain } from '../../../../support/apiClient';
import { type FixtureServer, startFixtureServer, streamAnswer } from '../../../../support/fixtureServer';

/** An answer that a real service gave in substance, and how it has to be read. */
interface AnswerCase {
  readonly about: string;
  readonly tools?: readonly string[];
  /** Of a chat completion; of messages its events. */
  readonly deltas?: readonly Readonly<Record<string, unknown>>[];
  readonly finish?: string | null;
  /** What the last chunk has besides. */
  readonly chunk?: object;
  readonly noDone?: true;
  readonly events?: readonly object[];
  /** Whether the events stay as they are in every size of pieces. */
  readonly isUncut?: true;
  /** A complete body, its chunks, or its lines. */
  readonly complete?: object;
  readonly chunks?: readonly object[];
  readonly lines?: readonly string[];
  /** Of a body that is an error. */
  readonly status?: number;
  /** The endpoint that is asked; by default the one of the case's form. */
  readonly endpoint?: 'messages';
  /** Requested without a stream. */
  readonly isWhole?: true;
  readonly answer?: readonly ContentBlock[];
  readonly stop?: string;
  readonly citations?: readonly object[];
  readonly usage?: object;
  readonly unread?: true;
  /** The kind of error, and the text that came before it. */
  readonly error?: string;
  readonly partial?: string;
}

/** Several small ones of a kind. */
interface AnswerCases {
  readonly cases: readonly (AnswerCase & { readonly title: string })[];
}

const folder = 'test/cases/chat';
const cases = readdirSync(folder)
  .filter((name) => name.endsWith('.json'))
  .flatMap((name): readonly (readonly [string, AnswerCase])[] => {
    const read = JSON.parse(readFileSync(join(folder, name), 'utf8')) as AnswerCase | AnswerCases;
    if (!('cases' in read)) return [[name, read]];
    return read.cases.map((one) => [name, { ...one, about: one.title }]);
  })
  .filter(([, { deltas, events, complete, chunks, lines }]) => deltas ?? events ?? complete ?? chunks ?? lines);

describe('responses of real services', () => {
  let server: FixtureServer;
  beforeEach(async () => void (server = await startFixtureServer()));
  afterEach(() => server.close());

  for (const [name, one] of cases) {
    it(`${name}: ${one.about}, in pieces of any size`, async () => {
      for (const size of [1, 2, 5, 17, 100_000]) {
        const { status } = one;
        server.answer(status === undefined ? streamAnswer(bodyOf(one, size)) : { status, body: bodyOf(one, size) });
        // Of services that are asked at the endpoint of the case.
        const service = one.events || one.endpoint ? 'anthropic' : 'openrouter';
        const { chat } = createTestClient(server.baseUrl, { service }).client;
        const { events, error } = one.isWhole
          ? await wholeOf(chat.create(asking(one)))
          : await drain(chat.stream(asking(one)));
        check(one, events, error, `in pieces of ${size}`);
      }
    });
  }
});

/** As a stream of which only the end came. */
async function wholeOf(answer: Promise<Message>): Promise<{ events: readonly MessageEvent[]; error?: unknown }> {
  return answer.then(
    (message) => ({ events: [{ type: 'end', message }] }),
    (error: unknown) => ({ events: [], error }),
  );
}

function asking({ tools = [] }: AnswerCase): MessageRequest {
  const schema = { type: 'object', properties: { city: { type: 'string' } } };
  return {
    model: 'm',
    messages: [{ role: 'user', content: 'Hello' }],
    ...(tools.length > 0 && { tools: tools.map((name) => ({ name, input_schema: schema })) }),
  };
}

function check(one: AnswerCase, events: readonly MessageEvent[], error: unknown, how: string): void {
  const last = events.at(-1);
  if (one.error !== undefined) {
    equal((error as { readonly kind?: string } | undefined)?.kind, one.error, how);
    equal(events.map((event) => (event.type === 'text' ? event.text : '')).join(''), one.partial, how);
    return;
  }
  equal(error, undefined, how);
  if (last?.type !== 'end') throw new Error(`No end ${how}.`);
  const { content, stop_reason, citations, unreadCall, usage } = last.message;
  deepEqual(content.map(withoutOwn(one)), one.answer, how);
  if (one.usage !== undefined) deepEqual(usage, one.usage, how);
  if (one.stop !== undefined) equal(stop_reason, one.stop, how);
  deepEqual(citations ?? undefined, one.citations, how);
  equal(unreadCall, one.unread, how);
  if (!one.isWhole) deepEqual(built(events), content, `the events say something else ${how}`);
}

/** Ids that the client makes are checked by their form, and what only tells where a thought was from is left out. */
function withoutOwn({ answer }: AnswerCase): (block: ContentBlock, index: number) => object {
  return (block, index) => {
    if (block.type === 'thinking') return { type: block.type, thinking: block.thinking };
    const requested = answer?.[index];
    if (block.type !== 'tool_use' || (requested?.type === 'tool_use' && requested.id !== undefined)) return block;
    const { id, ...rest } = block;
    match(id, /^[\da-f]{9}$/);
    return rest;
  };
}

/** What a page that follows the events has at their end. */
function built(events: readonly MessageEvent[]): readonly ContentBlock[] {
  const blocks: ContentBlock[] = [];
  const texts: string[] = [];
  for (const event of events) {
    if (event.type === 'text' || event.type === 'thinking')
      texts[event.index] = (texts[event.index] ?? '') + event.text;
    if (event.type === 'replace') blocks[event.index] = event.block;
    if (event.type !== 'blockStop') continue;
    const { block } = event;
    if (block.type === 'text') equal(texts[event.index], block.text);
    if (block.type === 'thinking') equal(texts[event.index], block.thinking);
    blocks[event.index] = block;
  }
  return blocks;
}

function bodyOf(one: AnswerCase, size: number): string {
  const { deltas, events = [], finish, chunk = {}, noDone } = one;
  if (one.lines) return one.lines.join('\n');
  if (one.complete) return JSON.stringify(one.complete);
  if (one.chunks)
    return [...one.chunks.map((data) => `data: ${JSON.stringify(data)}\n\n`), 'data: [DONE]\n\n'].join('');
  const json = deltas
    ? chunksOf(deltas, size, finish ?? null, chunk)
    : events.flatMap((event) => (one.isUncut ? [event] : cutEvent(event, size)));
  const lines = json.map((data) => `data: ${JSON.stringify(data)}\n\n`);
  return [...lines, deltas && !noDone ? 'data: [DONE]\n\n' : ''].join('');
}

function chunksOf(deltas: readonly object[], size: number, finish: string | null, more: object): readonly object[] {
  const head = { id: 'c1', object: 'chat.completion.chunk', created: 1, model: 'm' };
  const pieces = deltas.flatMap((delta) => cutDelta(delta as Readonly<Record<string, unknown>>, size));
  const chunks = pieces.map((delta) => ({ ...head, choices: [{ index: 0, delta, finish_reason: null }] }));
  return [...chunks, { ...head, choices: [{ index: 0, delta: {}, finish_reason: finish }], ...more }];
}

/** Cuts the text of a delta, or its reasoning, if it has nothing else. */
function cutDelta(delta: Readonly<Record<string, unknown>>, size: number): readonly object[] {
  const [entry, ...others] = Object.entries(delta);
  if (!entry || others.length > 0 || typeof entry[1] !== 'string' || entry[1] === '') return [delta];
  return cut(entry[1], size).map((piece) => ({ [entry[0]]: piece }));
}

function cutEvent(event: object, size: number): readonly object[] {
  const { delta } = event as { readonly delta?: { readonly text?: string } };
  if (delta?.text === undefined) return [event];
  return cut(delta.text, size).map((text) => ({ ...event, delta: { ...delta, text } }));
}

function cut(text: string, size: number): readonly string[] {
  return Array.from({ length: Math.ceil(text.length / size) }, (_, at) => text.slice(at * size, (at + 1) * size));
}
