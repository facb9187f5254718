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

describe('streams of many services', () => {
  let server: FixtureServer;
  beforeEach(async () => void (server = await startFixtureServer()));
  afterEach(() => server.close());

  for (const [name, chunks] of Object.entries(streams)) {
    it(`are read as an independent reader does: ${name}`, async () => {
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

async function byAnthropic(baseUrl: string): Promise<Reading> {
  const sdk = new Anthropic({ apiKey: 'key', baseURL: baseUrl.replace(/\/v1$/, ''), maxRetries: 0 });
  const asked = { model: 'm', max_tokens: 1, messages: [{ role: 'user' as const, content: 'Hello' }] };
  const { content, stop_reason: stop } = await sdk.messages.stream(asked).finalMessage();
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
  content_filter: 'refusal',
};

/** What services add to a delta that OpenAI does not have. */
interface Delta {
  readonly content?:
    | string
    | readonly { readonly text?: string; readonly thinking?: readonly { text: string }[] }[]
    | null;
  readonly reasoning?: string | null;
  readonly reasoning_content?: string | null;
}

async function byOpenAi(baseUrl: string): Promise<Reading> {
  const sdk = new OpenAI({ apiKey: 'key', baseURL: baseUrl, maxRetries: 0 });
  const [texts, thoughts]: [string[], string[]] = [[], []];
  const calls: [name: string, text: string][] = [];
  let stop: string | null | undefined;
  for await (const { choices } of await sdk.chat.completions.create({ model: 'm', messages: [], stream: true })) {
    const [choice] = choices;
    if (!choice) continue;
    const { content, reasoning, reasoning_content } = choice.delta as Delta;
    if (typeof content === 'string') texts.push(content);
    else
      for (const part of content ?? []) {
        texts.push(part.text ?? '');
        thoughts.push(...(part.thinking ?? []).map(({ text }) => text));
      }
    thoughts.push(reasoning_content || reasoning || '');
    for (const { index, function: called } of choice.delta.tool_calls ?? []) {
      const call = (calls[index ?? calls.length] ??= ['', '']);
      call[0] = called?.name || call[0];
      call[1] += called?.arguments ?? '';
    }
    stop = choice.finish_reason ?? stop;
  }
  return {
    text: texts.join(''),
    thinking: thoughts.join(''),
    // An index may be left out.
    calls: calls.filter(Boolean).map(([name, text]) => [name, text === '' ? {} : (JSON.parse(text) as unknown)]),
    stop: stops[stop ?? ''] ?? stop,
  };
}
