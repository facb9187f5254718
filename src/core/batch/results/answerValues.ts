import { beginning } from '../preview/shortText';
import { objectOf, listOf, parseObject, textOf, toJson } from '../scan/jsonValue';
import { choiceText, readChoices } from './resultChoices';
import type { ResultLine } from './resultLine';

/** The value of a cell of the results table; `undefined` if the row has none. */
export type CellValue = string | number | undefined;

/** The stored values of an answer, so that rows can be sorted, grouped, and compared without reading them again. */
export interface AnswerValues {
  /** The text, if it is short enough to be stored. */
  readonly text: string | undefined;
  /** The properties of an answer that is a JSON object, by their numbers. */
  readonly properties: readonly CellValue[] | undefined;
}

const longestText = 300;
const longestValue = 300;
/** An object in a longer answer is not read. */
const longestObject = 1 << 18;
/** Further properties have no column. */
const mostProperties = 100;

const notStored: AnswerValues = { text: undefined, properties: undefined };

/** The names of the properties in all answers that are JSON objects, in the order in which they are found. */
export class AnswerProperties {
  private readonly numbers = new Map<string, number>();

  get names(): readonly string[] {
    return [...this.numbers.keys()];
  }

  /** Returns what is stored of an answer; `undefined` if the result is an error. */
  read({ failure, body }: ResultLine): AnswerValues | undefined {
    if (failure || !body) return undefined;
    const text = answerIn(body);
    const object = objectIn(text);
    if (text.length > longestText && !object) return notStored;
    return { text: text.length <= longestText ? text : undefined, properties: object && this.valuesOf(object) };
  }

  private valuesOf(object: Readonly<Record<string, unknown>>): readonly CellValue[] {
    const values: CellValue[] = [];
    for (const [name, value] of Object.entries(object)) {
      const number = this.numberOf(beginning(name, 200));
      if (number !== undefined) values[number] = shortened(valueOf(value));
    }
    return values;
  }

  private numberOf(name: string): number | undefined {
    const known = this.numbers.get(name);
    if (known !== undefined || this.numbers.size >= mostProperties) return known;
    this.numbers.set(name, this.numbers.size);
    return this.numbers.size - 1;
  }
}

/** Whether a stored value is only the beginning of one. */
export function isShortened(value: CellValue): boolean {
  return typeof value === 'string' && value.length >= longestValue && value.endsWith('…');
}

/** Returns a property of an answer that is a JSON object, in full length. */
export function readProperty({ body }: ResultLine, name: string): CellValue {
  const object = body && objectIn(answerIn(body));
  const entry = Object.entries(object ?? {}).findLast(([one]) => beginning(one, 200) === name);
  return entry && valueOf(entry[1]);
}

function answerIn(body: Readonly<Record<string, unknown>>): string {
  return (usualText(body) ?? firstText(body)).trim();
}

/** Returns the text of the only choice in OpenAI's format, as nearly all answers are. */
function usualText(body: Readonly<Record<string, unknown>>): string | undefined {
  const choices = listOf(body['choices']);
  const { content, tool_calls: calls, refusal } = objectOf(objectOf(choices[0])?.['message']) ?? {};
  return choices.length === 1 && !calls && !refusal ? textOf(content) : undefined;
}

/** Returns the text of the first answer, or the arguments of its only tool call. */
function firstText(body: Readonly<Record<string, unknown>>): string {
  const [choice] = readChoices(body);
  if (!choice) return '';
  const [call, ...others] = choice.calls;
  return call && others.length === 0 && choice.text === '' ? call.arguments : choiceText(choice);
}

/** Returns the JSON object that a text is, also within a code block. */
function objectIn(text: string): Readonly<Record<string, unknown>> | undefined {
  if (text.length > longestObject) return undefined;
  if (text.startsWith('{')) return parseObject(text);
  if (!text.startsWith('```') || !text.endsWith('```')) return undefined;
  const start = text.indexOf('\n');
  return start < 0 ? undefined : parseObject(text.slice(start + 1, -3));
}

function valueOf(value: unknown): CellValue {
  if (typeof value === 'number') return value;
  if (typeof value === 'string') return value;
  return value === null || value === undefined ? '' : toJson(value);
}

function shortened(value: CellValue): CellValue {
  const isLong = typeof value === 'string' && value.length > longestValue;
  return isLong ? `${beginning(value, longestValue)}…` : value;
}
