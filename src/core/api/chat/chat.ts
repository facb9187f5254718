import '../../../schema/jitless';
import * as z from 'zod/mini';
import { checkRequest } from '../bounds';
import { ChatAssembler } from '../chatCompletions/chatAssembler';
import type { ClientOptions } from '../clientOptions';
import type { ThinkingMarks } from '../modelOptions.schema';
import { eachEvent } from '../eachEvent';
import { isApiError } from '../errors';
import type { StreamObserver } from '../eachEvent';
import { isObject } from '../isObject';
import { MessageAssembler, toMessage as readMessage } from '../messages/messageAssembler';
import type { Message, MessageEvent } from '../messages/messageEvents';
import { addEvents, isMessageStop, toBody } from '../messages/messages';
import { messageBounds } from '../messages/messages.bounds';
import { messageRequest, messageResponse } from '../messages/messages.schema';
import type { MessageRequest } from '../messages/messages.schema';
import { inKnownForm } from '../otherForms';
import { toText } from '../tolerant';
import type { CallWatch, StreamEvent, Transport } from '../transport/transport';
import { fitted } from './adaptedWay';
import { asMeant, readerFor } from './answerReader';
import { ChatAttempts, type Attempt, type NextAttempt } from './chatAttempts';
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
          const call = {
            ...callOf(attempt, request, signal),
            body: bodyOf(attempt, request, { ...options, isWhole: true }),
          };
          const whole = await transport.json({ ...call, response: wholeAnswers[attempt.dialect] });
          attempts.succeeded(request, attempt);
          return asMeant(messageIn(whole, request), request, marksOf(request, options));
        } catch (error) {
          const message = rescued(error, request);
          if (message?.isComplete) return message.answer;
          attempt = next(error);
        }
      }
    },
    stream({ watch, ...request }, signal, observer) {
      const next = attempts.of(request);
      let reader: StreamReader | undefined;
      const open = (attempt: Attempt) => {
        const isMessages = attempt.dialect === 'messages';
        const { hasEnded } = (reader = meantReader(answerReader(attempt.dialect, request), request, options));
        const usage = !isMessages && attempt.way.asksUsage ? { stream_options: { include_usage: true } } : {};
        // The transport reads a complete response too.
        const { streams } = attempt.way;
        const body = {
          ...bodyOf(attempt, request, { ...options, isWhole: !streams }),
          ...(streams && { stream: true, ...usage }),
        };
        const end = { isLast: isMessageStop, hasEnded };
        return transport.stream({ ...callOf(attempt, request, signal), watch, body, ...end });
      };
      return eachEvent(
        () => {
          const onBegun = (attempt: Attempt) => attempts.succeeded(request, attempt);
          const rescue = (error: unknown) => {
            const found = rescued(error, request);
            return found && { ...found, text: reader?.rest(found.text) ?? found.text };
          };
          return firstAnswer({ next, open, onBegun, rescue });
        },
        (event: StreamEvent, into: MessageEvent[]) => reader?.read(event, into),
        observer,
        (into) => reader?.flush(into),
      );
    },
    written(request) {
      const attempt = attempts.of(request)();
      return { path: chatPaths[attempt.dialect], body: bodyOf(attempt, request, { ...options, isWhole: true }) };
    },
  };
}

function callOf({ dialect }: Attempt, { model }: MessageRequest, signal: AbortSignal | undefined) {
  return { method: 'POST', path: chatPaths[dialect], work: 'text', model, signal } as const;
}

function bodyOf(
  { dialect, way }: Attempt,
  original: MessageRequest,
  { modelOptions, isWhole }: ClientOptions & { readonly isWhole: boolean },
): object {
  const request = fitted(original, way);
  const own = modelOptions?.(original.model).body;
  if (dialect === 'messages') return { ...messagesWith(toBody(request), way), ...own };
  checkRequest(request, messageRequest, messageBounds);
  const body = toChatBody(request, way);
  return { ...body, ...(isWhole && way.thinksOnlyInStreams && { enable_thinking: false }), ...own };
}

function marksOf({ model }: MessageRequest, { modelOptions }: ClientOptions): ThinkingMarks | undefined {
  return modelOptions?.(model).thinkingMarks;
}

/** Complete answers of either endpoint, because gateways also answer one in the form of the other, or with a stream. */
const inAnyForm = z.transform((json: unknown) =>
  Array.isArray(json) && json.length > 0 ? { events: json } : (inKnownForm(json) ?? json),
);
const events = z.object({ events: z.array(z.unknown()) });
const completion = z.looseObject({ choices: z.array(z.unknown()) });
const wholeAnswers = {
  messages: z.pipe(inAnyForm, z.union([messageResponse, completion, events])),
  chatCompletions: z.pipe(inAnyForm, z.union([completion, messageResponse, events])),
};

type WholeAnswer = z.infer<(typeof wholeAnswers)[Dialect]>;

function messageIn(whole: WholeAnswer, request: MessageRequest): Message {
  const chunks = 'choices' in whole ? [whole] : 'events' in whole ? (whole.events as readonly unknown[]) : undefined;
  if (!chunks) return readMessage(whole);
  const reader = answerReader('chatCompletions', request);
  const events: MessageEvent[] = [];
  for (const data of chunks) reader.read({ type: 'json', data }, events);
  reader.read({ type: 'done' }, events);
  const last = events.findLast(({ type }) => type === 'end');
  return last?.type === 'end' ? last.message : { content: [], usage: {} };
}

/** Reads one stream. */
interface StreamReader {
  readonly read: (event: StreamEvent, into: MessageEvent[]) => void;
  readonly hasEnded: () => boolean;
  /** Adds the text that was held back, when the stream breaks off. */
  readonly flush: (into: MessageEvent[]) => void;
  /** Returns what all of the text adds to the text so far. */
  readonly rest: (whole: string) => string;
}

/** Reads the events of either endpoint, those of `dialect` unless the first one shows that they are of the other. */
function answerReader(dialect: Dialect, request: MessageRequest): StreamReader {
  let chosen: StreamReader | undefined;
  const choose = (first: Dialect) => (first === 'messages' ? messageReader() : chatReader(request));
  return {
    read(received, into) {
      const known = received.type === 'json' ? inKnownForm(received.data) : undefined;
      const isOther = received.type === 'json' && known !== undefined && known !== received.data;
      const event: StreamEvent = isOther ? { type: 'json', data: known } : received;
      chosen ??= choose((event.type === 'json' && dialectOf(event.data)) || dialect);
      chosen.read(event, into);
    },
    hasEnded: () => chosen?.hasEnded() ?? false,
    flush: (into) => chosen?.flush(into),
    rest: (whole) => chosen?.rest(whole) ?? whole,
  };
}

function dialectOf(data: unknown): Dialect | undefined {
  if (!isObject(data)) return undefined;
  if (Array.isArray(data['choices'])) return 'chatCompletions';
  const isOfMessage = /^(?:message|message_start|content_block_start)$/.test(toText(data['type']) ?? '');
  return isOfMessage ? 'messages' : undefined;
}

function messageReader(): StreamReader {
  const assembler = new MessageAssembler();
  return {
    read: (event, into) => addEvents(event, assembler, into),
    hasEnded: () => assembler.isFinished,
    flush: (into) => assembler.flush(into),
    rest: (whole) => whole,
  };
}

function chatReader(request: MessageRequest): StreamReader {
  const assembler = new ChatAssembler(
    request.tools?.map(({ name }) => name),
    true,
  );
  return {
    read(event, into) {
      if (event.type === 'json') assembler.push(event.data, into);
      else if (event.type === 'done') assembler.end(into);
      else into.push({ type: 'unknown', raw: event.text });
    },
    hasEnded: () => assembler.isFinished,
    flush: (into) => assembler.flush(into),
    rest: (whole) => assembler.rest(whole),
  };
}

/** Reads a stream as it was meant. */
function meantReader(reader: StreamReader, request: MessageRequest, options: ClientOptions): StreamReader {
  const meant = readerFor(request, marksOf(request, options));
  return {
    ...reader,
    read(event, into) {
      const events: MessageEvent[] = [];
      reader.read(event, events);
      for (const one of events) meant.push(one, into);
    },
    flush(into) {
      const events: MessageEvent[] = [];
      reader.flush(events);
      for (const one of events) meant.push(one, into);
      meant.flush(into);
    },
  };
}

/** The model's text before the service rejected it. */
interface Rescued {
  readonly answer: Message;
  /** As written, without the text streamed before the error. */
  readonly text: string;
  /** Whether it has calls of offered tools, so that the conversation can go on. */
  readonly isComplete: boolean;
}

/** Reads what the model wrote, which some services send with an error because they could not read the call in it. */
function rescued(error: unknown, request: MessageRequest): Rescued | undefined {
  const text = isApiError(error) ? error.details.generated : undefined;
  if (!text) return undefined;
  const answer = asMeant({ content: [{ type: 'text', text }], stop_reason: 'end_turn', usage: {} }, request);
  return { answer, text, isComplete: answer.content.some(({ type }) => type === 'tool_use') };
}

interface FirstAnswer {
  readonly next: NextAttempt;
  readonly open: (attempt: Attempt) => AsyncIterable<readonly StreamEvent[]>;
  readonly onBegun: (attempt: Attempt) => void;
  readonly rescue: (error: unknown) => Rescued | undefined;
}

/** Yields the events of the first attempt that begins, and calls `onBegun` with it. */
async function* firstAnswer({ next, open, onBegun, rescue }: FirstAnswer): AsyncGenerator<readonly StreamEvent[]> {
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
      const found = rescue(error);
      if (found) {
        const choice = { index: 0, delta: { content: found.text }, ...(found.isComplete && { finish_reason: 'stop' }) };
        yield [{ type: 'json', data: { choices: [choice] } }];
        if (!found.isComplete) throw error;
        onBegun(attempt);
        yield [{ type: 'done' }];
        return;
      }
      if (hasBegun) throw error;
      attempt = next(error);
    }
  }
}

/**
 * Resolves with whether a service has an endpoint for chat. Sends requests without content, which every service refuses, so they cost
 * nothing. Throws kind `auth` if the key is refused, and what kept the service from answering. `first`: the endpoint to try first.
 */
export async function hasChat(transport: Transport, first: Dialect, signal?: AbortSignal): Promise<boolean> {
  const paths = first === 'messages' ? Object.values(chatPaths) : Object.values(chatPaths).toReversed();
  for (const path of paths) if (await isThere(transport, path, signal)) return true;
  return false;
}

async function isThere(transport: Transport, path: string, signal: AbortSignal | undefined): Promise<boolean> {
  const call = { method: 'POST', path, work: 'read', signal } as const;
  try {
    await transport.json({ ...call, body: {}, response: z.unknown() });
    return true;
  } catch (error) {
    if (!isApiError(error)) throw error;
    if (['notOffered', 'notFound', 'badResponse'].includes(error.kind)) return false;
    if (error.kind === 'auth' || error.details.status === undefined) throw error;
    return true;
  }
}
