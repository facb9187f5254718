import { messageRequest } from '../../../api/messages/messages.schema';
import type { MessageRequest } from '../../../api/messages/messages.schema';
import { vendorWay } from '../../../api/chat/chatWays';
import { toChatBody } from '../../../api/chat/toChatCompletion';
import { batchMethod, batchUrl } from '../../limits';
import { depthOf } from '../../scan/jsonTree';
import type { BatchRules } from '../../services/batchRules';
import { inWay } from '../../writtenWay';
import { publicService } from '../strategy';
import type { FileNames, FileService } from '../strategy';
import { isObject } from '../../../api/isObject';
import { cellOf } from './csvCell';
import { isObjects, isPresent, parseExact, Unsayable, type JsonObject } from './exactJson';
import { fromGemini, looksGemini, toGemini } from './gemini';
import { toAnthropic, withFiles, withoutDocuments, type WrittenBody } from './toAnthropic';

const deepestConverted = 500;

/** The content of a line besides its ID: in the format of services whose batches we know, or `request` as Gemini has it. */
export type LineForm = BatchRules['line'] | 'gemini';

export interface Conversion {
  readonly text: string;
  /** The line names no model, none was provided, and the format requires one. */
  readonly lacksModel: boolean;
  /** Names of members that the form cannot hold and that do not affect the rest of it. */
  readonly leftOut: readonly string[];
  /** Names of members that the form requires and that were added. */
  readonly added: readonly string[];
  /** The model, if the form has no place for it because it is named when a batch is created. */
  readonly model?: string;
}

interface ConversionNames extends FileNames {
  /** The id to start from for a request that has none. */
  readonly id: string;
  /** That of the service if absent. */
  readonly form?: LineForm;
}

/**
 * Converts a line in another service's format, or a bare request body, to a batch request in the form of the file's service. Returns
 * `undefined` if it is neither, or if the form cannot express something in it. Numbers keep their digits; of duplicate keys the last
 * one counts.
 */
export function toRequest(text: string, names: ConversionNames): Conversion | undefined {
  const converted = convertRequest(text, names);
  return converted instanceof Unsayable ? undefined : converted;
}

/** Like `toRequest`, but returns what cannot be expressed. */
export function convertRequest(text: string, names: ConversionNames): Conversion | Unsayable | undefined {
  const line = cellOf(text) ?? text;
  const read = readObjects(line);
  if (!read) return undefined;
  const service = names.service ?? publicService;
  const form = names.form ?? service.rules.line;
  const own = formOf(read.plain);
  if (own === form && form !== 'request' && form !== 'body') return unchanged(line, form, read.exact);
  try {
    const found = bodyOf(read.exact, read.plain, { service, form });
    return found && written(found, form, { read: read.exact, names, service });
  } catch (error) {
    if (error instanceof Unsayable) return error;
    throw error;
  }
}

/** Whether a line can be converted. */
export function isForeign(text: string): boolean {
  return toRequest(text, { id: '', model: undefined, freshId: (like) => like }) !== undefined;
}

/** Returns the form of a line that has one of those without a method. */
function formOf({ params, request, body, url }: JsonObject): LineForm | undefined {
  if (body !== undefined) return url === undefined ? 'body' : 'request';
  if (isObject(params)) return 'params';
  return isObject(request) && looksGemini(request) ? 'gemini' : undefined;
}

function unchanged(text: string, form: LineForm, { params }: JsonObject): Conversion {
  const lacksModel = form === 'params' && isObject(params) && params['model'] === undefined;
  return { text, lacksModel, leftOut: [], added: [] };
}

interface Writing {
  readonly read: JsonObject;
  readonly names: ConversionNames;
  readonly service: FileService;
}

function written(found: FoundBody, form: LineForm, { read, names, service }: Writing): Conversion {
  const { model, ...rest } = found.body;
  const chat = found.url === undefined ? forService(rest, service) : rest;
  const requested = model ?? names.model;
  const id = idOf(read, names);
  const leftOut = new Set(found.leftOut);
  const whole = (line: object, more: Partial<WrittenBody> = {}): Conversion => {
    for (const name of more.leftOut ?? []) leftOut.add(name);
    return { text: JSON.stringify(line), lacksModel: false, leftOut: [...leftOut], added: more.added ?? [] };
  };
  const lacksModel = requested === undefined;
  const named = typeof requested === 'string' ? { model: requested } : {};
  if (form === 'params' || form === 'gemini') {
    if (found.url !== undefined) throw new Unsayable('url');
    for (const name of Object.keys(found.others)) leftOut.add(name);
    const body = form === 'params' ? toAnthropic({ ...chat, model: requested }) : toGemini(chat);
    return form === 'params'
      ? { ...whole({ custom_id: id, params: body.body }, body), lacksModel }
      : { ...whole({ key: id, request: body.body }, body), ...named };
  }
  const url =
    found.url === undefined ? (service.rules.endpoints[0] ?? batchUrl) : endpointFor(found.url, service.rules);
  const fitted = found.url === undefined ? inWay(chat, service.way) : { body: chat, leftOut: [] };
  if (form === 'body') {
    const own = service.rules.id === 'mistral' ? forMistral(fitted.body) : fitted.body;
    return { ...whole({ custom_id: id, body: own, ...found.others }, fitted), ...named };
  }
  const body = requested === undefined ? fitted.body : { model: requested, ...fitted.body };
  return { ...whole({ custom_id: id, method: batchMethod, url, body, ...found.others }, fitted), lacksModel };
}

/** Returns the service's own URL for what another URL asks for. */
function endpointFor(url: string, rules: BatchRules): string {
  const own = ownEndpoint(url, rules);
  if (own === undefined && rules.id !== 'unknown') throw new Unsayable('url');
  return own ?? url;
}

/** Returns the URL of the service that has the same path after the version, which differs. */
function ownEndpoint(url: string, { endpoints }: BatchRules): string | undefined {
  const path = pathOf(url);
  return endpoints.find((one) => pathOf(one) === path);
}

const pathOf = (url: string): string => url.replace(/^.*?\/v\d+(?=\/)/, '');

/** Returns a chat with the names that most services know for what OpenAI and Mistral call otherwise. */
function forService(chat: JsonObject, { rules }: FileService): JsonObject {
  const { max_completion_tokens: length, random_seed: seed, messages, tool_choice: choice, ...rest } = chat;
  const takesDeveloper = rules.moreRoles?.includes('developer') === true;
  return {
    messages: isObjects(messages) ? messages.map((message) => ofRoles(message, takesDeveloper)) : messages,
    ...rest,
    ...(isPresent(length) && { [rest['max_tokens'] === undefined ? 'max_tokens' : 'max_completion_tokens']: length }),
    ...(isPresent(seed) && { [rest['seed'] === undefined ? 'seed' : 'random_seed']: seed }),
    ...(choice !== undefined && { tool_choice: choice === 'any' ? 'required' : choice }),
  };
}

function ofRoles(message: JsonObject, takesDeveloper: boolean): JsonObject {
  return message['role'] === 'developer' && !takesDeveloper ? { ...message, role: 'system' } : message;
}

/** https://docs.mistral.ai/api/#tag/chat */
function forMistral({ seed, tool_choice: choice, ...rest }: JsonObject): JsonObject {
  return {
    ...rest,
    ...(seed !== undefined && { random_seed: seed }),
    ...(choice !== undefined && { tool_choice: choice === 'required' ? 'any' : choice }),
  };
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
  /** That of a chat completion, unless there is a `url`. */
  readonly body: JsonObject;
  /** The URL of an endpoint other than chat. */
  readonly url?: string;
  /** Members of the line outside the body. */
  readonly others: JsonObject;
  readonly leftOut?: readonly string[];
}

function bodyOf(
  line: JsonObject,
  plain: JsonObject,
  { service, form }: { readonly service: FileService; readonly form: LineForm },
): FoundBody | undefined {
  const { custom_id: _id, method: _method, url, body, key: _key, recordId: _record, ...framed } = line;
  const { params, request, modelInput, ...rest } = framed;
  const address = typeof url === 'string' ? url : batchUrl;
  if (isObject(request) && looksGemini(request) && body === undefined) {
    const { body: chat, leftOut } = fromGemini(request);
    return { body: chat, others: rest, leftOut };
  }
  if (isObject(params) && isObject(plain.params) && body === undefined) {
    const converted = fromAnthropic(params, plain.params, service);
    return { body: converted, others: rest, leftOut: leftOutOf(plain.params, service) };
  }
  // Amazon Bedrock and Google Vertex frame the bodies of Anthropic, and of others.
  const framedBody = withoutVersion(modelInput) ?? withoutVersion(request);
  const framedPlain = withoutVersion(plain.modelInput) ?? withoutVersion(plain.request);
  if (framedBody && framedPlain && body === undefined) {
    const kind = framedBody.isAnthropic ? messagesUrl : batchUrl;
    const converted = chatBody(framedBody.body, framedPlain.body, kind, service);
    return converted && { body: converted, others: rest, leftOut: leftOutBy(framedPlain.body, kind, service) };
  }
  if (isObject(body) && isObject(plain.body)) {
    const isOffered = form === 'request' && pathOf(address) !== chatPath && ownEndpoint(address, service.rules);
    if (otherEndpoint.test(address) || isOffered) return { body, others: rest, url: address };
    const converted = chatBody(body, plain.body, address, service);
    return converted && { body: converted, others: rest, leftOut: leftOutBy(plain.body, address, service) };
  }
  if (body !== undefined || otherEndpoint.test(address)) return undefined;
  if (looksGemini(line)) {
    const { body: chat, leftOut } = fromGemini(withoutId(line));
    return { body: chat, others: {}, leftOut };
  }
  const bare = withoutNames(line);
  const converted = chatBody(bare, withoutId(plain), address, service);
  return converted && { body: converted, others: {}, leftOut: leftOutBy(plain, address, service) };
}

const messagesUrl = '/v1/messages';
const chatPath = pathOf(batchUrl);

/** Returns a body without the version of Anthropic's API, which identifies its format, or `undefined` if it isn't a body. */
function withoutVersion(value: unknown): { readonly body: JsonObject; readonly isAnthropic: boolean } | undefined {
  if (!isObject(value)) return undefined;
  const { anthropic_version: version, ...body } = value;
  return { body, isAnthropic: version !== undefined };
}

/** A request that neither is a chat nor can become one. */
const otherEndpoint = /\/embeddings$|\/moderations$|\/images\/|\/audio\/|\/rerank$|\/score$|\/ocr$|\/classifications$/;

/** Returns a line that is a body without what names the request. */
function withoutNames({ custom_id: id, method: _method, url: _url, ...rest }: JsonObject): JsonObject {
  return typeof rest['id'] === 'string' && id === undefined ? withoutId(rest) : rest;
}

function withoutId({ id: _id, ...rest }: JsonObject): JsonObject {
  return rest;
}

/** Recognizes the format by the URL or by the members. Returns `undefined` if it cannot be converted. */
function chatBody(body: JsonObject, plain: JsonObject, url: string, service: FileService): JsonObject | undefined {
  if (Array.isArray(body.messages)) {
    return isAnthropic(plain, url) ? fromAnthropic(body, plain, service) : body;
  }
  if (body.messages !== undefined) return undefined;
  if (body.input !== undefined) return fromResponses(body);
  const { prompt, model, ...rest } = body;
  if (typeof prompt !== 'string') return undefined;
  return { ...(model === undefined ? {} : { model }), messages: [{ role: 'user', content: prompt }], ...rest };
}

function isAnthropic(plain: JsonObject, url: string): boolean {
  return Array.isArray(plain.messages) && (looksAnthropic(plain) || url.endsWith(messagesUrl));
}

function leftOutBy(plain: JsonObject, url: string, service: FileService): readonly string[] {
  return isAnthropic(plain, url) ? leftOutOf(plain, service) : [];
}

/** Returns the line's own id if it is a string that is not empty, else a new one. */
function idOf(line: JsonObject, names: ConversionNames): string {
  const own = ownIdOf(line);
  return typeof own === 'string' && own !== '' ? own : names.freshId(names.id);
}

/** Returns what names a request in any of the forms. */
export function ownIdOf({ custom_id: customId, id, key, recordId }: JsonObject): unknown {
  return customId ?? id ?? key ?? recordId;
}

/**
 * Returns the requests of a line that has them all, as in the body of a call that creates a batch; those without a model get that of
 * the line. `undefined` for any other line.
 */
export function requestsIn(text: string): readonly string[] | undefined {
  if (!/"requests"\s*:\s*\[/.test(text.slice(0, callStart))) return undefined;
  const { requests, model } = readObjects(text)?.exact ?? {};
  if (!isObjects(requests) || requests.length === 0) return undefined;
  return requests.map((request) => JSON.stringify(typeof model === 'string' ? withModel(request, model) : request));
}

/** The text before the requests in such a call is short. */
const callStart = 2000;

function withModel(request: JsonObject, model: string): JsonObject {
  const name = ['params', 'body'].find((one) => isObject(request[one]));
  const body = name === undefined ? undefined : request[name];
  return name !== undefined && isObject(body) ? { ...request, [name]: { model, ...body } } : request;
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
  return ['image', 'document', 'tool_use', 'tool_result', 'thinking'].includes(String(type));
}

/**
 * Returns a chat completion body. Unknown members are copied as they are. `body` has exact numbers, `plain` ordinary ones. Throws
 * `Unsayable` if a chat completion cannot express something in `body`.
 */
function fromAnthropic(source: JsonObject, whole: JsonObject, { way }: FileService): JsonObject {
  const [body, plain] = [withoutDocuments(source), withoutDocuments(whole)];
  const known = Object.entries(plain).filter(([name]) => mapped.includes(name));
  const { error } = messageRequest.safeParse({ model: '', ...Object.fromEntries(known) });
  const what = unsayableIn(plain) ?? error?.issues[0]?.path[0];
  if (what !== undefined) throw new Unsayable(typeof what === 'string' ? what : 'params');
  const { model, ...rest } = toChatBody(body as MessageRequest, { ...vendorWay, takesParallel: way.takesParallel });
  const unmapped = Object.entries(body).filter(([name]) => !mapped.includes(name));
  const { output_config: config, output_format: older, ...others } = Object.fromEntries(unmapped);
  const output = fromOutput(isObject(config) ? config : {}, older);
  return withFiles({ ...(model === undefined ? {} : { model }), ...rest, ...output, ...others });
}

/** `older`: the former name of the format. */
function fromOutput({ format, effort }: JsonObject, older: unknown): JsonObject {
  const asked = format ?? older;
  const schema = isObject(asked) && asked['type'] === 'json_schema' ? asked['schema'] : undefined;
  if (isPresent(asked) && schema === undefined) throw new Unsayable('output_config');
  return {
    ...(schema !== undefined && {
      response_format: { type: 'json_schema', json_schema: { name: 'response', schema } },
    }),
    ...(isPresent(effort) && { reasoning_effort: effort }),
  };
}

/** Returns the kind of the first block or tool that a chat completion cannot hold. It can hold only text in the result of a tool. */
function unsayableIn({ messages, tools }: JsonObject): unknown {
  if (!isObjects(messages)) return 'messages';
  const blocks = messages.flatMap(({ content }) => (isObjects(content) ? content : []));
  const inResults = blocks.flatMap(({ content }) => (isObjects(content) ? content : []));
  const ofService = isObjects(tools) ? tools.find(({ input_schema }) => !isObject(input_schema)) : undefined;
  return (
    inResults.find(({ type }) => type !== 'text')?.type ??
    blocks.find(({ type }) => type === 'document' || !Object.hasOwn(retainedMembers, String(type)))?.type ??
    (ofService && (ofService.type ?? 'tools'))
  );
}

/** The members that a chat completion can hold, by type of block. */
const retainedMembers: Readonly<Record<string, readonly string[]>> = {
  text: ['text'],
  image: ['source'],
  document: ['source'],
  // A thought's signature means nothing to another model.
  thinking: ['thinking', 'signature'],
  tool_use: ['id', 'name', 'input'],
  tool_result: ['tool_use_id', 'content', 'is_error'],
};

/** Returns the names of the members that conversion loses, each once, so that a user can decide. */
function leftOutOf(
  { messages, system, tools, tool_choice, output_config }: JsonObject,
  { way }: FileService,
): readonly string[] {
  const found = new Set<string>();
  const look = (value: unknown, retained: readonly string[]) => {
    if (!isObject(value)) return;
    for (const [name, said] of Object.entries(value)) {
      const saysNothing = said === undefined || said === null || said === false;
      if (name !== 'type' && !retained.includes(name) && !saysNothing) found.add(name);
    }
  };
  const lookAtBlocks = (content: unknown) => {
    for (const block of isObjects(content) ? content : []) look(block, retainedMembers[String(block.type)] ?? []);
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
  look(output_config, ['format', 'effort']);
  look(tool_choice, way.takesParallel ? ['name', 'disable_parallel_tool_use'] : ['name']);
  return [...found];
}

/** Thinking is only converted together with a tool call. */
function losesThoughts(blocks: readonly JsonObject[]): boolean {
  return blocks.some(({ type }) => type === 'thinking') && !blocks.some(({ type }) => type === 'tool_use');
}

// https://platform.openai.com/docs/api-reference/responses/create

/** Members that refer to something the service does not have. */
const unsayable = ['previous_response_id', 'conversation', 'prompt', 'background'];

/** Returns a chat completion body. Unknown members are copied. Throws `Unsayable` if it cannot express something in `body`. */
function fromResponses(body: JsonObject): JsonObject {
  const { model, input, instructions, max_output_tokens, tools, tool_choice, text, reasoning, ...others } = body;
  const effort = isObject(reasoning) ? reasoning['effort'] : undefined;
  const reference = unsayable.find((name) => (others[name] ?? false) !== false);
  if (reference !== undefined) throw new Unsayable(reference);
  if (isPresent(instructions) && typeof instructions !== 'string') throw new Unsayable('instructions');
  const requested = toMessages(input);
  const called = tools === undefined ? [] : toTools(tools);
  const format = toFormat(text);
  if (!requested || !called || !format) throw new Unsayable(!requested ? 'input' : !called ? 'tools' : 'text');
  const system = typeof instructions === 'string' ? [{ role: 'system', content: instructions }] : [];
  return {
    ...(model === undefined ? {} : { model }),
    messages: [...system, ...requested],
    ...(max_output_tokens === undefined ? {} : { max_tokens: max_output_tokens }),
    ...format,
    ...(called.length > 0 ? { tools: called } : {}),
    ...(tool_choice === undefined ? {} : { tool_choice: toChoice(tool_choice) }),
    ...(isPresent(effort) ? { reasoning_effort: effort } : {}),
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
  const { type = 'message', role, content, call_id, name, arguments: args, output } = item;
  if (type === 'message') {
    const said = toContent(content);
    return typeof role === 'string' && said !== undefined
      ? { role: role === 'developer' ? 'system' : role, content: said }
      : undefined;
  }
  if (type === 'function_call' && typeof call_id === 'string') {
    const call = { id: call_id, type: 'function', function: { name, arguments: args } };
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
