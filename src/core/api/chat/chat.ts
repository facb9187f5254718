import { checkRequest } from '../bounds';
import { ChatAssembler } from '../chatCompletions/chatAssembler';
import { toChatCompletion, toEvents } from '../chatCompletions/chatCompletions';
import { chatCompletionResponse } from '../chatCompletions/chatCompletions.schema';
import type { ClientOptions } from '../clientOptions';
import { eachEvent } from '../eachEvent';
import type { StreamObserver } from '../eachEvent';
import { MessageAssembler, toMessage as readMessage } from '../messages/messageAssembler';
import type { Message, MessageEvent } from '../messages/messageEvents';
import { addEvents, isMessageStop, toBody } from '../messages/messages';
import { messageBounds } from '../messages/messages.bounds';
import { messageRequest, messageResponse } from '../messages/messages.schema';
import type { MessageRequest } from '../messages/messages.schema';
import type { CallWatch, StreamEvent, Transport } from '../transport/transport';
import { fitted } from './adaptedWay';
import { asMeant, readerFor } from './answerReader';
import { ChatAttempts, type Attempt, type NextAttempt } from './chatAttempts';
import { ChatReader, toMessage } from './chatReader';
import { chatPaths, messagesWith } from './chatWays';
import type { Dialect } from './chatWays';
import { toChatBody } from './toChatCompletion';

/** Chat over whichever endpoint the service has. Requests and answers are those of `/messages`, whose bounds hold. */
export interface Chat {
  create(request: MessageRequest, signal?: AbortSignal): Promise<Message>;
  stream(
    request: MessageRequest & { readonly watch?: CallWatch | undefined },
    signal?: AbortSignal,
    observer?: StreamObserver<MessageEvent>,
  ): AsyncIterable<MessageEvent>;
  /** Returns a request as it would be sent now, to be answered as a whole. */
  written(request: MessageRequest): WrittenChat;
}

export interface WrittenChat {
  /** Below the base URL. */
  readonly path: (typeof chatPaths)[Dialect];
  readonly body: object;
}

/**
 * If the service does not have one endpoint, the call goes on with the other, and nothing is billed for the first. Which one is missing
 * is remembered where all missing endpoints are.
 */
export function createChat(transport: Transport, options: ClientOptions): Chat {
  const attempts = new ChatAttempts(options);
  return {
    async create(request, signal) {
      const next = attempts.of(request);
      for (let attempt = next(); ;) {
        try {
          const call = { ...callOf(attempt, request, signal), body: bodyOf(attempt, request) };
          const message =
            attempt.dialect === 'messages'
              ? readMessage(await transport.json({ ...call, response: messageResponse }))
              : toMessage(toChatCompletion(await transport.json({ ...call, response: chatCompletionResponse })));
          attempts.succeeded(request, attempt);
          return asMeant(message, request);
        } catch (error) {
          attempt = next(error);
        }
      }
    },
    stream({ watch, ...request }, signal, observer) {
      const next = attempts.of(request);
      let read: ReadEvent = () => undefined;
      const open = (attempt: Attempt) => {
        const isMessages = attempt.dialect === 'messages';
        const reader = meantReader(isMessages ? messageReader() : chatReader(), request);
        ({ read } = reader);
        const usage = !isMessages && attempt.way.asksUsage ? { stream_options: { include_usage: true } } : {};
        // The transport reads a complete response too.
        const body = { ...bodyOf(attempt, request), ...(attempt.way.streams && { stream: true, ...usage }) };
        const end = { isLast: isMessages ? isMessageStop : undefined, hasEnded: reader.hasEnded };
        return transport.stream({ ...callOf(attempt, request, signal), watch, body, ...end });
      };
      return eachEvent(
        () => firstAnswer(next, open, (attempt) => attempts.succeeded(request, attempt)),
        (event: StreamEvent, into: MessageEvent[]) => read(event, into),
        observer,
      );
    },
    written(request) {
      const attempt = attempts.of(request)();
      return { path: chatPaths[attempt.dialect], body: bodyOf(attempt, request) };
    },
  };
}

type ReadEvent = (event: StreamEvent, into: MessageEvent[]) => void;

function callOf({ dialect }: Attempt, { model }: MessageRequest, signal: AbortSignal | undefined) {
  return { method: 'POST', path: chatPaths[dialect], work: 'text', model, signal } as const;
}

function bodyOf({ dialect, way }: Attempt, given: MessageRequest): object {
  const request = fitted(given, way);
  if (dialect === 'messages') return messagesWith(toBody(request), way);
  checkRequest(request, messageRequest, messageBounds);
  return toChatBody(request, way);
}

/** Reads one stream. */
interface StreamReader {
  readonly read: ReadEvent;
  readonly hasEnded: () => boolean;
}

function messageReader(): StreamReader {
  const assembler = new MessageAssembler();
  return { read: (event, into) => addEvents(event, assembler, into), hasEnded: () => assembler.isFinished };
}

function chatReader(): StreamReader {
  const assembler = new ChatAssembler();
  const reader = new ChatReader();
  return {
    read(event, into) {
      for (const one of toEvents(event, assembler)) reader.push(one, into);
    },
    hasEnded: () => assembler.isFinished,
  };
}

/** Reads a stream as it was meant. */
function meantReader({ read, hasEnded }: StreamReader, request: MessageRequest): StreamReader {
  const meant = readerFor(request);
  return {
    read(event, into) {
      const events: MessageEvent[] = [];
      read(event, events);
      for (const one of events) meant.push(one, into);
    },
    hasEnded,
  };
}

/** Yields the events of the first attempt that begins, and calls `onBegun` with it. */
async function* firstAnswer(
  next: NextAttempt,
  open: (attempt: Attempt) => AsyncIterable<readonly StreamEvent[]>,
  onBegun: (attempt: Attempt) => void,
): AsyncGenerator<readonly StreamEvent[]> {
  for (let attempt = next(); ;) {
    let hasBegun = false;
    try {
      for await (const events of open(attempt)) {
        if (!hasBegun) onBegun(attempt);
        hasBegun = true;
        yield events;
      }
      return;
    } catch (error) {
      if (hasBegun) throw error;
      attempt = next(error);
    }
  }
}
