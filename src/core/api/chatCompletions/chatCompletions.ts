import type * as z from 'zod/mini';
import { checkRequest, warningsOf, withOwn, type Bounds } from '../bounds';
import { chatWayOf, refusesStream, refusesUsage, serviceOf } from '../chat/chatWays';
import { withMessagesInPlace } from '../chat/writtenByMessages';
import type { ClientOptions } from '../clientOptions';
import { eachEvent } from '../eachEvent';
import type { StreamObserver } from '../eachEvent';
import { isApiError } from '../errors';
import { inKnownForm } from '../otherForms';
import { present } from '../present';
import type { Citation } from '../messages/messageEvents';
import type { CallWatch, StreamEvent, Transport } from '../transport/transport';
import { uniqueCitations } from '../messages/messageEvents';
import { argumentsText, callText, extraOf, mostCalls } from './callPieces';
import {
  beginsThought,
  ChatAssembler,
  finishOf,
  readMessage,
  reasoningNameOf,
  thinkingInBlocks,
} from './chatAssembler';
import { citationsOf, notedIn } from './chatCitations';
import { toChatUsage, usageIn } from './chatUsage';
import type { ChatChoice, ChatCompletion, ChatCompletionEvent } from './chatCompletionEvents';
import { chatCompletionBounds } from './chatCompletions.bounds';
import { chatCompletionRequest, chatCompletionResponse } from './chatCompletions.schema';
import type { ChatCompletionRequest } from './chatCompletions.schema';
import type { ParameterWarning } from '../parameters';

const path = '/chat/completions';

export interface ChatCompletions {
  create(request: ChatCompletionRequest, signal?: AbortSignal): Promise<ChatCompletion>;
  stream(
    request: ChatCompletionRequest,
    signal?: AbortSignal,
    observer?: StreamObserver<ChatCompletionEvent>,
  ): AsyncIterable<ChatCompletionEvent>;
  /** Streams a body written by the user: unchecked and with all its members but `stream`, so that the service validates it. */
  streamWritten(
    body: WrittenBody,
    signal?: AbortSignal,
    observer?: StreamObserver<ChatCompletionEvent>,
  ): AsyncIterable<ChatCompletionEvent>;
  /** The same, but yields the service's chunks, parsed and otherwise unchanged. `watch` is notified of what happens before them. */
  chunks(
    body: WrittenBody,
    options: { readonly signal: AbortSignal; readonly watch: CallWatch },
    observer?: StreamObserver<unknown>,
  ): AsyncIterable<unknown>;
  warnings(request: ChatCompletionRequest): readonly ParameterWarning[];
}

export interface WrittenBody {
  readonly model: string;
  readonly [member: string]: unknown;
}

export function createChatCompletions(apiTransport: Transport, options: ClientOptions): ChatCompletions {
  const service = serviceOf(options);
  const transport = service === 'anthropic' ? withMessagesInPlace(apiTransport, service) : apiTransport;
  const bounds = withOwn(chatCompletionBounds, options.bounds?.chatCompletions);
  const writtenStream = createWrittenStream(transport, chatWayOf(service).asksUsageOfWritten);
  const asEvents = (
    open: (hasEnded: () => boolean) => AsyncIterable<readonly StreamEvent[]>,
    observer: StreamObserver<ChatCompletionEvent> | undefined,
  ) => {
    const assembler = new ChatAssembler();
    const toEach = (event: StreamEvent, into: ChatCompletionEvent[]) => {
      for (const one of toEvents(event, assembler)) into.push(one);
    };
    const flush = (into: ChatCompletionEvent[]) => {
      for (const one of assembler.flush()) into.push(one);
    };
    return eachEvent(() => open(() => assembler.isFinished), toEach, observer, flush);
  };
  return {
    async create(request, signal) {
      check(request, bounds);
      const call = { method: 'POST', path, work: 'text', model: request.model, signal } as const;
      return toChatCompletion(await transport.json({ ...call, body: request, response: chatCompletionResponse }));
    },
    stream(request, signal, observer) {
      const call = { method: 'POST', path, work: 'text', model: request.model, signal } as const;
      return asEvents((hasEnded) => {
        check(request, bounds);
        return transport.stream({ ...call, body: { ...request, stream: true }, hasEnded });
      }, observer);
    },
    streamWritten: (body, signal, observer) =>
      asEvents((hasEnded) => writtenStream(body, { signal, hasEnded }), observer),
    chunks(body, options, observer) {
      const assembler = new ChatAssembler();
      const toChunk = (event: StreamEvent, into: unknown[]) => {
        if (event.type !== 'json') return;
        assembler.push(event.data);
        into.push(event.data);
      };
      const hasEnded = () => assembler.isFinished;
      return eachEvent(() => writtenStream(body, { ...options, hasEnded }), toChunk, observer);
    },
    warnings: (request) => warningsOf(request, bounds),
  };
}

type OpenWritten = (
  body: WrittenBody,
  options: {
    readonly signal: AbortSignal | undefined;
    readonly watch?: CallWatch;
    readonly hasEnded: () => boolean;
  },
) => AsyncIterable<readonly StreamEvent[]>;

/** Returns a function that streams a body; after a refusal of the request for usage, or of the stream, again without it, and so from then on. */
function createWrittenStream(transport: Transport, asksUsage: boolean): OpenWritten {
  /** The models that refused the one or the other. */
  const [withoutUsage, withoutStream] = [new Set<string>(), new Set<string>()];
  return async function* (body, { signal, watch, hasEnded }) {
    const { model } = body;
    const call = { method: 'POST', path, work: 'text', model, signal, watch, hasEnded } as const;
    for (;;) {
      const streams = !withoutStream.has(model);
      const asks = streams && asksUsage && !withoutUsage.has(model) && !('stream_options' in body);
      const usage = asks ? { stream_options: { include_usage: true } } : {};
      const { stream_options: _, ...whole } = body;
      let hasBegun = false;
      try {
        const sent = streams ? { ...body, stream: true, ...usage } : { ...whole, stream: undefined };
        for await (const events of transport.stream({ ...call, body: sent })) {
          hasBegun = true;
          yield events;
        }
        return;
      } catch (error) {
        if (hasBegun || !isApiError(error)) throw error;
        const refused =
          asks && error.kind === 'badRequest' && refusesUsage(error.message)
            ? withoutUsage
            : streams && error.details.status !== undefined && refusesStream(error)
              ? withoutStream
              : undefined;
        if (!refused) throw error;
        refused.add(model);
      }
    }
  };
}

function check(request: ChatCompletionRequest, bounds: Bounds<ChatCompletionRequest>): void {
  checkRequest(request, chatCompletionRequest, bounds);
}

export function toEvents(event: StreamEvent, assembler: ChatAssembler): readonly ChatCompletionEvent[] {
  if (event.type === 'json') return assembler.push(inKnownForm(event.data) ?? event.data);
  return event.type === 'done' ? assembler.end() : [{ type: 'unknown', raw: event.text }];
}

type Wire = z.infer<typeof chatCompletionResponse>;

export function toChatCompletion(wire: Wire): ChatCompletion {
  const { id, model, created, system_fingerprint } = wire;
  const listed = citationsOf(wire);
  const choices = wire.choices
    .map((choice, position) => toChoice(choice, position, listed))
    .sort((left, right) => left.index - right.index);
  return { ...present({ id, model, created, system_fingerprint }), choices, usage: toChatUsage(usageIn(wire)) };
}

function toChoice(choice: Wire['choices'][number], position: number, listed: readonly Citation[]): ChatChoice {
  const { index, message, delta, text } = choice;
  const said = message ?? delta;
  const { reasoning: named, content: messageText, calls, images } = readMessage(said);
  const reasoning = beginsThought(messageText) ? '' : named || thinkingInBlocks(said);
  const content = messageText || (said ? '' : (text ?? ''));
  const citations = listed.length > 0 ? listed : uniqueCitations(notedIn(choice));
  const {
    reasoning_content,
    reasoning: other,
    reasoning_details: details = [],
    thinking_blocks: blocks = [],
  } = said ?? {};
  const name = reasoning_content != null ? 'reasoning_content' : other != null ? 'reasoning' : undefined;
  const tooMany = calls.slice(mostCalls).map((call) => callText(call.function?.name, argumentsText(call)));
  return {
    index: index ?? position,
    content: content + tooMany.join(''),
    ...(reasoning === '' ? {} : { reasoning_content: reasoning }),
    tool_calls: calls.slice(0, mostCalls).map((call) => {
      const extra = extraOf(call);
      return {
        id: call.id ?? '',
        name: call.function?.name ?? '',
        arguments: argumentsText(call),
        ...(Object.keys(extra).length > 0 && { extra }),
      };
    }),
    ...(calls.length > 0 && reasoningNameOf(name, reasoning !== '')),
    ...(calls.length > 0 && details.length > 0 && { reasoning_details: details }),
    ...(calls.length > 0 && blocks.length > 0 && { thinking_blocks: blocks }),
    ...(calls.length > 0 && said?.extra_content && { extra_content: said.extra_content }),
    ...(images.length > 0 && { images }),
    ...(citations.length > 0 && { citations }),
    ...present({ finish_reason: finishOf(choice) }),
  };
}
