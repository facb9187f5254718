import { listOf, objectOf, textOf, toJson } from '../scan/jsonValue';
import type { JsonObject } from '../scan/jsonValue';

/** One of the answers in a body; each text is empty if there is none. */
export interface Choice {
  readonly role: string;
  readonly text: string;
  readonly reasoning: string;
  /** What the model says in place of an answer it refuses to give. */
  readonly refusal: string;
  readonly calls: readonly { readonly name: string; readonly arguments: string }[];
  readonly finish: string | undefined;
}

/** Returns the answers in a body; none if it is not a chat response. */
export function readChoices(body: JsonObject): readonly Choice[] {
  if ('choices' in body) return listOf(body['choices']).map(readChoice);
  // A response in the Messages format is the message itself.
  return Array.isArray(body['content']) ? [readChoice({ message: body, finish_reason: body['stop_reason'] })] : [];
}

/** Returns what a choice contains as one text: the answer, the refusal and the tool calls. */
export function choiceText({ text, refusal, calls }: Choice): string {
  const called = calls.map((call) => `${call.name}(${call.arguments})`);
  return [text, refusal, ...called].filter((part) => part !== '').join('\n');
}

/** Returns the text of a message's content, which is a string or a list of parts. */
export function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  return listOf(content).map(partText).join('\n');
}

function readChoice(value: unknown): Choice {
  const choice = objectOf(value) ?? {};
  const message = objectOf(choice['message']) ?? choice;
  const parts = listOf(message['content']).map(objectOf);
  const ofType = (type: string) => parts.filter((part) => part?.['type'] === type);
  const refused = ofType('refusal').map((part) => textOf(part?.['refusal']) ?? '');
  const thought = ofType('thinking').map((part) => textOf(part?.['thinking']) ?? '');
  const others = listOf(message['content']).filter((part) => !isApart(objectOf(part)?.['type']));
  const { content, reasoning_content: reasoning = message['reasoning'], refusal } = message;
  return {
    role: textOf(message['role']) ?? '',
    text: typeof content === 'string' ? content : (textOf(choice['text']) ?? contentText(others)),
    reasoning: textOf(reasoning) ?? thought.join('\n'),
    refusal: textOf(refusal) ?? refused.join('\n'),
    calls: [
      ...callsOf(message),
      ...ofType('tool_use').map((part) => ({ name: textOf(part?.['name']) ?? '', arguments: toJson(part?.['input']) })),
    ],
    finish: textOf(choice['finish_reason']),
  };
}

/** Whether parts of this type are not part of the text. */
function isApart(type: unknown): boolean {
  return type === 'refusal' || type === 'thinking' || type === 'tool_use';
}

/** Includes a call in the old format. */
function callsOf(message: JsonObject): Choice['calls'] {
  const calls = listOf(message['tool_calls']).map((call) => objectOf(objectOf(call)?.['function']));
  const all = [...calls, objectOf(message['function_call'])].filter((call) => call !== undefined);
  return all.map((call) => {
    const given = call['arguments'];
    return {
      name: textOf(call['name']) ?? '',
      arguments: textOf(given) ?? (given === undefined ? '' : toJson(given)),
    };
  });
}

function partText(value: unknown): string {
  const part = objectOf(value);
  return textOf(value) ?? textOf(part?.['text']) ?? `[${textOf(part?.['type']) ?? '…'}]`;
}
