import type { OwnBounds } from './bounds';
import type { Exchange } from './exchange';
import type { Adapted } from './chat/chatAttempts';
import type { LearnedStore } from './learned';
import type { ModelOptions } from './modelOptions.schema';
import type { PriceCurrency } from './models/listedPrices';
import type { OfferStore } from './offers';
import type { GateWait } from './transport/gate';
import type { HttpStack, Timers, Work } from './transport/transport';

export interface ClientOptions {
  /** `https://host/v1`: ends in the version segment, optionally followed by a slash. */
  readonly baseUrl: string;
  /**
   * Called before every request and never cached. If it resolves with `undefined`, the call fails with kind `auth` before anything is sent;
   * with an empty text, the request carries no key.
   */
  readonly apiKey: () => Promise<string | undefined>;
  /** The header that carries the key: `Authorization: Bearer` by default, or `x-api-key` with `anthropic-version`. */
  readonly keyHeader?: 'bearer' | 'x-api-key' | undefined;
  /** The ID of a known service, if the URL identifies it, which determines the format of requests. */
  readonly service?: string | undefined;
  /** Bounds that only this service sets. */
  readonly bounds?: OwnBounds | undefined;
  /** Whether GET /user/info is requested at all. Default true. */
  readonly hasBalance?: boolean | undefined;
  /** The currency of the account, if it is known. */
  readonly currency?: PriceCurrency | undefined;
  /** Whether calls may cost money. Default true. */
  readonly hasPrices?: boolean | undefined;
  /** Whether chat requests in batches don't count toward the rate limits of single ones. Default false. */
  readonly batchesAvoidLimits?: boolean | undefined;
  readonly stack: HttpStack;
  readonly offers: OfferStore;
  /** Facts about the service and its models learned from responses. By default, kept as long as the client. */
  readonly learned?: LearnedStore | undefined;
  /** The user's options for a model. Called for each request. Must not throw. */
  readonly modelOptions?: ((model: string) => ModelOptions) | undefined;
  /** Called when a rejected request is sent again in another form, which is used for the model from then on. Must not throw. */
  readonly onAdapt?: ((adapted: Adapted) => void) | undefined;
  /** Called at the end of every call that was sent. Must not throw. */
  readonly onExchange?: ((exchange: Exchange) => void) | undefined;
  /** Called when a call begins that may be billed but is not a job, such as a chat. Returns a callback to run when the call ends. */
  readonly onPaidCall?: (() => () => void) | undefined;
  /**
   * Called before each attempt of a call that may be charged, including jobs. If it rejects, no request is sent and the call fails with
   * that error unchanged.
   */
  readonly holdPaid?: (() => Promise<void>) | undefined;
  /** Called when a call starts to wait for a rate limit or before a retry. Must not throw. */
  readonly onWait?: ((wait: GateWait) => void) | undefined;
  /** Override the defaults, by kind of work. */
  readonly timers?: Readonly<Partial<Record<Work, Partial<Timers>>>> | undefined;
  readonly limits?: ClientLimits | undefined;
  /** Returns Unix milliseconds. */
  readonly clock?: (() => number) | undefined;
  /** Returns a number from 0 up to, but not including, 1. */
  readonly random?: (() => number) | undefined;
  /** Rejects when the signal aborts. */
  readonly sleep?: ((ms: number, signal?: AbortSignal) => Promise<void>) | undefined;
}

export interface ClientLimits {
  /** Maximum size of a response that is read whole; larger ones are rejected. Default 64 MiB. */
  readonly answerBytes?: number;
  /** The same for a response that can contain images. Defaults to 256 MiB: ten of the largest in base64. */
  readonly pictureBytes?: number;
  /** Maximum UTF-8 size of a text response, which is cut off beyond it. Default 8 MiB. */
  readonly textBytes?: number;
  /** Maximum length of one stream event; longer ones are rejected. Default 16 Mi characters. */
  readonly eventChars?: number;
  /** How much of each body an exchange retains. Default 256 Ki characters. */
  readonly exchangeChars?: number;
}
