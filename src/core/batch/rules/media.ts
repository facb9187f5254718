import { nearestIds } from '../../catalogue/nearestIds';
import { isSelfHosted } from '../../profiles/baseUrl';
import type { Line } from '../line';
import type { Problem } from '../problem';
import { member } from '../scan/jsonTree';
import type { JsonNode } from '../scan/jsonTree';
import { bodyWords as words } from '../words/lineWords';

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
export function* partType(part: JsonNode, endpoint: PartedEndpoint, { rules }: Line): Iterable<Problem> {
  const type = member(part, 'type')?.value;
  if (typeof type?.value !== 'string') return;
  const { value } = type;
  const types = endpoint === 'chat' ? (rules.partTypes ?? known.chat) : known[endpoint];
  if (types.includes(value)) return;
  const own = meant[endpoint];
  const isOfOther = Object.hasOwn(own, value);
  const found = isOfOther ? own[value] : nearestIds(value, types, 1)[0];
  // Other services have types of their own.
  if (!isOfOther && found === undefined && endpoint === 'chat' && !rules.partTypes) return;
  const suggestions = found === undefined || found === '' ? [] : [found];
  yield { code: 'message.part-type', message: words.partType(value, types, suggestions[0]), span: type, suggestions };
}

/** Checks the image, sound or file of a content part, however the API names it. */
export function* mediaOf(part: JsonNode, { rules }: Line): Iterable<Problem> {
  const source = member(part, 'source')?.value;
  const addresses = [
    ...['image_url', 'video_url', 'audio_url'].map((name) => member(part, name)?.value).map(urlIn),
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

function* address(node: JsonNode, rules: Line['rules']): Iterable<Problem> {
  const { value } = node;
  if (typeof value !== 'string') return;
  const start = value.trimStart();
  if (start === '' || start.startsWith('{{')) return;
  if (/^data:/i.test(start)) {
    if (rules.mediaByUrlOnly) yield { code: 'media.inline', message: words.mediaInline(), span: node };
    else {
      const type = /^data:(image\/[\w.+-]{1,40});/i.exec(start)?.[1];
      if (type !== undefined) yield* imageType(node, rules, type);
      yield* dataUrl(node, start);
    }
  } else if (bareBase64.test(start) || /^b['"]/.test(start)) {
    yield { code: 'media.not-base64', message: words.mediaBare(), span: node };
  } else if (/^file:/i.test(start) || !scheme.test(start)) {
    yield { code: 'media.local', message: words.mediaLocal(start), span: node };
  } else if (rules.imageTypes && /^https?:/i.test(start) && isSelfHosted(start)) {
    yield { code: 'media.local', message: words.mediaPrivate(start), span: node };
  }
}

/** Checks the format that an image is said to have. */
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
    // Without the word, the rest is text; no service takes an image so.
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
