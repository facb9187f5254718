import type { ContentBlock, MessageEvent } from './messageEvents';

type Wire = Readonly<Record<string, unknown>>;
export type BlockKind = ContentBlock['type'];
type BlockStart = Extract<MessageEvent, { type: 'blockStart' }>['block'];

/** A block while it comes in. */
export interface BlockBuilder {
  readonly kind: BlockKind;
  /** As the service counts; not to be relied on. */
  readonly wireIndex: number | undefined;
  /** Opened by a delta, not by a start. */
  readonly isImplicit: boolean;
  /** Ours, in order of appearance; unset until it is shown. */
  index: number | undefined;
  /** Characters so far. */
  readonly length: number;
  append(piece: string): void;
  sign(piece: string): void;
  text(): string;
  start(): BlockStart;
  finish(): ContentBlock;
}

/** `start` is the wire's `content_block`. */
export function createBlock(start: Wire, wireIndex: number | undefined, isImplicit = false): BlockBuilder {
  const kind = toKind(start['type']);
  const pieces: string[] = [];
  const signature: string[] = [];
  let length = 0;
  let joined: string | undefined;
  const append = (piece: unknown) => {
    if (typeof piece !== 'string') return;
    pieces.push(piece);
    joined = undefined;
    length += piece.length;
  };
  if (kind === 'text') append(start['text']);
  if (kind === 'thinking') append(start['thinking']);
  if (typeof start['signature'] === 'string') signature.push(start['signature']);
  const text = () => (joined ??= pieces.join(''));
  return {
    kind,
    wireIndex,
    isImplicit,
    index: undefined,
    get length() {
      return length;
    },
    append,
    sign: (piece) => void signature.push(piece),
    text,
    start: () => {
      if (kind === 'unknown') return { type: kind, raw: start };
      return kind === 'tool_use'
        ? { type: kind, id: toText(start['id']), name: toText(start['name']) }
        : { type: kind };
    },
    finish: () => finished({ kind, start, text: text(), signature: signature.join('') }),
  };
}

/** A block that came whole. */
export function readContentBlock(raw: Wire): ContentBlock {
  return createBlock(raw, undefined).finish();
}

interface Finished {
  readonly kind: BlockKind;
  readonly start: Wire;
  readonly text: string;
  readonly signature: string;
}

function finished({ kind, start, text, signature }: Finished): ContentBlock {
  switch (kind) {
    case 'text':
      return { type: kind, text };
    case 'thinking':
      return { type: kind, thinking: text, ...(signature === '' ? {} : { signature }) };
    case 'tool_use':
      return { type: kind, id: toText(start['id']), name: toText(start['name']), input: toInput(text, start['input']) };
    case 'unknown':
      return { type: kind, raw: start };
  }
}

/** What came in pieces is parsed as a whole: nothing means no arguments, and text that was cut off stays text. */
function toInput(text: string, whole: unknown): unknown {
  if (text.trim() === '') return whole ?? {};
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function toKind(type: unknown): BlockKind {
  return type === 'text' || type === 'thinking' || type === 'tool_use' ? type : 'unknown';
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
