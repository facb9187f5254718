import type { Span } from '../problem';
import type { JsonMember, JsonNode } from '../scan/jsonTree';
import type { TextEdit } from './lineChange';

/** A member and the object that contains it. */
export interface PlacedMember {
  readonly object: JsonNode;
  readonly member: JsonMember;
}

/** Returns the innermost member whose name or value contains the span, or `undefined` if no known member does. */
export function memberAt(root: JsonNode, { start, end }: Span): PlacedMember | undefined {
  const holds = (node: Span) => node.start <= start && end <= node.end;
  let found: PlacedMember | undefined;
  let node: JsonNode | undefined = root;
  while (node) {
    const object: JsonNode = node;
    const last: JsonMember | undefined = object.members[lastFrom(start, object.members)];
    const within = last && (holds(last.keySpan) || holds(last.value)) ? last : undefined;
    if (within) found = { object, member: within };
    if (within && holds(within.keySpan)) return found;
    node = within?.value ?? object.items.find(holds);
  }
  return found;
}

/** Returns the object or array that begins at `start`. */
export function nodeFrom(root: JsonNode, start: number): JsonNode | undefined {
  let node: JsonNode | undefined = root;
  while (node && node.start !== start) {
    const children: readonly JsonNode[] = node.kind === 'array' ? node.items : node.members.map(({ value }) => value);
    node = children.find((child) => child.start <= start && start < child.end);
  }
  return node;
}

export function replaceEdit({ start, end }: Span, text: string): TextEdit {
  return { start, end, text };
}

/** Returns an edit that inserts a member after the one named, else before all others, with the object's own spacing. */
export function insertEdit(
  text: string,
  object: JsonNode,
  { key, value, after }: { readonly key: string; readonly value: string; readonly after?: JsonMember | undefined },
): TextEdit {
  const [first] = object.members;
  const written = `${JSON.stringify(key)}${colonOf(text, first)}${value}`;
  if (!first) return { start: object.start + 1, end: object.start + 1, text: written };
  const comma = commaOf(text, object);
  if (after) return { start: after.value.end, end: after.value.end, text: `${comma}${written}` };
  return { start: first.keySpan.start, end: first.keySpan.start, text: `${written}${comma}` };
}

/** Returns an edit that removes a member and the comma it no longer needs. */
export function removeEdit({ object: { members }, member }: PlacedMember): TextEdit {
  const index = lastFrom(member.keySpan.start, members);
  const next = members[index + 1];
  if (next) return { start: member.keySpan.start, end: next.keySpan.start, text: '' };
  const before = members[index - 1];
  return { start: before ? before.value.end : member.keySpan.start, end: member.value.end, text: '' };
}

/** Returns the index of the last property that begins at `start` or before. Uses a binary search, because properties are in text order. */
function lastFrom(start: number, members: readonly JsonMember[]): number {
  let low = -1;
  for (let high = members.length - 1; low < high;) {
    const middle = Math.ceil((low + high) / 2);
    if (members[middle]!.keySpan.start <= start) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Returns the text between name and value. */
function colonOf(text: string, member: JsonMember | undefined): string {
  return member ? text.slice(member.keySpan.end, member.value.start) : ':';
}

/** Returns the text between two members. With only one member, it is guessed from the space after the colon. */
function commaOf(text: string, { members: [first, second] }: JsonNode): string {
  if (first && second) return text.slice(first.value.end, second.keySpan.start);
  return /\s/.test(colonOf(text, first)) ? ', ' : ',';
}
