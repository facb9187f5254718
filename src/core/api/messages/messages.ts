import { checkRequest, warningsOf } from '../bounds';
import { eachEvent } from '../eachEvent';
import type { StreamObserver } from '../eachEvent';
import type { CallWatch, StreamEvent, Transport } from '../transport/transport';
import { MessageAssembler, toMessage } from './messageAssembler';
import type { Message, MessageEvent } from './messageEvents';
import { defaultMaxTokens, messageBounds } from './messages.bounds';
import type { MessageRequest } from './messages.schema';
import { messageRequest, messageResponse } from './messages.schema';
import type { ParameterWarning } from '../parameters';

const path = '/messages';

export interface Messages {
  create(request: MessageRequest, signal?: AbortSignal): Promise<Message>;
  stream(
    request: MessageRequest & { readonly watch?: CallWatch | undefined },
    signal?: AbortSignal,
    observer?: StreamObserver<MessageEvent>,
  ): AsyncIterable<MessageEvent>;
  warnings(request: MessageRequest): readonly ParameterWarning[];
}

export function createMessages(transport: Transport, bounds = messageBounds): Messages {
  return {
    async create(request, signal) {
      const body = toBody(request);
      const call = { method: 'POST', path, work: 'text', model: request.model, signal } as const;
      return toMessage(await transport.json({ ...call, body, response: messageResponse }));
    },
    stream({ watch, ...request }, signal, observer) {
      const call = { method: 'POST', path, work: 'text', model: request.model, signal, watch } as const;
      const assembler = new MessageAssembler();
      return eachEvent(
        () => transport.stream({ ...call, body: { ...toBody(request), stream: true }, isLast: isMessageStop }),
        (event, into) => addEvents(event, assembler, into),
        observer,
      );
    },
    warnings: (request) => warningsOf(request, bounds),
  };
}

/** Returns the body to send. Throws `invalidParameter`. */
export function toBody(request: MessageRequest): MessageRequest & { readonly max_tokens: number } {
  checkRequest(request, messageRequest, messageBounds);
  return { ...request, max_tokens: request.max_tokens ?? defaultMaxTokens(request.model) };
}

export function addEvents(event: StreamEvent, assembler: MessageAssembler, into: MessageEvent[]): void {
  if (event.type === 'json') assembler.push(event.data, into);
  else if (event.type === 'done') assembler.end(into);
  else into.push({ type: 'unknown', raw: event.text });
}

export function isMessageStop(data: unknown): boolean {
  return typeof data === 'object' && data !== null && 'type' in data && data.type === 'message_stop';
}
