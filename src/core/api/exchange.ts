import type { ApiErrorKind } from './errorKinds';

/** One call as it went over the wire, for the log. Contains the key nowhere. */
export interface Exchange {
  readonly id: string;
  /** Unix milliseconds when the call began. */
  readonly at: number;
  readonly method: string;
  /** Scheme, host and port, `https://host`. */
  readonly origin: string;
  /** Set for a file named in a response. Its path is omitted, because the URL gives access to the file. */
  readonly isResult?: boolean | undefined;
  /** Path and query, without origin. */
  readonly path: string;
  readonly model?: string | undefined;
  /** The last HTTP stack used. */
  readonly stack: string;
  /** All attempts, in order. More than one if the call was retried. */
  readonly attempts: readonly ExchangeAttempt[];
  readonly request: ExchangeSide;
  /** Absent if no response arrived. */
  readonly response?: (ExchangeSide & { readonly status: number }) | undefined;
  /** The raw events of a stream, as many as fit the limit. */
  readonly events?: readonly ExchangeEvent[] | undefined;
  /** Number of all events received, including those beyond the limit. */
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
  /** Text, truncated at the limit; absent for uploads and binary responses, which have only their size. */
  readonly body?: string | undefined;
  /** Size of the whole body, even if the text is truncated. */
  readonly bytes: number;
}

export interface ExchangeEvent {
  /** Since the start of the call. */
  readonly ms: number;
  readonly text: string;
}

export interface ExchangeAttempt {
  /** Since the start of the call. */
  readonly ms: number;
  readonly stack: string;
  readonly status?: number | undefined;
  readonly errorKind?: ApiErrorKind | undefined;
  /** How long the client waited after this attempt before the next. */
  readonly waitedMs?: number | undefined;
}
