/** `asked`: it thinks when a request says so; `always`: it cannot be kept from it. */
export type Thinking = 'never' | 'asked' | 'always';

/** What a chat model takes and gives. */
export interface Capabilities {
  readonly tools: boolean;
  readonly images: boolean;
  /** Tokens of the prompt and the answer together. */
  readonly contextTokens: number;
  /** The most tokens of an answer. */
  readonly outputTokens: number;
  readonly thinking: Thinking;
}

/** What one source knows; the rest is left to the next. */
export type KnownCapabilities = { readonly [Name in keyof Capabilities]?: Capabilities[Name] | undefined };
