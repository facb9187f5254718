import { randomUUID } from 'node:crypto';
import { isObject } from '../isObject';
import { readToolInput } from '../toolInput';
import { toText } from '../tolerant';
import type { CallState, ContentBlock, MessageEvent } from './messageEvents';

type Wire = Readonly<Record<string, unknown>>;
export type BlockKind = Exclude<ContentBlock['type'], 'image'>;
type BlockStart = Extract<MessageEvent, { type: 'blockStart' }>['block'];

/** A content block that is still being received. */
export interface BlockBuilder {
  readonly kind: BlockKind;
  /** The service's own index; unreliable. */
  wireIndex: number | undefined;
  /** Opened by a delta rather than by a start event. */
  readonly isImplicit: boolean;
  /** This client's index, in order of appearance; `undefined` until the block is shown. */
  index: number | undefined;
  readonly isSigned: boolean;
  /** Number of characters so far. */
  readonly length: number;
  append(piece: string): void;
  sign(piece: string): void;
  /** Adds a delta to a block of an unknown kind, whose text members grow by those of the delta. */
  absorb(delta: Wire): void;
  text(): string;
  start(): BlockStart;
  finish(): ContentBlock;
}

/** `start` is the `content_block` from the wire. */
export function createBlock(start: Wire, wireIndex: number | undefined, isImplicit = false): BlockBuilder {
  const kind = toKind(start['type']);
  const pieces: string[] = [];
  const signature: string[] = [];
  const members = new Map<string, string>();
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
    get isSigned() {
      return signature.some((piece) => piece !== '');
    },
    get length() {
      return length;
    },
    append,
    sign: (piece) => void signature.push(piece),
    absorb: (delta) => {
      for (const [name, value] of Object.entries(delta)) {
        if (name === 'type' || typeof value !== 'string') continue;
        if (name === 'partial_json') append(value);
        else members.set(name, (members.get(name) ?? toText(start[name]) ?? '') + value);
      }
    },
    text,
    start: () => {
      if (kind === 'unknown') return { type: kind, raw: start };
      return kind === 'tool_use'
        ? { type: kind, id: toText(start['id']) ?? '', name: toText(start['name']) ?? '' }
        : { type: kind };
    },
    finish() {
      const whole = members.size > 0 ? { ...start, ...Object.fromEntries(members) } : start;
      return finished({ kind, start: whole, text: text(), signature: signature.join('') });
    },
  };
}

/** Returns the block of an image with a data URL or a web URL; `undefined` for any other URL. */
export function imageBlock(address: string, alternative = ''): Extract<ContentBlock, { type: 'image' }> | undefined {
  const data = /^data:([^;,]+)(?:;[\w-]+=[\w.-]+)?;base64,(.*)$/s.exec(address);
  const named = alternative === '' ? {} : { alternative };
  if (data) return { type: 'image', source: { type: 'base64', media_type: data[1]!, data: data[2]! }, ...named };
  return /^https?:/i.test(address) ? { type: 'image', source: { type: 'url', url: address }, ...named } : undefined;
}

/** Every service accepts IDs of nine letters and digits. */
export function newId(): string {
  return randomUUID().replaceAll('-', '').slice(0, 9);
}

/** Returns the ID of a call, or a new one, because some services send none, or the same one for every call. */
export function ownId(id: string, taken: Set<string>): string {
  const own = id !== '' && !taken.has(id) ? id : newId();
  taken.add(own);
  return own;
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
    case 'thinking': {
      const isFromText = start['isFromText'] === true;
      return { type: kind, thinking: text, ...(signature !== '' && { signature }), ...(isFromText && { isFromText }) };
    }
    case 'tool_use':
      return {
        type: kind,
        id: toText(start['id']) ?? '',
        name: toText(start['name']) ?? '',
        input: toInput(text, start['input']),
        ...stateOf(start),
      };
    case 'unknown':
      return { type: kind, raw: text === '' ? start : { ...start, input: toInput(text, start['input']) } };
  }
}

/** Reads the joined pieces, or a whole that came with the start. */
function toInput(text: string, whole: unknown): unknown {
  if (text.trim() !== '') return readToolInput(text);
  return typeof whole === 'string' ? readToolInput(whole) : (whole ?? {});
}

const callMembers: ReadonlySet<string> = new Set(['type', 'id', 'name', 'input', 'state', 'cache_control']);

/** Returns the additional data that a service sent with a call: unknown properties of its block, or a reader's findings. */
function stateOf(start: Wire): { readonly state?: CallState } {
  const others = Object.entries(start).filter(([name, value]) => !callMembers.has(name) && value != null);
  if (isObject(start['state'])) return { state: start['state'] };
  return others.length === 0 ? {} : { state: { block: Object.fromEntries(others) } };
}

function toKind(type: unknown): BlockKind {
  return type === 'text' || type === 'thinking' || type === 'tool_use' ? type : 'unknown';
}
