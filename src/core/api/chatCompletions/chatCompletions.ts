import type * as z from 'zod/mini';
import { checkRequest, warningsOf } from '../bounds';
import type { ChatCompletions } from '../client';
import { present } from '../present';
import type { Transport } from '../transport/transport';
import { ChatAssembler, toChatUsage } from './chatAssembler';
import type { ChatChoice, ChatCompletion, ChatCompletionEvent } from './chatCompletionEvents';
import { chatCompletionBounds } from './chatCompletions.bounds';
import { chatCompletionRequest, chatCompletionResponse } from './chatCompletions.schema';
import type { ChatCompletionRequest } from './chatCompletions.schema';

const path = '/chat/completions';

export function createChatCompletions(transport: Transport): ChatCompletions {
  return {
    async create(request, signal) {
      check(request);
      const call = { method: 'POST', path, work: 'text', model: request.model, signal } as const;
      return toChatCompletion(await transport.json({ ...call, body: request, response: chatCompletionResponse }));
    },
    async *stream(request, signal) {
      check(request);
      const call = { method: 'POST', path, work: 'text', model: request.model, signal } as const;
      yield* assemble(transport.stream({ ...call, body: { ...request, stream: true } }));
    },
    warnings: (request) => warningsOf(request, chatCompletionBounds),
  };
}

function check(request: ChatCompletionRequest): void {
  checkRequest(request, chatCompletionRequest, chatCompletionBounds);
}

async function* assemble(stream: ReturnType<Transport['stream']>): AsyncGenerator<ChatCompletionEvent> {
  const assembler = new ChatAssembler();
  for await (const event of stream) {
    if (event.type === 'json') yield* assembler.push(event.data);
    else if (event.type === 'done') yield* assembler.end();
    else yield { type: 'unknown', raw: event.text };
  }
}

type Wire = z.infer<typeof chatCompletionResponse>;

function toChatCompletion(wire: Wire): ChatCompletion {
  const { id, model, created, system_fingerprint } = wire;
  const choices = wire.choices.map(toChoice).sort((left, right) => left.index - right.index);
  return { ...present({ id, model, created, system_fingerprint }), choices, usage: toChatUsage(wire.usage) };
}

function toChoice({ index, message, finish_reason }: Wire['choices'][number], position: number): ChatChoice {
  return {
    index: index ?? position,
    content: message?.content ?? '',
    ...(message?.reasoning_content ? { reasoning_content: message.reasoning_content } : {}),
    tool_calls: (message?.tool_calls ?? []).map((call) => ({
      id: call.id ?? '',
      name: call.function?.name ?? '',
      arguments: call.function?.arguments ?? '',
    })),
    ...present({ finish_reason }),
  };
}
