import type { Citation } from '../messages/messageEvents';

export interface ChatToolCall {
  readonly id: string;
  readonly name: string;
  /** JSON text as received; "" means no arguments. */
  readonly arguments: string;
  /** Its further properties, which some services want back with it. */
  readonly extra?: Readonly<Record<string, unknown>>;
}

export interface ChatChoice {
  readonly index: number;
  readonly content: string;
  readonly reasoning_content?: string;
  readonly tool_calls: readonly ChatToolCall[];
  /** The name of the reasoning property next to calls, if it wasn't `reasoning_content` with a text. */
  readonly reasoning_name?: 'reasoning_content' | 'reasoning';
  /** As received, with the chunks of one detail joined. */
  readonly reasoning_details?: readonly Readonly<Record<string, unknown>>[];
  /** LiteLLM's signed thinking, and a signature of Google's, likewise. */
  readonly thinking_blocks?: readonly Readonly<Record<string, unknown>>[];
  readonly extra_content?: Readonly<Record<string, unknown>>;
  /** Addresses, most of them with the bytes inside. */
  readonly images?: readonly string[];
  readonly citations?: readonly Citation[];
  /** Any string. Missing if the service sends none. */
  readonly finish_reason?: string;
}

/** Every number is optional, because services omit what they don't count. */
export interface ChatUsage {
  readonly prompt_tokens?: number;
  readonly completion_tokens?: number;
  readonly total_tokens?: number;
  readonly cached_tokens?: number;
  readonly cache_write_tokens?: number;
  readonly reasoning_tokens?: number;
  /** What the request cost in the account's currency, if the service reports it. */
  readonly cost?: number;
}

/** What the first event of a response says of all of it. */
export interface ChatCompletionHead {
  readonly id?: string;
  readonly model?: string;
  /** Unix seconds. */
  readonly created?: number;
  readonly system_fingerprint?: string;
}

/** A response, whole or as far as it was received. */
export interface ChatCompletion extends ChatCompletionHead {
  /** Sorted by `index`. */
  readonly choices: readonly ChatChoice[];
  readonly usage: ChatUsage;
}

/** The events of a streamed response, in order; `index` is the choice. */
export type ChatCompletionEvent =
  | { readonly type: 'start'; readonly id?: string; readonly model?: string }
  | { readonly type: 'text'; readonly index: number; readonly text: string }
  | { readonly type: 'reasoning'; readonly index: number; readonly text: string }
  | {
      readonly type: 'toolCall';
      readonly index: number;
      readonly call: number;
      readonly id: string;
      readonly name: string;
    }
  /** A piece of a call's arguments, as JSON text. */
  | { readonly type: 'toolArguments'; readonly index: number; readonly call: number; readonly text: string }
  /** Its URL, which can contain its bytes. */
  | { readonly type: 'image'; readonly index: number; readonly url: string }
  | { readonly type: 'finish'; readonly index: number; readonly reason: string }
  /** The newest count; later ones replace it. */
  | { readonly type: 'usage'; readonly usage: ChatUsage }
  /** A chunk this client cannot read, or a line that is not JSON. */
  | { readonly type: 'unknown'; readonly raw: unknown }
  /** The last event of every stream that ended properly. */
  | { readonly type: 'end'; readonly completion: ChatCompletion };
