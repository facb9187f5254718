import { listOf, objectOf, textOf, toJson } from '../scan/jsonValue';
import type { JsonObject } from '../scan/jsonValue';
import { resultWords } from '../words/resultWords';

/** One of the answers in a body; each text is empty if there is none. */
export interface Choice {
  readonly role: string;
  readonly text: string;
  readonly reasoning: string;
  /** What the model says in place of an answer it refuses to give. */
  readonly refusal: string;
  readonly calls: readonly { readonly name: string; readonly arguments: string }[];
  /** Why it ended, in the service's own word. */
  readonly finish: string | undefined;
}

/**
 * Returns the answers in a body: of chat and text completions, the Responses API, Messages, Gemini, and the formats of DashScope,
 * Ollama and Cohere. Returns none if the body is empty or of another kind, such as embeddings.
 */
export function readChoices(body: JsonObject): readonly Choice[] {
  if ('choices' in body) return choicesIn(body['choices']).map(readChoice);
  const { output, candidates, content, message } = body;
  // Replicate has the pieces of a text.
  if (Array.isArray(output) && output.length > 0 && output.every((piece) => typeof piece === 'string'))
    return [readText({ text: output.join('') })];
  if (Array.isArray(output)) return [readOutput(body)];
  if (Array.isArray(candidates)) return candidates.map(readCandidate);
  // A response in the Messages format is the message itself.
  if (Array.isArray(content)) return [readChoice({ message: body, finish_reason: body['stop_reason'] })];
  if (isMessage(message)) return [readChoice({ ...body, finish_reason: body['finish_reason'] ?? body['done_reason'] })];
  const inner = objectOf(output);
  if (!inner) return readTexts(body);
  if ('embeddings' in inner) return [];
  const ended = { finish_reason: body['stopReason'], ...inner };
  return 'choices' in inner || isMessage(inner['message']) ? readChoices(ended) : [readChoice(ended)];
}

/** Whether a body that is no chat has a text: of a transcription, a document, or a model that completes text. */
export function isText(body: JsonObject): boolean {
  return readTexts(body).length > 0;
}

/**
 * Where bodies have their text: transcriptions and Cohere, Hugging Face, Llama, Titan, and older Claude at Amazon, Ollama and Cloudflare,
 * llama.cpp, Replicate, Baidu.
 */
const textNames = [
  'text',
  'generated_text',
  'generation',
  'outputText',
  'completion',
  'response',
  'content',
  'output',
  'result',
];
const endNames = ['finish_reason', 'stop_reason', 'completionReason', 'done_reason', 'stop_type'];

/** Returns the texts in a body that has no messages. */
function readTexts(body: JsonObject): readonly Choice[] {
  const has = (name: string) => (one: JsonObject) => typeof one[name] === 'string';
  // The models of Titan, Mistral, and Cohere at Amazon, and watsonx.
  const several = [
    ...['outputText', 'generated_text'].map((name) => objectsIn(body['results']).filter(has(name))),
    ...['outputs', 'generations'].map((name) => objectsIn(body[name]).filter(has('text'))),
  ];
  const list = several.find(({ length }) => length > 0);
  if (list) return list.map(readText);
  // The models of AI21 at Amazon.
  const completions = objectsIn(body['completions']).filter(({ data }) => typeof objectOf(data)?.['text'] === 'string');
  if (completions.length > 0) {
    return completions.map(({ data, finishReason: end }) =>
      readText({ ...objectOf(data), finish_reason: objectOf(end)?.['reason'] }),
    );
  }
  const pages = objectsIn(body['pages']).filter(has('markdown'));
  if (pages.length > 0) return [readText({ text: pages.map(({ markdown }) => markdown).join('\n\n') })];
  return textNames.some((name) => has(name)(body)) ? [readText(body)] : [];
}

function readText(one: JsonObject): Choice {
  const name = textNames.find((known) => typeof one[known] === 'string') ?? '';
  // Baidu and older servers of llama.cpp.
  const cut = one['is_truncated'] === true || one['stopped_limit'] === true ? 'length' : undefined;
  const ends = [...endNames.map((known) => one[known]), objectOf(one['details'])?.['finish_reason'], cut];
  return readChoice({ text: one[name], finish_reason: ends.find((end) => typeof end === 'string') });
}

/** Whether a body is an answer in text, even if it is empty. */
export function isChat(body: JsonObject): boolean {
  const { content, message, output } = body;
  if (['choices', 'candidates', 'promptFeedback'].some((name) => name in body)) return true;
  const isOutput = Array.isArray(output) || (objectOf(output) !== undefined && readVectors(body) === undefined);
  return isOutput || Array.isArray(content) || isMessage(message);
}

/** Whether the member of a body is a message in the format of Ollama or Cohere. Anthropic's is the body itself. */
function isMessage(value: unknown): boolean {
  const message = objectOf(value);
  return message !== undefined && message['type'] !== 'message' && 'content' in message;
}

/** A vector of a response to an embeddings request. */
interface Vector {
  readonly size: number;
  /** The beginning of it; empty if it is encoded. */
  readonly first: readonly unknown[];
}

const shownNumbers = 4;
const shownVectors = 20;
const bytesOfNumber = 4;

/** Returns the vectors in a body; `undefined` if it is not a response to an embeddings request. */
export function readVectors(body: JsonObject): readonly Vector[] | undefined {
  const { data, embedding, output, predictions } = body;
  // Vertex AI's predictions.
  const predicted = listOf(predictions).map((one) => objectOf(one)?.['embeddings']);
  const isPredicted = predicted.length > 0 && predicted.every((one) => objectOf(one));
  const embeddings = body['embeddings'] ?? objectOf(output)?.['embeddings'] ?? (isPredicted ? predicted : undefined);
  if (embedding !== undefined) return [vectorOf(embedding)];
  // Cohere has a list for each type of number.
  const byType = Object.values(objectOf(embeddings) ?? {}).find((list) => Array.isArray(list));
  const list = Array.isArray(data) ? data : Array.isArray(embeddings) ? embeddings : byType;
  if (!Array.isArray(list)) return undefined;
  const isVectors = list !== data || list.length === 0 || list.some((one) => 'embedding' in (objectOf(one) ?? {}));
  return isVectors ? list.map((one) => vectorOf(objectOf(one)?.['embedding'] ?? one)) : undefined;
}

function vectorOf(value: unknown): Vector {
  const numbers = Array.isArray(value) ? value : listOf(objectOf(value)?.['values']);
  const encoded = textOf(value) ?? '';
  const size = encoded === '' ? numbers.length : Math.floor((encoded.length * 3) / 4 / bytesOfNumber);
  return { size, first: numbers.slice(0, shownNumbers) };
}

/** Formats a body that is not a chat response: images and vectors in a few words, anything else as JSON. */
export function otherText(body: JsonObject): string {
  const images = objectsIn(body['data']).map(
    ({ url, b64_json: data }) => textOf(url) || (textOf(data) ? '[image]' : ''),
  );
  if (images.length > 0 && images.every((image) => image !== '')) return images.join('\n');
  const vectors = readVectors(body);
  if (!vectors || vectors.length === 0) return toJson(body, 2);
  const texts = vectors.slice(0, shownVectors).map(({ size, first }) => {
    const numbers = [...first.map((number) => toJson(number)), ...(size > first.length ? ['…'] : [])];
    return resultWords.vector(size, numbers.join(', '));
  });
  const more = vectors.length - texts.length;
  return [...texts, ...(more > 0 ? [resultWords.moreVectors(more)] : [])].join('\n');
}

/** Returns what a choice contains as one text: the answer, the refusal and the tool calls. */
export function choiceText({ text, refusal, calls }: Choice): string {
  const called = calls.map((call) => `${call.name}(${call.arguments})`);
  return [text, refusal, ...called].filter((part) => part !== '').join('\n');
}

/** Returns the text of a message's content, which is a string, a part or a list of parts. */
export function contentText(content: unknown): string {
  return typeof content === 'string' ? content : asList(content).map(partText).join('\n');
}

const asList = (content: unknown): readonly unknown[] => (objectOf(content) ? [content] : listOf(content));

/** Returns the JSON of content that a program has parsed; `undefined` for parts. */
function valueText(content: unknown): string | undefined {
  const isValue = typeof content === 'number' || typeof content === 'boolean';
  const isOther = ['type', 'text', 'parts'].every((name) => !(name in (objectOf(content) ?? { type: '' })));
  return isValue || isOther ? toJson(content) : undefined;
}

/** What services do for an answer, which is in none of their own programs' texts of it. */
const stepMark =
  /^\[(?!image).*(?:tool_use|tool_result|_call|_call_output|list_tools|executableCode|codeExecutionResult)\]$/;

/** Returns the text of an answer. Parts that follow each other are pieces of one text, such as those between two citations. */
function joinedParts(parts: readonly unknown[]): string {
  const texts: string[] = [];
  const steps: string[] = [];
  let isPiece = false;
  for (const part of parts) {
    const text = partText(part);
    const wasPiece = isPiece;
    isPiece = typeof (objectOf(part)?.['text'] ?? part) === 'string';
    if (!isPiece && stepMark.test(text)) steps.push(text);
    else if (isPiece && wasPiece) texts.push(`${texts.pop()}${text}`);
    else texts.push(text);
  }
  return texts.filter((text) => text !== '').join('\n') || steps.join('\n');
}

/** Returns a list of choices. SGLang sends the only one without a list. */
export function choicesIn(choices: unknown): readonly unknown[] {
  return objectOf(choices) ? [choices] : listOf(choices);
}

function readChoice(value: unknown): Choice {
  const choice = objectOf(value) ?? {};
  const message = objectOf(choice['message']) ?? choice;
  const parts = listOf(message['content']).map(objectOf);
  const ofType = (type: string) => parts.filter((part) => part?.['type'] === type);
  const refused = ofType('refusal').map((part) => textOf(part?.['refusal']) ?? '');
  const thought = ofType('thinking').map((part) => thoughtOf(part?.['thinking']));
  const others = asList(message['content']).filter((part) => !isApart(objectOf(part)?.['type']));
  const { content, reasoning_content: reasoning = message['reasoning'], refusal, audio } = message;
  const texts = [
    typeof content === 'string' ? content : (textOf(choice['text']) ?? valueText(content) ?? joinedParts(others)),
  ];
  const spoken = objectOf(audio);
  if (spoken) texts.push(textOf(spoken['transcript']) || '[audio]');
  return {
    role: textOf(message['role']) ?? '',
    text: [...texts, ...listOf(message['images']).map(() => '[image]')].filter((text) => text !== '').join('\n'),
    reasoning: textOf(reasoning) ?? thought.join('\n'),
    refusal: textOf(refusal) ?? refused.join('\n'),
    calls: [
      ...callsOf(message),
      ...ofType('tool_use').map((part) => ({ name: textOf(part?.['name']) ?? '', arguments: toJson(part?.['input']) })),
    ],
    finish: finishOf(choice['finish_reason']) ?? textOf(choice['stop_reason']),
  };
}

/** SGLang's own API has an object. */
function finishOf(finish: unknown): string | undefined {
  return textOf(finish) ?? textOf(objectOf(finish)?.['type']);
}

/** Mistral's thinking is a list of parts. */
function thoughtOf(thinking: unknown): string {
  return textOf(thinking) ?? contentText(thinking);
}

/** Whether parts of this type are not part of the text. */
function isApart(type: unknown): boolean {
  return type === 'refusal' || type === 'thinking' || type === 'redacted_thinking' || type === 'tool_use';
}

/** Includes a call in the old format. */
function callsOf(message: JsonObject): Choice['calls'] {
  const calls = listOf(message['tool_calls']).map((call) => objectOf(objectOf(call)?.['function']));
  const all = [...calls, objectOf(message['function_call'])].filter((call) => call !== undefined);
  return all.map((call) => ({ name: textOf(call['name']) ?? '', arguments: argumentsText(call['arguments']) }));
}

function argumentsText(value: unknown): string {
  return textOf(value) ?? (value === undefined ? '' : toJson(value));
}

/** Reads the items of a response of the Responses API as one answer. */
function readOutput(body: JsonObject): Choice {
  const items = objectsIn(body['output']);
  const said: unknown[] = [];
  const refusal: string[] = [];
  const reasoning: string[] = [];
  const calls: Choice['calls'][number][] = [];
  for (const item of items) {
    const type = textOf(item['type']) ?? 'message';
    if (type === 'reasoning') {
      reasoning.push(contentText(listOf(item['summary'])), contentText(listOf(item['content'])));
    } else if (type === 'function_call' || type === 'custom_tool_call' || type === 'mcp_call') {
      calls.push({ name: textOf(item['name']) ?? '', arguments: argumentsText(item['arguments'] ?? item['input']) });
    } else if (type === 'message') {
      const parts = listOf(item['content']);
      const isRefusal = (part: unknown) => objectOf(part)?.['type'] === 'refusal';
      for (const part of parts.filter(isRefusal)) refusal.push(textOf(objectOf(part)?.['refusal']) ?? '');
      said.push(textOf(item['content']) ?? joinedParts(parts.filter((part) => !isRefusal(part))), undefined);
    } else said.push({ type });
  }
  const joined = (texts: readonly string[]) => texts.filter((one) => one !== '').join('\n');
  return {
    role: 'assistant',
    text: joinedParts(said) || (textOf(body['output_text']) ?? ''),
    reasoning: joined(reasoning),
    refusal: joined(refusal),
    calls,
    finish: textOf(objectOf(body['incomplete_details'])?.['reason']) ?? textOf(body['status']),
  };
}

/** Reads one of Gemini's answers. */
function readCandidate(value: unknown): Choice {
  const candidate = objectOf(value) ?? {};
  const content = objectOf(candidate['content']) ?? {};
  const parts = objectsIn(content['parts']);
  const isThought = (part: JsonObject) => part['thought'] === true;
  const said = parts.filter((part) => !isThought(part) && !('functionCall' in part));
  return {
    role: textOf(content['role']) ?? '',
    text: joinedParts(said),
    reasoning: parts.filter(isThought).map(partText).join(''),
    refusal: '',
    calls: parts.flatMap((part) => {
      const call = objectOf(part['functionCall']);
      return call ? [{ name: textOf(call['name']) ?? '', arguments: argumentsText(call['args']) }] : [];
    }),
    finish: textOf(candidate['finishReason']) ?? textOf(candidate['finish_reason']),
  };
}

function objectsIn(list: unknown): readonly JsonObject[] {
  return listOf(list)
    .map(objectOf)
    .filter((one) => one !== undefined);
}

function partText(value: unknown): string {
  const part = objectOf(value);
  if (!part) return textOf(value) ?? '';
  const { type, text } = part;
  if (typeof text === 'string') return text;
  const data = objectOf(part['inlineData'] ?? part['inline_data']);
  const media = /^(image|audio|video)\//.exec(textOf(data?.['mimeType'] ?? data?.['mime_type']) ?? '')?.[1];
  const kind = textOf(type) ?? media ?? Object.keys(part).find((name) => objectOf(part[name]));
  return kind === undefined ? '' : `[${kind}]`;
}
