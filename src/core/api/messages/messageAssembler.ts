import { present } from '../present';
import { createBlock, toContentBlock } from './blockBuilder';
import type { BlockBuilder, BlockKind } from './blockBuilder';
import type { Message, MessageEvent, MessageUsage } from './messageEvents';

type Wire = Readonly<Record<string, unknown>>;

/**
 * Makes events of a stream's JSON. Services send deltas that do not fit the open block, leave out starts and stops, and count
 * blocks wrongly, so a delta goes where its own kind belongs: to the open block of that kind, else to a new one.
 */
export class MessageAssembler {
  private isEnded = false;
  private readonly blocks: BlockBuilder[] = [];
  private open: BlockBuilder[] = [];
  private shown = 0;
  private id: string | undefined;
  private model: string | undefined;
  private stopReason: string | undefined;
  private stopSequence: string | undefined;
  private usage: MessageUsage = {};

  push(data: unknown): readonly MessageEvent[] {
    if (!isWire(data)) return [{ type: 'unknown', raw: data }];
    switch (data['type']) {
      case 'content_block_delta':
        return this.onDelta(data);
      case 'content_block_start':
        return this.onBlockStart(data);
      case 'content_block_stop':
        return this.close(this.open.filter((block) => block.wireIndex === data['index']));
      case 'message_start':
        return this.onStart(data);
      case 'message_delta':
        this.onMessageDelta(data);
        return [];
      case 'message_stop':
        return this.end();
      case 'ping':
        return [];
      default:
        return [{ type: 'unknown', raw: data }];
    }
  }

  /** The last events of a stream that said it is over; none when they were made already. */
  end(): readonly MessageEvent[] {
    if (this.isEnded) return [];
    this.isEnded = true;
    return [...this.close(this.open), { type: 'end', message: this.message() }];
  }

  private message(): Message {
    const { id, model, stopReason, stopSequence, usage } = this;
    return {
      ...present({ id, model, stop_reason: stopReason, stop_sequence: stopSequence }),
      content: this.blocks.filter((block) => block.index !== undefined).map(toContentBlock),
      usage,
    };
  }

  private onStart({ message }: Wire): readonly MessageEvent[] {
    if (!isWire(message)) return [];
    this.id = toText(message['id']);
    this.model = toText(message['model']);
    this.usage = toUsage(message['usage']);
    return [{ type: 'start', ...present({ id: this.id, model: this.model }), usage: this.usage }];
  }

  private onMessageDelta({ delta, usage }: Wire): void {
    this.usage = { ...this.usage, ...toUsage(usage) };
    if (!isWire(delta)) return;
    this.stopReason = toText(delta['stop_reason']) ?? this.stopReason;
    this.stopSequence = toText(delta['stop_sequence']) ?? this.stopSequence;
  }

  private onBlockStart({ index, content_block: start }: Wire): readonly MessageEvent[] {
    // Blocks follow each other: one that was never stopped ends where the next begins.
    const events = [...this.close(this.open)];
    if (!isWire(start)) return events;
    const block = createBlock(start, typeof index === 'number' ? index : undefined);
    this.add(block);
    if (block.kind === 'tool_use' || block.kind === 'unknown') events.push(...this.show(block));
    else if (block.length > 0) events.push(...this.show(block), textEvent(block, block.text()));
    return events;
  }

  private onDelta(data: Wire): readonly MessageEvent[] {
    const { delta, index } = data;
    if (!isWire(delta)) return [{ type: 'unknown', raw: data }];
    switch (delta['type']) {
      case 'text_delta':
        return this.grow('text', index, delta['text']);
      case 'thinking_delta':
        return this.grow('thinking', index, delta['thinking']);
      case 'input_json_delta':
        return this.grow('tool_use', index, delta['partial_json']);
      case 'signature_delta':
        return this.sign(index, delta['signature']);
      default:
        return [{ type: 'unknown', raw: data }];
    }
  }

  private grow(kind: Exclude<BlockKind, 'unknown'>, wireIndex: unknown, piece: unknown): readonly MessageEvent[] {
    if (typeof piece !== 'string' || piece === '') return [];
    const last = this.open.at(-1);
    const events: MessageEvent[] = [];
    const block = last?.kind === kind ? last : this.blockFor(kind, wireIndex, events);
    if (block.index === undefined) events.push(...this.show(block));
    block.append(piece);
    events.push(textEvent(block, piece));
    return events;
  }

  private sign(wireIndex: unknown, piece: unknown): readonly MessageEvent[] {
    if (typeof piece !== 'string' || piece === '') return [];
    const events: MessageEvent[] = [];
    const block = this.blockFor('thinking', wireIndex, events);
    if (block.index === undefined) events.push(...this.show(block));
    block.sign(piece);
    return events;
  }

  /** The open block of a kind, else a new one; one that was opened the same way before is then over. */
  private blockFor(kind: Exclude<BlockKind, 'unknown'>, wireIndex: unknown, events: MessageEvent[]): BlockBuilder {
    const fitting = this.open.findLast((block) => block.kind === kind);
    if (fitting) return fitting;
    events.push(...this.close(this.open.filter((block) => block.isImplicit)));
    const block = createBlock({ type: kind }, typeof wireIndex === 'number' ? wireIndex : undefined, true);
    this.add(block);
    return block;
  }

  private add(block: BlockBuilder): void {
    this.blocks.push(block);
    this.open = [...this.open, block];
  }

  /** A block counts from its first content on: empty ones are never seen. */
  private show(block: BlockBuilder): readonly MessageEvent[] {
    block.index = this.shown;
    this.shown += 1;
    return [{ type: 'blockStart', index: block.index, block: block.start() }];
  }

  private close(blocks: readonly BlockBuilder[]): readonly MessageEvent[] {
    this.open = this.open.filter((block) => !blocks.includes(block));
    return blocks.flatMap((block) =>
      block.index === undefined
        ? []
        : [{ type: 'blockStop' as const, index: block.index, block: toContentBlock(block) }],
    );
  }
}

function textEvent(block: BlockBuilder, text: string): MessageEvent {
  const index = block.index ?? 0;
  if (block.kind === 'thinking') return { type: 'thinking', index, text };
  return block.kind === 'tool_use' ? { type: 'toolInput', index, text } : { type: 'text', index, text };
}

/** Only the counts that are there. */
export function toUsage(usage: unknown): MessageUsage {
  if (!isWire(usage)) return {};
  const count = (name: keyof MessageUsage) => (typeof usage[name] === 'number' ? usage[name] : undefined);
  return present({
    input_tokens: count('input_tokens'),
    output_tokens: count('output_tokens'),
    cache_read_input_tokens: count('cache_read_input_tokens'),
    cache_creation_input_tokens: count('cache_creation_input_tokens'),
  });
}

function isWire(value: unknown): value is Wire {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function toText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
