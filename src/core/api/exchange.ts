import type { ApiErrorKind } from './errors';

/** One call as it went over the wire, for the log. The key is nowhere in it. */
export interface Exchange {
  readonly id: string;
  /** Unix milliseconds when the call began. */
  readonly at: number;
  readonly method: string;
  /** Scheme, host and port, `https://host`. */
  readonly origin: string;
  /** A file that an answer named. Who has its address has the file: the path is left out. */
  readonly isResult?: boolean | undefined;
  /** Path and query, without origin. */
  readonly path: string;
  readonly model?: string | undefined;
  /** The last stack used. */
  readonly stack: string;
  /** Every time it was sent, in order; more than one where it was repeated. */
  readonly attempts: readonly ExchangeAttempt[];
  readonly request: ExchangeSide;
  /** Absent where no answer came. */
  readonly response?: (ExchangeSide & { readonly status: number }) | undefined;
  /** The raw events of a stream, as many as fit the cap. */
  readonly events?: readonly ExchangeEvent[] | undefined;
  /** All events that came, also those the cap left out. */
  readonly eventCount?: number | undefined;
  readonly durationMs: number;
  /** From the start of the call to the first byte of a stream's body. */
  readonly firstByteMs?: number | undefined;
  readonly traceId?: string | undefined;
  readonly errorKind?: ApiErrorKind | undefined;
  readonly errorMessage?: string | undefined;
}

export interface ExchangeSide {
  readonly headers: Readonly<Record<string, string>>;
  /** Text, cut at the cap; uploads and binary answers are told by their size only. */
  readonly body?: string | undefined;
  /** Of the whole body, also where the text was cut. */
  readonly bytes: number;
}

export interface ExchangeEvent {
  /** Since the call began. */
  readonly ms: number;
  readonly text: string;
}

export interface ExchangeAttempt {
  /** Since the call began. */
  readonly ms: number;
  readonly stack: string;
  readonly status?: number | undefined;
  readonly errorKind?: ApiErrorKind | undefined;
  /** How long was waited after it before the next. */
  readonly waitedMs?: number | undefined;
}
