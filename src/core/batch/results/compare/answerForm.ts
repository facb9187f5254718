import { listOf, objectOf, toJson } from '../../scan/jsonValue';
import type { JsonObject } from '../../scan/jsonValue';
import { readChoices } from '../resultChoices';
import type { ResultLine } from '../resultLine';

/** Numbers with this many digits may lose precision when parsed. */
const longNumber = /\d{16}/;

/** Returns an answer in the form in which it is compared: its texts without reasoning, and JSON indented with sorted members. */
export function answerForm({ body = {} }: Pick<ResultLine, 'body'>): string {
  const choices = readChoices(body);
  if (choices.length === 0) return 'choices' in body ? '' : inOrder(body);
  const texts = choices.map(({ text, refusal, calls }) => {
    const called = calls.map((call) => `${call.name}(${jsonForm(call.arguments)})`);
    return [jsonForm(text), refusal, ...called].filter((part) => part !== '').join('\n');
  });
  return texts.join('\n\n');
}

/** Removes differences that people do not notice: white space and case. */
export function looseForm(form: string): string {
  return form.replace(/\s+/gu, ' ').trim().toLowerCase();
}

function jsonForm(text: string): string {
  if (!/^\s*[[{]/.test(text) || longNumber.test(text)) return text;
  try {
    return toJson(sorted(JSON.parse(text)), 2);
  } catch {
    return text;
  }
}

/** What nests too deeply to be sorted is compared as it is. */
function inOrder(body: JsonObject): string {
  try {
    return toJson(sorted(body), 2);
  } catch {
    return toJson(body, 2);
  }
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return listOf(value).map(sorted);
  const object = objectOf(value);
  if (!object) return value;
  const members = Object.entries(object).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, sorted(member)]));
}
