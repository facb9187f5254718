import { messageRequest } from '../../../api/messages/messages.schema';
import type { MessageRequest } from '../../../api/messages/messages.schema';
import { toChatBody } from '../../../api/chat/toChatCompletion';
import { batchMethod, batchUrl } from '../../limits';
import { depthOf } from '../../scan/jsonTree';
import { inWay } from '../../writtenWay';
import { publicService } from '../strategy';
import type { FileNames } from '../strategy';
import { isObject } from '../../../api/isObject';

const deepestConverted = 500;

interface Conversion {
  readonly text: string;
  /** The line names no model, and none was provided. */
  readonly lacksModel: boolean;
  /** Names of members that a batch request cannot hold and that do not affect the rest of it. */
  readonly leftOut: readonly string[];
}

interface ConversionNames extends FileNames {
  /** The id to start from for a request that has none. */
  readonly id: string;
}

/**
 * Converts a line in another service's format, or a bare request body, to a batch request. Returns `undefined` if it is neither, or
 * if a batch request cannot express something in it. Numbers keep their digits; of duplicate keys the last one counts.
 */
export function toRequest(text: string, names: ConversionNames): Conversion | undefined {
  const read = readObjects(text);
  if (!read) return undefined;
  const found = bodyOf(read.exact, read.plain);
  if (!found) return undefined;
  const { model, ...rest } = found.body;
  const asked = model ?? names.model;
  const written = inWay(rest, (names.service ?? publicService).way);
  const body = asked === undefined ? written.body : { model: asked, ...written.body };
  const request = { custom_id: idOf(read.exact, names), method: batchMethod, url: batchUrl, body, ...found.others };
  return {
    text: JSON.stringify(request),
    lacksModel: asked === undefined,
    leftOut: [...(found.leftOut ?? []), ...written.leftOut],
  };
}

/** Whether a line can be converted. */
export function isForeign(text: string): boolean {
  return toRequest(text, { id: '', model: undefined, freshId: (like) => like }) !== undefined;
}

function readObjects(text: string): { readonly exact: JsonObject; readonly plain: JsonObject } | undefined {
  if (depthOf(text) > deepestConverted) return undefined;
  try {
    const plain: unknown = JSON.parse(text);
    const exact = parseExact(text);
    return isObject(plain) && isObject(exact) ? { plain, exact } : undefined;
  } catch {
    return undefined;
  }
}

interface FoundBody {
  readonly body: JsonObject;
  /** Members of the line outside the body. */
  readonly others: JsonObject;
  readonly leftOut?: readonly string[];
}

function bodyOf(line: JsonObject, plain: JsonObject): FoundBody | undefined {
  const { custom_id: _id, method: _method, url, body, params, ...rest } = line;
  if (isObject(params) && isObject(plain.params) && body === undefined) {
    const converted = fromAnthropic(params, plain.params);
    return converted && { body: converted, others: rest, leftOut: leftOutOf(plain.params) };
  }
  if (isObject(body) && isObject(plain.body)) {
    const address = typeof url === 'string' ? url : batchUrl;
    const converted = chatBody(body, plain.body, address);
    return converted && { body: converted, others: rest, leftOut: leftOutBy(plain.body, address) };
  }
  if (body !== undefined) return undefined;
  const bare = typeof line.id === 'string' && line.custom_id === undefined ? withoutId(rest) : rest;
  const address = typeof url === 'string' ? url : batchUrl;
  const converted = chatBody(bare, withoutId(plain), address);
  return converted && { body: converted, others: {}, leftOut: leftOutBy(plain, address) };
}

function withoutId({ id: _id, ...rest }: JsonObject): JsonObject {
  return rest;
}

/** Recognizes the format by the URL or by the members. Returns `undefined` if it cannot be converted. */
function chatBody(body: JsonObject, plain: JsonObject, url: string): JsonObject | undefined {
  if (/\/embeddings$|\/moderations$|\/images\/|\/audio\/|\/rerank$/.test(url)) return undefined;
  if (Array.isArray(body.messages)) {
    return isAnthropic(plain, url) ? fromAnthropic(body, plain) : body;
  }
  if (body.messages !== undefined) return undefined;
  if (body.input !== undefined) return fromResponses(body);
  const { prompt, model, ...rest } = body;
  if (typeof prompt !== 'string') return undefined;
  return { ...(model === undefined ? {} : { model }), messages: [{ role: 'user', content: prompt }], ...rest };
}

function isAnthropic(plain: JsonObject, url: string): boolean {
  return Array.isArray(plain.messages) && (looksAnthropic(plain) || url.endsWith('/v1/messages'));
}

function leftOutBy(plain: JsonObject, url: string): readonly string[] {
  return isAnthropic(plain, url) ? leftOutOf(plain) : [];
}

/** Returns the line's own id if it is a string that is not empty, else a new one. */
function idOf({ custom_id, id }: JsonObject, names: ConversionNames): string {
  const own = custom_id ?? id;
  return typeof own === 'string' && own !== '' ? own : names.freshId(names.id);
}

// https://docs.anthropic.com/en/api/creating-message-batches

const mapped: readonly string[] = Object.keys(messageRequest.shape);

/** Whether a body has members that only this format has. */
function looksAnthropic({ system, stop_sequences, tools, messages }: JsonObject): boolean {
  if (system !== undefined || stop_sequences !== undefined) return true;
  if (isObjects(tools) && tools.some(({ input_schema }) => input_schema !== undefined)) return true;
  return isObjects(messages) && messages.some(({ content }) => isObjects(content) && content.some(isOwnBlock));
}

function isOwnBlock({ type }: JsonObject): boolean {
  return type === 'image' || type === 'tool_use' || type === 'tool_result' || type === 'thinking';
}

/**
 * Returns a chat completion body, or `undefined` if it cannot express something in `body`. Unknown members are copied as they are.
 * `body` has exact numbers, `plain` ordinary ones.
 */
function fromAnthropic(body: JsonObject, plain: JsonObject): JsonObject | undefined {
  const known = Object.entries(plain).filter(([name]) => mapped.includes(name));
  const { success } = messageRequest.safeParse({ model: '', ...Object.fromEntries(known) });
  if (!success || !isSayable(plain)) return undefined;
  const { model, ...rest } = toChatBody(body as MessageRequest);
  const others = Object.entries(body).filter(([name]) => !mapped.includes(name));
  return { ...(model === undefined ? {} : { model }), ...rest, ...Object.fromEntries(others) };
}

/** A chat completion cannot hold images in a tool result. */
function isSayable({ messages }: JsonObject): boolean {
  if (!isObjects(messages)) return false;
  const blocks = messages.flatMap(({ content }) => (isObjects(content) ? content : []));
  return !blocks.some(
    ({ content }) => isObjects(content) && content.some((part) => isObject(part) && part.type === 'image'),
  );
}

/** The members that a chat completion can hold, by type of block. */
const keptMembers: Readonly<Record<string, readonly string[]>> = {
  text: ['text'],
  image: ['source'],
  // A thought's signature means nothing to another model.
  thinking: ['thinking', 'signature'],
  tool_use: ['id', 'name', 'input'],
  tool_result: ['tool_use_id', 'content', 'is_error'],
};

/** Returns the names of the members that conversion loses, each once, so that a person can decide. */
function leftOutOf({ messages, system, tools, tool_choice }: JsonObject): readonly string[] {
  const found = new Set<string>();
  const look = (value: unknown, kept: readonly string[]) => {
    if (!isObject(value)) return;
    for (const [name, said] of Object.entries(value)) {
      const saysNothing = said === undefined || said === null || said === false;
      if (name !== 'type' && !kept.includes(name) && !saysNothing) found.add(name);
    }
  };
  const lookAtBlocks = (content: unknown) => {
    for (const block of isObjects(content) ? content : []) look(block, keptMembers[String(block.type)] ?? []);
  };
  for (const message of isObjects(messages) ? messages : []) {
    const { content } = message;
    look(message, ['role', 'content']);
    lookAtBlocks(content);
    for (const { content: within } of isObjects(content) ? content : []) lookAtBlocks(within);
    if (isObjects(content) && losesThoughts(content)) found.add('thinking');
  }
  lookAtBlocks(system);
  for (const tool of isObjects(tools) ? tools : []) look(tool, ['name', 'description', 'input_schema']);
  look(tool_choice, ['name']);
  return [...found];
}

/** Thinking is only converted together with a tool call. */
function losesThoughts(blocks: readonly JsonObject[]): boolean {
  return blocks.some(({ type }) => type === 'thinking') && !blocks.some(({ type }) => type === 'tool_use');
}

// https://platform.openai.com/docs/api-reference/responses/create

/** Members that refer to something the service does not have. */
const unsayable = ['previous_response_id', 'conversation', 'prompt', 'background'];

/** Returns a chat completion body, or `undefined` if it cannot express something in `body`. Unknown members are copied. */
function fromResponses(body: JsonObject): JsonObject | undefined {
  const { model, input, instructions, max_output_tokens, tools, tool_choice, text, ...others } = body;
  if (unsayable.some((name) => (others[name] ?? false) !== false)) return undefined;
  if (instructions !== undefined && instructions !== null && typeof instructions !== 'string') return undefined;
  const asked = toMessages(input);
  const called = tools === undefined ? [] : toTools(tools);
  const format = toFormat(text);
  if (!asked || !called || !format) return undefined;
  const system = typeof instructions === 'string' ? [{ role: 'system', content: instructions }] : [];
  return {
    ...(model === undefined ? {} : { model }),
    messages: [...system, ...asked],
    ...(max_output_tokens === undefined ? {} : { max_tokens: max_output_tokens }),
    ...format,
    ...(called.length > 0 ? { tools: called } : {}),
    ...(tool_choice === undefined ? {} : { tool_choice: toChoice(tool_choice) }),
    ...others,
  };
}

function toMessages(input: unknown): readonly JsonObject[] | undefined {
  if (typeof input === 'string') return [{ role: 'user', content: input }];
  if (!isObjects(input)) return undefined;
  const messages = input.map(toMessage);
  return messages.every((message) => message !== undefined) ? messages : undefined;
}

function toMessage(item: JsonObject): JsonObject | undefined {
  const { type = 'message', role, content, call_id, name, arguments: given, output } = item;
  if (type === 'message') {
    const said = toContent(content);
    return typeof role === 'string' && said !== undefined
      ? { role: role === 'developer' ? 'system' : role, content: said }
      : undefined;
  }
  if (type === 'function_call' && typeof call_id === 'string') {
    const call = { id: call_id, type: 'function', function: { name, arguments: given } };
    return { role: 'assistant', content: '', tool_calls: [call] };
  }
  if (type === 'function_call_output' && typeof output === 'string') {
    return { role: 'tool', tool_call_id: call_id, content: output };
  }
  return undefined;
}

function toContent(content: unknown): string | readonly JsonObject[] | undefined {
  if (typeof content === 'string') return content;
  if (!isObjects(content)) return undefined;
  const parts = content.map(toPart);
  if (!parts.every((part) => part !== undefined)) return undefined;
  const [only] = parts;
  return parts.length === 1 && typeof only?.text === 'string' ? only.text : parts;
}

function toPart({ type, text, image_url, detail }: JsonObject): JsonObject | undefined {
  if (type === 'input_text' || type === 'output_text') return { type: 'text', text };
  if (type !== 'input_image' || typeof image_url !== 'string') return undefined;
  return { type: 'image_url', image_url: { url: image_url, ...(detail === undefined ? {} : { detail }) } };
}

function toTools(tools: unknown): readonly JsonObject[] | undefined {
  if (!isObjects(tools) || !tools.every(({ type }) => type === 'function')) return undefined;
  return tools.map(({ type, ...definition }) => ({ type, function: definition }));
}

function toChoice(choice: unknown): unknown {
  return isObject(choice) && choice.type === 'function'
    ? { type: 'function', function: { name: choice.name } }
    : choice;
}

function toFormat(text: unknown): JsonObject | undefined {
  if (text === undefined || text === null) return {};
  if (!isObject(text)) return undefined;
  const { format, ...others } = text;
  if (!isObject(format)) return format === undefined ? others : undefined;
  const { type, ...schema } = format;
  return { response_format: type === 'json_schema' ? { type, json_schema: schema } : format, ...others };
}

/** A parsed JSON object. */
type JsonObject = Readonly<Record<string, unknown>>;

interface ExactJson {
  parse(
    text: string,
    reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
  ): unknown;
  /** Returns a value that is written as exactly this text. */
  rawJSON(text: string): unknown;
}

const exact = JSON as unknown as ExactJson;

/** Parses JSON so that `JSON.stringify` writes every number with its original digits. */
function parseExact(text: string): unknown {
  return exact.parse(text, (_key, value, { source }) =>
    typeof value === 'number' && source !== undefined && String(value) !== source ? exact.rawJSON(source) : value,
  );
}

function isObjects(value: unknown): value is readonly JsonObject[] {
  return Array.isArray(value) && value.every(isObject);
}
