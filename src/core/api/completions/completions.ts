import * as z from 'zod/mini';
import '../../../schema/jitless';
import { checkRequest, warningsOf, withOwn } from '../bounds';
import { serviceOf } from '../chat/chatWays';
import type { ClientOptions } from '../clientOptions';
import { eachEvent } from '../eachEvent';
import type { StreamObserver } from '../eachEvent';
import { isApiError } from '../errors';
import { present } from '../present';
import { lenientFlag, lenientNumber, lenientText } from '../tolerant';
import type { StreamEvent, Transport } from '../transport/transport';
import type {
  Completion,
  CompletionEvent,
  CompletionChoice,
  CompletionUsage,
  TokenLogprobs,
  CompletionHead,
} from './completionEvents';
import { completionBounds } from './completions.bounds';
import {
  completionRequest,
  completionResponse,
  type CompletionRequest,
  completionChunk,
  type completionUsage,
} from './completions.schema';
import type { ParameterWarning } from '../parameters';
import { reportedCost } from '../reportedCost';

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

export function createCompletions(transport: Transport, options: ClientOptions): Completions {
  const bounds = withOwn(completionBounds, options.bounds?.completions);
  const calls = new CompletionCalls(transport, options);
  return {
    async create(request, signal) {
      checkRequest(request, completionRequest, bounds);
      const call = { method: 'POST', path, work: 'text', model: request.model, signal } as const;
      return toCompletion(await transport.json({ ...call, body: request, response: completionResponse }));
    },
    stream(request, signal, observer) {
      const open = () => {
        checkRequest(request, completionRequest, bounds);
        return calls.events(request, signal);
      };
      return eachEvent<CompletionEvent, CompletionEvent>(open, (event, into) => into.push(event), observer);
    },
    warnings: (request) => warningsOf(request, bounds),
  };
}

/** Streams completions the way each service and model accepts them. */
class CompletionCalls {
  constructor(
    private readonly transport: Transport,
    private readonly options: ClientOptions,
  ) {}

  /** Yields the events of a request. If the model rejects several completions in one request, requests one after the other. */
  async *events(request: CompletionRequest, signal?: AbortSignal): AsyncGenerator<readonly CompletionEvent[]> {
    const { learned } = this.options;
    const count = request.n ?? 1;
    if (count < 2 || learned?.of(request.model).severalCompletions !== false) {
      let hasBegun = false;
      try {
        for await (const events of this.single(request, signal)) {
          hasBegun = true;
          yield events;
        }
        return;
      } catch (error) {
        if (hasBegun || count < 2 || !rejectsSeveral(error)) throw error;
        learned?.learn(request.model, { severalCompletions: false });
      }
    }
    yield* this.oneByOne(request, count, signal);
  }

  private async *oneByOne(
    several: CompletionRequest,
    count: number,
    signal?: AbortSignal,
  ): AsyncGenerator<readonly CompletionEvent[]> {
    const { n: _, ...request } = several;
    const completions: Completion[] = [];
    for (let index = 0; index < count; index++) {
      const seed = request.seed == null ? {} : { seed: request.seed + index };
      for await (const events of this.single({ ...request, ...seed }, signal)) {
        yield events.flatMap((event): readonly CompletionEvent[] => {
          if (event.type === 'text' || event.type === 'finish') return [{ ...event, index }];
          if (event.type === 'usage' || (event.type === 'start' && index > 0)) return [];
          if (event.type !== 'end') return [event];
          completions.push(event.completion);
          return [];
        });
      }
    }
    const completion = joined(completions);
    yield [
      { type: 'usage', usage: completion.usage },
      { type: 'end', completion },
    ];
  }

  private async *single(request: CompletionRequest, signal?: AbortSignal): AsyncGenerator<readonly CompletionEvent[]> {
    const { learned } = this.options;
    const fillsIn = serviceOf(this.options) === 'llamaCpp' && learned?.of(request.model).fillsIn !== false;
    if (fillsIn && request.suffix) {
      let hasBegun = false;
      try {
        for await (const events of this.fillIn(request, signal)) {
          hasBegun = true;
          yield events;
        }
        return;
      } catch (error) {
        const isRefused = isApiError(error) && ['notOffered', 'badRequest', 'notFound'].includes(error.kind);
        if (hasBegun || !isRefused) throw error;
        learned?.learn(request.model, { fillsIn: false });
      }
    }
    const assembler = new CompletionAssembler();
    const call = { method: 'POST', path, work: 'text', model: request.model, signal } as const;
    const hasEnded = () => assembler.isFinished;
    for await (const events of this.transport.stream({ ...call, body: { ...request, stream: true }, hasEnded }))
      yield events.flatMap((event) => toEvents(event, assembler));
  }

  private async *fillIn(request: CompletionRequest, signal?: AbortSignal): AsyncGenerator<readonly CompletionEvent[]> {
    const assembler = new InfillAssembler();
    const call = { method: 'POST', path: infillPath, isUnversioned: true, work: 'text', signal } as const;
    const body = { ...toInfill(request), stream: true };
    const { model } = request;
    for await (const events of this.transport.stream({ ...call, model, body, isLast: isInfillEnd }))
      yield events.flatMap((event) => (event.type === 'json' ? assembler.push(event.data) : []));
  }
}

/** Whether a service rejects several completions in one request, as llama.cpp does: "Field 'n': Value must be between 1 <= value <= 1". */
function rejectsSeveral(error: unknown): boolean {
  if (!isApiError(error) || (error.kind !== 'badRequest' && error.kind !== 'invalidParameter')) return false;
  if (error.details.parameter === 'n') return true;
  return /only one completion|(?:^|[^\p{L}\d])n(?:['"`]|\s*[=>:]|\s+(?:must|has|is|should))/iu.test(error.message);
}

/** Combines completions of one choice each into one of several. */
function joined(completions: readonly Completion[]): Completion {
  const sum = (count: keyof CompletionUsage) => {
    const counts = completions.flatMap(({ usage }) => usage[count] ?? []);
    return counts.length === 0 ? undefined : counts.reduce((total, value) => total + value, 0);
  };
  const usage = {
    prompt_tokens: sum('prompt_tokens'),
    completion_tokens: sum('completion_tokens'),
    total_tokens: sum('total_tokens'),
    cost: sum('cost'),
  };
  const choices = completions.flatMap(({ choices: [choice] }, index) => (choice ? [{ ...choice, index }] : []));
  return { ...completions[0], choices, usage: present(usage) };
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
  private head: CompletionHead | undefined;
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
      this.grow({ ...choice, index: choice.index ?? position }, chunk, events);
    }
    if (choices.length === 0 && chunk.token?.text) this.grow({ text: chunk.token.text }, chunk, events);
    if (choices.length === 0 && !chunk.token && chunk.finish_reason) this.grow({}, chunk, events);
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

  private grow(choice: ChoiceOnTheWire, chunk: Chunk, events: CompletionEvent[]): void {
    const index = choice.index ?? 0;
    const growing = this.choices.get(index) ?? { pieces: [], logprobs: [], finish: undefined };
    this.choices.set(index, growing);
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
  }
}

function toCompletionUsage(usage: z.infer<typeof completionUsage> | undefined): CompletionUsage {
  const { prompt_tokens, completion_tokens, total_tokens } = usage ?? {};
  return present({ prompt_tokens, completion_tokens, total_tokens, cost: reportedCost(usage) });
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

/** Of alternatives with the same text, as with tokens that are parts of a character, the likeliest counts. */
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

/**
 * llama.cpp's own endpoint for text with a suffix; its `/completions` silently ignores a suffix.
 * @see https://github.com/ggml-org/llama.cpp/tree/master/tools/server#post-infill-for-code-infilling
 */
const infillPath = '/infill';

/** Returns the body of a request with a suffix for `/infill`. */
function toInfill(request: CompletionRequest): object {
  const {
    prompt,
    suffix,
    max_tokens,
    repetition_penalty,
    logprobs: _,
    n: _several,
    stream_options: _usage,
    ...rest
  } = request;
  return {
    ...rest,
    input_prefix: prompt,
    input_suffix: suffix,
    prompt: '',
    ...present({ n_predict: max_tokens, repeat_penalty: repetition_penalty }),
  };
}

const infillChunk = z.looseObject({
  content: lenientText,
  model: lenientText,
  stop: lenientFlag,
  stop_type: lenientText,
  tokens_evaluated: lenientNumber,
  tokens_predicted: lenientNumber,
});

/** Whether a chunk is the last one, which contains the counts. */
function isInfillEnd(data: unknown): boolean {
  return infillChunk.safeParse(data).data?.stop === true;
}

/** Converts the chunks of `/infill` into the events of a completion. */
class InfillAssembler {
  private text = '';
  private hasStarted = false;

  push(data: unknown): readonly CompletionEvent[] {
    const { success, data: chunk } = infillChunk.safeParse(data);
    if (!success) return [{ type: 'unknown', raw: data }];
    const { content = '', model, stop, stop_type: stopType, tokens_evaluated: read, tokens_predicted: written } = chunk;
    const events: CompletionEvent[] = this.hasStarted ? [] : [{ type: 'start', ...present({ model }) }];
    this.hasStarted = true;
    this.text += content ?? '';
    if (content) events.push({ type: 'text', index: 0, text: content });
    if (stop !== true) return events;
    const reason = stopType === 'limit' ? 'length' : 'stop';
    const usage = present({ prompt_tokens: read, completion_tokens: written });
    const completion = {
      ...present({ model }),
      choices: [{ index: 0, text: this.text, finish_reason: reason }],
      usage,
    };
    events.push({ type: 'finish', index: 0, reason }, { type: 'usage', usage }, { type: 'end', completion });
    return events;
  }
}
