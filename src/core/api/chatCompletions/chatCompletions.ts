import { chatWayOf, refusesStream, refusesUsage, serviceOf } from '../chat/chatWays';
import { withMessagesInPlace } from '../chat/writtenByMessages';
import type { ClientOptions } from '../clientOptions';
import { eachEvent } from '../eachEvent';
import type { StreamObserver } from '../eachEvent';
import { isApiError } from '../errors';
import type { CallWatch, StreamEvent, Transport } from '../transport/transport';
import { ChatAssembler } from './chatAssembler';

const path = '/chat/completions';

export interface ChatCompletions {
  /**
   * Streams a body written by the user: unchecked and with all its members but `stream`, so that the service validates it. Yields the
   * service's chunks, parsed and otherwise unchanged. `watch` is notified of what happens before them.
   */
  chunks(
    body: WrittenBody,
    options?: { readonly signal?: AbortSignal | undefined; readonly watch?: CallWatch | undefined },
    observer?: StreamObserver<unknown>,
  ): AsyncIterable<unknown>;
}

export interface WrittenBody {
  readonly model: string;
  readonly [member: string]: unknown;
}

export function createChatCompletions(apiTransport: Transport, options: ClientOptions): ChatCompletions {
  const service = serviceOf(options);
  const transport = service === 'anthropic' ? withMessagesInPlace(apiTransport, service) : apiTransport;
  const writtenStream = createWrittenStream(transport, chatWayOf(service).asksUsageOfWritten);
  return {
    chunks(body, options, observer) {
      const assembler = new ChatAssembler();
      const toChunk = (event: StreamEvent, into: unknown[]) => {
        if (event.type !== 'json') return;
        assembler.add(event.data);
        into.push(event.data);
      };
      const hasEnded = () => assembler.isFinished;
      return eachEvent(() => writtenStream(body, { ...options, hasEnded }), toChunk, observer);
    },
  };
}

type OpenWritten = (
  body: WrittenBody,
  options: {
    readonly signal?: AbortSignal | undefined;
    readonly watch?: CallWatch | undefined;
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
