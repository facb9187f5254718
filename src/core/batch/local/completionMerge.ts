import { isObject } from '../../api/isObject';
import { toNumber } from '../../api/tolerant';

type JsonObject = Readonly<Record<string, unknown>>;
type Growing = Record<string, unknown>;

/** Merges the chunks of a stream into one completion, as a service returns it without streaming. */
export interface CompletionMerge {
  add(chunk: unknown): void;
  /** Whether any part of an answer has arrived. */
  readonly hasBegun: boolean;
  /** Whether at least this many answers have arrived and all of them are finished. */
  isWhole(answers: number): boolean;
  /** Returns what has arrived, with all members the service sent, including unknown ones. */
  read(): JsonObject;
}

export function createCompletionMerge(): CompletionMerge {
  const head: Growing = {};
  const choices = new Map<number, Growing>();
  return {
    get hasBegun() {
      return choices.size > 0 || head['usage'] !== undefined;
    },
    add(chunk) {
      if (!isObject(chunk)) return;
      const { choices: parts, ...rest } = chunk;
      if (!Array.isArray(parts) && !isObject(rest['usage'])) return;
      mergeHead(head, rest);
      for (const part of Array.isArray(parts) ? (parts as readonly unknown[]) : []) {
        if (!isObject(part)) continue;
        const index = toNumber(part['index']) ?? 0;
        const choice = choices.get(index) ?? { message: { role: 'assistant', content: '' } };
        choices.set(index, choice);
        mergeChoice(choice, part);
      }
    },
    isWhole: (answers) =>
      choices.size >= answers && [...choices.values()].every((choice) => typeof choice['finish_reason'] === 'string'),
    read: () => ({
      ...head,
      object: 'chat.completion',
      choices: [...choices].toSorted(([a], [b]) => a - b).map(([index, choice]) => ({ index, ...choice })),
    }),
  };
}

/** The latest usage counts; of all other members, the first value that is not empty. */
function mergeHead(head: Growing, chunk: JsonObject): void {
  for (const [name, value] of Object.entries(chunk)) {
    if (value === null || value === undefined) continue;
    if (name === 'usage' || head[name] === undefined || head[name] === '') put(head, name, value);
  }
}

function mergeChoice(choice: Growing, part: JsonObject): void {
  for (const [name, value] of Object.entries(part)) {
    if (value === null || value === undefined || name === 'index') continue;
    if (name === 'delta' || name === 'message') mergeMessage(choice['message'] as Growing, value);
    else if (name === 'logprobs' && isObject(value)) put(choice, name, mergeLists(choice[name], value));
    else put(choice, name, value);
  }
}

function mergeMessage(message: Growing, delta: unknown): void {
  if (!isObject(delta)) return;
  for (const [name, value] of Object.entries(delta)) {
    if (value === null || value === undefined) continue;
    const before = message[name];
    if (name === 'tool_calls' && Array.isArray(value)) put(message, name, mergeCalls(before, value));
    else if (name === 'content' && (Array.isArray(value) || Array.isArray(before))) {
      put(message, name, contentParts(value).reduce(addPart, contentParts(before)));
    } else if (typeof value === 'string' && name !== 'role') {
      if (value !== '' || before !== undefined) put(message, name, typeof before === 'string' ? before + value : value);
    } else if (value !== '') put(message, name, value);
  }
}

/** Content as a list: a stream may have it as text and as lists of parts, such as thinking. */
function contentParts(content: unknown): readonly unknown[] {
  if (Array.isArray(content)) return content;
  return typeof content === 'string' && content !== '' ? [{ type: 'text', text: content }] : [];
}

/** Adds a part of content, or joins it to the last one if both are text, or both thinking. */
function addPart(parts: readonly unknown[], part: unknown): readonly unknown[] {
  const last = parts.at(-1);
  if (!isObject(last) || !isObject(part) || last['type'] !== part['type']) return [...parts, part];
  const { text, thinking } = last;
  const rest = parts.slice(0, -1);
  if (typeof text === 'string' && typeof part['text'] === 'string') {
    return [...rest, { ...last, ...part, text: text + part['text'] }];
  }
  if (!Array.isArray(thinking) || !Array.isArray(part['thinking'])) return [...parts, part];
  return [...rest, { ...last, ...part, thinking: part['thinking'].reduce(addPart, thinking) }];
}

/** More than any model makes at once. A higher index is invalid. */
const mostCalls = 1000;

/** Deltas repeat `id: null` and `name: ""`: empty values never replace earlier ones. */
function mergeCalls(before: unknown, parts: readonly unknown[]): readonly Growing[] {
  const calls = Array.isArray(before) ? (before as Growing[]) : [];
  for (const part of parts.filter(isObject)) {
    const { index, function: piece, ...rest } = part;
    const said = toNumber(index);
    const isIndex = Number.isInteger(said) && Number(said) >= 0 && Number(said) < mostCalls;
    const at = isIndex ? Number(said) : Math.max(0, calls.length - (part['id'] ? 0 : 1));
    while (calls.length <= at) calls.push({ id: '', type: 'function', function: { name: '', arguments: '' } });
    const call = calls[at]!;
    for (const [name, value] of Object.entries(rest)) if (value) put(call, name, value);
    if (!isObject(piece)) continue;
    const called = call['function'] as Growing;
    if (piece['name']) put(called, 'name', piece['name']);
    if (typeof piece['arguments'] === 'string')
      called['arguments'] = `${String(called['arguments'])}${piece['arguments']}`;
  }
  return calls;
}

function mergeLists(before: unknown, added: JsonObject): Growing {
  const merged: Growing = isObject(before) ? { ...before } : {};
  for (const [name, value] of Object.entries(added)) {
    const known = merged[name];
    put(
      merged,
      name,
      Array.isArray(known) && Array.isArray(value) ? [...(known as unknown[]), ...(value as unknown[])] : value,
    );
  }
  return merged;
}

/** Safe for names such as `__proto__`. */
function put(target: Growing, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true });
}
