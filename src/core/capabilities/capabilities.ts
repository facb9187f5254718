/** `asked`: the model thinks if the request says so. `always`: thinking cannot be turned off. */
export type Thinking = 'never' | 'asked' | 'always';

/** What a chat model accepts and produces. */
export interface Capabilities {
  readonly tools: boolean;
  readonly images: boolean;
  /** Tokens of the prompt and the answer together. */
  readonly contextTokens: number;
  /** The most tokens of an answer. */
  readonly outputTokens: number;
  readonly thinking: Thinking;
}

/** What one source knows; the next source fills in the rest. */
export type KnownCapabilities = { readonly [Name in keyof Capabilities]?: Capabilities[Name] | undefined };
