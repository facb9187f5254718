import type { Line } from '../line';
import { roles } from '../limits';
import type { JsonKind } from '../parameters';
import type { Problem } from '../problem';
import { member } from '../scan/jsonTree';
import type { JsonNode } from '../scan/jsonTree';
import { bodyWords as words, kindWords, boundWords } from '../words/lineWords';
import { openingOf } from './spans';

/** The conversation a request sends. */
export function* messages({ root }: Line): Iterable<Problem> {
  const body = member(root, 'body')?.value;
  if (body?.kind !== 'object') return;
  const list = member(body, 'messages')?.value;
  if (!list) yield { code: 'messages.missing', message: words.messagesMissing(), span: openingOf(body) };
  else if (list.kind !== 'array') {
    yield { code: 'messages.not-array', message: words.messagesNotArray(), span: list };
  } else if (list.items.length === 0) yield { code: 'messages.empty', message: words.messagesEmpty(), span: list };
  else {
    const called = new Set<string>();
    for (const item of list.items) yield* message(item, called);
    yield* ending(list.items.at(-1)!);
  }
}

function* message(item: JsonNode, called: Set<string>): Iterable<Problem> {
  if (item.kind !== 'object') {
    yield { code: 'message.not-object', message: words.messageNotObject(), span: item };
    return;
  }
  yield* role(item);
  yield* content(item);
  yield* others(item);
  yield* toolAnswer(item, called);
  for (const id of callIds(item)) called.add(id);
}

function* role(item: JsonNode): Iterable<Problem> {
  const value = member(item, 'role')?.value;
  if (!value) yield { code: 'message.no-role', message: words.noRole(), span: openingOf(item) };
  else if (typeof value.value !== 'string') {
    yield { code: 'member.wrong-type', message: words.wrongType('role', kindWords.string()), span: value };
  } else if (!(roles as readonly string[]).includes(value.value)) {
    yield { code: 'message.unknown-role', message: words.unknownRole(value.value), span: value };
  }
}

/** An assistant that only calls tools says nothing. */
function* content(item: JsonNode): Iterable<Problem> {
  const value = member(item, 'content')?.value;
  const onlyCalls = member(item, 'tool_calls')?.value.kind === 'array';
  if ((!value || value.kind === 'null') && onlyCalls) return;
  if (!value) yield { code: 'message.no-content', message: words.noContent(), span: openingOf(item) };
  else if (value.kind !== 'string' && value.kind !== 'array') {
    const wanted = boundWords.either(kindWords.string(), kindWords.array());
    yield { code: 'member.wrong-type', message: words.wrongType('content', wanted), span: value };
  } else for (const part of value.items) yield* contentPart(part);
}

/** What the parts of a content hold, by its name. */
const partMembers = { type: 'string', text: 'string', image_url: 'object' } as const;

function* contentPart(part: JsonNode): Iterable<Problem> {
  if (part.kind === 'object') yield* wrongTypes(part, partMembers);
  else yield { code: 'member.wrong-type', message: words.wrongType('content', words.parts()), span: part };
}

const messageMembers = {
  name: 'string',
  tool_calls: 'array',
  tool_call_id: 'string',
  reasoning_content: 'string',
} as const;

function* others(item: JsonNode): Iterable<Problem> {
  yield* wrongTypes(item, messageMembers);
}

/** `null` stands for "not set". */
function* wrongTypes(node: JsonNode, wanted: Readonly<Record<string, JsonKind>>): Iterable<Problem> {
  for (const [name, kind] of Object.entries(wanted)) {
    const value = member(node, name)?.value;
    if (!value || value.kind === kind || value.kind === 'null') continue;
    yield { code: 'member.wrong-type', message: words.wrongType(name, kindWords[kind]()), span: value };
  }
}

function* toolAnswer(item: JsonNode, called: ReadonlySet<string>): Iterable<Problem> {
  const role = member(item, 'role')?.value;
  if (role?.value !== 'tool') return;
  const id = member(item, 'tool_call_id')?.value;
  if (typeof id?.value === 'string' && called.has(id.value)) return;
  yield { code: 'message.tool-without-call', message: words.toolWithoutCall(), span: id ?? role };
}

function callIds(item: JsonNode): readonly string[] {
  const calls = member(item, 'tool_calls')?.value.items ?? [];
  return calls.map((call) => member(call, 'id')?.value.value).filter((id) => typeof id === 'string');
}

function* ending(last: JsonNode): Iterable<Problem> {
  const value = member(last, 'role')?.value;
  const isKnown = typeof value?.value === 'string' && (roles as readonly string[]).includes(value.value);
  if (value && isKnown && value.value !== 'user') {
    yield { code: 'messages.last-not-user', message: words.lastNotUser(), span: value };
  }
}
