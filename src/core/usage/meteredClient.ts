import { ChatAssembler } from '../api/chatCompletions/chatAssembler';
import type { Client } from '../api/client';
import type { CompletionEvent } from '../api/completions/completionEvents';
import type { StreamObserver } from '../api/eachEvent';
import { mayBeBilled } from '../api/errors';
import type { MessageEvent, MessageUsage } from '../api/messages/messageEvents';
import { countInputTokens } from '../tokens/countTokens';
import type { UnitPrices } from '../api/models/listedPrices';
import { tokenCost } from '../prices/prices';
import { nothingHeld, type HeldMoney } from './daySpending';
import type { LearnedTokens } from '../tokens/learnedTokens';
import type { DayTokens } from './dayTokens';
import { inputCount, type UsageSource } from './usage';
import type { HeldTokens } from './usageLedger';
import { toUsage, usageOf } from './usageOf';
import type { CallUsage, TokenCalls } from './usageOf';

/** The purposes of calls with a separate budget, or whose user interface shows how much of the budget is left. */
export type Purpose = 'ghostText' | 'tools' | 'chat';

const sources = { chat: 'chat', ghostText: 'inlineSuggestions', tools: 'tools' } as const satisfies Record<
  Purpose,
  UsageSource
>;

export interface CallUse {
  readonly purpose?: Purpose | undefined;
  /** The source of the usage, by default derived from the purpose. */
  readonly source?: UsageSource | undefined;
  /** Called once for each call that used tokens, however it ended. */
  readonly onUsage?: ((usage: CallUsage) => void) | undefined;
}

/** Functions that improve the counts, and limit requests to the spending cap. */
export interface MeterHelp {
  /** Learns from the counts of the service, and corrects the estimates. */
  readonly learned?: LearnedTokens | undefined;
  /** Returns the prices of a model, for responses that don't say what they cost. */
  readonly pricesOf?: ((model: string) => UnitPrices | undefined) | undefined;
  /** Reserves what a request is expected to cost. Throws if that would exceed the spending cap of today. */
  readonly holdMoney?: ((request: { readonly model: string }, source: UsageSource) => Promise<HeldMoney>) | undefined;
}

/**
 * Returns the client with every call that uses tokens metered: no request is sent once a budget is used, and the usage of each response is
 * counted once, however it ends. A failed call counts as an estimate of the request if it may be charged, otherwise as nothing. A response
 * that was abandoned or broke off counts as far as it was read. Images, videos, speech, and batches use no tokens.
 */
export function meteredClient(
  client: Client,
  tokens: DayTokens,
  { purpose, source, onUsage }: CallUse = {},
  help: MeterHelp = {},
): Client {
  const { chat, messages, completions, chatCompletions, rerank, embeddings } = client;
  const meter = new Meter(tokens, source ?? (purpose ? sources[purpose] : 'other'), onUsage, help);
  return Object.freeze<Client>({
    ...client,
    chat: {
      ...chat,
      create: meter.whole('messages', (...call) => chat.create(...call)),
      stream: (request, signal) => chat.stream(request, signal, meter.stream('messages', request, gatherMessage())),
    },
    messages: {
      ...messages,
      create: meter.whole('messages', (...call) => messages.create(...call)),
      stream: (request, signal) => messages.stream(request, signal, meter.stream('messages', request, gatherMessage())),
    },
    completions: {
      ...completions,
      create: meter.whole('completions', (...call) => completions.create(...call)),
      stream: (request, signal) =>
        completions.stream(request, signal, meter.stream('completions', request, gatherCompletion())),
    },
    chatCompletions: {
      chunks: (body, options) =>
        chatCompletions.chunks(body, options, meter.stream('chatCompletions', body, gatherChunks())),
    },
    rerank: { ...rerank, create: meter.whole('rerank', (...call) => rerank.create(...call)) },
    embeddings: { ...embeddings, create: meter.whole('embeddings', (...call) => embeddings.create(...call)) },
  });
}

type Sent<Noun extends keyof TokenCalls> = TokenCalls[Noun][0] & { readonly model: string };

class Meter {
  constructor(
    private readonly tokens: DayTokens,
    private readonly source: UsageSource,
    private readonly onUsage: ((usage: CallUsage) => void) | undefined,
    private readonly help: MeterHelp,
  ) {}

  /** Meters calls with a complete response. Rankings and embeddings can use a large part of a budget at once, so they reserve it. */
  whole<Noun extends keyof TokenCalls, Request extends Sent<Noun>, Answer extends TokenCalls[Noun][1]>(
    noun: Noun,
    create: (request: Request, signal?: AbortSignal) => Promise<Answer>,
  ): (request: Request, signal?: AbortSignal) => Promise<Answer> {
    const reserves = noun === 'rerank' || noun === 'embeddings';
    return async (request, signal) => {
      const held = await this.hold(request, reserves);
      try {
        signal?.throwIfAborted();
        const answer = await create(request, signal);
        this.count(noun, request, answer);
        return answer;
      } catch (error) {
        if (mayBeBilled(error)) this.count(noun, request);
        throw error;
      } finally {
        held.release();
      }
    };
  }

  /** Meters one stream. */
  stream<Noun extends keyof TokenCalls, Event>(
    noun: Noun,
    request: Sent<Noun>,
    answer: Gathered<Event, TokenCalls[Noun][1]>,
  ): StreamObserver<Event> {
    let held: HeldTokens | undefined;
    let hasBegun = false;
    return {
      before: async () => {
        held = await this.hold(request, false);
      },
      onEvent(event) {
        hasBegun = true;
        answer.add(event);
      },
      onEnd: (error) => {
        if (hasBegun || mayBeBilled(error)) this.count(noun, request, answer.read());
        held?.release();
      },
    };
  }

  /** Reserves the tokens, if `reserves` is set, and the price of a request until they are counted. Throws if a limit doesn't allow it. */
  private async hold(request: { readonly model: string }, reserves: boolean): Promise<HeldTokens> {
    await this.help.learned?.load();
    const tokens = await this.tokens.check(
      reserves ? Math.ceil(countInputTokens(request) * this.factorOf(request.model)) : 0,
    );
    try {
      const money = (await this.help.holdMoney?.(request, this.source)) ?? nothingHeld;
      return {
        release: () => {
          tokens.release();
          void money.release(this.tokens.settled());
        },
      };
    } catch (error) {
      tokens.release();
      throw error;
    }
  }

  private count<Noun extends keyof TokenCalls>(noun: Noun, request: Sent<Noun>, answer?: TokenCalls[Noun][1]): void {
    const { model } = request;
    const counted = usageOf(noun, request, answer, this.factorOf(model));
    const prices = counted.cost === undefined ? this.help.pricesOf?.(model) : undefined;
    const cost = prices && tokenCost(prices, counted);
    const usage = cost === undefined ? counted : { ...counted, cost };
    const { learned } = this.help;
    if (!usage.inputIsEstimate) learned?.learnInput(model, countInputTokens(request), usage.inputTokens);
    if (!usage.outputIsEstimate) learned?.learnOutput(model, this.source, usage.outputTokens);
    this.tokens.add(toUsage(usage), model, this.source);
    this.onUsage?.(usage);
  }

  private factorOf(model: string): number {
    return this.help.learned?.factorOf(model) ?? 1;
  }
}

/** Gathers of an answer what its usage depends on. */
interface Gathered<Event, Answer> {
  add(event: Event): void;
  read(): Answer;
}

function gatherMessage(): Gathered<MessageEvent, TokenCalls['messages'][1]> {
  let begun: MessageUsage = {};
  let ended: MessageUsage = {};
  let text = '';
  return {
    add(event) {
      if (event.type === 'start') begun = event.usage;
      else if (event.type === 'end') ended = event.message.usage;
      else if (event.type === 'text' || event.type === 'thinking' || event.type === 'toolInput') text += event.text;
    },
    read() {
      const { input_tokens: atStart } = begun;
      const { input_tokens: atEnd, ...counts } = ended;
      // At its start an answer has no output count yet, and services that count only at the end send 0.
      const input = inputCount(atEnd) ?? atStart;
      return {
        content: [{ type: 'text', text }],
        usage: { ...counts, ...(input !== undefined && { input_tokens: input }) },
      };
    },
  };
}

function gatherCompletion(): Gathered<CompletionEvent, TokenCalls['completions'][1]> {
  const texts = new Map<number, string>();
  let usage: TokenCalls['completions'][1]['usage'] = {};
  return {
    add(event) {
      if (event.type === 'text') texts.set(event.index, (texts.get(event.index) ?? '') + event.text);
      else if (event.type === 'usage') usage = event.usage;
    },
    read: () => ({ choices: [...texts].map(([index, text]) => ({ index, text })), usage }),
  };
}

function gatherChunks(): Gathered<unknown, TokenCalls['chatCompletions'][1]> {
  const assembler = new ChatAssembler();
  return {
    add: (chunk) => assembler.add(chunk),
    read() {
      assembler.flush([]);
      return assembler;
    },
  };
}
