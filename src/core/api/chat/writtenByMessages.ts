import type { WrittenBody } from '../chatCompletions/chatCompletions';
import { MessageAssembler } from '../messages/messageAssembler';
import type { MessageEvent } from '../messages/messageEvents';
import { addEvents, isMessageStop, toBody } from '../messages/messages';
import { present } from '../present';
import type { StreamEvent, Transport } from '../transport/transport';
import { chatWayOf, messagesWith } from './chatWays';
import { toMessageRequest } from './toMessageRequest';

/**
 * Returns a transport to Anthropic that streams a user-written chat completion, such as a line of a batch file, through `/messages`, as far
 * as it can be converted. Its events are chunks like those of `/chat/completions`, which Anthropic has for tests only.
 */
export function withMessagesInPlace(transport: Transport, service: string | undefined): Transport {
  return {
    ...transport,
    stream(call) {
      const request = toMessageRequest(call.body as WrittenBody);
      if (!request) return transport.stream(call);
      const body = { ...messagesWith(toBody(request), chatWayOf(service)), stream: true };
      const assembler = new MessageAssembler();
      const end = { isLast: isMessageStop, hasEnded: () => assembler.isFinished };
      return asChunks(transport.stream({ ...call, path: '/messages', body, ...end }), assembler);
    },
  };
}

async function* asChunks(
  batches: AsyncIterable<readonly StreamEvent[]>,
  assembler: MessageAssembler,
): AsyncGenerator<readonly StreamEvent[]> {
  const writer = new ChunkWriter();
  for await (const batch of batches) {
    const events: MessageEvent[] = [];
    for (const event of batch) addEvents(event, assembler, events);
    const chunks = events.flatMap((event) => writer.write(event));
    yield chunks.map((data): StreamEvent => ({ type: 'json', data }));
  }
  yield [{ type: 'done' }];
}

const finishReasons: Readonly<Record<string, string>> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  max_tokens: 'length',
  tool_use: 'tool_calls',
  refusal: 'content_filter',
};

/** Writes the events of a message as chunks of a chat completion. */
class ChunkWriter {
  private head: object = { object: 'chat.completion.chunk' };
  /** The number of each call, by its block, and whether any of its input has come. */
  private readonly calls = new Map<number, { readonly index: number; hasInput: boolean }>();

  write(event: MessageEvent): readonly object[] {
    switch (event.type) {
      case 'start':
        this.head = { ...this.head, ...present({ id: event.id, model: event.model }) };
        return [this.chunk({ role: 'assistant', content: '' })];
      case 'text':
        return [this.chunk({ content: event.text })];
      case 'thinking':
        return [this.chunk({ reasoning_content: event.text })];
      case 'blockStart':
        return event.block.type === 'tool_use' ? [this.begin(event.index, event.block)] : [];
      case 'toolInput':
        return this.grow(event.index, event.text);
      case 'blockStop': {
        // Its input came with its start.
        const isUnsaid = event.block.type === 'tool_use' && this.calls.get(event.index)?.hasInput === false;
        return isUnsaid && event.block.type === 'tool_use'
          ? this.grow(event.index, JSON.stringify(event.block.input))
          : [];
      }
      case 'end': {
        const { stop_reason: reason, usage } = event.message;
        const { input_tokens: prompt_tokens, output_tokens: completion_tokens } = usage;
        const finish = reason === undefined ? {} : { finish_reason: finishReasons[reason] ?? reason };
        return [{ ...this.chunk({}, finish), usage: present({ prompt_tokens, completion_tokens }) }];
      }
      case 'replace':
      case 'unknown':
        return [];
    }
  }

  private begin(block: number, { id, name }: { readonly id: string; readonly name: string }): object {
    const index = this.calls.size;
    this.calls.set(block, { index, hasInput: false });
    return this.chunk({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] });
  }

  private grow(block: number, text: string): readonly object[] {
    const call = this.calls.get(block);
    if (!call) return [];
    call.hasInput = true;
    return [this.chunk({ tool_calls: [{ index: call.index, function: { arguments: text } }] })];
  }

  private chunk(delta: object, choice: object = {}): object {
    return { ...this.head, choices: [{ index: 0, delta, ...choice }] };
  }
}
