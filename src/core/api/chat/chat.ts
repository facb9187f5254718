import { checkRequest } from '../bounds';
import { ChatAssembler } from '../chatCompletions/chatAssembler';
import { toChatCompletion, toEvents } from '../chatCompletions/chatCompletions';
import { chatCompletionResponse } from '../chatCompletions/chatCompletions.schema';
import type { ClientOptions } from '../clientOptions';
import { eachEvent } from '../eachEvent';
import type { StreamObserver } from '../eachEvent';
import { ApiError, isApiError } from '../errors';
import { MessageAssembler, toMessage as readMessage } from '../messages/messageAssembler';
import type { Message, MessageEvent } from '../messages/messageEvents';
import { addEvents, isMessageStop, toBody } from '../messages/messages';
import { messageBounds } from '../messages/messages.bounds';
import { messageRequest, messageResponse } from '../messages/messages.schema';
import type { MessageRequest } from '../messages/messages.schema';
import type { CallWatch, StreamEvent, Transport } from '../transport/transport';
import { asMeant, readerFor } from './answerReader';
import { ChatReader, toMessage } from './chatReader';
import { adaptedWay, chatPaths, chatWayOf, messagesWith, serviceOf } from './chatWays';
import type { ChatWay, Dialect } from './chatWays';
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
  const choice = new Choice(options);
  return {
    async create(request, signal) {
      const next = choice.attempts(request.model);
      for (let attempt = next(); ;) {
        try {
          const call = { ...callOf(attempt, request, signal), body: bodyOf(attempt, request) };
          const message =
            attempt.dialect === 'messages'
              ? readMessage(await transport.json({ ...call, response: messageResponse }))
              : toMessage(toChatCompletion(await transport.json({ ...call, response: chatCompletionResponse })));
          return asMeant(message, request);
        } catch (error) {
          attempt = next(error);
        }
      }
    },
    stream({ watch, ...request }, signal, observer) {
      const next = choice.attempts(request.model);
      let read: ReadEvent = () => undefined;
      const open = (attempt: Attempt) => {
        const isMessages = attempt.dialect === 'messages';
        const reader = meantReader(isMessages ? messageReader() : chatReader(), request);
        ({ read } = reader);
        const usage = !isMessages && attempt.way.asksUsage ? { stream_options: { include_usage: true } } : {};
        const body = { ...bodyOf(attempt, request), stream: true, ...usage };
        const end = { isLast: isMessages ? isMessageStop : undefined, hasEnded: reader.hasEnded };
        return transport.stream({ ...callOf(attempt, request, signal), watch, body, ...end });
      };
      return eachEvent(
        () => firstAnswer(next, open),
        (event: StreamEvent, into: MessageEvent[]) => read(event, into),
        observer,
      );
    },
    written(request) {
      const attempt = choice.attempts(request.model)();
      return { path: chatPaths[attempt.dialect], body: bodyOf(attempt, request) };
    },
  };
}

/** Which endpoint and way the next call takes. */
class Choice {
  private readonly way: ChatWay;
  /** What was learned of models. */
  private readonly adapted = new Map<string, ChatWay>();
  /** For addresses without a version, which no missing endpoint is remembered of. */
  private readonly lacking = new Set<Dialect>();

  constructor(private readonly options: ClientOptions) {
    this.way = chatWayOf(serviceOf(options));
  }

  /**
   * Returns a function that gives the first attempt of a call, and after each one that failed without having begun, the next. It throws
   * the error if there is none.
   */
  attempts(model: string): (error?: unknown) => Attempt {
    const left = [...this.dialects()];
    const wayNow = () => this.adapted.get(model) ?? this.way;
    let last: Attempt | undefined;
    return (error) => {
      if (!last) return (last = { dialect: left.shift()!, way: wayNow() });
      if (!isApiError(error)) throw error;
      if (isAboutEndpoint(error)) {
        if (error.kind === 'notFound') this.lacking.add(last.dialect);
        const dialect = left.shift();
        if (dialect) return (last = { dialect, way: wayNow() });
        if (error.kind === 'notOffered') throw neither(error);
      }
      if (error.kind !== 'badRequest') throw error;
      // Another call may have learned it meanwhile.
      const other = wayNow() === last.way ? adaptedWay(last.way, last.dialect, error) : wayNow();
      if (!other) throw error;
      this.adapted.set(model, other);
      return (last = { ...last, way: other });
    };
  }

  private dialects(): readonly [Dialect, Dialect] {
    const { first } = this.way;
    const other = first === 'messages' ? 'chatCompletions' : 'messages';
    return this.isMissing(first) && !this.isMissing(other) ? [other, first] : [first, other];
  }

  private isMissing(dialect: Dialect): boolean {
    const { offers, clock = Date.now } = this.options;
    return this.lacking.has(dialect) || offers.isMissing(`POST ${chatPaths[dialect]}`, clock());
  }
}

/** An address without a version may be wrong, or that of a service that has none. */
function isAboutEndpoint({ kind, details }: ApiError): boolean {
  return kind === 'notOffered' || (kind === 'notFound' && details.hint === 'missingVersion');
}

function neither({ kind, details }: ApiError): ApiError {
  const endpoint = Object.values(chatPaths)
    .map((path) => `POST ${path}`)
    .join(', ');
  return new ApiError({ ...details, kind, endpoint, message: `The service has none of ${endpoint}.` });
}

interface Attempt {
  readonly dialect: Dialect;
  readonly way: ChatWay;
}

type ReadEvent = (event: StreamEvent, into: MessageEvent[]) => void;

function callOf({ dialect }: Attempt, { model }: MessageRequest, signal: AbortSignal | undefined) {
  return { method: 'POST', path: chatPaths[dialect], work: 'text', model, signal } as const;
}

function bodyOf({ dialect, way }: Attempt, request: MessageRequest): object {
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

/** Yields the events of the first attempt that begins. */
async function* firstAnswer(
  next: (error?: unknown) => Attempt,
  open: (attempt: Attempt) => AsyncIterable<readonly StreamEvent[]>,
): AsyncGenerator<readonly StreamEvent[]> {
  for (let attempt = next(); ;) {
    let hasBegun = false;
    try {
      for await (const events of open(attempt)) {
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
