import { isObject } from '../isObject';
import type { ThinkingMarks } from '../modelOptions.schema';
import { leadingObjects } from '../leadingJson';
import { createBlock, imageBlock, newId } from '../messages/blockBuilder';
import type { BlockBuilder } from '../messages/blockBuilder';
import type { ContentBlock, Message, MessageEvent } from '../messages/messageEvents';
import type { MessageRequest } from '../messages/messages.schema';
import { parseJson } from '../parseJson';
import { nameAlike, nameIn, propertiesOf, writtenCallsIn } from './callStarts';
import type { OfferedTools } from './callStarts';
import { TextSplitter } from './textSplitter';
import type { TextOptions, TextSink } from './textSplitter';
import { answerInThinking, withoutChannel, wordedThought } from './thoughtMarks';
import { readWrittenCalls } from './writtenCalls';
import type { WrittenCall } from './callStarts';

type EventOf<Type extends MessageEvent['type']> = Extract<MessageEvent, { readonly type: Type }>;

/** Returns a reader of the events of an answer to a request. `marks`: those of the model, besides the ones that models commonly write. */
export function readerFor({ tools, messages }: MessageRequest, marks?: ThinkingMarks): AnswerReader {
  const offered: OfferedTools = new Map((tools ?? []).map(({ name, input_schema }) => [name, input_schema]));
  const repeated = new RepeatedStart(messages);
  return new AnswerReader({ tools: offered, isWhole: messages.at(-1)?.role !== 'assistant', marks }, repeated);
}

/** Reads a complete answer with the same result as from a stream. */
export function asMeant(message: Message, request: MessageRequest, marks?: ThinkingMarks): Message {
  const reader = readerFor(request, marks);
  const events: MessageEvent[] = [];
  message.content.forEach((block, index) => {
    if (block.type === 'text') {
      reader.push({ type: 'blockStart', index, block: { type: 'text' } }, events);
      reader.push({ type: 'text', index, text: block.text }, events);
    } else reader.push({ type: 'blockStart', index, block: startOf(block) }, events);
    reader.push({ type: 'blockStop', index, block }, events);
  });
  reader.push({ type: 'end', message }, events);
  const last = events.at(-1);
  return last?.type === 'end' ? last.message : message;
}

/**
 * Converts the events of an answer to what the model meant, because servers without a parser for the model leave its thinking, tool calls
 * and images in the text. Other answers pass unchanged.
 */
export class AnswerReader implements TextSink {
  private readonly splitter: TextSplitter;
  private into: MessageEvent[] = [];
  /** The index here by the index on the wire, for each block that is not text. */
  private readonly places = new Map<number, number>();
  private readonly content: ContentBlock[] = [];
  private next = 0;
  /** The block of text, or of thinking found in text, that is still growing. */
  private growing: BlockBuilder | undefined;
  private isChanged = false;
  private isUnread = false;
  /** The pieces of each call's input, by its index on the wire. */
  private readonly inputs = new Map<number, string[]>();
  /** Calls from the text, which wait because some servers send them once more. */
  private written: readonly WrittenCall[] = [];
  private readonly received = new Set<string>();
  /** The beginning of a call that the text ended with, which is part of the answer unless a call follows. */
  private mark = '';

  constructor(
    private readonly options: TextOptions,
    private readonly repeated: RepeatedStart,
  ) {
    this.splitter = new TextSplitter(this, options);
  }

  push(event: MessageEvent, into: MessageEvent[]): void {
    this.into = into;
    switch (event.type) {
      case 'text':
        this.addText(this.repeated.push(event.text));
        return;
      case 'thinking':
      case 'toolInput': {
        const index = this.places.get(event.index) ?? event.index;
        if (event.type === 'toolInput') this.inputs.get(event.index)?.push(event.text);
        into.push(index === event.index ? event : { ...event, index });
        return;
      }
      case 'blockStart':
        if (event.block.type !== 'text') this.openOther(event.index, event.block);
        return;
      case 'blockStop':
        if (event.block.type === 'text') this.closeText(event.block.text);
        else this.closeOther(event.index, event.block);
        return;
      case 'end':
        this.end(event.message);
        return;
      case 'start':
      case 'replace':
      case 'unknown':
        into.push(event);
    }
  }

  /** Adds the text that was held back, of an answer that breaks off. */
  flush(into: MessageEvent[]): void {
    this.into = into;
    this.addText(this.repeated.end());
    this.splitter.flush();
  }

  text(piece: string): void {
    this.grow('text', piece);
  }

  thinking(piece: string): void {
    this.isChanged = true;
    this.grow('thinking', piece);
  }

  wasThinking(isChannel: boolean): void {
    this.isChanged = true;
    const block = this.growing;
    if (!block) return;
    const thinking = isChannel ? withoutChannel(block.text()) : wordedThought(block.text());
    this.replaceBlock(block, { type: 'thinking', thinking, isFromText: true });
  }

  call(call: WrittenCall): void {
    this.isChanged = true;
    this.closeGrowing();
    this.written = [...this.written, call];
  }

  wasCalls([first, ...others]: readonly WrittenCall[], before = ''): void {
    this.isChanged = true;
    const block = this.growing;
    if (!block || !first) return;
    if (before === '') this.replaceBlock(block, { type: 'tool_use', id: newId(), ...first });
    else this.replaceBlock(block, { type: 'text', text: before });
    for (const call of before === '' ? others : [first, ...others]) this.openCall(call);
  }

  unreadCall(mark = ''): void {
    this.isUnread = true;
    this.mark = mark;
  }

  image(address: string, alternative: string): void {
    this.isChanged = true;
    this.closeGrowing();
    this.openWritten();
    const block = imageBlock(address, alternative);
    if (block) this.addWhole({ type: 'image' }, block);
  }

  private grow(kind: 'text' | 'thinking', piece: string): void {
    this.openWritten();
    if (this.growing?.kind !== kind) {
      this.closeGrowing();
      const start = kind === 'text' ? { type: kind } : { type: kind, isFromText: true };
      this.growing = createBlock(start, undefined);
      this.growing.index = this.next++;
      this.into.push({ type: 'blockStart', index: this.growing.index, block: this.growing.start() });
    }
    this.growing.append(piece);
    this.into.push({ type: kind, index: this.growing.index!, text: piece });
  }

  private closeGrowing(): void {
    const block = this.growing;
    this.growing = undefined;
    if (block) this.stop(block.index!, block.finish());
  }

  private addText(piece: string): void {
    if (piece !== '') this.splitter.push(piece);
  }

  private closeText(whole: string): void {
    this.addText(this.repeated.end());
    this.splitter.end();
    if (this.growing?.text() !== whole) this.isChanged = true;
    this.closeGrowing();
  }

  private openOther(wireIndex: number, block: EventOf<'blockStart'>['block']): void {
    if (block.type === 'thinking') this.splitter.noteThinking();
    this.closeGrowing();
    const index = this.next++;
    this.places.set(wireIndex, index);
    if (block.type !== 'tool_use') return void this.into.push({ type: 'blockStart', index, block });
    this.splitter.noteCall();
    this.isUnread = false;
    this.mark = '';
    this.inputs.set(wireIndex, []);
    this.into.push({ type: 'blockStart', index, block: { ...block, name: this.ownName(block.name) } });
  }

  private closeOther(wireIndex: number, block: ContentBlock): void {
    const index = this.places.get(wireIndex) ?? wireIndex;
    if (block.type !== 'tool_use') return this.stop(index, block);
    const name = this.ownName(block.name);
    const input = ownInput(block, name, this.options.tools);
    if (input !== block.input) this.isChanged = true;
    const called = { ...block, name, input };
    this.received.add(JSON.stringify([called.name, called.input]));
    this.stop(index, called);
    if (input !== block.input) return void this.into.push({ type: 'replace', index, block: called });
    this.readInput(index, called, this.inputs.get(wireIndex)?.join('') ?? '');
  }

  /** Shows an input that came in another form as it was read, and finds the calls in one that consists of several objects. */
  private readInput(index: number, call: Extract<ContentBlock, { type: 'tool_use' }>, text: string): void {
    if (text.trim() === '' || typeof call.input === 'string' || isObject(parseJson(text))) return;
    this.into.push({ type: 'replace', index, block: call });
    for (const input of leadingObjects(text).slice(1)) {
      this.isChanged = true;
      this.openCall({ name: call.name, input });
    }
  }

  /** Returns the tool name that a longer name begins with, because some servers include the text after it. */
  private ownName(written: string): string {
    const { tools } = this.options;
    const name = nameIn(written, tools) ?? nameAlike(written, tools) ?? (written.split('<|')[0]!.trim() || written);
    if (name !== written) this.isChanged = true;
    return name;
  }

  private stop(index: number, block: ContentBlock): void {
    this.content[index] = block;
    this.into.push({ type: 'blockStop', index, block });
  }

  private openWritten(): void {
    const { written } = this;
    if (written.length === 0) return;
    this.written = [];
    for (const call of written) if (!this.received.has(JSON.stringify([call.name, call.input]))) this.openCall(call);
  }

  private openCall({ name, input }: WrittenCall): void {
    const id = newId();
    const block = { type: 'tool_use', id, name, input } as const;
    const index = this.addStart({ type: 'tool_use', id, name });
    this.into.push({ type: 'toolInput', index, text: typeof input === 'string' ? input : JSON.stringify(input) });
    this.stop(index, block);
  }

  private addStart(block: EventOf<'blockStart'>['block']): number {
    const index = this.next++;
    this.into.push({ type: 'blockStart', index, block });
    return index;
  }

  private addWhole(start: EventOf<'blockStart'>['block'], block: ContentBlock): void {
    this.stop(this.addStart(start), block);
  }

  private replaceBlock({ index }: BlockBuilder, block: ContentBlock): void {
    this.growing = undefined;
    this.content[index!] = block;
    this.into.push({ type: 'replace', index: index!, block });
  }

  private end(message: Message): void {
    this.closeGrowing();
    this.addMark();
    this.readThinking();
    this.openWritten();
    if (!this.isChanged && !this.isUnread) return void this.into.push({ type: 'end', message });
    const content = this.content.filter((block) => block !== undefined);
    const isCall = content.some(({ type }) => type === 'tool_use') && message.stop_reason === 'end_turn';
    this.into.push({
      type: 'end',
      message: {
        ...message,
        content,
        ...(isCall && { stop_reason: 'tool_use' }),
        ...(this.isUnread && !isCall && { unreadCall: true }),
      },
    });
  }

  private addMark(): void {
    const { mark } = this;
    const index = this.content.length - 1;
    const last = this.content[index];
    if (mark === '') return;
    if (last?.type !== 'text') {
      this.grow('text', mark);
      this.closeGrowing();
      return;
    }
    this.content[index] = { ...last, text: last.text + mark };
    this.into.push({ type: 'replace', index, block: this.content[index] });
  }

  /** Finds the answer, and calls, that the thinking ends with, if nothing else came. */
  private readThinking(): void {
    const { tools } = this.options;
    const [only, ...others] = this.content.filter((block) => block !== undefined);
    if (only?.type !== 'thinking' || others.length > 0) return;
    const answer = only.signature === undefined ? answerInThinking(only.thinking) : undefined;
    if (answer) {
      const index = this.content.indexOf(only);
      this.content[index] = { ...only, thinking: answer.thinking };
      this.into.push({ type: 'replace', index, block: this.content[index] });
      this.isChanged = true;
      this.grow('text', answer.text);
      this.closeGrowing();
      return;
    }
    if (tools.size === 0) return;
    const text = writtenCallsIn(only.thinking, tools);
    for (const call of (text === undefined ? undefined : readWrittenCalls(text, tools))?.calls ?? []) this.call(call);
  }
}

/** Names that models write around the input of a call. */
const inputNames = ['arguments', 'parameters', 'input', 'args', 'kwargs', 'params'] as const;

/** Returns the input of a call, which models wrap into an additional property, or write after the name. */
function ownInput(
  { name: written, input }: Extract<ContentBlock, { readonly type: 'tool_use' }>,
  name: string,
  tools: OfferedTools,
): unknown {
  if (!isObject(input)) return input;
  const keys = Object.keys(input);
  const at = keys.length === 0 && name !== written ? written.indexOf('{') : -1;
  const after: unknown = at > 0 ? parseJson(written.slice(at)) : undefined;
  if (isObject(after)) return after;
  const known = propertiesOf(tools.get(name));
  const wrapper = inputNames.find((one) => one in input && !known.includes(one));
  const isWrapped = keys.every(
    (key) => key === wrapper || (key === 'name' && input[key] === name && !known.includes(key)),
  );
  const inner = wrapper === undefined || !isWrapped ? undefined : input[wrapper];
  const value: unknown = typeof inner === 'string' ? parseJson(inner) : inner;
  return isObject(value) && known.length > 0 && Object.keys(value).every((key) => known.includes(key)) ? value : input;
}

function startOf(block: Exclude<ContentBlock, { readonly type: 'text' }>): EventOf<'blockStart'>['block'] {
  if (block.type === 'tool_use') return { type: 'tool_use', id: block.id, name: block.name };
  return block.type === 'unknown' ? block : { type: block.type };
}

/** A shorter start may be how the answer continues by chance. */
const leastLength = 4;

/**
 * Removes the start that the request gave, if the answer repeats it before it continues, as llama.cpp's server does, also after the empty
 * thinking that chat templates write before an answer without any. Text is held back only as long as it might be that start.
 */
export class RepeatedStart {
  /** The rest of the prefill to match, and the white space at its end, which is not sent. */
  private left: string;
  private space: string;
  private held = '';

  constructor(messages: MessageRequest['messages']) {
    const last = messages.at(-1);
    const sent = last?.role === 'assistant' ? textOf(last.content) : '';
    const text = sent.trim();
    this.left = text.length < leastLength ? '' : text;
    this.space = sent.slice(sent.trimEnd().length);
  }

  /** Returns the text that continues, as far as that is certain. */
  push(piece: string): string {
    if (this.left === '') return this.withoutSpace(piece);
    this.held += piece;
    const begun = afterEmptyThought(this.held);
    if (begun === undefined) return '';
    if (begun.length < this.left.length && this.left.startsWith(begun)) return '';
    if (!begun.startsWith(this.left)) return this.end();
    const rest = begun.slice(this.left.length);
    this.left = this.held = '';
    return this.withoutSpace(rest);
  }

  /** Returns the text that was held back, because it was not that start. */
  end(): string {
    const rest = this.withoutSpace(this.held);
    this.left = this.held = '';
    return rest;
  }

  private withoutSpace(text: string): string {
    let same = 0;
    while (same < text.length && same < this.space.length && text[same] === this.space[same]) same++;
    this.space = same === text.length ? this.space.slice(same) : '';
    return text.slice(same);
  }
}

/** Returns what follows white space, with or without empty thinking in it; `undefined` if that depends on more text. */
function afterEmptyThought(text: string): string | undefined {
  const begun = text.trimStart();
  if (begun !== '' && begun !== open && open.startsWith(begun)) return undefined;
  if (!begun.startsWith(open)) return begun;
  const inside = begun.slice(open.length).trimStart();
  if (inside.startsWith(close)) return inside.slice(close.length).trimStart();
  return close.startsWith(inside) ? undefined : begun;
}

const open = '<think>';
const close = '</think>';

function textOf(content: MessageRequest['messages'][number]['content']): string {
  if (typeof content === 'string') return content;
  return content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n\n');
}
