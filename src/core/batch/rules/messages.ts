import { nearestIds } from '../../catalogue/nearestIds';
import { isSelfHosted } from '../../profiles/baseUrl';
import type { Line } from '../line';
import { roles } from '../limits';
import { bodyOf } from './endpoint';
import type { Problem } from '../problem';
import { member } from '../scan/jsonTree';
import type { JsonNode } from '../scan/jsonTree';
import { message as messageShape } from '../shape';
import type { Shape } from '../shape';
import { bodyWords as words } from '../words/lineWords';
import { fits } from './fits';
import { openingOf } from './spans';

/** Checks the messages of a request. */
export function* messages(line: Line): Iterable<Problem> {
  const { root, rules, kind } = line;
  const body = bodyOf(root, rules);
  if (body?.kind !== 'object') return;
  if (kind === 'responses' || kind === 'messages') yield* otherMessages(body, line, kind);
  if (kind !== 'chat') return;
  const isRole = (value: string) => (roles as readonly string[]).includes(value) || rules.moreRoles?.includes(value);
  const list = member(body, 'messages')?.value;
  if (!list) yield { code: 'messages.missing', message: words.messagesMissing(), span: openingOf(body) };
  else if (list.kind !== 'array') {
    yield { code: 'messages.not-array', message: words.messagesNotArray(), span: list };
  } else if (list.items.length === 0) yield { code: 'messages.empty', message: words.messagesEmpty(), span: list };
  else {
    const called = new Set<string>();
    for (const item of list.items) yield* message(item, called, isRole, line);
    yield* unansweredCall(list.items);
    yield* ending(list.items.at(-1)!, isRole);
  }
}

/** Checks no more than the parts of messages: the rest of them has another form at each endpoint. */
function* otherMessages(body: JsonNode, line: Line, kind: 'responses' | 'messages'): Iterable<Problem> {
  const list = member(body, kind === 'responses' ? 'input' : 'messages')?.value;
  if (kind === 'messages' && list && list.kind !== 'array') {
    yield { code: 'messages.not-array', message: words.messagesNotArray(), span: list };
  } else if (kind === 'messages' && list?.items.length === 0) {
    yield { code: 'messages.empty', message: words.messagesEmpty(), span: list };
  }
  const called = new Set<unknown>();
  for (const item of list?.items ?? []) {
    const role = member(item, 'role')?.value;
    if (kind === 'messages' && list?.kind === 'array') yield* missingIn(item);
    if (kind === 'messages' && typeof role?.value === 'string' && !rolesOfMessages.has(role.value)) {
      yield { code: 'message.unknown-role', message: words.unknownRoleOfMessages(role.value), span: role };
    }
    const content = member(item, 'content')?.value;
    if (kind === 'messages' && content) yield* said(content);
    for (const part of content?.items ?? []) {
      yield* partType(part, kind, line);
      yield* mediaOf(part, line);
      if (kind === 'messages') yield* blockOf(part, called);
    }
  }
  if (kind === 'messages' && list?.items.length) yield* prefill(list.items.at(-1)!);
}

/** Reports what a message of this endpoint lacks. */
function* missingIn(item: JsonNode): Iterable<Problem> {
  if (item.kind !== 'object') {
    yield { code: 'message.not-object', message: words.messageNotObject(), span: item };
    return;
  }
  if (!member(item, 'role'))
    yield { code: 'member.missing', message: words.memberMissing('role'), span: openingOf(item) };
  if (!member(item, 'content')) yield { code: 'message.no-content', message: words.noContent(), span: openingOf(item) };
}

/** Checks the text of a block, and that a tool result has its call before it. */
function* blockOf(part: JsonNode, called: Set<unknown>): Iterable<Problem> {
  const { value: type } = member(part, 'type')?.value ?? {};
  const text = member(part, 'text')?.value;
  if (type === 'text' && text) yield* said(text);
  if (type === 'tool_use') called.add(member(part, 'id')?.value.value);
  const id = type === 'tool_result' ? member(part, 'tool_use_id')?.value : undefined;
  if (typeof id?.value === 'string' && !called.has(id.value))
    yield { code: 'message.tool-without-call', message: words.toolWithoutCall(), span: id };
}

/** The beginning of an answer must not end with white space. */
function* prefill(last: JsonNode): Iterable<Problem> {
  if (member(last, 'role')?.value.value !== 'assistant') return;
  const content = member(last, 'content')?.value;
  const text = content?.kind === 'array' ? member(content.items.at(-1), 'text')?.value : content;
  if (typeof text?.value === 'string' && /\s$/.test(text.value))
    yield { code: 'member.wrong-value', message: words.trailingSpace(), span: text };
}

/** Instructions are a member of the body there. */
const rolesOfMessages: ReadonlySet<string> = new Set(['user', 'assistant']);

const { role: roleShape, content: contentShape, ...others } = messageShape.members!;
/** Role and content are checked separately. */
const besides: Shape = { ...messageShape, required: [], members: others };
const partShape = contentShape!.items!;

type IsRole = (value: string) => boolean | undefined;

function* message(item: JsonNode, called: Set<string>, isRole: IsRole, line: Line): Iterable<Problem> {
  if (item.kind !== 'object') {
    yield { code: 'message.not-object', message: words.messageNotObject(), span: item };
    return;
  }
  yield* role(item, isRole);
  yield* content(item, line);
  yield* fits(item, besides, 'message');
  yield* toolAnswer(item, called);
  for (const id of callIds(item)) called.add(id);
}

function* role(item: JsonNode, isRole: IsRole): Iterable<Problem> {
  const value = member(item, 'role')?.value;
  if (!value) yield { code: 'message.no-role', message: words.noRole(), span: openingOf(item) };
  else if (typeof value.value !== 'string') yield* fits(value, roleShape!, 'role');
  else if (!isRole(value.value)) {
    yield { code: 'message.unknown-role', message: words.unknownRole(value.value), span: value };
  }
}

/** The alternatives to the content of an assistant message. */
const insteadOfContent = ['function_call', 'refusal', 'audio'];

/** An assistant message that only calls tools needs no content. */
function* content(item: JsonNode, line: Line): Iterable<Problem> {
  const value = member(item, 'content')?.value;
  const isAssistant = member(item, 'role')?.value.value === 'assistant';
  const calls = member(item, 'tool_calls')?.value.items.length ?? 0;
  const isOther = (name: string) => (member(item, name)?.value.kind ?? 'null') !== 'null';
  const onlyCalls = isAssistant && (calls > 0 || insteadOfContent.some(isOther));
  if ((!value || value.kind === 'null' || value.value === '') && onlyCalls) return;
  if (!value) yield { code: 'message.no-content', message: words.noContent(), span: openingOf(item) };
  else if (value.kind === 'array') {
    if (value.items.length === 0) yield { code: 'message.empty', message: words.emptyMessage(), span: value };
    for (const [index, part] of value.items.entries()) yield* contentPart(part, `content[${index}]`, line);
  } else {
    yield* fits(value, contentShape!, 'content');
    yield* said(value);
  }
}

function* contentPart(part: JsonNode, name: string, line: Line): Iterable<Problem> {
  yield* fits(part, partShape, name);
  yield* partType(part, 'chat', line);
  yield* mediaOf(part, line);
  const type = member(part, 'type')?.value.value;
  if (type !== 'text' && type !== 'image_url') return;
  const value = member(part, type)?.value;
  if (!value || value.kind === 'null') {
    yield { code: 'member.missing', message: words.memberMissing(type), span: openingOf(part) };
  } else if (type === 'text') yield* said(value);
}

/** The start of every placeholder. A line without it has none. */
export const placeholderStart = '{{';

/** A template placeholder, `{{name}}`. */
const placeholder = /\{\{\s*[\p{L}_][\p{L}\p{N}_. -]{0,60}\}\}/u;

/** Reports content that is accepted but probably not intended. */
function* said(value: JsonNode): Iterable<Problem> {
  if (typeof value.value !== 'string') return;
  if (value.value === '') yield { code: 'message.empty', message: words.emptyMessage(), span: value };
  const [unfilled] = placeholder.exec(value.value) ?? [];
  if (unfilled !== undefined) yield { code: 'message.unfilled', message: words.unfilled(unfilled), span: value };
}

function* toolAnswer(item: JsonNode, called: ReadonlySet<string>): Iterable<Problem> {
  const role = member(item, 'role')?.value;
  if (role?.value !== 'tool') return;
  const id = member(item, 'tool_call_id')?.value;
  if (!id || id.kind === 'null' || id.value === '') {
    yield { code: 'member.missing', message: words.memberMissing('tool_call_id'), span: id ?? role };
  } else if (typeof id.value === 'string' && !called.has(id.value)) {
    yield { code: 'message.tool-without-call', message: words.toolWithoutCall(), span: id };
  }
}

/** Reports the first tool call that the messages right after it don't answer. */
function* unansweredCall(items: readonly JsonNode[]): Iterable<Problem> {
  for (const [index, item] of items.entries()) {
    const calls = member(item, 'role')?.value.value === 'assistant' ? callIds(item) : [];
    if (calls.length === 0) continue;
    const answered = new Set<unknown>();
    for (let at = index + 1; member(items[at], 'role')?.value.value === 'tool'; at++)
      answered.add(member(items[at], 'tool_call_id')?.value.value);
    const open = calls.findIndex((id) => !answered.has(id));
    const call = member(item, 'tool_calls')?.value.items.filter(
      (one) => typeof member(one, 'id')?.value.value === 'string',
    )[open];
    if (open < 0 || !call) continue;
    yield { code: 'message.call-unanswered', message: words.callUnanswered(), span: member(call, 'id')?.value ?? call };
    return;
  }
}

function callIds(item: JsonNode): readonly string[] {
  const calls = member(item, 'tool_calls')?.value.items ?? [];
  return calls.map((call) => member(call, 'id')?.value.value).filter((id) => typeof id === 'string');
}

function* ending(last: JsonNode, isRole: IsRole): Iterable<Problem> {
  const value = member(last, 'role')?.value;
  if (typeof value?.value === 'string' && isRole(value.value) && value.value !== 'user') {
    yield { code: 'messages.last-not-user', message: words.lastNotUser(), span: value };
  }
}

/** The endpoints whose messages have parts. */
type PartedEndpoint = 'chat' | 'responses' | 'messages';

/** The types of parts at each endpoint, with what has their place at the others. */
const known: Readonly<Record<PartedEndpoint, readonly string[]>> = {
  chat: ['text', 'image_url', 'input_audio', 'file', 'refusal', 'video_url', 'audio_url', 'video'],
  responses: ['input_text', 'input_image', 'input_file', 'input_audio', 'output_text', 'refusal'],
  messages: [
    'text image document search_result thinking redacted_thinking tool_use tool_result container_upload',
    'server_tool_use web_search_tool_result web_fetch_tool_result code_execution_tool_result',
    'bash_code_execution_tool_result text_editor_code_execution_tool_result mcp_tool_use mcp_tool_result',
  ].flatMap((names) => names.split(' ')),
};
const meant: Readonly<Record<PartedEndpoint, Readonly<Record<string, string>>>> = {
  chat: {
    input_text: 'text',
    output_text: 'text',
    thinking: 'text',
    input_image: 'image_url',
    image: 'image_url',
    image_file: 'image_url',
    inline_data: 'image_url',
    input_file: 'file',
    document: 'file',
    audio: 'input_audio',
    tool_use: '',
    tool_result: '',
  },
  responses: { text: 'input_text', image_url: 'input_image', image: 'input_image', file: 'input_file' },
  messages: {
    input_text: 'text',
    output_text: 'text',
    image_url: 'image',
    input_image: 'image',
    file: 'document',
    input_file: 'document',
  },
};

/** Checks the type of a content part. */
function* partType(part: JsonNode, endpoint: PartedEndpoint, { rules }: Line): Iterable<Problem> {
  const type = member(part, 'type')?.value;
  if (typeof type?.value !== 'string') return;
  const { value } = type;
  const types = endpoint === 'chat' ? (rules.partTypes ?? known.chat) : known[endpoint];
  if (types.includes(value)) return;
  const own = meant[endpoint];
  const isOfOther = Object.hasOwn(own, value);
  const found = isOfOther ? own[value] : nearestIds(value, types, 1)[0];
  // Other services have other types.
  if (!isOfOther && found === undefined && endpoint === 'chat' && !rules.partTypes) return;
  const suggestions = found === undefined || found === '' ? [] : [found];
  yield { code: 'message.part-type', message: words.partType(value, types, suggestions[0]), span: type, suggestions };
}

/** Checks the image, sound or file of a content part, however the API names it. */
function* mediaOf(part: JsonNode, { rules }: Line): Iterable<Problem> {
  const source = member(part, 'source')?.value;
  const image = urlIn(member(part, 'image_url')?.value);
  if (image) yield* address(image, rules, true);
  const addresses = [
    ...['video_url', 'audio_url'].map((name) => urlIn(member(part, name)?.value)),
    member(source, 'url')?.value,
    member(part, 'file_url')?.value,
  ];
  for (const one of addresses) if (one) yield* address(one, rules);
  const file = member(part, 'file')?.value;
  for (const one of [member(file, 'file_data')?.value, member(part, 'file_data')?.value]) {
    if (typeof one?.value === 'string' && one.value.startsWith('data:')) yield* address(one, rules);
  }
  const encoded = [
    member(member(part, 'input_audio')?.value, 'data')?.value,
    member(source, 'type')?.value.value === 'base64' ? member(source, 'data')?.value : undefined,
  ];
  const type = member(source, 'media_type')?.value;
  if (member(part, 'type')?.value.value === 'image' && typeof type?.value === 'string') yield* imageType(type, rules);
  const isOfSource = (one: JsonNode) => one === encoded[1];
  for (const one of encoded) {
    if (typeof one?.value !== 'string' || /^https?:/i.test(one.value)) continue;
    if (/^data:/i.test(one.value)) {
      if (isOfSource(one)) yield { code: 'media.not-base64', message: words.mediaWithHead(), span: one };
      continue;
    }
    if (rules.mediaByUrlOnly) yield { code: 'media.inline', message: words.mediaInline(), span: one };
    else yield* base64(one, one.value);
  }
}

function urlIn(value: JsonNode | undefined): JsonNode | undefined {
  return value?.kind === 'object' ? member(value, 'url')?.value : value;
}

const scheme = /^[a-z][a-z0-9+.-]+:/i;
/** Base64 without its beginning: PNG, JPEG, GIF, WebP and PDF begin so, and paths never look like this. */
const bareBase64 = /^(iVBORw0KGgo|\/9j\/|R0lGOD|UklGR|JVBERi0)/;

function* address(node: JsonNode, rules: Line['rules'], isImage = false): Iterable<Problem> {
  const { value } = node;
  if (typeof value !== 'string') return;
  const start = value.trimStart();
  if (start === '' || start.startsWith('{{')) return;
  if (/^data:/i.test(start)) {
    if (rules.mediaByUrlOnly) yield { code: 'media.inline', message: words.mediaInline(), span: node };
    else {
      const type = /^data:(\w{1,20}\/[\w.+-]{1,80});/i.exec(start)?.[1];
      if (type !== undefined && (isImage || /^image\//i.test(type))) yield* imageType(node, rules, type);
      yield* dataUrl(node, start);
    }
  } else if (bareBase64.test(start) || /^b['"]/.test(start)) {
    yield { code: 'media.not-base64', message: words.mediaBare(), span: node };
  } else if (/^(file|blob):/i.test(start) || !scheme.test(start)) {
    yield { code: 'media.local', message: words.mediaLocal(start), span: node };
  } else if (rules.imageTypes && /^https?:/i.test(start) && isSelfHosted(start)) {
    yield { code: 'media.local', message: words.mediaPrivate(start), span: node };
  }
}

/** Checks the stated format of an image. */
function* imageType(node: JsonNode, { imageTypes }: Line['rules'], type = String(node.value)): Iterable<Problem> {
  const plain = type.toLowerCase().replace('image/jpg', 'image/jpeg');
  if (!imageTypes || imageTypes.includes(plain)) return;
  yield { code: 'member.wrong-value', message: words.mediaType(imageTypes), span: node };
}

/** Some decoders allow line breaks and the letters of URLs. */
const otherThanBase64 = /[^A-Za-z0-9+/_\s-]/;
/** The length of the beginning of a data URL, up to what it contains. */
const mostHead = 200;

function* dataUrl(node: JsonNode, value: string): Iterable<Problem> {
  const comma = value.slice(0, mostHead).indexOf(',');
  const head = comma < 0 ? '' : value.slice(0, comma);
  if (comma >= 0 && !/;base64$/i.test(head)) {
    // Without the keyword, the rest is text. No service accepts such an image.
    if (/^data:(image|audio|video)\//i.test(head)) {
      yield { code: 'media.not-base64', message: words.mediaHead(), span: node };
    }
    return;
  }
  if (comma < 0) yield { code: 'media.not-base64', message: words.mediaHead(), span: node };
  else yield* base64(node, value.slice(comma + 1));
}

function* base64(node: JsonNode, data: string): Iterable<Problem> {
  const letters = data.trimEnd().replace(/={1,2}$/, '');
  const message = /^b['"]/.test(data)
    ? words.mediaPython()
    : data === ''
      ? words.mediaEmpty()
      : otherThanBase64.test(letters) || (letters.length % 4 === 1 && !/\s/.test(letters))
        ? words.mediaBroken()
        : undefined;
  if (message !== undefined) yield { code: 'media.not-base64', message, span: node };
}
