import { deepEqual, equal, match, ok } from 'node:assert/strict';
import type { Client } from '../../../../../src/core/api/client';
import type { ContentBlock, Message } from '../../../../../src/core/api/messages/messageEvents';
import type { MessageParam, MessageRequest } from '../../../../../src/core/api/messages/messages.schema';
import { createTestClient, drain } from '../../../../support/apiClient';
import { startAnthropicService } from '../../../../support/otherServices/anthropicService';
import { startLlamaCppService } from '../../../../support/otherServices/llamaCppService';
import {
  startLmStudioService,
  startOllamaService,
  startVllmService,
} from '../../../../support/otherServices/localServices';
import type { OtherService } from '../../../../support/otherServices/loopbackService';
import { startOpenAiService } from '../../../../support/otherServices/openAiService';
import { startOpenRouterService } from '../../../../support/otherServices/openRouterService';

interface Kind {
  readonly start: () => Promise<OtherService>;
  readonly model: string;
  /** The paths of its first two chats if the service is unknown. */
  readonly unknown: readonly ('messages' | 'chat/completions')[];
  /** Whether its models tell what they think, in each dialect. */
  readonly thinks: boolean;
}

const completions = ['chat/completions', 'chat/completions'] as const;

const kinds: Readonly<Record<string, Kind>> = {
  openai: { start: startOpenAiService, model: 'gpt-4o-mini', unknown: completions, thinks: false },
  anthropic: {
    start: startAnthropicService,
    model: 'claude-haiku-4-5',
    unknown: ['messages', 'messages'],
    thinks: true,
  },
  openrouter: { start: startOpenRouterService, model: 'qwen/qwen3-8b', unknown: completions, thinks: true },
  llamaCpp: { start: () => startLlamaCppService(), model: 'qwen3-8b', unknown: completions, thinks: true },
  ollama: { start: startOllamaService, model: 'qwen3:8b', unknown: completions, thinks: true },
  lmStudio: { start: startLmStudioService, model: 'qwen/qwen3-8b', unknown: completions, thinks: true },
  vllm: { start: startVllmService, model: 'Qwen/Qwen3-8B', unknown: completions, thinks: true },
};

const tools: NonNullable<MessageRequest['tools']> = [
  {
    name: 'weather',
    description: 'Tells the weather.',
    input_schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
];

for (const [name, { start, model, unknown, thinks }] of Object.entries(kinds)) {
  describe(`a chat with the server written from the documentation of ${name}`, () => {
    let service: OtherService;
    before(async () => void (service = await start()));
    after(() => service.close());

    const clientOf = (isKnown: boolean): Client => {
      const { key } = service;
      const keyHeader = name === 'anthropic' ? 'x-api-key' : 'bearer';
      return createTestClient(service.baseUrl, {
        apiKey: async () => key,
        keyHeader,
        service: isKnown ? name : undefined,
      }).client;
    };
    const streamed = async (client: Client, request: MessageRequest): Promise<Message> => {
      const { events, error } = await drain(client.chat.stream(request));
      equal(error?.message, undefined);
      const last = events.at(-1);
      ok(last?.type === 'end');
      // What came as deltas is what the end has.
      const text = events.flatMap((event) => (event.type === 'text' ? [event.text] : [])).join('');
      equal(text, textOf(last.message.content));
      return last.message;
    };
    const whole = (client: Client, request: MessageRequest) => client.chat.create(request);

    for (const isKnown of [true, false]) {
      for (const [how, ask] of Object.entries({ streamed, whole })) {
        it(`runs a tool and continues with its result, ${how}, ${isKnown ? 'as that' : 'as an unknown'} service`, async () => {
          const client = clientOf(isKnown);
          const asked: MessageParam = { role: 'user', content: 'Ask weather about "Paris", please.' };
          const request: MessageRequest = { model, messages: [asked], system: 'Be brief.', max_tokens: 400, tools };
          const first = await ask(client, request);
          const call = first.content.find((block) => block.type === 'tool_use');
          ok(call, JSON.stringify(first));
          deepEqual([call.name, call.input, first.stop_reason], ['weather', { city: 'Paris' }, 'tool_use']);
          ok(call.id !== '');
          ok((first.usage.input_tokens ?? 0) > 0 && (first.usage.output_tokens ?? 0) > 0);
          const messages: readonly MessageParam[] = [
            asked,
            { role: 'assistant', content: first.content.map(sentBack) },
            {
              role: 'user',
              content: [{ type: 'tool_result', tool_use_id: call.id, content: 'no such city', is_error: true }],
            },
          ];
          const second = await ask(client, { ...request, messages });
          match(textOf(second.content), /^The tool gave: .*no such city/);
          equal(second.stop_reason, 'end_turn');
        });
      }
    }

    it('answers a plain question, truncated at the token limit', async () => {
      const client = clientOf(true);
      const messages: readonly MessageParam[] = [{ role: 'user', content: 'Hello there' }];
      const { content, stop_reason } = await streamed(client, { model, messages, max_tokens: 3 });
      equal(stop_reason, 'max_tokens');
      equal(textOf(content), 'You asked: Hello');
    });

    it('turns thinking on and off without a rejection', async () => {
      const client = clientOf(true);
      const messages: readonly MessageParam[] = [{ role: 'user', content: 'Hello there' }];
      const on = await streamed(client, { model, messages, max_tokens: 50, thinking: { type: 'enabled' } });
      equal(
        on.content.some(({ type }) => type === 'thinking'),
        thinks,
      );
      const budget = { type: 'enabled', budget_tokens: 2000 } as const;
      await streamed(client, { model, messages, max_tokens: 50, thinking: budget });
      await streamed(client, { model, messages, max_tokens: 50, thinking: { type: 'disabled' } });
    });

    it('distinguishes a missing model from a missing endpoint', async () => {
      const messages: readonly MessageParam[] = [{ role: 'user', content: 'Hello there' }];
      for (const isKnown of [true, false]) {
        const { error } = await drain(clientOf(isKnown).chat.stream({ model: 'vendor/none', messages, max_tokens: 5 }));
        equal(error?.kind, 'unknownModel', error?.message);
      }
    });

    it('finds the endpoint of an unknown service once', async () => {
      const from = service.asked.length;
      const client = clientOf(false);
      const messages: readonly MessageParam[] = [{ role: 'user', content: 'Hello there' }];
      await streamed(client, { model, messages, max_tokens: 50 });
      await streamed(client, { model, messages, max_tokens: 50 });
      const paths = service.asked.slice(from).map(({ path }) => path.slice(path.indexOf('/v1') + 4));
      deepEqual(paths, unknown);
    });
  });
}

describe('a chat with models that require other parameters', () => {
  const messages: readonly MessageParam[] = [{ role: 'user', content: 'Hello there' }];

  it('names the limit as an OpenAI reasoning model requires it, also at an unknown URL', async () => {
    const service = await startOpenAiService();
    try {
      const { client } = createTestClient(service.baseUrl, { apiKey: async () => service.key, service: undefined });
      match(textOf((await client.chat.create({ model: 'o4-mini', messages, max_tokens: 50 })).content), /^You asked/);
    } finally {
      await service.close();
    }
  });

  it('lets newer Anthropic models control their reasoning if they reject a budget, and remembers it', async () => {
    const service = await startAnthropicService();
    try {
      const options = { apiKey: async () => service.key, keyHeader: 'x-api-key', service: 'anthropic' } as const;
      const { client } = createTestClient(service.baseUrl, options);
      const request: MessageRequest = {
        model: 'claude-opus-5-5',
        messages,
        max_tokens: 50,
        thinking: { type: 'enabled' },
      };
      for (const again of [false, true]) {
        const { content } = await client.chat.create(request);
        deepEqual(
          content.map(({ type }) => type),
          ['thinking', 'text'],
          String(again),
        );
      }
      deepEqual(
        service.bodies('POST /v1/messages').map(({ thinking }) => thinking),
        [{ type: 'enabled', budget_tokens: 1024 }, { type: 'adaptive' }, { type: 'adaptive' }],
      );
    } finally {
      await service.close();
    }
  });
});

function textOf(content: readonly ContentBlock[]): string {
  return content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('');
}

/** A block as a conversation sends it back. */
function sentBack(block: ContentBlock): Exclude<MessageParam['content'], string>[number] {
  if (block.type === 'unknown') throw new Error('Nobody knows this block.');
  if (block.type !== 'tool_use') return block;
  return { ...block, input: block.input as Readonly<Record<string, unknown>> };
}
