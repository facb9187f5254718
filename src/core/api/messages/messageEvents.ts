/** A finished block of a response, in the service's own shape; unknown types are retained whole. */
export type ContentBlock =
  | { readonly type: 'text'; readonly text: string }
  /** `isFromText`: the model wrote it into its text, so no service accepts it back. */
  | {
      readonly type: 'thinking';
      readonly thinking: string;
      readonly signature?: string;
      readonly isFromText?: true;
    }
  | {
      readonly type: 'tool_use';
      readonly id: string;
      readonly name: string;
      readonly input: unknown;
      readonly state?: CallState;
    }
  | { readonly type: 'image'; readonly source: ImageSource; readonly alternative?: string }
  | { readonly type: 'unknown'; readonly raw: Readonly<Record<string, unknown>> };

/** What a service sent with a call, and requires back unchanged. */
export interface CallState {
  /** Further properties of the call in `/chat/completions`. */
  readonly call?: Readonly<Record<string, unknown>>;
  /** Further properties of the message in `/chat/completions`; on its first call only. */
  readonly message?: Readonly<Record<string, unknown>>;
  /** The name under which its thinking came there, if it was not `reasoning_content` with a text; on its first call only. */
  readonly reasoning?: 'reasoning_content' | 'reasoning';
  /** Further properties of the block in `/messages`. */
  readonly block?: Readonly<Record<string, unknown>>;
}

export type ImageSource =
  | { readonly type: 'base64'; readonly media_type: string; readonly data: string }
  | { readonly type: 'url'; readonly url: string };

/** Where something in an answer is from. */
export interface Citation {
  /** Absent if the source is a document that was sent. */
  readonly url?: string;
  readonly title?: string;
}

/** Removes duplicates, so that the others keep their numbers. */
export function uniqueCitations(all: readonly Citation[]): readonly Citation[] {
  const found = new Map<string, Citation>();
  for (const one of all) {
    const key = one.url ?? one.title ?? '';
    const known = found.get(key);
    if (!known || (known.title === undefined && one.title !== undefined)) found.set(key, one);
  }
  return [...found.values()];
}

/** Every number is optional, because services omit what they don't count. */
export interface MessageUsage {
  readonly input_tokens?: number;
  readonly output_tokens?: number;
  readonly cache_read_input_tokens?: number;
  readonly cache_creation_input_tokens?: number;
  /** What the request cost in the account's currency, if the service reports it. */
  readonly cost?: number;
}

/** A response, whole or as far as it was received. */
export interface Message {
  readonly id?: string;
  readonly model?: string;
  readonly content: readonly ContentBlock[];
  /** Any string. Missing while streaming or if the service sends none. */
  readonly stop_reason?: string;
  readonly stop_sequence?: string;
  readonly usage: MessageUsage;
  /** The sources of the answer, in the order of their numbers. */
  readonly citations?: readonly Citation[];
  /** The model wrote a tool call as text that cannot be read, or of a tool that is not offered. */
  readonly unreadCall?: true;
}

/**
 * The events of a streamed response, in order. Indexes are this client's (0, 1, 2 … in order of appearance), because the service's are
 * unreliable. A delta always belongs to a block of its kind.
 */
export type MessageEvent =
  | { readonly type: 'start'; readonly id?: string; readonly model?: string; readonly usage: MessageUsage }
  | {
      readonly type: 'blockStart';
      readonly index: number;
      readonly block:
        | { readonly type: 'text' | 'thinking' | 'image' }
        | { readonly type: 'tool_use'; readonly id: string; readonly name: string }
        | { readonly type: 'unknown'; readonly raw: Readonly<Record<string, unknown>> };
    }
  | { readonly type: 'text'; readonly index: number; readonly text: string }
  | { readonly type: 'thinking'; readonly index: number; readonly text: string }
  /** A piece of a tool call's input, as JSON text. */
  | { readonly type: 'toolInput'; readonly index: number; readonly text: string }
  | { readonly type: 'blockStop'; readonly index: number; readonly block: ContentBlock }
  /** All of the text that came for this block, which has ended, was something else. */
  | { readonly type: 'replace'; readonly index: number; readonly block: ContentBlock }
  /** A kind of event this client does not know, or a line that is not JSON. */
  | { readonly type: 'unknown'; readonly raw: unknown }
  /** The last event of every stream that ended properly. */
  | { readonly type: 'end'; readonly message: Message };
