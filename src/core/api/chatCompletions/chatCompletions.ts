import type * as z from 'zod/mini';
import { checkRequest, warningsOf } from '../bounds';
import { eachEvent } from '../eachEvent';
import { present } from '../present';
import type { StreamEvent, Transport } from '../transport/transport';
import { ChatAssembler, toChatUsage } from './chatAssembler';
import type { ChatChoice, ChatCompletion, ChatCompletionEvent } from './chatCompletionEvents';
import { chatCompletionBounds } from './chatCompletions.bounds';
import { chatCompletionRequest, chatCompletionResponse } from './chatCompletions.schema';
import type { ChatCompletionRequest } from './chatCompletions.schema';
import type { ParameterWarning } from '../parameters';

const path = '/chat/completions';

export interface ChatCompletions {
  create(request: ChatCompletionRequest, signal?: AbortSignal): Promise<ChatCompletion>;
  stream(request: ChatCompletionRequest, signal?: AbortSignal): AsyncIterable<ChatCompletionEvent>;
  warnings(request: ChatCompletionRequest): readonly ParameterWarning[];
}

export function createChatCompletions(transport: Transport): ChatCompletions {
  return {
    async create(request, signal) {
      check(request);
      const call = { method: 'POST', path, work: 'text', model: request.model, signal } as const;
      return toChatCompletion(await transport.json({ ...call, body: request, response: chatCompletionResponse }));
    },
    stream(request, signal) {
      const call = { method: 'POST', path, work: 'text', model: request.model, signal } as const;
      const assembler = new ChatAssembler();
      const open = () => {
        check(request);
        return transport.stream({ ...call, body: { ...request, stream: true } });
      };
      return eachEvent(open, (event, into) => into.push(...toEvents(event, assembler)));
    },
    warnings: (request) => warningsOf(request, chatCompletionBounds),
  };
}

function check(request: ChatCompletionRequest): void {
  checkRequest(request, chatCompletionRequest, chatCompletionBounds);
}

function toEvents(event: StreamEvent, assembler: ChatAssembler): readonly ChatCompletionEvent[] {
  if (event.type === 'json') return assembler.push(event.data);
  return event.type === 'done' ? assembler.end() : [{ type: 'unknown', raw: event.text }];
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
