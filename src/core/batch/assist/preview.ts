import { findNodeAtLocation, getNodeValue, parseTree } from 'jsonc-parser';
import { assistWords as words } from '../words/memberWords';
import { shown } from '../words/shown';

/** A message in readable form. */
export interface MessagePreview {
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
  const list = root && findNodeAtLocation(root, ['body', 'messages']);
  const nodes = list?.type === 'array' ? (list.children ?? []) : [];
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
  if (Array.isArray(calls)) pieces.push(...calls.map(callText));
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
  const { name, arguments: given } = functionOf(call);
  return words.calls(typeof name === 'string' ? shown(name) : '', typeof given === 'string' ? shown(given) : '');
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
