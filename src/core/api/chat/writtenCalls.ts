import { isObject } from '../isObject';
import { jsonEnd } from '../leadingJson';
import { parseJson } from '../parseJson';
import { readToolInput } from '../toolInput';

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
  '<|tool_calls_section_begin|>',
  '<|tool_call_begin|>',
  '<｜tool▁calls▁begin｜>',
  '<｜tool▁call▁begin｜>',
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
  const bare = written.replace(/:\d+$/, '').replace(/^(?:functions?|tools?|default_api)[.:]/, '');
  return [written, bare].find((name) => offered.has(name));
}

/** Reads calls in the tags or the JSON that models are taught; `undefined` if there is none of an offered tool. */
export function readWrittenCalls(text: string, offered: OfferedTools): WrittenCalls | undefined {
  const plain = text.replaceAll('｜DSML｜', '');
  const calls = [readTagged, readArgs, readJson].map((read) => read(plain, offered)).find(({ length }) => length > 0);
  if (!calls) return undefined;
  const last = [...plain.matchAll(closing)].at(-1);
  return { calls, rest: last ? plain.slice(last.index + last[0].length).trim() : '' };
}

const closing =
  /<\/(?:[\w-]+:)?(?:tool_calls?|tool_use|function|function_calls?|invoke|longcat_tool_call)>|<\|(?:tool_calls_section_end|tool_call_end|END_ACTION|eom_id|eot_id|call)\|>|<｜tool▁calls?▁end｜>|<tool_call\|>/g;

/** `<function=name>` with `<parameter=key>` or JSON in it, or `<invoke name="…">` with `<parameter name="…">`. */
function readTagged(text: string, offered: OfferedTools): readonly WrittenCall[] {
  const found = text.matchAll(
    /<(?:function=|invoke name=)["']?([^"'>\s]+)["']?\s*>([^]*?)(?:<\/(?:function|invoke)>|(?=<(?:function=|invoke name=))|<\/tool_call>|$)/g,
  );
  return [...found].flatMap(([, written = '', body = '']): readonly WrittenCall[] => {
    const name = nameIn(written, offered);
    if (name === undefined) return [];
    const json = objectIn(body.trim());
    if (json) return [{ name, input: json }];
    const members = body.matchAll(
      /<parameter(?:=|\s+name=)["']?([^"'>\s]+)["']?[^>]*>([^]*?)(?:<\/parameter>|(?=<parameter[=\s])|$)/g,
    );
    const isCut = (body.match(/<parameter[=\s]/g)?.length ?? 0) > (body.match(/<\/parameter>/g)?.length ?? 0);
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
    const value = end === undefined ? undefined : parseJson(text.slice(start, end));
    const called = isObject(value) ? callOf(value) : undefined;
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

/** Properties of a call in JSON. An object with any others is not a call. */
const callMembers: ReadonlySet<string> = new Set(
  'id index type name tool_name tool function arguments parameters input args'.split(' '),
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
  const fenced = /^```(?:json|tool_call|tool_code)?\s*\n([^]*?)\n?```$/.exec(text.trim())?.[1] ?? text;
  const list = fenced.trim();
  if (!/^\[?\s*\{/.test(list)) return undefined;
  const calls: { name: string; input: unknown }[] = [];
  let at = 0;
  for (let start = list.indexOf('{'); start !== -1; start = list.indexOf('{', at)) {
    if (!/^[[\],;\s]*$/.test(list.slice(at, start))) return undefined;
    const end = jsonEnd(list, start);
    const value = end === undefined ? undefined : parseJson(list.slice(start, end));
    const call = isObject(value) ? callOf(value) : undefined;
    if (!call) return undefined;
    calls.push(call);
    at = end!;
  }
  if (!/^[\],;\s]*$/.test(list.slice(at))) return undefined;
  const known = calls.map(({ name, input }) => ({ name: nameIn(name, offered), input }));
  return known.every((call): call is WrittenCall => call.name !== undefined) ? known : 'unknown';
}

function objectIn(text: string): Readonly<Record<string, unknown>> | undefined {
  const value = text.startsWith('{') ? parseJson(text) : undefined;
  return isObject(value) ? value : undefined;
}
