import { deepEqual } from 'node:assert/strict';
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import type { Message } from '../../../../../src/core/api/messages/messageEvents';
import { createTestClient, drain } from '../../../../support/apiClient';
import { type FixtureServer, fixture, startFixtureServer, streamAnswer } from '../../../../support/fixtureServer';

interface Reading {
  readonly text: string;
  readonly thinking: string;
  readonly calls: readonly (readonly [name: string, input: unknown])[];
  readonly stop: string | null | undefined;
}

/**
 * Streams in the shapes of those that another client recorded from 16 services, by provider and name: the order of their chunks and their
 * properties, with words of our own.
 */
const streams = JSON.parse(fixture('replay/streams.json')) as Readonly<Record<string, readonly Chunk[]>>;

interface Chunk {
  readonly type?: string;
}

/**
 * Responses in the shapes of those that two more clients recorded from some twenty services, each shape once: streams and complete ones. Their
 * letters, digits and signatures are replaced.
 */
const answers = JSON.parse(fixture('replay/answers.json')) as Readonly<Record<string, Recorded>>;

type Recorded = { readonly stream: readonly Chunk[] } | { readonly whole: object };

describe('streams of many services', () => {
  let server: FixtureServer;
  beforeEach(async () => void (server = await startFixtureServer()));
  afterEach(() => server.close());

  for (const [name, chunks] of Object.entries(streams)) {
    it(`match an independent reader: ${name}`, async () => {
      const isMessages = chunks[0]?.type === 'message_start';
      server.answer(streamAnswer(bodyOf(chunks, isMessages)));
      const service = isMessages ? 'anthropic' : 'openrouter';
      const { chat } = createTestClient(server.baseUrl, { service }).client;
      const { events, error } = await drain(
        chat.stream({ model: 'm', messages: [{ role: 'user', content: 'Hello' }] }),
      );
      const last = events.at(-1);
      if (error || last?.type !== 'end') throw error ?? new Error('No end.');
      const { baseUrl } = server;
      deepEqual(ours(last.message), isMessages ? await byAnthropic(baseUrl) : await byOpenAi(baseUrl));
    });
  }
});

describe('responses of many services', () => {
  let server: FixtureServer;
  beforeEach(async () => void (server = await startFixtureServer()));
  afterEach(() => server.close());

  for (const [name, recorded] of Object.entries(answers)) {
    it(`match an independent reader: ${name}`, async () => {
      const isMessages = name.includes('/messages-');
      const isStream = 'stream' in recorded;
      server.answer(
        isStream ? streamAnswer(bodyOf(recorded.stream, isMessages)) : { body: JSON.stringify(recorded.whole) },
      );
      const { chat } = createTestClient(server.baseUrl, { service: isMessages ? 'anthropic' : 'openrouter' }).client;
      const request = { model: 'm', messages: [{ role: 'user' as const, content: 'Hello' }] };
      const { events, error } = isStream
        ? await drain(chat.stream(request))
        : { events: [{ type: 'end' as const, message: await chat.create(request) }], error: undefined };
      const last = events.at(-1);
      if (error || last?.type !== 'end') throw error ?? new Error('No end.');
      const { baseUrl } = server;
      deepEqual(
        ours(last.message),
        isMessages ? await byAnthropic(baseUrl, isStream) : await byOpenAi(baseUrl, isStream),
      );
    });
  }
});

function bodyOf(chunks: readonly Chunk[], isMessages: boolean): string {
  const events = chunks.map((chunk) => {
    const event = isMessages ? `event: ${chunk.type}\n` : '';
    return `${event}data: ${JSON.stringify(chunk)}\n\n`;
  });
  return [...events, isMessages ? '' : 'data: [DONE]\n\n'].join('');
}

function ours({ content, stop_reason: stop }: Message): Reading {
  return {
    text: content.map((block) => (block.type === 'text' ? block.text : '')).join(''),
    thinking: content.map((block) => (block.type === 'thinking' ? block.thinking : '')).join(''),
    calls: content.flatMap((block) => (block.type === 'tool_use' ? [[block.name, block.input] as const] : [])),
    stop,
  };
}

async function byAnthropic(baseUrl: string, isStream = true): Promise<Reading> {
  const sdk = new Anthropic({ apiKey: 'key', baseURL: baseUrl.replace(/\/v1$/, ''), maxRetries: 0 });
  const asked = { model: 'm', max_tokens: 1, messages: [{ role: 'user' as const, content: 'Hello' }] };
  const message = isStream ? await sdk.messages.stream(asked).finalMessage() : await sdk.messages.create(asked);
  const { content, stop_reason: stop } = message;
  return {
    text: content.map((block) => (block.type === 'text' ? block.text : '')).join(''),
    thinking: content.map((block) => (block.type === 'thinking' ? block.thinking : '')).join(''),
    calls: content.flatMap((block) => (block.type === 'tool_use' ? [[block.name, block.input] as const] : [])),
    stop,
  };
}

const stops: Readonly<Record<string, string>> = {
  stop: 'end_turn',
  length: 'max_tokens',
  tool_calls: 'tool_use',
  function_call: 'tool_use',
  eos: 'end_turn',
  content_filter: 'refusal',
};

/** What services add to a delta that OpenAI does not have. */
interface Delta {
  readonly content?:
    | string
    | readonly { readonly text?: string; readonly thinking?: readonly { text: string }[] }[]
    | null;
  readonly refusal?: string | null;
  readonly reasoning?: string | null;
  readonly reasoning_content?: string | null;
  readonly reasoning_details?: readonly { readonly text?: string }[] | null;
  readonly tool_calls?: readonly { readonly index?: number; readonly function?: Called }[] | null;
  readonly function_call?: Called | null;
}

interface Called {
  readonly name?: string;
  readonly arguments?: string;
}

async function byOpenAi(baseUrl: string, isStream = true): Promise<Reading> {
  const sdk = new OpenAI({ apiKey: 'key', baseURL: baseUrl, maxRetries: 0 });
  const reading = new OpenAiReading();
  if (isStream) {
    for await (const { choices } of await sdk.chat.completions.create({ model: 'm', messages: [], stream: true })) {
      const [choice] = choices;
      if (!choice || choice.index > 0) continue;
      reading.add(choice.delta as Delta);
      reading.stop = choice.finish_reason ?? reading.stop;
    }
  } else {
    const { choices } = await sdk.chat.completions.create({ model: 'm', messages: [] });
    reading.add(choices[0]!.message as Delta);
    reading.stop = choices[0]!.finish_reason;
  }
  return reading.end();
}

/** Joins what OpenAI's client parsed. */
class OpenAiReading {
  stop: string | null | undefined;
  private readonly texts: string[] = [];
  private readonly thoughts: string[] = [];
  private readonly calls: [name: string, text: string][] = [];

  add({ content, refusal, reasoning, reasoning_content, reasoning_details, tool_calls, function_call }: Delta): void {
    if (typeof content === 'string') this.texts.push(content);
    else
      for (const part of content ?? []) {
        this.texts.push(part.text ?? '');
        this.thoughts.push(...(part.thinking ?? []).map(({ text }) => text));
      }
    if (!content) this.texts.push(refusal ?? '');
    const details = (reasoning_details ?? []).map(({ text }) => text ?? '').join('');
    this.thoughts.push(reasoning_content || reasoning || details);
    for (const { index, function: called } of tool_calls ?? []) this.call(index ?? this.calls.length, called);
    if (function_call) this.call(0, function_call);
  }

  end(): Reading {
    const { texts, thoughts, calls, stop } = this;
    return {
      text: texts.join(''),
      thinking: thoughts.join(''),
      // An index may be left out, and a call that is none has no name.
      calls: calls
        .filter((call) => call?.[0])
        .map(([name, text]) => [name, text === '' ? {} : (JSON.parse(text) as unknown)]),
      stop: stops[stop ?? ''] ?? (stop || undefined),
    };
  }

  private call(at: number, called: Called | undefined): void {
    const call = (this.calls[at] ??= ['', '']);
    call[0] = called?.name || call[0];
    call[1] += called?.arguments ?? '';
  }
}
