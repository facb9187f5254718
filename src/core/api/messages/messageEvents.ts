/** A finished block of a response, in the service's own shape; unknown types are retained whole. */
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

/** A response, whole or as far as it was received. */
export interface Message {
  readonly id?: string;
  readonly model?: string;
  readonly content: readonly ContentBlock[];
  /** Any string; absent while streaming or if the service sends none. */
  readonly stop_reason?: string;
  readonly stop_sequence?: string;
  readonly usage: MessageUsage;
}

/**
 * The events of a streamed response, in order. Indexes are this client's (0, 1, 2 … in order of appearance), because the wire's are
 * unreliable. A delta always belongs to a block of its own kind.
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
  /** A kind of event this client does not know, or a line that is not JSON. */
  | { readonly type: 'unknown'; readonly raw: unknown }
  /** The last event of every stream that ended properly. */
  | { readonly type: 'end'; readonly message: Message };
