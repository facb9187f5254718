import type * as z from 'zod/mini';
import { createBlock, imageBlock, ownId } from '../messages/blockBuilder';
import type { BlockBuilder } from '../messages/blockBuilder';
import { uniqueCitations } from '../messages/messageEvents';
import type { CallState, Citation, ContentBlock, Message, MessageEvent } from '../messages/messageEvents';
import { toStopReason } from '../messages/stopReason';
import { inKnownForm } from '../otherForms';
import { present } from '../present';
import { RepeatedText } from '../repeatedText';
import { growCall, nameOf } from './callPieces';
import type { CallPart, GrowingCall, GrowingCalls } from './callPieces';
import { citationsOf, notedIn } from './chatCitations';
import { chatCompletionChunk, isPlainChunk } from './chatCompletions.schema';
import { toChatUsage, usageIn, withoutZeros } from './chatUsage';
import type { ChatUsage } from './chatUsage';
import { beginsThought, finishOf, noImages, readDelta, readMessage, thinkingInBlocks } from './readDelta';
import type { WireChoice, DeltaContent, WireDelta } from './readDelta';

type Chunk = z.infer<typeof chatCompletionChunk>;
type Fields = Readonly<Record<string, unknown>>;

/** One of the answers to a request, as far as it has come. */
export interface ChatChoice {
  readonly reasoning: string;
  readonly text: string;
  readonly calls: readonly { readonly name: string; readonly arguments: string }[];
  /** Why it ended, in the service's own word. */
  readonly finish: string | undefined;
}

/**
 * Converts a stream's chunks, or a whole answer, into the events of a message: reasoning becomes thinking, and each tool call a block with
 * its own ID. Only the first choice has events.
 */
export class ChatAssembler {
  private readonly growing = new Map<number, GrowingChoice>();
  private head: { readonly id?: string; readonly model?: string } | undefined;
  private counts: ChatUsage = {};
  private citations: readonly Citation[] = [];

  /** `toolNames`: the tools of the request, whose names may come in pieces. `isSingle`: one answer was requested, so indexes may count tokens. */
  constructor(
    private readonly toolNames: readonly string[] = [],
    private readonly isSingle = false,
  ) {}

  /** Whether every choice that began has told why it ended. */
  get isFinished(): boolean {
    return this.growing.size > 0 && [...this.growing.values()].every(({ finish }) => finish !== undefined);
  }

  /** The choices by their index, without text that is held back. */
  get choices(): readonly ChatChoice[] {
    return [...this.growing].sort(([left], [right]) => left - right).map(([, choice]) => choice.read());
  }

  get usage(): ChatUsage {
    return this.counts;
  }

  /** Adds the events of a chunk to `into`. */
  push(data: unknown, into: MessageEvent[]): void {
    const plain = this.head && isPlainChunk(data) ? data : undefined;
    const chunk = plain ?? chatCompletionChunk.safeParse(data).data;
    // Open WebUI sends its sources alone.
    if (chunk?.sources && !chunk.choices) this.cite(chunk);
    if (!(chunk?.choices ?? chunk?.usage)) return void into.push({ type: 'unknown', raw: data });
    if (!this.head) {
      const { id, model } = chunk;
      this.head = present({ id, model });
      into.push({ type: 'start', ...this.head, usage: {} });
    }
    const { finish_reason } = chunk;
    for (const [position, choice] of (chunk.choices ?? []).entries())
      this.grow(
        finish_reason ? { ...choice, finish_reason: choice.finish_reason ?? finish_reason } : choice,
        position,
        into,
      );
    if (plain) return;
    this.cite(chunk);
    const usage = usageIn(chunk);
    // Usage comes on every chunk, on the last, or after it: the newest wins, but for the zeros of chunks that count nothing.
    if (usage) this.counts = { ...this.counts, ...withoutZeros(toChatUsage(usage), this.counts) };
  }

  /** Adds the text that was held back, of a stream that ends or breaks off. */
  flush(into: MessageEvent[]): void {
    for (const [index, choice] of this.growing) choice.flush(index === 0 ? into : []);
  }

  /** Returns what all of the first choice's text adds to the text so far. */
  rest(whole: string): string {
    return this.growing.get(0)?.rest(whole) ?? whole;
  }

  /** Adds a chunk in any form that services send, without returning its events. */
  add(chunk: unknown): void {
    this.push(inKnownForm(chunk) ?? chunk, []);
  }

  /** Adds the last events. */
  end(into: MessageEvent[]): void {
    this.flush(into);
    const choice = this.growing.get(0);
    const content = choice?.end(into) ?? [];
    const { reasoning_tokens: _, ...usage } = this.counts;
    const facts = { ...this.head, ...choice?.facts(), usage };
    const cited = choice && this.citations.length > 0 ? { citations: this.citations } : {};
    into.push({ type: 'end', message: { ...facts, ...cited, content } });
  }

  /** The newest list is the whole one; annotations come one by one. */
  private cite(chunk: Chunk): void {
    // A later list may lack the titles of an earlier one.
    const listed = citationsOf(chunk).map((one) => this.citations.find(({ url }) => url === one.url) ?? one);
    if (listed.length > 0) this.citations = listed;
    const noted = (chunk.choices ?? []).flatMap(notedIn);
    if (noted.length > 0) this.citations = uniqueCitations([...this.citations, ...noted]);
  }

  private grow(choice: WireChoice, position: number, into: MessageEvent[]): void {
    const index = this.placeOf(choice, position);
    const growing = this.growing.get(index) ?? new GrowingChoice(this.toolNames);
    this.growing.set(index, growing);
    growing.add(choice, index === 0 ? into : []);
  }

  /** Copilot has the calls of one answer in a second choice. */
  private placeOf({ index, delta, message }: WireChoice, position: number): number {
    if (!this.isSingle) return index ?? position;
    const { tool_calls: calls = [], content } = delta ?? message ?? {};
    const goesOn = position > 0 && calls.length > 0 && !content && this.growing.get(0)?.calls.size === 0;
    return goesOn ? 0 : position;
  }
}

type Block = BlockBuilder | { readonly kind: 'tool_use' | 'image'; finish(): ContentBlock };

class GrowingChoice implements GrowingCalls {
  finish: string | undefined;
  readonly calls = new Map<number, GrowingCall>();
  lastCall = -1;
  readonly moved = new Map<number, number>();
  /** Whether the text has the thinking in tags, so that MiniMax sends it twice. */
  private thinksInText = false;
  /** Whether a delta has arrived, in which case a message contains only known content. */
  private hasDelta = false;
  private hasImages = false;
  private reasoningName: CallState['reasoning'];
  private readonly details: Fields[] = [];
  private readonly thinkingBlocks: Fields[] = [];
  private extra: Fields | undefined;
  private readonly blocks: Block[] = [];
  /** The text or thinking that is still growing. */
  private growing: BlockBuilder | undefined;
  private readonly ids = new Set<string>();
  private readonly newText = new RepeatedText(() => this.textOf('text'));
  private readonly newThinking = new RepeatedText(() => this.textOf('thinking'));

  constructor(private readonly toolNames: readonly string[]) {}

  add(choice: WireChoice, into: MessageEvent[]): void {
    const { delta, message } = choice;
    const wire = delta ?? message;
    if (delta) this.hasDelta = true;
    const { reasoning: named, content: contentText, calls, images } = delta ? readDelta(delta) : this.restOf(message);
    const reasoningText = named || (this.reasoningName === undefined ? thinkingInBlocks(wire) : '');
    if (reasoningText !== '' && beginsThought(contentText) && !this.has('text')) this.thinksInText = true;
    const reasoning = this.thinksInText ? '' : reasoningText;
    const reason = finishOf(choice);
    const text = contentText || (wire ? '' : (choice.text ?? ''));
    if (wire && (!delta || reasoning !== '' || text === '')) this.noteReasoning(wire);
    const isLast = reason !== undefined || calls.length > 0 || images.length > 0;
    this.grow('thinking', this.newThinking.added(reasoning, isLast || text !== ''), into);
    this.grow('text', this.newText.added(text, isLast), into);
    for (const url of images) this.addImage(url, into);
    for (const part of calls) this.addCall(part, into);
    // Some servers add a plain end after the reason.
    if (reason !== undefined && (this.finish === undefined || (reason !== 'stop' && reason !== this.finish)))
      this.finish = reason;
  }

  flush(into: MessageEvent[]): void {
    this.grow('thinking', this.newThinking.end(), into);
    this.grow('text', this.newText.end(), into);
  }

  rest(whole: string): string {
    return this.newText.rest(whole);
  }

  read(): ChatChoice {
    const calls = [...this.calls].sort(([left], [right]) => left - right);
    return {
      reasoning: this.textOf('thinking'),
      text: this.textOf('text'),
      calls: calls.map(([, call]) => ({ name: nameOf(call, this.toolNames), arguments: call.pieces.join('') })),
      finish: this.finish,
    };
  }

  /** Ends the blocks that are still open, and returns all of them. */
  end(into: MessageEvent[]): readonly ContentBlock[] {
    this.close(into);
    for (const call of this.calls.values()) {
      if (call.index !== undefined) continue;
      const name = nameOf(call, this.toolNames);
      if (name === '') continue;
      const index = this.openCall(call, name, into);
      for (const text of call.pieces) into.push({ type: 'toolInput', index, text });
    }
    const content = this.blocks.map((block) => block.finish());
    for (const [index, block] of content.entries())
      if (block.type === 'tool_use') into.push({ type: 'blockStop', index, block });
    return content;
  }

  /** Returns what a message says besides its content. A call without a name can't be answered, and no service would accept it back. */
  facts(): Partial<Message> {
    const names = [...this.calls.values()].map((call) => nameOf(call, this.toolNames));
    const reason = toStopReason(this.finish);
    // Some services say `stop` after calls, too.
    const isCall = reason === 'end_turn' && names.some((name) => name !== '');
    return {
      ...present({ stop_reason: isCall ? 'tool_use' : reason }),
      ...(names.includes('') && { unreadCall: true as const }),
    };
  }

  private has(kind: 'text' | 'thinking'): boolean {
    return this.blocks.some((block) => block.kind === kind);
  }

  private textOf(kind: 'text' | 'thinking'): string {
    return this.blocks.map((block) => ('text' in block && block.kind === kind ? block.text() : '')).join('');
  }

  /**
   * Reads a message in place of a delta: all of it, or what no delta brought, because servers repeat in it what is here already.
   */
  private restOf(wire: WireDelta | undefined): DeltaContent {
    const whole = readMessage(wire);
    if (!this.hasDelta) return whole;
    return {
      reasoning: this.has('thinking') ? '' : whole.reasoning,
      content: this.has('text') ? '' : whole.content,
      calls: this.calls.size > 0 ? [] : whole.calls,
      images: this.hasImages ? noImages : whole.images,
    };
  }

  private grow(kind: 'text' | 'thinking', text: string, into: MessageEvent[]): void {
    if (text === '') return;
    if (this.growing?.kind !== kind) {
      this.close(into);
      const block = createBlock({ type: kind }, undefined);
      block.index = this.blocks.push(block) - 1;
      this.growing = block;
      into.push({ type: 'blockStart', index: block.index, block: block.start() });
    }
    this.growing.append(text);
    into.push({ type: kind, index: this.growing.index!, text });
  }

  /** Ends a text or thinking. Calls end with the answer, because their pieces may come in turns. */
  private close(into: MessageEvent[]): void {
    const { growing: block } = this;
    if (block) into.push({ type: 'blockStop', index: block.index!, block: block.finish() });
    this.growing = undefined;
  }

  private addImage(url: string, into: MessageEvent[]): void {
    this.hasImages = true;
    const block = imageBlock(url);
    if (!block) return;
    this.close(into);
    const index = this.blocks.push({ kind: 'image', finish: () => block }) - 1;
    into.push({ type: 'blockStart', index, block: { type: 'image' } }, { type: 'blockStop', index, block });
  }

  /** A call whose name arrives late appears at the end of the answer, with all its chunks. */
  private addCall(part: CallPart, into: MessageEvent[]): void {
    const grown = growCall(this, part, this.toolNames);
    if (!grown) return;
    const { call, isNew, text } = grown;
    if (!call) return this.grow('text', text, into);
    if (isNew) this.close(into);
    if (isNew && call.name !== '') this.openCall(call, call.name, into);
    if (text !== '' && call.index !== undefined) into.push({ type: 'toolInput', index: call.index, text });
  }

  private openCall(call: GrowingCall, name: string, into: MessageEvent[]): number {
    const id = ownId(call.id, this.ids);
    const finish = () => {
      const state = this.stateOf(call);
      // The name may have come in pieces.
      const start = { type: 'tool_use', id, name: nameOf(call, this.toolNames), ...(state && { state }) };
      const block = createBlock(start, undefined);
      block.append(call.pieces.join(''));
      return block.finish();
    };
    call.index = this.blocks.push({ kind: 'tool_use', finish }) - 1;
    into.push({ type: 'blockStart', index: call.index, block: { type: 'tool_use', id, name } });
    return call.index;
  }

  /** Returns what the service wants back with a call; what belongs to the message goes with its first call. */
  private stateOf(call: GrowingCall): CallState | undefined {
    const shown = [...this.calls].filter(([, { index }]) => index !== undefined);
    const first = shown.reduce((before, one) => (one[0] < before[0] ? one : before));
    const ofMessage = call === first[1];
    const message = ofMessage
      ? present({
          reasoning_details: this.details.length > 0 ? this.details : undefined,
          thinking_blocks: this.thinkingBlocks.length > 0 ? this.thinkingBlocks : undefined,
          extra_content: this.extra,
        })
      : {};
    // The usual name goes without saying, but for a text that is empty.
    const isUsual = this.reasoningName === 'reasoning_content' && this.has('thinking');
    const state = {
      ...(Object.keys(call.extra).length > 0 && { call: call.extra }),
      ...(Object.keys(message).length > 0 && { message }),
      ...(ofMessage && !isUsual && this.reasoningName && { reasoning: this.reasoningName }),
    };
    return Object.keys(state).length === 0 ? undefined : state;
  }

  /** Notes what a service wants back with the calls of a message. */
  private noteReasoning(wire: WireDelta): void {
    const { reasoning_content, reasoning, reasoning_details, thinking_blocks, extra_content } = wire;
    if (extra_content) this.extra = { ...this.extra, ...extra_content };
    if (reasoning_content != null) this.reasoningName = 'reasoning_content';
    else if (reasoning != null) this.reasoningName ??= 'reasoning';
    for (const detail of reasoning_details ?? []) addDetail(this.details, detail);
    for (const block of thinking_blocks ?? []) addDetail(this.thinkingBlocks, block);
  }
}

/** Members of a detail that come in pieces. */
const grownMembers = ['text', 'summary', 'data', 'thinking', 'signature'] as const;

/** Joins two pieces of a text, the second of which may be all of it so far. */
function joined(before: string, piece: string): string {
  return before.length >= leastDetail && piece.startsWith(before) ? piece : before + piece;
}

/** A shorter piece may begin the next one by chance. */
const leastDetail = 4;

/** Joins a piece to the detail it belongs to: the last one, if it is of the same type and place. */
function addDetail(details: Fields[], piece: Fields): void {
  const defined = Object.fromEntries(Object.entries(piece).filter(([, value]) => value !== undefined));
  const last = details.at(-1);
  const isSame = last && ['type', 'index'].every((name) => last[name] === piece[name]);
  const isOther = piece['id'] != null && last?.['id'] != null && piece['id'] !== last['id'];
  if (!isSame || isOther || (piece['data'] !== undefined && piece['index'] === undefined)) {
    details.push(defined);
    return;
  }
  const grown = grownMembers.flatMap((name) =>
    typeof last[name] === 'string' && typeof piece[name] === 'string'
      ? [[name, joined(last[name], piece[name])] as const]
      : [],
  );
  const stated = Object.entries(defined).filter(([, value]) => value !== null);
  details[details.length - 1] = { ...last, ...Object.fromEntries(stated), ...Object.fromEntries(grown) };
}
