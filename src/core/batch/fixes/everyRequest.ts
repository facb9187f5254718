import type { JsonNode } from '../scan/jsonTree';
import { member } from '../scan/jsonTree';
import { rootOf } from './fixLine';
import { insertEdit, replaceEdit } from './jsonEdits';
import type { LineChange, Lines, Work } from './lineChange';
import { applyEdits } from './lineChange';

export interface Rewriting {
  readonly changes: readonly LineChange[];
  /** Zero-based numbers of the lines that are not blank but could not be read as requests; they are unchanged. */
  readonly left: readonly number[];
}

const numberPlace = /\{n(?::(\d+))?\}/g;

/** Whether an id pattern has a placeholder for the number: `{n}`, or `{n:4}` for at least four digits. */
export function isIdPattern(pattern: string): boolean {
  return pattern.search(numberPlace) >= 0;
}

export function idByPattern(pattern: string, number: number): string {
  return pattern.replace(numberPlace, (_place, width: string | undefined) =>
    String(number).padStart(Number(width ?? 0), '0'),
  );
}

/** Sets the id of every request from the pattern, numbered from 1. */
export function numberIds(lines: Lines, pattern: string): Work<Rewriting> {
  return rewriteRequests(lines, (text, root, number) =>
    withMember(text, root, { key: 'custom_id', value: idByPattern(pattern, number) }),
  );
}

/** Sets the model of every request. */
export function setModel(lines: Lines, model: string): Work<Rewriting> {
  return rewriteRequests(lines, (text, root) => modelIn(text, root, model));
}

/** Returns a request with another model; the line as it is if it is not a request. */
export function withModel(text: string, model: string): string {
  const root = rootOf(text);
  return (root?.kind === 'object' ? modelIn(text, root, model) : undefined) ?? text;
}

function modelIn(text: string, root: JsonNode, model: string): string | undefined {
  const body = (member(root, 'body') ?? member(root, 'params'))?.value;
  return body?.kind === 'object' ? withMember(text, body, { key: 'model', value: model }) : undefined;
}

/** Replaces the member's value, or adds the member before all others. */
function withMember(
  text: string,
  object: JsonNode,
  { key, value }: { readonly key: string; readonly value: string },
): string {
  const now = member(object, key)?.value;
  if (now?.value === value) return text;
  const written = JSON.stringify(value);
  return applyEdits(text, [now ? replaceEdit(now, written) : insertEdit(text, object, { key, value: written })]);
}

/** `rewrite` returns `undefined` for a request it cannot rewrite. Requests count from 1. */
function* rewriteRequests(
  lines: Lines,
  rewrite: (text: string, root: JsonNode, number: number) => string | undefined,
): Work<Rewriting> {
  const changes: LineChange[] = [];
  const left: number[] = [];
  let number = 0;
  for (let line = 0; line < lines.lineCount; line++) {
    const text = lines.line(line) ?? '';
    yield;
    if (text.trim() === '') continue;
    number++;
    const root = rootOf(text);
    const fresh = root?.kind === 'object' ? rewrite(text, root, number) : undefined;
    if (fresh === undefined) left.push(line);
    else if (fresh !== text) changes.push({ start: line, removed: 1, added: [fresh] });
  }
  return { changes, left };
}
