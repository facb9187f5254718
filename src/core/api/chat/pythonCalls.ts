import { isObject } from '../isObject';
import { relaxedValue } from '../toolInput';
import { isSentence, nameIn } from './callStarts';
import type { OfferedTools, Schema, WrittenCall } from './callStarts';

/** Reads calls in Python, such as `name(key="value")`. Values without a key are those of the schema's properties in their order. */
export function readPython(text: string, offered: OfferedTools): readonly WrittenCall[] {
  const calls: WrittenCall[] = [];
  let at = 0;
  for (const { 0: found, 1: written = '', index } of text.matchAll(/(?<![\w.])([A-Za-z_][\w.]*)\(/g)) {
    const name = index < at ? undefined : nameIn(written, offered);
    if (name === undefined) continue;
    if (calls.length === 0 && isSentence(text.slice(0, index))) return [];
    const start = index + found.length;
    const parts = pythonParts(text, start);
    const input = parts && pythonInput(parts.values, offered.get(name));
    at = parts?.end ?? text.length;
    calls.push({ name, input: input ?? text.slice(start, at) });
  }
  return calls;
}

/** Splits what is in a pair of brackets that is open at `start`; `undefined` if it is not closed. */
function pythonParts(text: string, start: number): { readonly values: readonly string[]; end: number } | undefined {
  const values: string[] = [];
  let depth = 0;
  let from = start;
  let quote = '';
  for (let at = start; at < text.length; at += 1) {
    const one = text[at]!;
    if (quote !== '') {
      if (one === '\\') at += 1;
      else if (one === quote) quote = '';
    } else if (one === '"' || one === "'") quote = one;
    else if ('([{'.includes(one)) depth += 1;
    else if (depth === 0 && (one === ',' || one === ')')) {
      values.push(text.slice(from, at).trim());
      if (one === ')') return { values: values.filter((value) => value !== ''), end: at + 1 };
      from = at + 1;
    } else if (')]}'.includes(one)) depth -= 1;
  }
  return undefined;
}

/** Returns `undefined` if a value can't be read. */
function pythonInput(
  values: readonly string[],
  schema: Schema | undefined,
): Readonly<Record<string, unknown>> | undefined {
  const properties = isObject(schema?.['properties']) ? Object.keys(schema['properties']) : [];
  const members = values.map((text, at): readonly [string | undefined, unknown] => {
    const [, key, written] = /^([A-Za-z_]\w*)\s*=(?!=)\s*([^]*)$/.exec(text) ?? [undefined, properties[at], text];
    return [key, relaxedValue(written!)];
  });
  const isRead = members.every(([key, value]) => key !== undefined && value !== undefined);
  return isRead ? Object.fromEntries(members as [string, unknown][]) : undefined;
}
