import type * as z from 'zod/mini';
import { parseJson } from '../parseJson';
import type { chatCompletionChunk } from './chatCompletions.schema';

type Choice = NonNullable<z.infer<typeof chatCompletionChunk>['choices']>[number];
export type CallPart = NonNullable<NonNullable<Choice['delta']>['tool_calls']>[number];

export interface GrowingCall {
  id: string;
  name: string;
  /** Its arguments, as JSON text. */
  readonly pieces: string[];
  /** Its further properties, which some services want back with it. */
  extra: Readonly<Record<string, unknown>>;
  /** That of its block, once it is shown. */
  index?: number;
}

/** The calls of an answer that is still growing. */
export interface GrowingCalls {
  readonly calls: Map<number, GrowingCall>;
  /** The highest number of a call; -1 without any. */
  lastCall: number;
  /** Maps an index of the service to the call, if it isn't the call's own: some servers number all calls 0. */
  readonly moved: Map<number, number>;
}

/** Nobody runs more calls of one answer. The content of further calls is text. */
export const mostCalls = 128;

/**
 * Returns the call a piece belongs to: that of its index, else that of its id, else the last one; a new one if it has an id and a name of its
 * own, or a name and arguments after those of another call that are complete. `undefined`: it repeats a call.
 */
function callOf({ calls, lastCall: last, moved }: GrowingCalls, part: CallPart): number | undefined {
  const { index, id, function: called } = part;
  const named = index === undefined && id ? [...calls].find(([, call]) => call.id === id) : undefined;
  if (named && named[0] !== last && !isComplete(named[1])) return named[0];
  // SGLang counts on before the arguments of a call.
  const before = calls.get(last);
  const isNew = index !== undefined && !calls.has(moved.get(index) ?? index) && !id && !called?.name;
  if (isNew && before?.pieces.length === 0 && before.name !== '') moved.set(index, last);
  const at = index === undefined ? Math.max(0, last) : (moved.get(index) ?? index);
  const known = calls.get(at);
  const isSame = !known || !id || id === known.id;
  if (isSame && known && called?.name && isComplete(known)) {
    const text = argumentsText(part);
    if (id && text === known.pieces.join('')) return undefined;
    if (text !== '') {
      if (index !== undefined) moved.set(index, last + 1);
      return last + 1;
    }
  }
  if (isSame || (index !== undefined && (known.id === '' || !called?.name || goesOn(known, part)))) return at;
  if (index !== undefined) moved.set(index, last + 1);
  return last + 1;
}

/** Whether a chunk with its own ID continues a call, because some gateways create a new ID for each chunk. */
function goesOn(known: GrowingCall, part: CallPart): boolean {
  const text = argumentsText(part);
  const isSame = part.function?.name === known.name && known.pieces.length > 0;
  return isSame && text !== '' && !text.startsWith('{') && !isComplete(known);
}

/** Whether all arguments of a call are here. An empty object may be followed by the real one. */
function isComplete({ pieces }: GrowingCall): boolean {
  if (!pieces.at(-1)?.trimEnd().endsWith('}')) return false;
  const text = pieces.join('').trim();
  return text.startsWith('{') && text !== '{}' && parseJson(text) !== undefined;
}

interface GrownCall {
  /** `undefined`: it is one too many, and its text is part of the answer. */
  readonly call: GrowingCall | undefined;
  readonly isNew: boolean;
  /** What the piece adds to the arguments. */
  readonly text: string;
}

/** Adds a piece to its call. The first id stays; an empty name never replaces an earlier one. `undefined`: it repeats a call. */
export function growCall(growing: GrowingCalls, part: CallPart, toolNames: readonly string[]): GrownCall | undefined {
  const number = callOf(growing, part);
  if (number === undefined) return undefined;
  const known = growing.calls.get(number);
  if (!known && growing.calls.size >= mostCalls)
    return { call: undefined, isNew: true, text: callText(part.function?.name, argumentsText(part)) };
  const call = known ?? { id: '', name: '', pieces: [], extra: {} };
  growing.calls.set(number, call);
  growing.lastCall = Math.max(growing.lastCall, number);
  call.id ||= part.id ?? '';
  call.name = nameWith(call.name, part.function?.name ?? '', toolNames);
  call.extra = { ...call.extra, ...extraOf(part) };
  const text = newArguments(call, part);
  if (text !== '') call.pieces.push(text);
  return { call, isNew: !known, text };
}

function nameWith(known: string, piece: string, toolNames: readonly string[]): string {
  const isPart = known !== '' && piece !== known && !toolNames.includes(known);
  if (isPart && toolNames.some((name) => name.startsWith(known + piece))) return known + piece;
  return piece || known;
}

/** Returns what a piece adds. Some servers repeat the call and all its arguments so far in each piece. */
function newArguments({ id, name, pieces }: GrowingCall, part: CallPart): string {
  const text = argumentsText(part);
  if (pieces.length === 0 || !text.startsWith('{') || part.id !== id || part.function?.name !== name) return text;
  const before = pieces.join('');
  return text.startsWith(before) ? text.slice(before.length) : text;
}

/** Returns what a call that is one too many says. */
export function callText(name: string | undefined, input: string): string {
  return name ? `\n\n${name} ${input}` : input;
}

/** Returns the properties of a call that are not known here; those of its function under `function`. */
function extraOf({ index: _index, id: _id, type: _type, function: called, ...rest }: CallPart) {
  const { name: _name, arguments: _arguments, parameters: _parameters, ...inside } = called ?? {};
  const within = definedOf(inside);
  return { ...definedOf(rest), ...(Object.keys(within).length > 0 && { function: within }) };
}

function definedOf(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value != null));
}

/** Returns a call's arguments, or a piece of them, as JSON text. */
function argumentsText({ function: called }: CallPart): string {
  // Models that imitate the form call them parameters.
  const value = called?.arguments ?? called?.parameters ?? '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Returns the name of a call; one without any can only be of the only tool. */
export function nameOf({ id, name, pieces }: GrowingCall, toolNames: readonly string[]): string {
  // Kimi's IDs name the tool.
  const named = name === '' ? (/^functions\.([\w.-]+):\d+$/.exec(id)?.[1] ?? '') : name;
  return named === '' && pieces.length > 0 && toolNames.length === 1 ? toolNames[0]! : named;
}
