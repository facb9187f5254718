import { randomUUID } from 'node:crypto';
import type {
  ChatChoice,
  ChatCompletion,
  ChatCompletionEvent,
  ChatUsage,
} from '../chatCompletions/chatCompletionEvents';
import { createBlock } from '../messages/blockBuilder';
import type { BlockBuilder } from '../messages/blockBuilder';
import type { Message, MessageEvent, MessageUsage } from '../messages/messageEvents';
import { present } from '../present';

/**
 * Converts the events of a chat completion into those of a message, of its first choice: reasoning becomes thinking, each call of a tool a
 * block with an id of its own. A call whose name comes late appears when the name is there, with all its pieces.
 */
export class ChatReader {
  private readonly blocks: BlockBuilder[] = [];
  private readonly calls = new Map<number, BlockBuilder>();
  /** Pieces of calls that have no name yet. */
  private readonly nameless = new Map<number, string[]>();
  private readonly ids = new Set<string>();
  /** The text or thinking that is still growing. */
  private growing: BlockBuilder | undefined;

  /** Adds the events of one event to `into`. */
  push(event: ChatCompletionEvent, into: MessageEvent[]): void {
    switch (event.type) {
      case 'start':
        into.push({ type: 'start', ...present({ id: event.id, model: event.model }), usage: {} });
        break;
      case 'text':
      case 'reasoning':
        if (event.index === 0) this.grow(event.type === 'text' ? 'text' : 'thinking', event.text, into);
        break;
      case 'toolCall':
        if (event.index === 0) this.onCall(event, into);
        break;
      case 'toolArguments':
        if (event.index === 0) this.onArguments(event.call, event.text, into);
        break;
      case 'unknown':
        into.push(event);
        break;
      case 'end':
        this.end(event.completion, into);
        break;
      case 'finish':
      case 'usage':
    }
  }

  private grow(kind: 'text' | 'thinking', text: string, into: MessageEvent[]): void {
    if (this.growing?.kind !== kind) {
      this.close(into);
      this.growing = this.open(createBlock({ type: kind }, undefined), into);
    }
    this.growing.append(text);
    into.push({ type: kind, index: this.growing.index!, text });
  }

  private onCall({ call, id, name }: { call: number; id: string; name: string }, into: MessageEvent[]): void {
    this.close(into);
    if (name === '') this.nameless.set(call, []);
    else this.openCall(call, { id, name }, into);
  }

  private onArguments(call: number, text: string, into: MessageEvent[]): void {
    const block = this.calls.get(call);
    if (!block) return void this.nameless.get(call)?.push(text);
    block.append(text);
    into.push({ type: 'toolInput', index: block.index!, text });
  }

  private openCall(call: number, { id, name }: { id: string; name: string }, into: MessageEvent[]): void {
    const block = createBlock({ type: 'tool_use', id: ownId(id, this.ids), name }, undefined);
    this.calls.set(call, this.open(block, into));
  }

  private open(block: BlockBuilder, into: MessageEvent[]): BlockBuilder {
    block.index = this.blocks.length;
    this.blocks.push(block);
    into.push({ type: 'blockStart', index: block.index, block: block.start() });
    return block;
  }

  /** Ends a text or thinking. Calls end with the answer, because their pieces may come in turns. */
  private close(into: MessageEvent[]): void {
    if (this.growing) stop(this.growing, into);
    this.growing = undefined;
  }

  private end(completion: ChatCompletion, into: MessageEvent[]): void {
    const choice = completion.choices.find(({ index }) => index === 0);
    this.close(into);
    this.tellNameless(choice, into);
    for (const block of this.calls.values()) stop(block, into);
    const content = this.blocks.map((block) => block.finish());
    into.push({ type: 'end', message: { ...headOf(completion, choice), content } });
  }

  /** A call that never got a name is none: nobody could answer it, and no service would take it back. */
  private tellNameless(choice: ChatChoice | undefined, into: MessageEvent[]): void {
    const order = [...this.calls.keys(), ...this.nameless.keys()].sort((left, right) => left - right);
    for (const [call, pieces] of this.nameless) {
      const known = choice?.tool_calls[order.indexOf(call)];
      if (!known || known.name === '') continue;
      this.openCall(call, known, into);
      for (const piece of pieces) this.onArguments(call, piece, into);
    }
  }
}

function stop(block: BlockBuilder, into: MessageEvent[]): void {
  into.push({ type: 'blockStop', index: block.index!, block: block.finish() });
}

/** Converts an answer that was received whole. */
export function toMessage(completion: ChatCompletion): Message {
  const choice = completion.choices[0];
  const { reasoning_content: reasoning = '', content = '', tool_calls: calls = [] } = choice ?? {};
  const ids = new Set<string>();
  const blocks = [
    ...(reasoning === '' ? [] : [createBlock({ type: 'thinking', thinking: reasoning }, undefined)]),
    ...(content === '' ? [] : [createBlock({ type: 'text', text: content }, undefined)]),
    ...calls.flatMap(({ id, name, arguments: written }) => {
      if (name === '') return [];
      const block = createBlock({ type: 'tool_use', id: ownId(id, ids), name }, undefined);
      block.append(written);
      return [block];
    }),
  ];
  return { ...headOf(completion, choice), content: blocks.map((block) => block.finish()) };
}

/** Some services send no ids, or the same one for every call. Nine letters and digits are what every service takes back. */
function ownId(id: string, taken: Set<string>): string {
  const own = id !== '' && !taken.has(id) ? id : randomUUID().replaceAll('-', '').slice(0, 9);
  taken.add(own);
  return own;
}

function headOf({ id, model, usage }: ChatCompletion, choice: ChatChoice | undefined): Omit<Message, 'content'> {
  return { ...present({ id, model, stop_reason: stopReasonOf(choice) }), usage: toMessageUsage(usage) };
}

const stopReasons: Readonly<Record<string, string>> = {
  stop: 'end_turn',
  eos: 'end_turn',
  length: 'max_tokens',
  model_length: 'max_tokens',
  tool_calls: 'tool_use',
  function_call: 'tool_use',
  content_filter: 'refusal',
};

/** Returns the reason in the words of messages; one that has no such word stays. Some services say `stop` after calls, too. */
function stopReasonOf(choice: ChatChoice | undefined): string | undefined {
  const reason = choice?.finish_reason;
  if (reason === undefined) return undefined;
  if (reason === 'stop' && choice?.tool_calls.some(({ name }) => name !== '')) return 'tool_use';
  return stopReasons[reason] ?? reason;
}

function toMessageUsage({ prompt_tokens, completion_tokens, cached_tokens }: ChatUsage): MessageUsage {
  return present({
    input_tokens: prompt_tokens,
    output_tokens: completion_tokens,
    cache_read_input_tokens: cached_tokens,
  });
}
