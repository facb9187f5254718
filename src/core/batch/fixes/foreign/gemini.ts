import { isObject } from '../../../api/isObject';
import { isObjects, isPresent, numberIn, Unsayable, type JsonObject } from './exactJson';
import {
  calledIn,
  dataOf,
  documentIn,
  functionChosen,
  functionsIn,
  imageOf,
  saysSomething,
  textOf,
  type WrittenBody,
} from './toAnthropic';

// https://ai.google.dev/gemini-api/docs/batch-api and https://ai.google.dev/api/generate-content

/** Members of a chat completion by their names in `generationConfig`. */
const generation: Readonly<Record<string, string>> = {
  maxOutputTokens: 'max_tokens',
  temperature: 'temperature',
  topP: 'top_p',
  topK: 'top_k',
  stopSequences: 'stop',
  candidateCount: 'n',
  seed: 'seed',
  presencePenalty: 'presence_penalty',
  frequencyPenalty: 'frequency_penalty',
};
const byChatName: ReadonlyMap<string, string> = new Map(Object.entries(generation).map(([own, chat]) => [chat, own]));

/** Whether an object is a request for Gemini. */
export function looksGemini({ contents }: JsonObject): boolean {
  return isObjects(contents) && contents.every(({ parts }) => Array.isArray(parts));
}

/** Converts a request for Gemini to the body of a chat completion. Throws `Unsayable` if a chat completion cannot express something. */
export function fromGemini(source: JsonObject): WrittenBody {
  const leftOut = new Set<string>();
  const request = camelled(source);
  const { contents, systemInstruction, generationConfig, tools, toolConfig, model, cachedContent, ...others } = request;
  if (isPresent(cachedContent)) throw new Unsayable('cachedContent');
  for (const [name, value] of Object.entries(others)) if (saysSomething(name, value)) leftOut.add(name);
  const system = isObject(systemInstruction) ? wordsOf(systemInstruction['parts']) : '';
  const reader = new ContentsReader(leftOut);
  const messages = isObjects(contents) ? contents.flatMap((content) => reader.read(content)) : [];
  return {
    body: {
      ...(typeof model === 'string' && { model: model.replace(/^models\//, '') }),
      messages: [...(system === '' ? [] : [{ role: 'system', content: system }]), ...messages],
      ...fromGeneration(isObject(generationConfig) ? camelled(generationConfig) : {}, leftOut),
      ...fromTools(tools),
      ...fromToolConfig(toolConfig),
    },
    leftOut: [...leftOut],
  };
}

/** Reads the turns one after another, because calls need not have IDs: a result is of the first open call of its name. */
class ContentsReader {
  private calls = 0;
  private open: { readonly id: string; readonly name: unknown }[] = [];

  constructor(private readonly leftOut: Set<string>) {}

  read({ role = 'user', parts }: JsonObject): readonly JsonObject[] {
    const said: JsonObject[] = [];
    const calls: JsonObject[] = [];
    const results: JsonObject[] = [];
    for (const source of isObjects(parts) ? parts : []) {
      const part = camelled(source);
      const { text, functionCall, functionResponse, thought, thoughtSignature } = part;
      if (isPresent(thoughtSignature)) this.leftOut.add('thoughtSignature');
      if (thought === true) this.leftOut.add('thought');
      else if (isObject(functionCall)) calls.push(this.readCall(functionCall));
      else if (isObject(functionResponse)) results.push(this.readResult(functionResponse));
      else if (typeof text === 'string') said.push({ type: 'text', text });
      else said.push(mediaIn(part));
    }
    const speaker = role === 'model' ? 'assistant' : 'user';
    const isText = said.every(({ type }) => type === 'text');
    const isJoined = speaker === 'assistant' || said.length < 2;
    const content = isText && isJoined ? said.map(({ text }) => String(text)).join('') : said;
    if (said.length === 0 && calls.length === 0) return results;
    return [...results, { role: speaker, content, ...(calls.length > 0 && { tool_calls: calls }) }];
  }

  private readCall({ id, name, args }: JsonObject): JsonObject {
    this.calls += 1;
    const call = { id: typeof id === 'string' ? id : `call_${this.calls}`, name };
    this.open.push(call);
    return { id: call.id, type: 'function', function: { name, arguments: JSON.stringify(args ?? {}) } };
  }

  private readResult({ id, name, response }: JsonObject): JsonObject {
    const at = this.open.findIndex((call) => (typeof id === 'string' ? call.id === id : call.name === name));
    const [call] = at < 0 ? [] : this.open.splice(at, 1);
    const said = isObject(response) && Object.keys(response).join() === 'output' ? response['output'] : response;
    return {
      role: 'tool',
      tool_call_id: call?.id ?? (typeof id === 'string' ? id : String(name)),
      content: typeof said === 'string' ? said : JSON.stringify(said ?? {}),
    };
  }
}

function wordsOf(parts: unknown): string {
  const texts = isObjects(parts) ? parts.map(({ text }) => text) : [];
  return texts.filter((text) => typeof text === 'string').join('');
}

function mediaIn({ inlineData, fileData }: JsonObject): JsonObject {
  const { mimeType, data, fileUri } = camelled(isObject(inlineData) ? inlineData : isObject(fileData) ? fileData : {});
  const isImage = typeof mimeType !== 'string' || mimeType.startsWith('image/');
  if (typeof data === 'string' && typeof mimeType === 'string') {
    if (isImage) return { type: 'image_url', image_url: { url: `data:${mimeType};base64,${data}` } };
    const format = audioFormats.find(([type]) => type === mimeType)?.[1];
    if (format !== undefined) return { type: 'input_audio', input_audio: { data, format } };
    if (mimeType === 'application/pdf') {
      const file_data = `data:${mimeType};base64,${data}`;
      return { type: 'file', file: { filename: 'document.pdf', file_data } };
    }
  }
  if (typeof fileUri === 'string' && isImage && /^https?:/.test(fileUri))
    return { type: 'image_url', image_url: { url: fileUri } };
  throw new Unsayable(isObject(inlineData) ? 'inlineData' : isObject(fileData) ? 'fileData' : 'parts');
}

const audioFormats = [
  ['audio/wav', 'wav'],
  ['audio/mp3', 'mp3'],
  ['audio/mpeg', 'mp3'],
] as const;

function fromGeneration(config: JsonObject, leftOut: Set<string>): JsonObject {
  const { responseMimeType, responseSchema, responseJsonSchema, thinkingConfig, ...others } = config;
  const members: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(others)) {
    const chatName = generation[name];
    if (chatName !== undefined && isPresent(value)) members[chatName] = value;
    else if (chatName === undefined && saysSomething(name, value)) leftOut.add(name);
  }
  const schema = responseJsonSchema ?? (isObject(responseSchema) ? lowerTypes(responseSchema) : undefined);
  if (isPresent(schema))
    members['response_format'] = { type: 'json_schema', json_schema: { name: 'response', schema } };
  else if (responseMimeType === 'application/json') members['response_format'] = { type: 'json_object' };
  else if (saysSomething('', responseMimeType) && responseMimeType !== 'text/plain') leftOut.add('responseMimeType');
  if (isObject(thinkingConfig)) {
    const { thinkingBudget, ...more } = camelled(thinkingConfig);
    for (const [name, value] of Object.entries(more)) if (saysSomething(name, value)) leftOut.add(name);
    const budget = numberIn(thinkingBudget);
    if (budget !== undefined) members['enable_thinking'] = budget !== 0;
    if (budget !== undefined && budget > 0) members['thinking_budget'] = thinkingBudget;
  }
  return members;
}

function fromTools(tools: unknown): JsonObject {
  if (!isPresent(tools)) return {};
  if (!isObjects(tools)) throw new Unsayable('tools');
  const functions = tools.flatMap((source) => {
    const { functionDeclarations, ...others } = camelled(source);
    const [other] = Object.keys(others);
    if (other !== undefined || !isObjects(functionDeclarations)) throw new Unsayable(other ?? 'tools');
    return functionDeclarations.map((declared) => {
      const { name, description, parameters, parametersJsonSchema } = camelled(declared);
      const schema = parametersJsonSchema ?? (isObject(parameters) ? lowerTypes(parameters) : undefined);
      return {
        type: 'function',
        function: {
          name,
          ...(isPresent(description) && { description }),
          ...(isPresent(schema) && { parameters: schema }),
        },
      };
    });
  });
  return functions.length === 0 ? {} : { tools: functions };
}

function fromToolConfig(config: unknown): JsonObject {
  const calling = isObject(config) ? camelled(config)['functionCallingConfig'] : undefined;
  if (!isObject(calling)) return {};
  const { mode, allowedFunctionNames: names } = camelled(calling);
  const isOne = mode === 'ANY' && Array.isArray(names) && names.length > 0;
  if (isOne && names.length > 1) throw new Unsayable('allowedFunctionNames');
  if (isOne) return { tool_choice: { type: 'function', function: { name: names[0] as unknown } } };
  const choice = ({ AUTO: 'auto', ANY: 'required', NONE: 'none' } as Readonly<Record<string, string>>)[String(mode)];
  return choice === undefined ? {} : { tool_choice: choice };
}

/** Gemini's own schemas have types in capitals. */
function lowerTypes(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(lowerTypes);
  if (!isObject(schema) || numberIn(schema) !== undefined) return schema;
  const entries = Object.entries(schema).map(([name, value]) => [
    name,
    name === 'type' && typeof value === 'string' ? value.toLowerCase() : lowerTypes(value),
  ]);
  return Object.fromEntries(entries) as JsonObject;
}

/** Returns an object with names such as `maxOutputTokens` for `max_output_tokens`, because both are accepted. */
function camelled(object: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(object).map(([name, value]) => [
      name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
      value,
    ]),
  );
}

/** Converts the body of a chat completion to a request for Gemini. Throws `Unsayable` if it cannot express something. */
export function toGemini(chat: JsonObject): WrittenBody {
  const { model: _model, messages, tools, tool_choice, response_format, ...rest } = chat;
  const { enable_thinking: isThinking, thinking_budget: budget, stop, ...others } = rest;
  const leftOut = new Set<string>();
  const config: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(others)) {
    const own = byChatName.get(name);
    if (own !== undefined && isPresent(value)) config[own] = value;
    else if (own === undefined && saysSomething(name, value)) leftOut.add(name);
  }
  if (isPresent(stop)) config['stopSequences'] = typeof stop === 'string' ? [stop] : stop;
  Object.assign(config, toResponse(response_format, leftOut));
  const thinkingBudget = isThinking === false ? 0 : (budget ?? (isThinking === true ? -1 : undefined));
  if (isPresent(thinkingBudget)) config['thinkingConfig'] = { thinkingBudget };
  const { system, contents } = toContents(messages, leftOut);
  return {
    body: {
      contents,
      ...(system !== '' && { systemInstruction: { parts: [{ text: system }] } }),
      ...(Object.keys(config).length > 0 && { generationConfig: config }),
      ...(isPresent(tools) && { tools: [{ functionDeclarations: toDeclarations(tools, leftOut) }] }),
      ...toToolConfig(tool_choice),
    },
    leftOut: [...leftOut],
  };
}

function toResponse(format: unknown, leftOut: Set<string>): JsonObject {
  if (!isObject(format) || format['type'] === 'text') return {};
  const { type, json_schema: described } = format;
  if (type === 'json_object') return { responseMimeType: 'application/json' };
  if (type !== 'json_schema' || !isObject(described)) throw new Unsayable('response_format');
  const { name: _name, schema, ...others } = described;
  for (const [name, value] of Object.entries(others)) if (saysSomething(name, value)) leftOut.add(name);
  return { responseMimeType: 'application/json', ...(isPresent(schema) && { responseJsonSchema: schema }) };
}

function toContents(messages: unknown, leftOut: Set<string>) {
  if (!isObjects(messages)) throw new Unsayable('messages');
  const system: string[] = [];
  const contents: { role: string; parts: JsonObject[] }[] = [];
  const names = new Map<unknown, unknown>();
  let isResult = false;
  for (const { role, content, tool_calls, tool_call_id, ...others } of messages) {
    for (const [name, value] of Object.entries(others)) if (saysSomething(name, value)) leftOut.add(name);
    if (role === 'system' || role === 'developer') {
      if (contents.length > 0) throw new Unsayable(String(role));
      system.push(textOf(content));
      continue;
    }
    if (role === 'tool') {
      if (!names.has(tool_call_id)) throw new Unsayable('tool_call_id');
      const response = { output: textOf(content) };
      const part = { functionResponse: { id: tool_call_id, name: names.get(tool_call_id), response } };
      if (isResult) contents.at(-1)!.parts.push(part);
      else contents.push({ role: 'user', parts: [part] });
      isResult = true;
      continue;
    }
    if (role !== 'user' && role !== 'assistant') throw new Unsayable(String(role));
    isResult = false;
    const calls = isObjects(tool_calls) ? tool_calls.map(calledIn) : [];
    for (const { id, name } of calls) names.set(id, name);
    const parts = [
      ...toParts(content, calls.length > 0, leftOut),
      ...calls.map(({ id, name, input }) => ({ functionCall: { id, name, args: input } })),
    ];
    contents.push({ role: role === 'assistant' ? 'model' : 'user', parts });
  }
  return { system: system.filter((text) => text !== '').join('\n\n'), contents };
}

function toParts(content: unknown, hasCalls: boolean, leftOut: Set<string>): readonly JsonObject[] {
  if (!isPresent(content) || (content === '' && hasCalls)) return [];
  if (typeof content === 'string') return [{ text: content }];
  if (!isObjects(content)) throw new Unsayable('content');
  return content.map(({ type, text, image_url: image, input_audio: audio, file, ...others }) => {
    for (const [name, value] of Object.entries(others)) if (isPresent(value)) leftOut.add(name);
    if (type === 'text') return { text };
    if (type === 'input_audio' && isObject(audio)) {
      const mimeType = audioFormats.find(([, format]) => format === audio['format'])?.[0];
      if (mimeType !== undefined) return { inlineData: { mimeType, data: audio['data'] } };
    }
    if (type === 'file') {
      const { type: mimeType, base64: data } = documentIn(file);
      return { inlineData: { mimeType, data } };
    }
    if (type !== 'image_url') throw new Unsayable(String(type));
    const { url, detail } = imageOf(image);
    if (isPresent(detail) && detail !== 'auto') leftOut.add('detail');
    const data = dataOf(url);
    return data ? { inlineData: { mimeType: data.type, data: data.base64 } } : { fileData: { fileUri: url } };
  });
}

function toDeclarations(tools: unknown, leftOut: Set<string>): readonly JsonObject[] {
  return functionsIn(tools, leftOut).map(({ name, description, parameters }) => ({
    name,
    ...(isPresent(description) && { description }),
    ...(isPresent(parameters) && { parametersJsonSchema: parameters }),
  }));
}

function toToolConfig(choice: unknown): JsonObject {
  const named = functionChosen(choice);
  const modes: Readonly<Record<string, string>> = { auto: 'AUTO', none: 'NONE', required: 'ANY', any: 'ANY' };
  const mode = named === undefined ? modes[typeof choice === 'string' ? choice : ''] : 'ANY';
  if (mode === undefined) return {};
  const only = named === undefined ? {} : { allowedFunctionNames: [named] };
  return { toolConfig: { functionCallingConfig: { mode, ...only } } };
}
