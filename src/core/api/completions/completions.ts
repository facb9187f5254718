import type * as z from 'zod/mini';
import { checkRequest, warningsOf } from '../bounds';
import type { Completions } from '../client';
import { present } from '../present';
import type { Transport } from '../transport/transport';
import { CompletionAssembler, toChoice, toCompletionUsage, toLogprobs } from './completionAssembler';
import type { Completion, CompletionEvent } from './completionEvents';
import { completionBounds } from './completions.bounds';
import { completionRequest, completionResponse } from './completions.schema';
import type { CompletionRequest } from './completions.schema';

const path = '/completions';

export function createCompletions(transport: Transport): Completions {
  return {
    async create(request, signal) {
      check(request);
      const call = { method: 'POST', path, work: 'text', model: request.model, signal } as const;
      return toCompletion(await transport.json({ ...call, body: request, response: completionResponse }));
    },
    async *stream(request, signal) {
      check(request);
      const call = { method: 'POST', path, work: 'text', model: request.model, signal } as const;
      yield* assemble(transport.stream({ ...call, body: { ...request, stream: true } }));
    },
    warnings: (request) => warningsOf(request, completionBounds),
  };
}

function check(request: CompletionRequest): void {
  checkRequest(request, completionRequest, completionBounds);
}

async function* assemble(stream: ReturnType<Transport['stream']>): AsyncGenerator<CompletionEvent> {
  const assembler = new CompletionAssembler();
  for await (const event of stream) {
    if (event.type === 'json') yield* assembler.push(event.data);
    else if (event.type === 'done') yield* assembler.end();
    else yield { type: 'unknown', raw: event.text };
  }
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
