import type * as z from 'zod/mini';
import { checkRequest, warningsOf } from '../bounds';
import { eachEvent } from '../eachEvent';
import { present } from '../present';
import type { StreamEvent, Transport } from '../transport/transport';
import { CompletionAssembler, toChoice, toCompletionUsage, toLogprobs } from './completionAssembler';
import type { Completion, CompletionEvent } from './completionEvents';
import { completionBounds } from './completions.bounds';
import { completionRequest, completionResponse } from './completions.schema';
import type { CompletionRequest } from './completions.schema';
import type { ParameterWarning } from '../parameters';

const path = '/completions';

export interface Completions {
  create(request: CompletionRequest, signal?: AbortSignal): Promise<Completion>;
  stream(request: CompletionRequest, signal?: AbortSignal): AsyncIterable<CompletionEvent>;
  warnings(request: CompletionRequest): readonly ParameterWarning[];
}

export function createCompletions(transport: Transport): Completions {
  return {
    async create(request, signal) {
      check(request);
      const call = { method: 'POST', path, work: 'text', model: request.model, signal } as const;
      return toCompletion(await transport.json({ ...call, body: request, response: completionResponse }));
    },
    stream(request, signal) {
      const call = { method: 'POST', path, work: 'text', model: request.model, signal } as const;
      const assembler = new CompletionAssembler();
      const open = () => {
        check(request);
        return transport.stream({ ...call, body: { ...request, stream: true } });
      };
      return eachEvent(open, (event, into) => into.push(...toEvents(event, assembler)));
    },
    warnings: (request) => warningsOf(request, completionBounds),
  };
}

function check(request: CompletionRequest): void {
  checkRequest(request, completionRequest, completionBounds);
}

function toEvents(event: StreamEvent, assembler: CompletionAssembler): readonly CompletionEvent[] {
  if (event.type === 'json') return assembler.push(event.data);
  return event.type === 'done' ? assembler.end() : [{ type: 'unknown', raw: event.text }];
}

function toCompletion(wire: z.infer<typeof completionResponse>): Completion {
  const { id, model, created, system_fingerprint, prompt } = wire;
  const choices = wire.choices.map(toChoice).sort((left, right) => left.index - right.index);
  return {
    ...present({ id, model, created, system_fingerprint }),
    choices,
    usage: toCompletionUsage(wire.usage),
    ...(prompt
      ? {
          prompt: prompt.map(({ text, logprobs }) => ({
            text: text ?? '',
            ...present({ logprobs: toLogprobs(logprobs) }),
          })),
        }
      : {}),
  };
}
