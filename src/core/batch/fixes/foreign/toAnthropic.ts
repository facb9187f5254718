import { isObject } from '../../../api/isObject';
import { isObjects, isPresent, numberIn, parseExact, Unsayable, type JsonObject } from './exactJson';

/** A body in another form, and the names of the members that it has no place for. */
export interface WrittenBody {
  readonly body: JsonObject;
  readonly leftOut: readonly string[];
  /** Members that the form requires and the request did not have. */
  readonly added?: readonly string[];
}

/** A value that Anthropic requires in each request. */
const usualLength = 4096;
const hottest = 1;

/**
 * Converts the body of a chat completion to one for Anthropic's `/v1/messages`: https://platform.claude.com/docs/en/api/messages/create.
 * Throws `Unsayable` if it cannot express something without which the request asks something else. `chat` may have exact numbers.
 */
export function toAnthropic(chat: JsonObject): WrittenBody {
  const { model, messages, max_tokens: length, stop, tools, tool_choice, parallel_tool_calls, ...rest } = chat;
  const { enable_thinking: isThinking, thinking_budget: budget, user, metadata, response_format, ...others } = rest;
  const leftOut = new Set<string>();
  const { system, turns } = toTurns(messages, leftOut);
  const isHot = (numberIn(others['temperature']) ?? 0) > hottest;
  const supported = Object.entries(others).filter(([name, value]) => {
    const isSupported = sharedMembers.has(name) && !(name === 'temperature' && isHot);
    if (!isSupported && saysSomething(name, value)) leftOut.add(name);
    return isSupported && isPresent(value);
  });
  const schema = schemaIn(response_format);
  if (schema === undefined && saysSomething('response_format', response_format)) leftOut.add('response_format');
  const thinking = toThinking(isThinking, budget, leftOut);
  const about = isObject(metadata) && Object.keys(metadata).join() === 'user_id' ? metadata : undefined;
  if (isPresent(metadata) && !about) leftOut.add('metadata');
  const person = about ?? (typeof user === 'string' ? { user_id: user } : undefined);
  const stops = typeof stop === 'string' ? [stop] : stop;
  const choice = toChoice(tool_choice, parallel_tool_calls === false);
  return {
    body: {
      ...(isPresent(model) && { model }),
      max_tokens: isPresent(length) ? length : usualLength,
      ...(system !== '' && { system }),
      messages: turns,
      ...(isPresent(stops) && { stop_sequences: stops }),
      ...Object.fromEntries(supported),
      ...(isPresent(tools) && { tools: toTools(tools, leftOut) }),
      ...(choice && isPresent(tools) && { tool_choice: choice }),
      ...(thinking && { thinking }),
      ...(schema !== undefined && { output_config: { format: { type: 'json_schema', schema } } }),
      ...(person && { metadata: person }),
    },
    leftOut: [...leftOut],
    added: isPresent(length) ? [] : ['max_tokens'],
  };
}

const sharedMembers: ReadonlySet<string> = new Set(['temperature', 'top_p', 'top_k']);

/** Whether a member of a chat completion asks for something else than what happens without it. */
export function saysSomething(name: string, value: unknown): boolean {
  if (!isPresent(value) || value === false) return false;
  if (name === 'n') return numberIn(value) !== 1;
  if (name === 'frequency_penalty' || name === 'presence_penalty') return numberIn(value) !== 0;
  if (name === 'response_format') return !isObject(value) || value['type'] !== 'text';
  if (name === 'parallel_tool_calls') return value !== true;
  return !Array.isArray(value) || value.length > 0;
}

/** Returns the schema that an answer must meet. */
function schemaIn(format: unknown): unknown {
  const described = isObject(format) && format['type'] === 'json_schema' ? format['json_schema'] : undefined;
  return isObject(described) ? described['schema'] : undefined;
}

function toThinking(isOn: unknown, budget: unknown, leftOut: Set<string>): JsonObject | undefined {
  if (isOn === false) return { type: 'disabled' };
  if (isPresent(budget)) return { type: 'enabled', budget_tokens: budget };
  if (isOn === true) leftOut.add('enable_thinking');
  return undefined;
}

function toTurns(messages: unknown, leftOut: Set<string>) {
  if (!isObjects(messages)) throw new Unsayable('messages');
  const system: string[] = [];
  const turns: JsonObject[] = [];
  let results: JsonObject[] | undefined;
  for (const message of messages) {
    const { role, content, tool_calls, tool_call_id, ...others } = message;
    for (const [name, value] of Object.entries(others)) if (saysSomething(name, value)) leftOut.add(name);
    if (role === 'tool') {
      const result = { type: 'tool_result', tool_use_id: tool_call_id, ...resultOf(content, leftOut) };
      if (results) results.push(result);
      else turns.push({ role: 'user', content: (results = [result]) });
      continue;
    }
    results = undefined;
    if (role === 'system' || role === 'developer') {
      // Anthropic has one system prompt, before all turns.
      if (turns.length > 0) throw new Unsayable(String(role));
      system.push(textOf(content));
    } else if (role === 'user' || role === 'assistant') {
      const calls = isObjects(tool_calls) ? tool_calls.map(toCall) : [];
      turns.push({ role, content: toContent(content, calls, leftOut) });
    } else throw new Unsayable(String(role));
  }
  return { system: system.filter((text) => text !== '').join('\n\n'), turns };
}

function resultOf(content: unknown, leftOut: Set<string>): JsonObject {
  return isPresent(content) && content !== '' ? { content: toContent(content, [], leftOut) } : {};
}

function toContent(content: unknown, calls: readonly JsonObject[], leftOut: Set<string>): unknown {
  if (typeof content === 'string' && calls.length === 0) return content;
  if (typeof content === 'string') return [...(content === '' ? [] : [{ type: 'text', text: content }]), ...calls];
  if (!isPresent(content)) return calls;
  if (!isObjects(content)) throw new Unsayable('content');
  return [...content.map((part) => toBlock(part, leftOut)), ...calls];
}

function toBlock({ type, text, image_url: image, file, ...others }: JsonObject, leftOut: Set<string>): JsonObject {
  for (const [name, value] of Object.entries(others)) if (isPresent(value)) leftOut.add(name);
  if (type === 'text') return { type, text };
  if (type === 'file') {
    const { type: media_type, base64, name } = documentIn(file);
    if (media_type !== 'application/pdf') throw new Unsayable(type);
    return {
      type: 'document',
      source: { type: 'base64', media_type, data: base64 },
      ...(isPresent(name) && { title: name }),
    };
  }
  if (type !== 'image_url') throw new Unsayable(String(type));
  const { url, detail } = imageOf(image);
  if (isPresent(detail) && detail !== 'auto') leftOut.add('detail');
  const data = dataOf(url);
  return {
    type: 'image',
    source: data ? { type: 'base64', media_type: data.type, data: data.base64 } : { type: 'url', url },
  };
}

/** Some services take the URL alone. */
export function imageOf(image: unknown): { readonly url: string; readonly detail?: unknown } {
  if (typeof image === 'string') return { url: image };
  if (!isObject(image) || typeof image['url'] !== 'string') throw new Unsayable('image_url');
  return { url: image['url'], detail: image['detail'] };
}

/** Returns a body with its PDFs as images, and its documents of text as text, which are converted like those. */
export function withoutDocuments(body: JsonObject): JsonObject {
  const toOther = (block: JsonObject): JsonObject => {
    const { type, source } = block;
    if (type !== 'document' || !isObject(source)) return block;
    if (source['type'] === 'text') return { type: 'text', text: source['data'] };
    return source['media_type'] === 'application/pdf' && source['data'] ? { type: 'image', source } : block;
  };
  return withParts(body, toOther);
}

/** Returns a chat completion with the images that are PDFs as files. */
export function withFiles(chat: JsonObject): JsonObject {
  const toFile = (part: JsonObject): JsonObject => {
    const url = isObject(part['image_url']) ? part['image_url']['url'] : undefined;
    if (typeof url !== 'string' || !url.startsWith('data:application/pdf;')) return part;
    return { type: 'file', file: { filename: 'document.pdf', file_data: url } };
  };
  return withParts(chat, toFile);
}

/** Converts each part of the messages. */
function withParts(body: JsonObject, convert: (part: JsonObject) => JsonObject): JsonObject {
  const { messages } = body;
  if (!isObjects(messages)) return body;
  const converted = messages.map((message) =>
    isObjects(message['content']) ? { ...message, content: message['content'].map(convert) } : message,
  );
  return { ...body, messages: converted };
}

/** Reads a file within a request. */
export function documentIn(file: unknown) {
  const { file_data: url, filename: name } = isObject(file) ? file : {};
  const data = typeof url === 'string' ? dataOf(url) : undefined;
  if (!data) throw new Unsayable('file');
  return { ...data, name };
}

/** Returns what is in a `data:` URL; `undefined` for any other URL. */
export function dataOf(url: string): { readonly type: string; readonly base64: string } | undefined {
  const comma = url.startsWith('data:') ? url.indexOf(',') : -1;
  if (comma < 0) return undefined;
  const [type = '', ...more] = url.slice('data:'.length, comma).split(';');
  return more.includes('base64') ? { type, base64: url.slice(comma + 1) } : undefined;
}

/** Returns the text of a message that can have nothing else. */
export function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!isPresent(content)) return '';
  if (!isObjects(content)) throw new Unsayable('content');
  return content
    .map(({ type, text }) => {
      if (type !== 'text' || typeof text !== 'string') throw new Unsayable(String(type));
      return text;
    })
    .join('\n\n');
}

function toCall(call: JsonObject): JsonObject {
  const { id, name, input } = calledIn(call);
  return { type: 'tool_use', id, name, input };
}

/** Reads a call of a tool. Its arguments are an object there, and the text of one here. */
export function calledIn({ id, type = 'function', function: called }: JsonObject) {
  if (type !== 'function' || !isObject(called)) throw new Unsayable('tool_calls');
  const { name, arguments: args } = called;
  const input = typeof args === 'string' ? argumentsIn(args) : args;
  if (!isObject(input)) throw new Unsayable('arguments');
  return { id, name, input };
}

function argumentsIn(text: string): unknown {
  try {
    return text.trim() === '' ? {} : parseExact(text);
  } catch {
    return undefined;
  }
}

function toTools(tools: unknown, leftOut: Set<string>): readonly JsonObject[] {
  return functionsIn(tools, leftOut).map(({ name, description, parameters }) => ({
    name,
    ...(isPresent(description) && { description }),
    input_schema: parameters ?? { type: 'object', properties: {} },
  }));
}

/** Returns the functions that a request offers. */
export function functionsIn(tools: unknown, leftOut: Set<string>): readonly JsonObject[] {
  if (!isObjects(tools)) throw new Unsayable('tools');
  return tools.map(({ type, function: offered }) => {
    if (type !== 'function' || !isObject(offered)) throw new Unsayable(String(type));
    const { name, description, parameters, ...others } = offered;
    for (const [member, value] of Object.entries(others)) if (saysSomething(member, value)) leftOut.add(member);
    return { name, description, parameters };
  });
}

function toChoice(choice: unknown, isSingle: boolean): JsonObject | undefined {
  const single = isSingle && { disable_parallel_tool_use: true };
  const named = functionChosen(choice);
  if (named !== undefined) return { type: 'tool', name: named, ...single };
  if (choice === 'none') return { type: 'none' };
  if (choice === 'required' || choice === 'any') return { type: 'any', ...single };
  return choice === 'auto' || isSingle ? { type: 'auto', ...single } : undefined;
}

/** Returns the name of the function that must be called; `undefined` if no single one must be. */
export function functionChosen(choice: unknown): unknown {
  if (!isObject(choice)) return undefined;
  const called = choice['function'];
  if (!isObject(called)) throw new Unsayable('tool_choice');
  return called['name'];
}
