import { createParser } from 'eventsource-parser';
import { ApiError } from './errors';

export interface SseSink {
  /** Receives the data of one event. */
  onData(text: string): void;
  /** Receives a line that is not part of an event, e.g. a bare JSON error. */
  onStray(line: string): void;
}

export interface SseReader {
  /** Throws `badResponse` if one event exceeds the limit, and whatever the sink throws. */
  push(chunk: Uint8Array): void;
  /** Reads an unfinished event as if a blank line followed. */
  end(): void;
}

/**
 * Reads server-sent events from bytes split anywhere. Ignores event names, ids and comments: an event's kind is in its JSON, and a
 * comment only shows that the service is alive.
 */
export function createSseReader(maxEventChars: number, sink: SseSink): SseReader {
  const decoder = new TextDecoder();
  const parser = createParser({
    maxBufferSize: maxEventChars,
    onEvent: ({ data }) => sink.onData(data),
    onError: ({ type, line }) => {
      if (type === 'max-buffer-size-exceeded') {
        throw new ApiError({
          kind: 'badResponse',
          message: `One event of the stream is longer than ${maxEventChars} characters.`,
          sent: true,
        });
      }
      if (type === 'unknown-field' && line !== undefined) sink.onStray(line);
    },
  });
  return {
    push: (chunk) => parser.feed(decoder.decode(chunk, { stream: true })),
    end: () => parser.feed(`${decoder.decode()}\n\n`),
  };
}
