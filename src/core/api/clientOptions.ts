import type { Exchange } from './exchange';
import type { OfferStore } from './offers';
import type { GateWait } from './transport/gate';
import type { HttpStack, Timers, Work } from './transport/transport';

export interface ClientOptions {
  /** Ends in the version segment, `https://host/v1`; a slash after it is allowed. */
  readonly baseUrl: string;
  /** Asked before every request, never kept. `undefined`: the call fails with kind `auth`, nothing is sent. */
  readonly apiKey: () => Promise<string | undefined>;
  readonly stack: HttpStack;
  readonly offers: OfferStore;
  /** Every call that was sent, when it ended. Must not throw. */
  readonly onExchange?: ((exchange: Exchange) => void) | undefined;
  /** A call begins that may be paid for without having been ordered, such as a chat; what comes back is called when it ended. */
  readonly onPaidCall?: (() => () => void) | undefined;
  /** A call begins to wait: at a rate limit, or before it is repeated. Must not throw. */
  readonly onWait?: ((wait: GateWait) => void) | undefined;
  /** In place of the defaults, by kind of work. */
  readonly timers?: Readonly<Partial<Record<Work, Partial<Timers>>>> | undefined;
  readonly limits?: ClientLimits | undefined;
  /** Unix milliseconds. */
  readonly clock?: (() => number) | undefined;
  /** 0 up to 1. */
  readonly random?: (() => number) | undefined;
  /** Rejects when the signal aborts. */
  readonly sleep?: ((ms: number, signal?: AbortSignal) => Promise<void>) | undefined;
}

export interface ClientLimits {
  /** An answer read whole is refused beyond it. Default 64 MiB. */
  readonly answerBytes?: number;
  /** An answer of text is ended beyond it, in UTF-8. Default 8 MiB. */
  readonly textBytes?: number;
  /** One event of a stream is refused beyond it. Default 16 Mi characters. */
  readonly eventChars?: number;
  /** How much of each body an exchange keeps. Default 256 Ki characters. */
  readonly exchangeChars?: number;
}
