import { choiceText, contentText, isChat, otherText, readChoices } from '../results/resultChoices';
import { resultId } from '../results/resultId';
import { isResult, readResult } from '../results/resultLine';
import type { ResultLine } from '../results/resultLine';
import { listOf, objectOf, parseObject, textOf, toJson } from '../scan/jsonValue';
import type { JsonObject } from '../scan/jsonValue';

export interface ShownMessage {
  readonly role: string;
  readonly text: string;
}

/** The readable content of a line, which is a request or the response to one. */
export interface LineContent {
  readonly customId: string | undefined;
  readonly model: string | undefined;
  /** The messages of a request, or of a response. */
  readonly messages: readonly ShownMessage[];
  /** The other members of a request's body, as JSON. */
  readonly parameters: readonly { readonly name: string; readonly value: string }[];
  /** Set if the line is an answer. */
  readonly answer: Answer | undefined;
}

interface Answer {
  /** The HTTP status, if the service reports it. */
  readonly status: number | undefined;
  /** The error, in the service's words. */
  readonly error: string | undefined;
  /** Of request and response together. */
  readonly tokens: number | undefined;
}

/** Returns `undefined` if the text is not a JSON object. */
export function readContent(text: string): LineContent | undefined {
  const line = parseObject(text);
  if (!line) return undefined;
  const customId = resultId(line) || textOf(line['custom_id']);
  const result = readResult(line);
  if (result) return { customId, parameters: [], ...answerOf(result) };
  const body = requestBody(line) ?? {};
  const parameters = Object.entries(body)
    .filter(([name]) => !lineNames.has(name) && !contentNames.has(name))
    .map(([name, value]) => ({ name, value: toJson(value) }));
  const model = textOf(body['model']) ?? textOf(line['model']);
  return { customId, model, messages: messagesIn(body), parameters, answer: undefined };
}

/** Returns the body of a request, which services other than OpenAI call differently; results of some services repeat it. */
export function requestBody(line: JsonObject): JsonObject | undefined {
  const named = ['body', 'params', 'request', 'modelInput'].map((name) => objectOf(line[name]));
  return (
    named.find((body) => body !== undefined) ?? ([...contentNames].some((name) => name in line) ? line : undefined)
  );
}

/** The members of a line that are shown elsewhere. */
const lineNames: ReadonlySet<string> = new Set(['custom_id', 'method', 'url', 'model']);

/** The members of a body that say what is requested, at any endpoint. */
const contentNames: ReadonlySet<string> = new Set(
  (
    'system systemInstruction system_instruction instructions messages contents content input prompt query documents ' +
    'document inputs inputText'
  ).split(' '),
);

/**
 * Returns what a body requests as messages: of chat and text completions, the Responses API, Gemini,
 * embeddings, reranking, documents to read, and the models of Hugging Face and Amazon.
 */
export function messagesIn(body: JsonObject): readonly ShownMessage[] {
  const { messages, contents, content, input, prompt, query, documents, inputs, inputText, document } = body;
  const system = body['system'] ?? body['instructions'] ?? body['systemInstruction'] ?? body['system_instruction'];
  const before = system === undefined ? [] : [{ role: 'system', text: valueText(system) }];
  const turns = [messages, contents].find((list) => Array.isArray(list));
  if (Array.isArray(turns)) return [...before, ...turns.map(messageOf)];
  const isTurn = (item: unknown) => ['role', 'type'].some((name) => name in (objectOf(item) ?? {}));
  if (Array.isArray(input) && input.length > 0 && input.every(isTurn)) return [...before, ...input.map(messageOf)];
  const question = [input, prompt, content, query, inputs, inputText, document].find(
    (value) => value !== undefined && value !== null,
  );
  const user = question === undefined ? [] : [{ role: 'user', text: valueText(question) }];
  const listed = listOf(documents).map((one) => ({ role: 'document', text: valueText(one) }));
  return [...before, ...listed, ...user];
}

/** Formats a text, texts, parts of content, or tokens. */
function valueText(value: unknown): string {
  if (typeof value === 'string') return value;
  const object = objectOf(value);
  const parts = object?.['parts'] ?? object?.['content'] ?? object?.['texts'] ?? object?.['messages'];
  if (object && parts !== undefined) return valueText(parts);
  const list = object ? [object] : listOf(value);
  const isText = (one: unknown) => typeof one === 'string' || objectOf(one) !== undefined;
  return list.length > 0 && list.every(isText) ? contentText(list) : toJson(value);
}

/** Yields the texts to search in. */
export function* searchedTexts({ customId, messages, answer }: LineContent): Iterable<string> {
  if (customId !== undefined) yield customId;
  for (const { text } of messages) yield text;
  if (answer?.error !== undefined) yield answer.error;
}

/** Whether a line belongs to a file of results. */
export function isAnswerLine(text: string): boolean {
  const line = parseObject(text);
  return line !== undefined && isResult(line);
}

function answerOf({ body, model, status, failure, usage }: ResultLine) {
  const choices = body ? readChoices(body) : [];
  const isOther = body !== undefined && !failure && choices.length === 0 && !isChat(body);
  const other = isOther ? [{ role: '', text: otherText(body) }] : [];
  // An error without a code has its status as one, which is shown in any case.
  const code = failure?.code === String(status) ? '' : failure?.code;
  const error = failure && [code, failure.message].filter((part) => part !== '').join(' · ');
  return {
    model,
    messages: [...choices.map((choice) => ({ role: choice.role, text: choiceText(choice) })), ...other],
    answer: { status, error, tokens: usage.total },
  };
}

function messageOf(value: unknown): ShownMessage {
  const message = objectOf(value) ?? {};
  const { role, type, content = message['parts'], tool_calls: calls } = message;
  const texts = content === undefined || content === null ? [] : [contentText(content)];
  // An item of the Responses API that is not a message, such as the output of a tool.
  const own = [message['text'], message['output'], message['arguments']].flatMap((text) => textOf(text) ?? []);
  const further = texts.length === 0 && !Array.isArray(calls) ? own : [];
  const text = [...texts, ...further, ...listOf(calls).map(callText)].join('\n');
  return { role: textOf(role) ?? (type === undefined ? '' : (textOf(type) ?? '')), text };
}

function callText(value: unknown): string {
  const called = objectOf(objectOf(value)?.['function']);
  return `${textOf(called?.['name']) ?? ''}(${textOf(called?.['arguments']) ?? ''})`;
}
