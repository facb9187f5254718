import { checkRequest, warningsOf, withOwn } from '../bounds';
import type { ClientOptions } from '../clientOptions';
import { eachEvent } from '../eachEvent';
import type { StreamObserver } from '../eachEvent';
import type { CallWatch, StreamEvent, Transport } from '../transport/transport';
import { MessageAssembler, toMessage } from './messageAssembler';
import type { Message, MessageEvent } from './messageEvents';
import { defaultMaxTokens, messageBounds } from './messages.bounds';
import type { MessageParam, MessageRequest } from './messages.schema';
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

export function createMessages(transport: Transport, options: ClientOptions): Messages {
  const bounds = withOwn(messageBounds, options.bounds?.messages);
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
        () =>
          transport.stream({
            ...call,
            body: { ...toBody(request), stream: true },
            isLast: isMessageStop,
            hasEnded: () => assembler.isFinished,
          }),
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
  return {
    ...request,
    messages: request.messages.map(wireMessage),
    max_tokens: request.max_tokens ?? defaultMaxTokens(request.model),
  };
}

/** Calls get back what came with them there, and blocks of other kinds are sent as they came. */
function wireMessage(message: MessageParam): MessageParam {
  const { role, content } = message;
  if (typeof content === 'string' || !content.some(isOwnForm)) return message;
  return { role, content: content.map(wireBlock) };
}

type BlockParam = Exclude<MessageParam['content'], string>[number];

function isOwnForm(block: BlockParam): boolean {
  return block.type === 'unknown' || (block.type === 'tool_use' && block.state !== undefined);
}

function wireBlock(block: BlockParam): BlockParam {
  if (block.type === 'unknown') return block.raw as BlockParam;
  if (block.type !== 'tool_use') return block;
  const { state, ...call } = block;
  return { ...state?.block, ...call };
}

export function addEvents(event: StreamEvent, assembler: MessageAssembler, into: MessageEvent[]): void {
  if (event.type === 'json') assembler.push(event.data, into);
  else if (event.type === 'done') assembler.end(into);
  else into.push({ type: 'unknown', raw: event.text });
}

export function isMessageStop(data: unknown): boolean {
  return typeof data === 'object' && data !== null && 'type' in data && data.type === 'message_stop';
}
