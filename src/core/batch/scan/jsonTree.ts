import { printParseErrorCode, visit } from 'jsonc-parser';
import type { JSONVisitor } from 'jsonc-parser';
import type { JsonKind } from '../shape';
import type { Span } from '../problem';

/** A JSON value with its position. */
export interface JsonNode extends Span {
  readonly kind: JsonKind;
  /** Of an object: in order, including duplicates. Empty below `deepestNode`. */
  readonly members: readonly JsonMember[];
  /** The members by name: the last of several, as JSON parsers do. */
  readonly named: ReadonlyMap<string, JsonMember | undefined>;
  /** The items of an array. Empty below `deepestNode`. */
  readonly items: readonly JsonNode[];
  /** The value of a string, number, boolean, or null. */
  readonly value: string | number | boolean | null;
}

export interface JsonMember {
  readonly key: string;
  readonly keySpan: Span;
  readonly value: JsonNode;
}

export interface JsonFault {
  /** The name in the underlying parser, e.g. `CommaExpected`. */
  readonly name: string;
  readonly span: Span;
}

/** The result of parsing a text as JSON, as deep as it is needed. */
export interface JsonReading {
  /** `undefined` if the text is not valid JSON. */
  readonly root: JsonNode | undefined;
  /** The first error in the text. */
  readonly fault: JsonFault | undefined;
  /** Keys that their object already has, at any depth. */
  readonly repeated: readonly { readonly key: string; readonly span: Span }[];
}

/**
 * The maximum depth of rules: line, body, messages, message, tool calls, call, function, its properties; or message, content, part, image,
 * its URL.
 */
const deepestNode = 8;

type GrowingNode = { -readonly [Key in 'end' | 'start' | 'kind' | 'value']: JsonNode[Key] } & {
  readonly named: Map<string, JsonMember | undefined>;
  readonly members: JsonMember[];
  readonly items: JsonNode[];
};

interface OpenValue {
  readonly node: GrowingNode | undefined;
  /** Of an object: the names so far, each with its property if that is stored. */
  readonly names: Map<string, JsonMember | undefined> | undefined;
  /** The member whose value comes next. */
  key: { readonly key: string; readonly keySpan: Span } | undefined;
}

/** Parses a text of moderate depth. Of one that nests too deeply for the underlying parser, which is recursive, nothing is known. */
export function readJson(text: string): JsonReading {
  const builder = createBuilder();
  try {
    visit(text, builder.visitor, { disallowComments: true, allowTrailingComma: false });
  } catch (error) {
    if (error instanceof RangeError) return { root: undefined, fault: undefined, repeated: [] };
    throw error;
  }
  return builder.result();
}

function createBuilder() {
  const open: OpenValue[] = [];
  const repeated: { readonly key: string; readonly span: Span }[] = [];
  let root: GrowingNode | undefined;
  let fault: JsonFault | undefined;

  const place = (node: GrowingNode): GrowingNode | undefined => {
    const into = open.at(-1);
    if (!into) root ??= node;
    else if (!into.node || open.length > deepestNode) return undefined;
    else if (into.node.kind === 'array') into.node.items.push(node);
    else if (into.key) {
      const placed = { ...into.key, value: node };
      into.node.members.push(placed);
      into.names?.set(placed.key, placed);
    }
    return node;
  };
  const begin = (kind: 'object' | 'array', start: number) => {
    const node = newNode(kind, start, start);
    open.push({ node: place(node), names: kind === 'object' ? node.named : undefined, key: undefined });
  };
  const end = (offset: number, length: number) => {
    const node = open.pop()?.node;
    if (node) node.end = offset + length;
  };
  const visitor: JSONVisitor = {
    onObjectBegin: (offset) => begin('object', offset),
    onArrayBegin: (offset) => begin('array', offset),
    onObjectEnd: end,
    onArrayEnd: end,
    onObjectProperty(key, offset, length) {
      const object = open.at(-1);
      if (!object?.names) return;
      const keySpan = { start: offset, end: offset + length };
      if (object.names.has(key)) repeated.push({ key, span: keySpan });
      object.names.set(key, undefined);
      object.key = { key, keySpan };
    },
    onLiteralValue: (value: unknown, offset, length) =>
      void place({ ...newNode(kindOf(value), offset, offset + length), value: value as JsonNode['value'] }),
    onError: (code, offset, length) =>
      (fault ??= { name: printParseErrorCode(code), span: { start: offset, end: offset + length } }),
  };
  return {
    visitor,
    result: (): JsonReading => ({ root: fault ? undefined : root, fault, repeated: fault ? [] : repeated }),
  };
}

/** Shared by all nodes that aren't objects. */
const noNames = new Map<string, never>();

function newNode(kind: JsonKind, start: number, end: number): GrowingNode {
  return { kind, start, end, members: [], named: kind === 'object' ? new Map() : noNames, items: [], value: null };
}

function kindOf(value: unknown): JsonKind {
  if (value === null) return 'null';
  return typeof value === 'string' ? 'string' : typeof value === 'number' ? 'number' : 'boolean';
}

/** Returns how deeply a text nests, ignoring brackets in strings; for invalid JSON, the most brackets open at once. */
export function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  let inString = false;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit === 0x22) inString = !inString;
    else if (inString) index += unit === 0x5c ? 1 : 0;
    else if (unit === 0x7b || unit === 0x5b) deepest = Math.max(deepest, ++depth);
    else if (unit === 0x7d || unit === 0x5d) depth--;
  }
  return deepest;
}

/** Returns the member of that name: the last of several, as JSON parsers do. */
export function member(node: JsonNode | undefined, key: string): JsonMember | undefined {
  return node?.named.get(key);
}
