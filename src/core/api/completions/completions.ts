import type * as z from 'zod/mini';
import { checkRequest, warningsOf, type Bounds } from '../bounds';
import { eachEvent } from '../eachEvent';
import type { StreamObserver } from '../eachEvent';
import { present } from '../present';
import type { StreamEvent, Transport } from '../transport/transport';
import type { Completion, CompletionEvent, CompletionChoice, CompletionUsage, TokenLogprobs } from './completionEvents';
import { completionBounds } from './completions.bounds';
import {
  completionRequest,
  completionResponse,
  type CompletionRequest,
  completionChunk,
  type completionUsage,
} from './completions.schema';
import type { ParameterWarning } from '../parameters';

const path = '/completions';

export interface Completions {
  create(request: CompletionRequest, signal?: AbortSignal): Promise<Completion>;
  stream(
    request: CompletionRequest,
    signal?: AbortSignal,
    observer?: StreamObserver<CompletionEvent>,
  ): AsyncIterable<CompletionEvent>;
  warnings(request: CompletionRequest): readonly ParameterWarning[];
}

export function createCompletions(transport: Transport, bounds = completionBounds): Completions {
  return {
    async create(request, signal) {
      check(request, bounds);
      const call = { method: 'POST', path, work: 'text', model: request.model, signal } as const;
      return toCompletion(await transport.json({ ...call, body: request, response: completionResponse }));
    },
    stream(request, signal, observer) {
      const call = { method: 'POST', path, work: 'text', model: request.model, signal } as const;
      const assembler = new CompletionAssembler();
      const open = () => {
        check(request, bounds);
        const hasEnded = () => assembler.isFinished;
        return transport.stream({ ...call, body: { ...request, stream: true }, hasEnded });
      };
      return eachEvent(open, (event, into) => into.push(...toEvents(event, assembler)), observer);
    },
    warnings: (request) => warningsOf(request, bounds),
  };
}

function check(request: CompletionRequest, bounds: Bounds<CompletionRequest>): void {
  checkRequest(request, completionRequest, bounds);
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

type Chunk = z.infer<typeof completionChunk>;
type ChoiceOnTheWire = NonNullable<Chunk['choices']>[number];

interface GrowingChoice {
  readonly pieces: string[];
  readonly logprobs: TokenLogprobs[];
  finish: string | undefined;
}

/** Converts a stream's chunks, in either of their two shapes, into events. */
export class CompletionAssembler {
  private readonly choices = new Map<number, GrowingChoice>();
  private head: Pick<Completion, 'id' | 'model' | 'created' | 'system_fingerprint'> | undefined;
  private usage: CompletionUsage = {};

  /** Whether every choice that began has told why it ended. */
  get isFinished(): boolean {
    return this.choices.size > 0 && [...this.choices.values()].every(({ finish }) => finish !== undefined);
  }

  push(data: unknown): readonly CompletionEvent[] {
    const parsed = completionChunk.safeParse(data);
    if (!parsed.success || !isChunk(parsed.data)) return [{ type: 'unknown', raw: data }];
    const chunk = parsed.data;
    const events: CompletionEvent[] = [];
    if (!this.head) {
      this.head = headOf(chunk);
      events.push({ type: 'start', ...present({ id: chunk.id, model: chunk.model }) });
    }
    const choices = chunk.choices ?? [];
    for (const [position, choice] of choices.entries()) {
      events.push(...this.grow({ ...choice, index: choice.index ?? position }, chunk));
    }
    if (choices.length === 0 && chunk.token?.text) events.push(...this.grow({ text: chunk.token.text }, chunk));
    if (choices.length === 0 && !chunk.token && chunk.finish_reason) events.push(...this.grow({}, chunk));
    if (chunk.usage) {
      this.usage = toCompletionUsage(chunk.usage);
      events.push({ type: 'usage', usage: this.usage });
    }
    return events;
  }

  end(): readonly CompletionEvent[] {
    const choices = [...this.choices]
      .sort(([left], [right]) => left - right)
      .map(([index, { pieces, logprobs, finish }]) => ({
        index,
        text: pieces.join(''),
        ...present({ finish_reason: finish }),
        ...(logprobs.length > 0 ? { logprobs: joinLogprobs(logprobs) } : {}),
      }));
    return [{ type: 'end', completion: { ...this.head, choices, usage: this.usage } }];
  }

  private grow(choice: ChoiceOnTheWire, chunk: Chunk): readonly CompletionEvent[] {
    const index = choice.index ?? 0;
    const growing = this.choices.get(index) ?? { pieces: [], logprobs: [], finish: undefined };
    this.choices.set(index, growing);
    const events: CompletionEvent[] = [];
    const text = choice.text ?? '';
    const logprobs = toLogprobs(choice.logprobs) ?? ownLogprobs(chunk);
    if (text !== '' || logprobs) {
      growing.pieces.push(text);
      if (logprobs) growing.logprobs.push(logprobs);
      events.push({ type: 'text', index, text, ...present({ logprobs }) });
    }
    const reason = choice.finish_reason ?? chunk.finish_reason;
    if (reason && reason !== growing.finish) {
      growing.finish = reason;
      events.push({ type: 'finish', index, reason });
    }
    return events;
  }
}

function toCompletionUsage(usage: z.infer<typeof completionUsage> | undefined): CompletionUsage {
  const { prompt_tokens, completion_tokens, total_tokens } = usage ?? {};
  return present({ prompt_tokens, completion_tokens, total_tokens });
}

function toChoice(choice: ChoiceOnTheWire, position: number): CompletionChoice {
  const { index, text, finish_reason, logprobs } = choice;
  return {
    index: index ?? position,
    text: text ?? '',
    ...present({ finish_reason, logprobs: toLogprobs(logprobs) }),
  };
}

/** Returns `undefined` if the service sends none. */
function toLogprobs(logprobs: ChoiceOnTheWire['logprobs']): TokenLogprobs | undefined {
  const { tokens, token_logprobs, top_logprobs, content } = logprobs ?? {};
  if (!tokens) return content && content.length > 0 ? contentLogprobs(content) : undefined;
  return {
    tokens: tokens.map((token) => token ?? ''),
    token_logprobs: tokens.map((_token, at) => token_logprobs?.[at] ?? null),
    ...(top_logprobs ? { top_logprobs: top_logprobs.map((tops) => (tops ? toTops(Object.entries(tops)) : null)) } : {}),
  };
}

type ContentLogprobs = NonNullable<NonNullable<ChoiceOnTheWire['logprobs']>['content']>;

function contentLogprobs(content: ContentLogprobs): TokenLogprobs {
  const tops = content.map(({ top_logprobs: alternatives }) =>
    alternatives?.map(({ token, logprob }) => [token ?? '', logprob] as const),
  );
  return {
    tokens: content.map(({ token }) => token ?? ''),
    token_logprobs: content.map(({ logprob }) => logprob ?? null),
    ...(tops.some((list) => list && list.length > 0)
      ? { top_logprobs: tops.map((list) => (list ? toTops(list) : null)) }
      : {}),
  };
}

/** Of alternatives with the same text, which tokens that are parts of a character have, the likeliest counts. */
function toTops(alternatives: Iterable<readonly [string, number | undefined]>): Readonly<Record<string, number>> {
  const tops = new Map<string, number>();
  for (const [token, logprob] of alternatives) {
    if (logprob !== undefined) tops.set(token, Math.max(logprob, tops.get(token) ?? -Infinity));
  }
  return Object.fromEntries(tops);
}

function headOf({ id, model, created, system_fingerprint }: Chunk) {
  return present({ id, model, created, system_fingerprint });
}

/** A chunk has at least one of these parts; anything else is an unknown kind of event. */
function isChunk(chunk: Chunk): boolean {
  return Boolean(chunk.choices ?? chunk.token ?? chunk.usage ?? chunk.finish_reason);
}

/** The vendor's own chunk shape has the logprob of its only token at the top level. */
function ownLogprobs({ token }: Chunk): TokenLogprobs | undefined {
  if (!token?.text || typeof token.logprob !== 'number') return undefined;
  return { tokens: [token.text], token_logprobs: [token.logprob] };
}

function joinLogprobs(parts: readonly TokenLogprobs[]): TokenLogprobs {
  const tops = parts.flatMap((part) => part.top_logprobs ?? part.tokens.map(() => null));
  return {
    tokens: parts.flatMap((part) => part.tokens),
    token_logprobs: parts.flatMap((part) => part.token_logprobs),
    ...(parts.some((part) => part.top_logprobs) ? { top_logprobs: tops } : {}),
  };
}
