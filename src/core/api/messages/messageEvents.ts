/** A finished block of an answer, in the service's own shape; unknown types are kept whole. */
export type ContentBlock =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'thinking'; readonly thinking: string; readonly signature?: string }
  | { readonly type: 'tool_use'; readonly id: string; readonly name: string; readonly input: unknown }
  | { readonly type: 'unknown'; readonly raw: Readonly<Record<string, unknown>> };

/** Every number is optional: services leave out what they do not count. */
export interface MessageUsage {
  readonly input_tokens?: number;
  readonly output_tokens?: number;
  readonly cache_read_input_tokens?: number;
  readonly cache_creation_input_tokens?: number;
}

/** An answer, whole or as far as it came. */
export interface Message {
  readonly id?: string;
  readonly model?: string;
  readonly content: readonly ContentBlock[];
  /** Any string; unset while streaming or where the service names none. */
  readonly stop_reason?: string;
  readonly stop_sequence?: string;
  readonly usage: MessageUsage;
}

/**
 * What a streamed answer says, in order. Indexes are ours (0, 1, 2 … in order of appearance): the wire's cannot be
 * relied on. A delta always belongs to the block its own kind fits.
 */
export type MessageEvent =
  | { readonly type: 'start'; readonly id?: string; readonly model?: string; readonly usage: MessageUsage }
  | {
      readonly type: 'blockStart';
      readonly index: number;
      readonly block:
        | { readonly type: 'text' | 'thinking' }
        | { readonly type: 'tool_use'; readonly id: string; readonly name: string }
        | { readonly type: 'unknown'; readonly raw: Readonly<Record<string, unknown>> };
    }
  | { readonly type: 'text'; readonly index: number; readonly text: string }
  | { readonly type: 'thinking'; readonly index: number; readonly text: string }
  /** A piece of a tool call's input, as JSON text. */
  | { readonly type: 'toolInput'; readonly index: number; readonly text: string }
  | { readonly type: 'blockStop'; readonly index: number; readonly block: ContentBlock }
  /** An event kind this client does not know, or a line that is not JSON. */
  | { readonly type: 'unknown'; readonly raw: unknown }
  /** The last event of every stream that ended as it should. */
  | { readonly type: 'end'; readonly message: Message };
