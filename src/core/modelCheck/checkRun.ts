import { chatWayOf } from '../api/chat/chatWays';
import { toChatBody } from '../api/chat/toChatCompletion';
import type { Client } from '../api/client';
import { isApiError, type ApiError } from '../api/errors';
import type { Exchange } from '../api/exchange';
import type { LearnedStore } from '../api/learned';
import type { Message } from '../api/messages/messageEvents';
import type { MessageRequest } from '../api/messages/messages.schema';
import type { ModelInfo } from '../api/models/models.schema';
import type { KnownCapabilities } from '../capabilities/capabilities';
import { numberFormat } from '../../protocol/formats';
import { rawAnswerOf, type RawAnswer } from './rawAnswer';
import { serverOption, type OptionNeed } from './serverOptions';

export type CheckResult = 'works' | 'limited' | 'fails' | 'notOffered' | 'notChecked';

export type CheckId =
  | 'answers'
  | 'streams'
  | 'ends'
  | 'continues'
  | 'reasoning'
  | 'toolCall'
  | 'toolResult'
  | 'jsonMode'
  | 'images'
  | 'logProbabilities'
  | 'context'
  | 'responseLength'
  | 'ranks'
  | 'scores';

/** The result of one check. Texts are localized. */
export interface Finding {
  readonly result: CheckResult;
  readonly evidence: string;
  /** The exchange that shows it, if a request was sent for it. */
  readonly exchangeId?: string | undefined;
  /** The server option that changes it. */
  readonly option?: string | undefined;
}

export type Findings = Readonly<Partial<Record<CheckId, Finding>>>;

export interface ModelToCheck {
  /** Its exchanges are those that `exchanges` returns. */
  readonly client: Client;
  readonly exchanges: () => readonly Exchange[];
  /** The store of the client. What is found goes there too. */
  readonly learned: LearnedStore;
  readonly model: string;
  readonly kind: 'chat' | 'rerank';
  /** The ID of the known service at the URL. */
  readonly service: string | undefined;
  /** The capabilities known without a check. */
  readonly known: KnownCapabilities;
  /** For numbers in texts. */
  readonly language: string;
  /** Returns Unix milliseconds. */
  readonly now: () => number;
}

/** One request, and what came of it. */
export interface Sent {
  /** The client's result from the response. */
  readonly message: Message | undefined;
  readonly error: ApiError | undefined;
  readonly exchange: Exchange | undefined;
  readonly raw: RawAnswer;
}

/** The state of one check of a model. */
export class CheckRun {
  findings: Findings = {};
  requests = 0;
  tokens = 0;
  firstError: ApiError | undefined;
  /** The answer to the first question, which several checks read. */
  first: Sent | undefined;
  /** The question about a tool and the answer to it. */
  called: { readonly request: MessageRequest; readonly message: Message } | undefined;
  /** Sizes that the service reported. */
  limits: { readonly contextTokens?: number; readonly outputTokens?: number } = {};
  /** The models of the service, as its list describes them. */
  listed: readonly ModelInfo[] = [];
  listing: Sent | undefined;
  private seen = 0;

  constructor(
    readonly subject: ModelToCheck,
    readonly signal: AbortSignal,
  ) {
    this.seen = subject.exchanges().length;
  }

  get service(): string | undefined {
    return this.subject.learned.service ?? this.subject.service;
  }

  number(value: number, digits = 0): string {
    return numberFormat(this.subject.language, { maximumFractionDigits: digits }).format(value);
  }

  option(need: OptionNeed, tokens?: number): string | undefined {
    return serverOption(this.service, need, this.subject.model, tokens);
  }

  /** Reads the list of models, which also identifies the program that serves them. */
  async readList(): Promise<void> {
    this.listing = await this.sending(async () => {
      this.listed = await this.subject.client.models.list({}, this.signal);
    });
    this.requests = 0;
  }

  /** Sends a chat as the product does. */
  chat(request: Omit<MessageRequest, 'model'>): Promise<Sent> {
    const { client, model } = this.subject;
    return this.sending(async (keep) => {
      for await (const event of client.chat.stream({ ...request, model }, this.signal))
        if (event.type === 'end') keep(event.message);
    });
  }

  /** Sends a chat completion with properties that only that endpoint has. */
  completion(request: Omit<MessageRequest, 'model'>, more: Readonly<Record<string, unknown>>): Promise<Sent> {
    const { client, model, learned } = this.subject;
    const way = { ...chatWayOf(this.service), ...learned.of(model).way };
    const body = { ...toChatBody({ ...request, model }, way), ...more };
    return this.sending(async () => {
      for await (const _ of client.chatCompletions.chunks(body, { signal: this.signal }));
    });
  }

  /** Runs a call and returns its last exchange. Rejects only if it was stopped. */
  async sending(call: (keep: (message: Message) => void) => Promise<void>): Promise<Sent> {
    let message: Message | undefined;
    let error: ApiError | undefined;
    try {
      await call((one) => (message = one));
    } catch (thrown) {
      this.signal.throwIfAborted();
      if (!isApiError(thrown)) throw thrown;
      error = thrown;
    }
    const exchanges = this.subject.exchanges().slice(this.seen);
    this.seen += exchanges.length;
    this.requests += exchanges.length;
    const exchange = exchanges.at(-1);
    const raw = rawAnswerOf(exchange);
    this.tokens += (raw.inputTokens ?? 0) + (raw.outputTokens ?? 0);
    // A server that never ends an answer is reported only by the row for ends.
    const isUnended = error?.kind === 'truncated' && this.findings.ends?.result === 'fails';
    return {
      message,
      error: isUnended && (raw.text !== '' || raw.calls.length > 0) ? undefined : error,
      exchange,
      raw,
    };
  }
}
