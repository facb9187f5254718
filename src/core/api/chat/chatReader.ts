import type {
  ChatChoice,
  ChatCompletion,
  ChatCompletionEvent,
  ChatToolCall,
  ChatUsage,
} from '../chatCompletions/chatCompletionEvents';
import { createBlock, ownId } from '../messages/blockBuilder';
import type { BlockBuilder } from '../messages/blockBuilder';
import type { CallState, ContentBlock, Message, MessageEvent, MessageUsage } from '../messages/messageEvents';
import { toStopReason } from '../messages/stopReason';
import { present } from '../present';
import { imageBlock } from './answerReader';

/**
 * Converts the events of a chat completion's first choice into those of a message. Reasoning becomes thinking, and each tool call a block
 * with its own ID. A call whose name arrives late appears with the name, with all its chunks.
 */
export class ChatReader {
  private readonly blocks: (BlockBuilder | { readonly index?: number; finish(): ContentBlock })[] = [];
  private readonly calls = new Map<number, BlockBuilder>();
  /** Pieces of calls that have no name yet. */
  private readonly nameless = new Map<number, string[]>();
  private readonly ids = new Set<string>();
  /** The starts of call blocks, by call. */
  private readonly starts = new Map<number, CallStart>();
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
      case 'image':
        if (event.index === 0) this.addImage(event.url, into);
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
    const start: CallStart = { type: 'tool_use', id: ownId(id, this.ids), name };
    this.starts.set(call, start);
    this.calls.set(call, this.open(createBlock(start, undefined), into));
  }

  private open(block: BlockBuilder, into: MessageEvent[]): BlockBuilder {
    block.index = this.blocks.length;
    this.blocks.push(block);
    into.push({ type: 'blockStart', index: block.index, block: block.start() });
    return block;
  }

  private addImage(url: string, into: MessageEvent[]): void {
    const block = imageBlock(url);
    if (!block) return;
    this.close(into);
    const index = this.blocks.length;
    this.blocks.push({ index, finish: () => block });
    into.push({ type: 'blockStart', index, block: { type: 'image' } }, { type: 'blockStop', index, block });
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
    this.noteStates(choice);
    for (const block of this.calls.values()) stop(block, into);
    const content = this.blocks.map((block) => block.finish());
    into.push({ type: 'end', message: { ...headOf(completion, choice), content } });
  }

  private noteStates(choice: ChatChoice | undefined): void {
    const order = [...new Set([...this.calls.keys(), ...this.nameless.keys()])].sort((left, right) => left - right);
    let isFirst = true;
    for (const [position, call] of order.entries()) {
      const start = this.starts.get(call);
      const known = choice?.tool_calls[position];
      const state = start && stateOf(choice, known, isFirst);
      if (!start) continue;
      isFirst = false;
      // A name may have come in pieces.
      if (known) start.name = known.name;
      if (state) start.state = state;
    }
  }

  /** A call that never got a name doesn't count, because it can't be answered and no service would accept it back. */
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

interface CallStart extends Readonly<Record<string, unknown>> {
  name: string;
  state?: CallState;
}

/** Converts an answer that was received whole. */
export function toMessage(completion: ChatCompletion): Message {
  const choice = joinedChoice(completion.choices);
  const { reasoning_content: reasoning = '', content = '', tool_calls: calls = [] } = choice ?? {};
  const ids = new Set<string>();
  const blocks = [
    ...(reasoning === '' ? [] : [createBlock({ type: 'thinking', thinking: reasoning }, undefined)]),
    ...(content === '' ? [] : [createBlock({ type: 'text', text: content }, undefined)]),
    ...calls
      .filter(({ name }) => name !== '')
      .map((call, position) => {
        const state = stateOf(choice, call, position === 0);
        const start = { type: 'tool_use', id: ownId(call.id, ids), name: call.name, ...(state && { state }) };
        const block = createBlock(start, undefined);
        block.append(call.arguments);
        return block;
      }),
  ];
  const images = (choice?.images ?? []).flatMap((url) => imageBlock(url) ?? []);
  return { ...headOf(completion, choice), content: [...blocks.map((block) => block.finish()), ...images] };
}

/** Returns the first choice. Copilot has the calls of one answer in a second one. */
function joinedChoice([first, ...others]: readonly ChatChoice[]): ChatChoice | undefined {
  const withCalls = first?.tool_calls.length === 0 ? others.find(({ tool_calls }) => tool_calls.length > 0) : undefined;
  return first && withCalls?.content === '' ? { ...first, ...withCalls, content: first.content } : first;
}

/** Returns what the service wants back with a call; what belongs to the message goes with its first call. */
function stateOf(
  choice: ChatChoice | undefined,
  call: ChatToolCall | undefined,
  isFirst: boolean,
): CallState | undefined {
  const {
    reasoning_details,
    thinking_blocks,
    extra_content,
    reasoning_name: reasoning,
  } = isFirst && choice ? choice : {};
  const message = present({ reasoning_details, thinking_blocks, extra_content });
  const state = {
    ...(call?.extra && { call: call.extra }),
    ...(Object.keys(message).length > 0 && { message }),
    ...(reasoning && { reasoning }),
  };
  return Object.keys(state).length === 0 ? undefined : state;
}

function headOf({ id, model, usage }: ChatCompletion, choice: ChatChoice | undefined): Omit<Message, 'content'> {
  const citations = choice?.citations;
  return {
    ...present({ id, model, stop_reason: stopReasonOf(choice) }),
    usage: toMessageUsage(usage),
    ...(citations && { citations }),
    // A call without a name can't be answered.
    ...(choice?.tool_calls.some(({ name }) => name === '') && { unreadCall: true as const }),
  };
}

/** Some services say `stop` after calls, too. */
function stopReasonOf(choice: ChatChoice | undefined): string | undefined {
  const reason = toStopReason(choice?.finish_reason);
  const isCall = reason === 'end_turn' && choice?.tool_calls.some(({ name }) => name !== '') === true;
  return isCall ? 'tool_use' : reason;
}

function toMessageUsage(usage: ChatUsage): MessageUsage {
  const { prompt_tokens, completion_tokens, cached_tokens, cache_write_tokens, cost } = usage;
  return present({
    input_tokens: prompt_tokens,
    output_tokens: completion_tokens,
    cache_read_input_tokens: cached_tokens,
    cache_creation_input_tokens: cache_write_tokens,
    cost,
  });
}
