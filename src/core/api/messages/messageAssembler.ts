import { ApiError } from '../errors';
import { present } from '../present';
import { createBlock, ownId } from './blockBuilder';
import type { BlockBuilder, BlockKind } from './blockBuilder';
import { uniqueCitations } from './messageEvents';
import type { Citation, Message, MessageEvent, MessageUsage } from './messageEvents';
import { toStopReason } from './stopReason';
import { isObject } from '../isObject';
import { toNumber, toText } from '../tolerant';
import { callText, mostCalls } from '../chatCompletions/callPieces';
import { firstCount, withoutZeros } from '../chatCompletions/chatUsage';
import { RepeatedText } from '../repeatedText';
import { reportedCost } from '../reportedCost';

type Wire = Readonly<Record<string, unknown>>;
type RoutedKind = Exclude<BlockKind, 'unknown'>;

/**
 * Converts a stream's JSON into events. Services send deltas that don't match the open block, omit starts and stops, and miscount blocks,
 * so each delta goes to the open block of its kind, or to a new one.
 */
export class MessageAssembler {
  private isEnded = false;
  private readonly blocks: BlockBuilder[] = [];
  private open: BlockBuilder[] = [];
  /** A text block that has stopped and might continue, because citations split one text into several blocks. */
  private stopped: BlockBuilder | undefined;
  private shown = 0;
  private calls = 0;
  private readonly ids = new Set<string>();
  private id: string | undefined;
  private model: string | undefined;
  private stopReason: string | undefined;
  private stopSequence: string | undefined;
  private usage: MessageUsage = {};
  private citations: readonly Citation[] = [];
  /** The message that the stream began with, if it had content already. */
  private begun: Wire | undefined;
  /** The text added by the chunks of a block of text or thinking. */
  private readonly added = new Map<BlockBuilder, RepeatedText>();
  /** The text that a block started with, which the first piece may repeat. */
  private startText = '';

  /** Whether the service has told why the message ended. */
  get isFinished(): boolean {
    return this.stopReason !== undefined || (this.blocks.length === 0 && this.begun?.['stop_reason'] != null);
  }

  /** Adds the events of one wire event to `into` and returns it. */
  push(data: unknown, into: MessageEvent[] = []): MessageEvent[] {
    if (!isObject(data)) {
      into.push({ type: 'unknown', raw: data });
      return into;
    }
    switch (data['type']) {
      case 'content_block_delta':
        this.onDelta(data, into);
        break;
      case 'content_block_start':
        this.onBlockStart(data, into);
        break;
      case 'content_block_stop':
        this.stop(
          this.open.filter((block) => block.wireIndex === toNumber(data['index'])),
          into,
        );
        break;
      case 'message_start':
        this.onStart(data, into);
        break;
      case 'message_delta':
        this.onMessageDelta(data);
        break;
      case 'message_stop':
        this.end(into);
        break;
      case 'message':
        if (this.blocks.length === 0) this.onWhole(data, into);
        // Some gateways repeat all of it at the end.
        else this.onMessageDelta({ delta: data, usage: data['usage'] });
        break;
      case 'ping':
        break;
      default:
        into.push({ type: 'unknown', raw: data });
    }
    return into;
  }

  /** Adds the last events of a stream that has ended; none if they were added already. */
  end(into: MessageEvent[] = []): MessageEvent[] {
    if (this.isEnded) return into;
    this.isEnded = true;
    // Some gateways put all of it into the first event, and no block follows.
    if (this.begun && this.blocks.length === 0) this.addContent(this.begun, into);
    this.close(this.open, into);
    this.closeStopped(into);
    into.push({ type: 'end', message: this.message() });
    return into;
  }

  /** Adds the text that was held back, of a stream that breaks off. */
  flush(into: MessageEvent[]): void {
    for (const [block, text] of this.added) this.addText(block, text.end(), into);
  }

  private message(): Message {
    const { id, model, stopReason, stopSequence, usage } = this;
    const content = this.blocks.filter((block) => block.index !== undefined).map((block) => block.finish());
    // Some gateways say that a turn with calls has ended.
    const isCall = stopReason === 'end_turn' && content.some(({ type }) => type === 'tool_use');
    return {
      ...present({ id, model, stop_reason: isCall ? 'tool_use' : stopReason, stop_sequence: stopSequence }),
      content,
      usage,
      ...(this.citations.length > 0 && { citations: this.citations }),
    };
  }

  private cite(values: unknown): void {
    const found = (Array.isArray(values) ? values : []).flatMap(readCitation);
    if (found.length > 0) this.citations = uniqueCitations([...this.citations, ...found]);
  }

  private onStart({ message }: Wire, into: MessageEvent[]): void {
    if (!isObject(message)) return;
    if (this.blocks.length > 0 && toText(message['id']) !== this.id) throw secondMessage();
    this.id = toText(message['id']);
    this.model = toText(message['model']);
    this.usage = toUsage(message['usage']);
    const { content } = message;
    const hasContent = Array.isArray(content) ? content.length > 0 : typeof content === 'string' && content !== '';
    this.begun = hasContent ? message : undefined;
    into.push({ type: 'start', ...present({ id: this.id, model: this.model }), usage: this.usage });
  }

  private onMessageDelta({ delta, usage }: Wire): void {
    // Some gateways count nothing in one of the two places.
    this.usage = { ...this.usage, ...withoutZeros(toUsage(usage), this.usage) };
    if (!isObject(delta)) return;
    this.stopReason = ownReason(toText(delta['stop_reason'])) ?? this.stopReason;
    this.stopSequence = toText(delta['stop_sequence']) ?? this.stopSequence;
  }

  /** A whole answer, from a service that does not stream. */
  private onWhole(message: Wire, into: MessageEvent[]): void {
    this.onStart({ message }, into);
    this.addContent(message, into);
    this.onMessageDelta({ delta: message });
  }

  private addContent({ content, stop_reason: reason }: Wire, into: MessageEvent[]): void {
    const blocks: readonly unknown[] = Array.isArray(content) ? content : [{ type: 'text', text: content }];
    for (const [index, block] of blocks.entries()) {
      if (!isObject(block) || typeof block['type'] !== 'string') continue;
      this.onBlockStart({ index, content_block: block }, into);
      const { type, input } = block;
      const kind = this.calls > mostCalls ? 'text' : 'tool_use';
      if (type === 'tool_use' && isObject(input)) this.grow(kind, index, JSON.stringify(input), into);
      this.stop(this.open, into);
    }
    this.stopReason ??= ownReason(toText(reason));
  }

  private onBlockStart({ index, content_block: start }: Wire, into: MessageEvent[]): void {
    // Blocks are sequential: one that was never stopped ends where the next begins.
    this.stop(this.open, into);
    if (!isObject(start)) return;
    const wireIndex = toNumber(index);
    this.cite(start['citations']);
    const isTooMany = start['type'] === 'tool_use' && ++this.calls > mostCalls;
    const call = start['type'] === 'tool_use' ? { ...start, id: ownId(toText(start['id']) ?? '', this.ids) } : start;
    const said = isTooMany ? { type: 'text', text: callText(toText(start['name']), '') } : call;
    const block = createBlock(said, wireIndex);
    if (block.kind === 'text' && this.stopped) {
      this.stopped.wireIndex = wireIndex;
      this.open = [this.stopped];
      this.stopped = undefined;
      this.grow('text', index, block.text(), into);
      return;
    }
    this.closeStopped(into);
    this.add(block);
    if (block.kind === 'tool_use' || block.kind === 'unknown') this.show(block, into);
    else if (block.length > 0) {
      this.startText = block.text();
      this.newIn(block).added(this.startText);
      into.push(textEvent(block, this.show(block, into), this.startText));
    } else if (block.isSigned) this.show(block, into);
  }

  private onDelta(data: Wire, into: MessageEvent[]): void {
    const { delta, index } = data;
    if (!isObject(delta)) return void into.push({ type: 'unknown', raw: data });
    const { type } = delta;
    const last = this.open.at(-1);
    if (last?.kind === 'unknown' && last.wireIndex === toNumber(index)) {
      last.absorb(delta);
      into.push({ type: 'unknown', raw: data });
    } else if (type === 'text_delta') this.grow('text', index, delta['text'], into);
    else if (type === 'thinking_delta') this.grow('thinking', index, delta['thinking'], into);
    else if (type === 'input_json_delta' && this.open.some(({ kind }) => kind === 'tool_use')) {
      this.grow('tool_use', index, jsonText(delta['partial_json']), into);
    } else if (type === 'input_json_delta' && this.calls > mostCalls) {
      this.grow('text', index, jsonText(delta['partial_json']), into);
    } else if (type === 'signature_delta') this.sign(index, delta['signature'], into);
    else if (type === 'citations_delta') this.cite([delta['citation']]);
    // Includes the input of a call that never began, which can't be made or sent back without a name.
    else into.push({ type: 'unknown', raw: data });
  }

  private grow(kind: RoutedKind, wireIndex: unknown, piece: unknown, into: MessageEvent[]): void {
    if (typeof piece !== 'string' || piece === '') return;
    const last = this.open.at(-1);
    const block = last?.kind === kind ? last : this.blockFor(kind, wireIndex, into);
    const { startText } = this;
    this.startText = '';
    if (startText === piece) return;
    this.addText(block, kind === 'tool_use' ? piece : this.newIn(block).added(piece), into);
  }

  private addText(block: BlockBuilder, text: string, into: MessageEvent[]): void {
    if (text === '') return;
    const index = block.index ?? this.show(block, into);
    block.append(text);
    into.push(textEvent(block, index, text));
  }

  private newIn(block: BlockBuilder): RepeatedText {
    let added = this.added.get(block);
    if (!added) this.added.set(block, (added = new RepeatedText(() => block.text())));
    return added;
  }

  private sign(wireIndex: unknown, piece: unknown, into: MessageEvent[]): void {
    if (typeof piece !== 'string' || piece === '') return;
    const block = this.blockFor('thinking', wireIndex, into);
    if (block.index === undefined) this.show(block, into);
    block.sign(piece);
  }

  /** Returns the open block of a kind, else a new one, which ends any block opened in the same implicit way. */
  private blockFor(kind: RoutedKind, wireIndex: unknown, into: MessageEvent[]): BlockBuilder {
    const fitting = this.open.findLast((block) => block.kind === kind);
    if (fitting) return fitting;
    this.close(
      this.open.filter((block) => block.isImplicit),
      into,
    );
    this.closeStopped(into);
    const block = createBlock({ type: kind }, toNumber(wireIndex), true);
    this.add(block);
    return block;
  }

  private add(block: BlockBuilder): void {
    this.blocks.push(block);
    this.open = [...this.open, block];
  }

  /** Gives the block its index and announces it. Called at its first content, so that empty blocks never appear. */
  private show(block: BlockBuilder, into: MessageEvent[]): number {
    const index = this.shown;
    block.index = index;
    this.shown += 1;
    into.push({ type: 'blockStart', index, block: block.start() });
    return index;
  }

  /** Closes blocks, except for a single text block from the service, which might continue. */
  private stop(blocks: readonly BlockBuilder[], into: MessageEvent[]): void {
    const [only] = blocks;
    const mayGoOn = blocks.length === 1 && only?.kind === 'text' && !only.isImplicit && only.index !== undefined;
    if (!mayGoOn || this.open.length > 1) return this.close(blocks, into);
    this.open = [];
    this.stopped = only;
  }

  private closeStopped(into: MessageEvent[]): void {
    const { stopped } = this;
    this.stopped = undefined;
    if (stopped) this.close([stopped], into);
  }

  private close(blocks: readonly BlockBuilder[], into: MessageEvent[]): void {
    this.open = this.open.filter((block) => !blocks.includes(block));
    for (const block of blocks) {
      this.addText(block, this.added.get(block)?.end() ?? '', into);
      if (block.index !== undefined) into.push({ type: 'blockStop', index: block.index, block: block.finish() });
    }
  }
}

/** Some gateways send the input itself in place of its text. */
function jsonText(value: unknown): unknown {
  return isObject(value) ? JSON.stringify(value) : value;
}

/** Anthropic's own reasons stay as they are. */
function ownReason(reason: string | undefined): string | undefined {
  return reason === 'model_context_window_exceeded' ? reason : toStopReason(reason);
}

/** Reads one of Anthropic's, in a web page, a search result or a document. */
function readCitation(value: unknown): readonly Citation[] {
  if (!isObject(value)) return [];
  const url = toText(value['url']) ?? toText(value['source']);
  const title = toText(value['title']) ?? toText(value['document_title']);
  if (url === undefined && title === undefined) return [];
  return [{ ...(url !== undefined && { url }), ...(title !== undefined && { title }) }];
}

/** Two streams in one, whose blocks can't be distinguished. */
function secondMessage(): ApiError {
  return new ApiError({ kind: 'badResponse', message: 'A second message began within the stream.', sent: true });
}

/** Reads a whole answer as the same answer is read from a stream. */
export function toMessage(wire: Wire): Message {
  const assembler = new MessageAssembler();
  const events = assembler.push({ ...wire, type: 'message' });
  assembler.end(events);
  const last = events.at(-1);
  return last?.type === 'end' ? last.message : { content: [], usage: {} };
}

function textEvent({ kind }: BlockBuilder, index: number, text: string): MessageEvent {
  if (kind === 'thinking') return { type: 'thinking', index, text };
  return kind === 'tool_use' ? { type: 'toolInput', index, text } : { type: 'text', index, text };
}

/** Returns only the counts that are present. */
export function toUsage(usage: unknown): MessageUsage {
  if (!isObject(usage)) return {};
  const count = (name: string) => toNumber(usage[name]);
  return present({
    input_tokens: firstCount(count('input_tokens'), count('prompt_tokens')),
    output_tokens: firstCount(count('output_tokens'), count('completion_tokens')),
    cache_read_input_tokens: count('cache_read_input_tokens'),
    cache_creation_input_tokens: count('cache_creation_input_tokens'),
    cost: reportedCost(usage),
  });
}
