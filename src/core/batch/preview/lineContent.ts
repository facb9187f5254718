import { choiceText, contentText, readChoices } from '../results/resultChoices';
import { isResult, readResult } from '../results/resultLine';
import type { ResultLine } from '../results/resultLine';
import { listOf, objectOf, parseObject, textOf, toJson } from '../scan/jsonValue';

export interface ShownMessage {
  readonly role: string;
  readonly text: string;
}

/** What people read in a line, which is a request or the answer to one. */
export interface LineContent {
  readonly customId: string | undefined;
  readonly model: string | undefined;
  /** For a request: its messages. For an answer: what was answered. */
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
  const customId = textOf(line['custom_id']);
  const result = customId === undefined || !isResult(line) ? undefined : readResult(line);
  if (typeof result === 'object') return { customId, parameters: [], ...answerOf(result) };
  const body = objectOf(line['body']) ?? {};
  const { model, messages, ...others } = body;
  const parameters = Object.entries(others).map(([name, value]) => ({ name, value: toJson(value) }));
  return { customId, model: textOf(model), messages: listOf(messages).map(messageOf), parameters, answer: undefined };
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
  return line !== undefined && textOf(line['custom_id']) !== undefined && isResult(line);
}

function answerOf({
  body,
  model,
  status,
  failure,
  usage,
}: ResultLine): Pick<LineContent, 'answer' | 'messages' | 'model'> {
  const choices = body ? readChoices(body) : [];
  const error = failure && [failure.code, failure.message].filter((part) => part !== '').join(' · ');
  return {
    model,
    messages: choices.map((choice) => ({ role: choice.role, text: choiceText(choice) })),
    answer: { status, error, tokens: usage.total },
  };
}

function messageOf(value: unknown): ShownMessage {
  const message = objectOf(value) ?? {};
  const { role, content, tool_calls: calls } = message;
  const texts = typeof content === 'string' || Array.isArray(content) ? [contentText(content)] : [];
  return { role: textOf(role) ?? '', text: [...texts, ...listOf(calls).map(callText)].join('\n') };
}

function callText(value: unknown): string {
  const called = objectOf(objectOf(value)?.['function']);
  return `${textOf(called?.['name']) ?? ''}(${textOf(called?.['arguments']) ?? ''})`;
}
