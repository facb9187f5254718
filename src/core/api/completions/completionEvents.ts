/** Logprobs of a text, token by token; the lists are parallel. */
export interface TokenLogprobs {
  readonly tokens: readonly string[];
  /** `null` for a missing value, e.g. for the first token of a prompt. */
  readonly token_logprobs: readonly (number | null)[];
  /** Per token: alternative -> logprob. */
  readonly top_logprobs?: readonly (Readonly<Record<string, number>> | null)[];
}

export interface CompletionChoice {
  readonly index: number;
  readonly text: string;
  /** Any string. Missing if the service sends none. */
  readonly finish_reason?: string;
  readonly logprobs?: TokenLogprobs;
}

/** Every number is optional, because services omit what they don't count. */
export interface CompletionUsage {
  readonly prompt_tokens?: number;
  readonly completion_tokens?: number;
  readonly total_tokens?: number;
  /** What the request cost in the account's currency, if the service reports it. */
  readonly cost?: number;
}

/** What the first event of a response says of all of it. */
export interface CompletionHead {
  readonly id?: string;
  readonly model?: string;
  /** Unix seconds. */
  readonly created?: number;
  /** Changes with the service's back end; the same seed may then give another response. */
  readonly system_fingerprint?: string;
}

/** A completion, whole or as far as it was received. */
export interface Completion extends CompletionHead {
  /** Sorted by `index`. */
  readonly choices: readonly CompletionChoice[];
  readonly usage: CompletionUsage;
  /** The prompt as the service read it, if it returns it. */
  readonly prompt?: readonly { readonly text: string; readonly logprobs?: TokenLogprobs }[];
}

/** The events of a streamed completion, in order. */
export type CompletionEvent =
  | { readonly type: 'start'; readonly id?: string; readonly model?: string }
  | { readonly type: 'text'; readonly index: number; readonly text: string; readonly logprobs?: TokenLogprobs }
  | { readonly type: 'finish'; readonly index: number; readonly reason: string }
  /** The newest count; later ones replace it. */
  | { readonly type: 'usage'; readonly usage: CompletionUsage }
  /** A chunk this client cannot read, or a line that is not JSON. */
  | { readonly type: 'unknown'; readonly raw: unknown }
  /** The last event of every stream that ended properly. */
  | { readonly type: 'end'; readonly completion: Completion };
