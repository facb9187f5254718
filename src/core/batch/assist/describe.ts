import { getLocation, findNodeAtLocation, getNodeValue, parseTree } from 'jsonc-parser';
import type { Span } from '../problem';
import { depthOf } from '../scan/jsonTree';
import { assistWords, assistWords as words } from '../words/memberWords';
import { siliconFlow } from '../services/batchServices';
import type { BatchRules } from '../services/batchRules';
import type { Shape } from '../shape';
import { shown } from '../words/shown';
import { lineFormOf, lineShapeAt, shapeWithin, takesText } from './lineShape';

/** What to show about the name or value under the pointer. */
interface Description extends Span {
  /** For a property: its name, its purpose, and its accepted values. */
  readonly member: { readonly name: string; readonly about: string; readonly takes: string } | undefined;
  /** The id, if the value is a model. */
  readonly model: string | undefined;
  readonly conversation: ConversationPreview | undefined;
}

const deepestLine = 500;

/**
 * Returns `undefined` if there is nothing to show. `text` is one request, on one line or several, possibly invalid JSON. `rules` are those
 * of the file's service, and default to the public service's.
 */
export function describeAt(text: string, offset: number, rules: BatchRules = siliconFlow): Description | undefined {
  if (depthOf(text) > deepestLine) return undefined;
  const { path, previousNode: node } = getLocation(text, offset);
  if (!node || offset < node.offset || offset > node.offset + node.length) return undefined;
  const span = { start: node.offset, end: node.offset + node.length };
  const name = path.at(-1);
  const isName = node.type === 'property';
  const line = lineShapeAt(rules, lineFormOf(text, rules));
  const model = !isName && shapeWithin(line, path)?.isModel && typeof node.value === 'string' ? node.value : undefined;
  const conversation = conversationAt(text, path, isName);
  // A string explains itself, and a hover would hide what is below a long one; for a number, its bounds are useful.
  const member = isName || node.type === 'number' || node.type === 'boolean' ? memberAt(line, path) : undefined;
  if (typeof name !== 'string' || (!member && !model && !conversation)) return undefined;
  return { ...span, member, model, conversation };
}

function memberAt(line: Shape, path: readonly (string | number)[]): Description['member'] {
  const shape = shapeWithin(line, path);
  const name = path.at(-1);
  if (!shape || typeof name !== 'string') return undefined;
  const isRequired = shapeWithin(line, path.slice(0, -1))?.required?.includes(name);
  const [about, takes] = [shape.about(), takesText(shape)];
  if (about === '' && takes === '') return undefined;
  return { name, about, takes: isRequired ? `${takes} ${assistWords.required()}`.trim() : takes };
}

const bodyNames: readonly unknown[] = ['body', 'params'];
/** Names of what a model responds to: a chat, and OpenAI's Responses API. */
const listNames = ['messages', 'input'] as const;

/** Returns all messages for the name `messages`, or a single one for the name or value of its `content`. */
function conversationAt(
  text: string,
  path: readonly (string | number)[],
  isName: boolean,
): ConversationPreview | undefined {
  const [first, second, index, key] = path;
  if (!bodyNames.includes(first) || !listNames.some((name) => name === second)) return undefined;
  if (path.length === 2 && isName) return previewMessages(text);
  if (typeof index !== 'number' || key !== 'content') return undefined;
  return previewMessages(text, index);
}

/** A message in readable form. */
interface MessagePreview {
  readonly role: string;
  readonly text: string;
}

export interface ConversationPreview {
  readonly messages: readonly MessagePreview[];
  /** The number of further messages. */
  readonly left: number;
}

/** The most characters for a hover. */
const mostCharacters = 3000;
/** The most characters for one of several messages. */
const mostOfOne = 1000;

/** Returns the messages of a request, or only one of them, shortened to be read at a glance. Accepts invalid JSON too. */
export function previewMessages(line: string, index?: number): ConversationPreview {
  const root = parseTree(line);
  const body = root && (findNodeAtLocation(root, ['body']) ?? findNodeAtLocation(root, ['params']));
  const lists = listNames.map((name) => body && findNodeAtLocation(body, [name]));
  const nodes = lists.find((list) => list?.type === 'array')?.children ?? [];
  const chosen = index === undefined ? nodes : nodes.slice(index, index + 1);
  const messages: MessagePreview[] = [];
  let left = mostCharacters;
  for (const node of chosen) {
    if (left <= 0) break;
    const { role, text } = read(getNodeValue(node));
    const most = Math.min(left, chosen.length > 1 ? mostOfOne : mostCharacters);
    messages.push({ role, text: cut(text, most) });
    left -= Math.min(text.length, most);
  }
  return { messages, left: chosen.length - messages.length };
}

type Loose = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Loose => typeof value === 'object' && value !== null;

function read(message: unknown): MessagePreview {
  if (!isObject(message)) return { role: words.noRole(), text: '' };
  const { role, content, tool_calls: calls } = message;
  const pieces = Array.isArray(content) ? content.map(partText) : [typeof content === 'string' ? content : ''];
  if (Array.isArray(calls)) for (const one of calls.map(callText)) pieces.push(one);
  return {
    role: typeof role === 'string' && role !== '' ? shown(role) : words.noRole(),
    text: pieces.filter(Boolean).join('\n'),
  };
}

function partText(part: unknown): string {
  if (!isObject(part)) return '';
  if (typeof part['text'] === 'string') return part['text'];
  if (!isObject(part['image_url'])) return '';
  const { url } = part['image_url'];
  return typeof url === 'string' && !url.startsWith('data:') ? words.imageAt(shown(url)) : words.image();
}

function callText(call: unknown): string {
  const { name, arguments: args } = functionOf(call);
  return words.calls(typeof name === 'string' ? shown(name) : '', typeof args === 'string' ? shown(args) : '');
}

function functionOf(call: unknown): Loose {
  return isObject(call) && isObject(call['function']) ? call['function'] : {};
}

function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  // Do not cut a surrogate pair in half.
  const end = /[\uD800-\uDBFF]/.test(text[most - 1]!) ? most - 1 : most;
  return `${text.slice(0, end)}…`;
}
