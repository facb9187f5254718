import { isObject } from '../isObject';
import { jsonEnd } from '../leadingJson';
import { parseJson } from '../parseJson';
import { readToolInput, relaxedObject, relaxedValue } from '../toolInput';

type Schema = Readonly<Record<string, unknown>>;

/** The tools that a request offers, with the schema of their input. */
export type OfferedTools = ReadonlyMap<string, Schema>;

export interface WrittenCall {
  readonly name: string;
  /** Text if it was cut off. */
  readonly input: unknown;
}

export interface WrittenCalls {
  readonly calls: readonly WrittenCall[];
  /** The text after the calls. */
  readonly rest: string;
}

/** Marks that begin a call in the text of a model whose server has no parser for it. */
const marks: readonly string[] = [
  '<tool_call>',
  '<tool_calls>',
  '<tool_use>',
  '<function=',
  '<function_call>',
  '<function_calls>',
  '<invoke name=',
  '<minimax:tool_call>',
  '<seed:tool_call>',
  '<longcat_tool_call>',
  '<|tool_call|>',
  '<|tool_call>',
  '<|python_tag|>',
  '<|START_ACTION|>',
  '<|action_start|>',
  '<|tool_call_start|>',
  '<|tools_prefix|>',
  '<start_function_call>',
  '<TOOLCALL>',
  '<|tool_calls_section_begin|>',
  '<|tool_call_begin|>',
  '<｜tool▁calls▁begin｜>',
  '<｜tool▁call▁begin｜>',
  '<｜tool_calls_begin｜>',
  '<｜DSML｜',
  '[TOOL_CALLS]',
];

/** Text that can follow such a mark instead of a tool name. */
const inside = /^(?:[[{<]|call:|function|to=|```)/;

/** Whether a text begins with a call; `wait` if that depends on more text. */
export function isCallStart(text: string, offered: OfferedTools): boolean | 'wait' {
  const mark = marks.find((one) => text.startsWith(one));
  if (mark === undefined) return marks.some((one) => one.startsWith(text)) ? 'wait' : false;
  if (mark.endsWith('=')) return true;
  const after = text.slice(mark.length).trimStart();
  if (after === '') return 'wait';
  if (inside.test(after) || mark === '<｜DSML｜') return true;
  const name = /^[\w.:-]*/.exec(after)?.[0] ?? '';
  if (name === '') return false;
  return ownName(name, offered) === undefined && name.length === after.length
    ? 'wait'
    : nameIn(name, offered) !== undefined;
}

/** Returns a text from where its last line of calls begins; `undefined` if none does. */
export function writtenCallsIn(text: string, offered: OfferedTools): string | undefined {
  const at = marks.reduce((first, mark) => {
    const found = text.indexOf(mark);
    return found === -1 ? first : Math.min(first, found);
  }, Infinity);
  return Number.isFinite(at) && isCallStart(text.slice(at), offered) === true ? text.slice(at) : undefined;
}

/** Returns the offered tool that a model or server names in another form, such as `functions.x:0` or `x<|channel|>`. */
export function nameIn(written: string, offered: OfferedTools): string | undefined {
  const exact = ownName(written, offered);
  if (exact !== undefined) return exact;
  const recipient = /\bto=([\w.-]+)/.exec(written)?.[1];
  const cut = written.split(/<[|｜]/)[0]!.trim();
  return [recipient, cut].flatMap((name) => (name ? [ownName(name, offered)] : [])).find((name) => name !== undefined);
}

function ownName(written: string, offered: OfferedTools): string | undefined {
  const bare = written.replace(/:\d+$/, '').replace(/^(?:functions?|tools?|default_api|call)[.:]/, '');
  // Kimi leaves out signs of its IDs, or replaces them.
  const loose = written.length < 200 ? (/^functions?[._]?(.+?)[:_]?\d+$/.exec(written)?.[1] ?? '') : '';
  return [written, bare, loose].find((name) => offered.has(name));
}

/** Reads calls in the tags or the JSON that models are taught; `undefined` if there is none of an offered tool. */
export function readWrittenCalls(text: string, offered: OfferedTools): WrittenCalls | undefined {
  const plain = asJsonOfGemma(text.replaceAll('｜DSML｜', ''));
  const calls = [readTagged, readArgs, readJson, readPython]
    .map((read) => read(plain, offered))
    .find(({ length }) => length > 0);
  if (!calls) return undefined;
  const last = [...plain.matchAll(closing)].at(-1);
  return { calls, rest: last ? plain.slice(last.index + last[0].length).trim() : '' };
}

const closing =
  /<\/(?:[\w-]+:)?(?:tool_calls?|tool_use|function|function_calls?|invoke|longcat_tool_call|TOOLCALL)>|<\|(?:tool_calls_section_end|tool_call_end|END_ACTION|action_end|tools_suffix|\/tool_call|eom_id|eot_id|call)\|>|<｜tool[▁_]calls?[▁_]end｜>|<tool_call\|>|<end_function_call>/g;

/** `<function=name>` with `<parameter=key>` or JSON in it, or `<invoke name="…">` with `<parameter name="…">`. */
function readTagged(text: string, offered: OfferedTools): readonly WrittenCall[] {
  const found = text.matchAll(
    /<(?:function=|(?:\w+:)?invoke name=)["']?([^"'<>\s]+)["']?\s*>([^]*?)(?:<\/(?:function|(?:\w+:)?invoke)>|(?=<(?:function=|(?:\w+:)?invoke name=))|<\/tool_call>|$)/g,
  );
  return [...found].flatMap(([, written = '', body = '']): readonly WrittenCall[] => {
    const name = nameIn(written, offered);
    if (name === undefined) return [];
    const json = inputIn(body.trim());
    if (json !== undefined) return [{ name, input: json }];
    const members = body.matchAll(
      /<(?:\w+:)?parameter(?:=|\s+name=)["']?([^"'<>\s]+)(?:["'\s][^<>]*)?>([^]*?)(?:<\/(?:\w+:)?parameter>|(?=<(?:\w+:)?parameter[=\s])|$)/g,
    );
    const count = (tag: RegExp) => body.match(tag)?.length ?? 0;
    const isCut = count(/<(?:\w+:)?parameter[=\s]/g) > count(/<\/(?:\w+:)?parameter>/g);
    if (isCut) return [{ name, input: body }];
    return [{ name, input: inputOf(members, offered.get(name)) }];
  });
}

/** A name, then alternating `<arg_key>` and `<arg_value>`. */
function readArgs(text: string, offered: OfferedTools): readonly WrittenCall[] {
  return [...text.matchAll(/<tool_call>\s*([\w.-]+)\s*((?:<arg_key>|<\/tool_call>)[^]*?)(?:<\/tool_call>|$)/g)].flatMap(
    ([, written = '', body = '']) => {
      const name = nameIn(written, offered);
      if (name === undefined) return [];
      const members = body.matchAll(/<arg_key>([^]*?)<\/arg_key>\s*<arg_value>([^]*?)<\/arg_value>/g);
      return [{ name, input: inputOf(members, offered.get(name)) }];
    },
  );
}

/** Values have no quotes, so the schema determines their types. */
function inputOf(members: Iterable<RegExpExecArray>, schema: Schema | undefined): Readonly<Record<string, unknown>> {
  const properties = isObject(schema?.['properties']) ? schema['properties'] : {};
  return Object.fromEntries(
    [...members].map(([, key = '', written = '']) => {
      const value = written.replace(/^\n/, '').replace(/\n$/, '');
      const property = properties[key.trim()];
      const isText = isObject(property) && property['type'] === 'string';
      return [key.trim(), isText ? value : (parseJson(value.trim()) ?? value)];
    }),
  );
}

/** Objects with a name and arguments, or arguments after a name. */
function readJson(text: string, offered: OfferedTools): readonly WrittenCall[] {
  const calls: WrittenCall[] = [];
  let before = 0;
  for (let start = text.indexOf('{'); start !== -1; start = text.indexOf('{', before)) {
    const end = jsonEnd(text, start);
    const gap = text.slice(before, start);
    const value = end === undefined ? undefined : objectIn(text.slice(start, end));
    const called = value && (callOf(value) ?? keyedCall(value, offered));
    const name = nameIn(called?.name ?? lastName(gap, offered) ?? cutName(text.slice(start)), offered);
    if (name !== undefined) calls.push({ name, input: called ? called.input : (value ?? text.slice(start)) });
    before = end ?? text.length;
  }
  return calls;
}

/** Returns the name of a call that was cut off within its arguments. */
function cutName(text: string): string {
  return /^\{\s*"(?:name|tool_name)"\s*:\s*"([^"]+)"/.exec(text)?.[1] ?? '';
}

function lastName(gap: string, offered: OfferedTools): string | undefined {
  return (gap.match(/[\w.:-]+/g) ?? []).findLast((word) => nameIn(word.replace(/^call:/, ''), offered) !== undefined);
}

/** Apertus names the tool by the property that has its input. */
function keyedCall(value: Readonly<Record<string, unknown>>, offered: OfferedTools) {
  const [entry, ...others] = Object.entries(value);
  const isCall = entry && others.length === 0 && offered.has(entry[0]) && isObject(entry[1]);
  return isCall ? { name: entry[0], input: entry[1] } : undefined;
}

/** Gemma writes no quotes around names, and marks of its own around text. */
function asJsonOfGemma(text: string): string {
  if (!text.includes('call:')) return text;
  return text
    .replaceAll(/<escape>([^]*?)<escape>|<\|"\|>([^]*?)<\|"\|>/g, (_all, one?: string, other?: string) =>
      JSON.stringify(one ?? other),
    )
    .replaceAll(/"(?:[^"\\]|\\[^])*(?:"|$)|([{,]\s*)([A-Za-z_]\w*)(?=\s*:)/g, (found, before?: string, name?: string) =>
      name === undefined ? found : `${before}"${name}"`,
    );
}

/** Calls in Python, such as `name(key="value")`. Values without a key are those of the schema's properties in their order. */
function readPython(text: string, offered: OfferedTools): readonly WrittenCall[] {
  const calls: WrittenCall[] = [];
  let at = 0;
  for (const { 0: found, 1: written = '', index } of text.matchAll(/(?<![\w.])([A-Za-z_][\w.]*)\(/g)) {
    const name = index < at ? undefined : nameIn(written, offered);
    if (name === undefined) continue;
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

/** Properties of a call in JSON. An object with any others is not a call. */
const callMembers: ReadonlySet<string> = new Set(
  'id index type name tool_name tool_call_id tool function arguments parameters input args'.split(' '),
);

/** Returns the call that an object represents. */
function callOf(value: Readonly<Record<string, unknown>>): { name: string; input: unknown } | undefined {
  if (!Object.keys(value).every((name) => callMembers.has(name))) return undefined;
  if (isObject(value['function'])) return callOf(value['function']);
  const name = value['name'] ?? value['tool_name'] ?? value['tool'] ?? value['function'];
  const input = value['arguments'] ?? value['parameters'] ?? value['input'] ?? value['args'];
  if (typeof name !== 'string' || input === undefined) return undefined;
  return { name, input: typeof input === 'string' ? readToolInput(input) : input };
}

/** Reads a text that consists only of calls in JSON, possibly in a fence or a list; `unknown` if their tools are not offered. */
export function readBareCalls(text: string, offered: OfferedTools): readonly WrittenCall[] | 'unknown' | undefined {
  const [, language, fenced = text] = /^```(json|tool_call|tool_code)?\s*\n([^]*?)\n?```$/.exec(text.trim()) ?? [];
  // Phi writes this word before its list.
  const list = fenced.trim().replace(/^functools(?=\[)/, '');
  if (!/^\[?\s*\{/.test(list)) return readBarePython(list, language === 'tool_code', offered);
  const calls: { name: string; input: unknown }[] = [];
  let at = 0;
  for (let start = list.indexOf('{'); start !== -1; start = list.indexOf('{', at)) {
    if (!/^[[\],;\s]*$/.test(list.slice(at, start))) return undefined;
    const end = jsonEnd(list, start);
    const value = end === undefined ? undefined : parseJson(list.slice(start, end));
    const found = isObject(value) ? callsOf(value) : undefined;
    if (!found) return undefined;
    for (const call of found) calls.push(call);
    at = end!;
  }
  if (!/^[\],;\s]*$/.test(list.slice(at))) return undefined;
  const known = calls.map(({ name, input }) => ({ name: nameIn(name, offered), input }));
  return known.every((call): call is WrittenCall => call.name !== undefined) ? known : 'unknown';
}

/** The list that OpenAI's responses have, or one call. */
function callsOf(value: Readonly<Record<string, unknown>>): readonly { name: string; input: unknown }[] | undefined {
  const { tool_calls: list, role: _role, content, ...others } = value;
  const call = callOf(value);
  if (call) return [call];
  if (!Array.isArray(list) || list.length === 0 || content || Object.keys(others).length > 0) return undefined;
  const calls = list.map((one: unknown) => (isObject(one) ? callOf(one) : undefined));
  return calls.every((one) => one !== undefined) ? calls : undefined;
}

/** Reads a list of calls in Python, as Llama 4 writes it, or the fence for them of Gemma. */
function readBarePython(text: string, isFenced: boolean, offered: OfferedTools): readonly WrittenCall[] | undefined {
  const inside = /^\[([^]*)\]$/.exec(text)?.[1] ?? (isFenced ? text.replace(/^print\(([^]*)\)$/, '$1') : undefined);
  const calls = inside === undefined ? [] : readPython(inside, offered);
  const [first] = calls;
  const isAlone = first && inside!.trim().startsWith(`${first.name}(`) && inside!.trim().endsWith(')');
  return isAlone && calls.every(({ input }) => isObject(input)) ? calls : undefined;
}

function objectIn(text: string): Readonly<Record<string, unknown>> | undefined {
  const value = text.startsWith('{') ? parseJson(text) : undefined;
  return isObject(value) ? value : relaxedObject(text);
}

/** Returns the object that a text begins with, or all of the text if the object isn't complete; `undefined` if there is none. */
function inputIn(text: string): unknown {
  if (!text.startsWith('{')) return undefined;
  const end = jsonEnd(text, 0);
  return (end === undefined ? undefined : objectIn(text.slice(0, end))) ?? text;
}
