import type { ContentBlock, MessageEvent } from './messageEvents';

type Wire = Readonly<Record<string, unknown>>;
export type BlockKind = ContentBlock['type'];
type BlockStart = Extract<MessageEvent, { type: 'blockStart' }>['block'];

/** A content block that is still being received. */
export interface BlockBuilder {
  readonly kind: BlockKind;
  /** The service's own index; unreliable. */
  readonly wireIndex: number | undefined;
  /** Opened by a delta rather than by a start event. */
  readonly isImplicit: boolean;
  /** This client's index, in order of appearance; `undefined` until the block is shown. */
  index: number | undefined;
  /** Number of characters so far. */
  readonly length: number;
  append(piece: string): void;
  sign(piece: string): void;
  text(): string;
  start(): BlockStart;
  finish(): ContentBlock;
}

/** `start` is the `content_block` from the wire. */
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

/** Reads a block that was received whole. */
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

/** Parses the joined pieces: empty text means no arguments, and truncated JSON is returned as text. */
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
