import { createParser } from 'eventsource-parser';
import { ApiError } from './errors';

/** What server-sent events hold, in order. */
export type SseItem =
  | { readonly type: 'data'; readonly text: string }
  /** A line that is no part of an event, e.g. a bare JSON error. */
  | { readonly type: 'stray'; readonly text: string };

export interface SseReader {
  /** The items this chunk completed. Throws `badResponse` when one event outgrows the limit. */
  push(chunk: Uint8Array): readonly SseItem[];
  /** What was left unfinished, read as if a blank line followed. */
  end(): readonly SseItem[];
}

/**
 * Reads bytes cut anywhere. Event names, ids and comments are passed over: an event's kind is in its JSON, and a comment
 * only shows that the service is alive.
 */
export function createSseReader(maxEventChars: number): SseReader {
  const decoder = new TextDecoder();
  let items: SseItem[] = [];
  const parser = createParser({
    maxBufferSize: maxEventChars,
    onEvent: ({ data }) => items.push({ type: 'data', text: data }),
    onError: ({ type, line }) => {
      if (type === 'max-buffer-size-exceeded') {
        throw new ApiError({
          kind: 'badResponse',
          message: `One event of the stream is longer than ${maxEventChars} characters.`,
          sent: true,
        });
      }
      if (type === 'unknown-field' && line !== undefined) items.push({ type: 'stray', text: line });
    },
  });
  const take = () => {
    const taken = items;
    items = [];
    return taken;
  };
  return {
    push(chunk) {
      parser.feed(decoder.decode(chunk, { stream: true }));
      return take();
    },
    end() {
      parser.feed(`${decoder.decode()}\n\n`);
      return take();
    },
  };
}
