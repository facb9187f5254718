import { isObject } from '../isObject';
import { jsonEnd } from '../leadingJson';
import { parseJson } from '../parseJson';
import { readToolInput, relaxedObject } from '../toolInput';
import {
  inputTags,
  isCallStart,
  isInputStart,
  isSentence,
  isToolName,
  nameAlike,
  nameIn,
  propertiesOf,
  toolNamedFirst,
} from './callStarts';
import type { OfferedTools, Schema, WrittenCall } from './callStarts';
import { readPython } from './pythonCalls';

export interface WrittenCalls {
  readonly calls: readonly WrittenCall[];
  /** The text before the calls. */
  readonly before?: string;
  /** The text after the calls. */
  readonly rest: string;
}

/** Reads calls in the tags or the JSON that models are trained on. Returns `undefined` without a call of an offered tool. */
export function readWrittenCalls(text: string, offered: OfferedTools): WrittenCalls | undefined {
  const ofFunctionary = readRecipients(text, offered);
  if (ofFunctionary) return ofFunctionary;
  const plainText = text.startsWith('&lt;') ? unescaped(text) : text;
  const all = asJsonOfGemma(plainText.replaceAll(/[｜‖|]{1,2}DSML[｜‖|]{1,2}/g, '').replaceAll(']<]minimax[>[', ''));
  // A result that the model made up, and what it makes of it.
  const plain = all.slice(0, /(?<=<\/[\w:-]{1,30}>|[|｜]>|[}\]])\s{0,10}<tool_response>/.exec(all)?.index);
  const named = toolNamedFirst(plain);
  // After a tag of another tool, whatever looks like a call is not part of it.
  const isOther = named !== '' && nameIn(named, offered) === undefined;
  const calls = (isOther ? [readTagged] : [readTagged, readToolTags, readArgs, readOpened, readJson, readPython])
    .map((read) => read(plain, offered))
    .find(({ length }) => length > 0);
  if (!calls) return undefined;
  const last = [...plain.matchAll(closing)].at(-1);
  return { calls, rest: last ? plain.slice(last.index + last[0].length).trim() : '' };
}

/** Returns a text without the escapes of a web page. */
function unescaped(text: string): string {
  const signs: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' };
  return text.replaceAll(/&(lt|gt|quot|#39|amp);/g, (_all, name: string) => signs[name]!);
}

/**
 * Reads messages to a recipient, in the marks of Functionary 2, or those of 3.2 after `>>>`: `all` is the user, any other one a tool.
 * Returns `undefined` without a message to an offered tool.
 */
function readRecipients(text: string, offered: OfferedTools): WrittenCalls | undefined {
  const parts = text
    .replaceAll(/<\|stop\|>/g, '')
    .split(/(?:<\|from\|>\s*assistant\s*)?<\|recipient\|>|>>>/)
    .filter((part) => part.trim() !== '')
    .map((part) => /^\s*([\w.-]+)\s*(?:<\|content\|>|\n)([^]*)$/.exec(part));
  if (!/<\|recipient\|>|>>>/.test(text) && parts.length !== 1) return undefined;
  const calls: WrittenCall[] = [];
  const said: string[] = [];
  for (const part of parts) {
    const [, recipient = '', content = ''] = part ?? [];
    const name = nameIn(recipient, offered);
    const input = name === undefined ? undefined : inputIn(content.trim());
    if (name !== undefined && input !== undefined) calls.push({ name, input });
    else if (recipient === 'all') said.push(content.trim());
    else return undefined;
  }
  return calls.length === 0 ? undefined : { calls, before: said.join('\n\n'), rest: '' };
}

/** Tags with the name of the tool, in which the tags of its properties are, or JSON. */
function readToolTags(text: string, offered: OfferedTools): readonly WrittenCall[] {
  const calls: WrittenCall[] = [];
  /** Names whose tag no longer ends. */
  const open = new Set<string>();
  let before = 0;
  for (const { 0: tag, 1: name = '', index } of text.matchAll(/<([\w.-]{1,100})>/g)) {
    const schema = isToolName(name) && index >= before ? offered.get(name) : undefined;
    if (!schema) continue;
    const end = open.has(name) ? -1 : text.indexOf(`</${name}>`, index);
    if (end === -1) open.add(name);
    if (end === -1 && isInputStart(text.slice(index + tag.length), name, schema) === false) continue;
    before = end === -1 ? text.length : end;
    const body = text.slice(index + tag.length, before);
    const input = inputIn(withoutTag(body, schema)) ?? (end === -1 ? body : childrenIn(body, schema));
    calls.push({ name, input });
  }
  return calls;
}

/** Returns an input without the tag around it. */
function withoutTag(body: string, schema: Schema): string {
  const input = body.trim();
  const tag = inputTags.find((name) => input.startsWith(`<${name}>`) && !propertiesOf(schema).includes(name));
  return tag === undefined ? input : input.slice(tag.length + 2).trimStart();
}

/** Reads the tags that have the names of a schema's properties. */
function childrenIn(body: string, schema: Schema | undefined): Readonly<Record<string, unknown>> {
  const members = propertiesOf(schema).flatMap((key): readonly (readonly [string, string, string])[] => {
    const start = body.indexOf(`<${key}>`);
    const end = body.lastIndexOf(`</${key}>`);
    return start === -1 || end < start ? [] : [['', key, body.slice(start + key.length + 2, end)]];
  });
  return inputOf(members, schema);
}

/** Kimi K3, whose tags are special marks. */
function readOpened(text: string, offered: OfferedTools): readonly WrittenCall[] {
  return text
    .split(/call tool="/)
    .slice(1)
    .flatMap((part) => {
      const name = nameIn(part.slice(0, part.indexOf('"')), offered);
      if (name === undefined) return [];
      const members = part
        .split(/argument key="/)
        .slice(1)
        .map((one): readonly [string, string, string] => {
          const [head = '', ...values] = one.split('<|sep|>');
          return ['', head.slice(0, head.indexOf('"')), (values[0] ?? '').replace(/(?:<\|close\|>)?argument$/, '')];
        });
      return [{ name, input: inputOf(members, offered.get(name)) }];
    });
}

const closing =
  /<\/(?:[\w-]+:)?(?:tools?_calls?|tool|tool_code|call|functioncall|tool[_-]use|use_mcp_tool|function|function_calls?|invoke|longcat_tool_call|TOOLCALL)>|<\|(?:tool_calls?_section_end|tool_call_end|END_ACTION|action_end|tools_suffix|\/tool_call|eom_id|eot_id|calls?)\|>|<｜tool[▁_]calls?[▁_]end｜>|<tool_call\|>|<end_function_call>|\[END_TOOL_REQUEST\]/g;

/** `<function=name>` with `<parameter=key>` or JSON in it, or `<invoke name="…">` with `<parameter name="…">`. */
function readTagged(text: string, offered: OfferedTools): readonly WrittenCall[] {
  // Without the tag of the function; Anthropic, before its tags had attributes.
  const whole = text.replaceAll(
    /(?<=<tool_call>)\s*([\w.-]+)\s*(?=<parameter[=\s])|<invoke>\s*<tool_name>([\w.-]+)<\/tool_name>\s*<parameters>/g,
    (_all, bare?: string, named?: string) => `<function=${bare ?? named}>`,
  );
  const found = whole.matchAll(
    /<(?:function=|(?:\w+:)?(?:invoke|function|function_call|tool_call|tool_use|tool) name=)["']?([^"'<>\s]+)["']?\s*>([^]*?)(?:(<\/(?:\w+:)?(?:function|invoke|function_call|tool_use|tool)>)|(?=<(?:function=|(?:\w+:)?(?:invoke|function|function_call|tool_call|tool_use|tool) name=))|<\/tool_call>|$)/g,
  );
  return [...found].flatMap(([, written = '', body = '', end]): readonly WrittenCall[] => {
    const name = nameIn(written, offered) ?? nameAlike(written, offered);
    if (name === undefined) return [];
    const isClosed = end !== undefined;
    const json = inputIn(body.trim().replace(/^```(?:json)?\s*/, ''));
    if (json !== undefined) return [{ name, input: json }];
    const members = body.matchAll(
      /<(?:\w+:)?param(?:eter)?(?:=|\s+name=)["']?([^"'<>\s]+)(?:["'\s][^<>]*)?>([^]*?)(?:<\/(?:\w+:)?param(?:eter)?>|(?=<(?:\w+:)?param(?:eter)?[=\s])|$)/g,
    );
    const count = (tag: RegExp) => body.match(tag)?.length ?? 0;
    const opens = /<(?:\w+:)?param(?:eter)?[=\s]/g;
    if (count(opens) === 0) return [{ name, input: childrenIn(body, offered.get(name)) }];
    const isCut = !isClosed && count(opens) > count(/<\/(?:\w+:)?param(?:eter)?>/g);
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
      const members = body.split('<arg_key>').flatMap((part) => {
        const pair = part.slice(0, Math.max(0, part.indexOf('</arg_value>')));
        const [, key, value] = /^([^<]*)<\/arg_key>\s*<arg_value>([^]*)$/.exec(pair) ?? [];
        return key === undefined ? [] : [['', key, value] as const];
      });
      return [{ name, input: inputOf(members, offered.get(name)) }];
    },
  );
}

/** Values have no quotes, so the schema determines their types. */
function inputOf(
  members: Iterable<readonly (string | undefined)[]>,
  schema: Schema | undefined,
): Readonly<Record<string, unknown>> {
  const properties = isObject(schema?.['properties']) ? schema['properties'] : {};
  return Object.fromEntries(
    [...members].map(([, key = '', written = '']) => {
      const value = written
        .replace(/^\s*<!\[CDATA\[([^]*)\]\]>\s*$/, '$1')
        .replace(/^\n/, '')
        .replace(/\n$/, '');
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
    if (calls.length === 0 && isSentence(gap)) return [];
    const written = end === undefined ? withLastBracket(text.slice(start)) : text.slice(start, end);
    const value = objectIn(written) ?? (written.startsWith('{{') ? objectIn(written.slice(1, -1)) : undefined);
    const listed = value && (callsOf(value) ?? keyedCall(value, offered) ?? flatCall(value, offered));
    for (const { name, input } of listed ?? []) {
      const known = nameIn(name, offered) ?? nameAlike(name, offered);
      if (known !== undefined) calls.push({ name: known, input });
    }
    const name = listed ? undefined : nameIn(lastName(gap, offered) ?? cutName(text.slice(start)), offered);
    if (name !== undefined) calls.push({ name, input: value ?? text.slice(start) });
    before = end ?? text.length;
  }
  return calls;
}

/** Returns what is before the end of a call, with the last bracket that it lacks. */
function withLastBracket(text: string): string {
  const [, body] = /^([^]*\})\s*<\/tool_call>/.exec(text) ?? [];
  return body === undefined ? '' : `${body}}`;
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
  return isCall ? [{ name: entry[0], input: entry[1] }] : undefined;
}

/** Some models write the properties of the input beside the name, or none if there is no input. */
function flatCall({ name, ...input }: Readonly<Record<string, unknown>>, offered: OfferedTools) {
  const known = typeof name === 'string' ? nameIn(name, offered) : undefined;
  const properties = propertiesOf(known === undefined ? undefined : offered.get(known));
  const isCall = known !== undefined && Object.keys(input).every((key) => properties.includes(key));
  return isCall ? [{ name: known, input }] : undefined;
}

/** Gemma writes no quotes around names, and special marks around text. */
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

/** Properties of a call in JSON. An object with any others is not a call. */
const callMembers: ReadonlySet<string> = new Set(
  [
    'id index type name tool_name function_name tool_call_id tool function action arguments parameters input args',
    'action_input tool_input tool_arguments',
  ].flatMap((names) => names.split(' ')),
);

const callInputs = [
  'arguments',
  'parameters',
  'input',
  'args',
  'action_input',
  'tool_input',
  'tool_arguments',
] as const;

/** Returns the call that an object represents. */
function callOf(value: Readonly<Record<string, unknown>>): { name: string; input: unknown } | undefined {
  const { tool_call, function_call: wrapped = tool_call, ...others } = value;
  if (isObject(wrapped) && Object.keys(others).length === 0) return callOf(wrapped);
  if (!Object.keys(value).every((name) => callMembers.has(name))) return undefined;
  const { function: called, ...outside } = value;
  if (isObject(called)) return callOf(called) ?? callOf({ ...outside, ...called });
  const name = ['name', 'tool_name', 'function_name', 'tool', 'function', 'action'].flatMap(
    (key) => value[key] ?? [],
  )[0];
  const input = callInputs.flatMap((key) => value[key] ?? [])[0];
  if (typeof name !== 'string' || input === undefined) return undefined;
  return { name, input: typeof input === 'string' ? readToolInput(input) : input };
}

/**
 * Reads the calls that a text ends with, and that begin with words of a template in place of marks; `undefined` if it has none. `hasEnd`:
 * the mark that ends a call followed the text.
 */
export function readPlainCalls(text: string, offered: OfferedTools, hasEnd: boolean): WrittenCalls | undefined {
  const isOfFunctionary = text.includes('>>>') || /^\s*[\w.-]+\s*\{/.test(text);
  const recipients = isOfFunctionary ? readRecipients(text, offered) : undefined;
  if (recipients) return recipients;
  // Groq, without the start of the tag.
  const [, tool = '', json = ''] =
    /^\s*([\w.:-]{1,100})\s*(?:>\s*|\[ARGS\]\s*)?(\{[^]*\})\s*(?:<\/function>\s*)?$/.exec(asJsonOfGemma(text)) ?? [];
  const named = nameIn(tool, offered);
  const alone = named === undefined ? undefined : objectIn(json);
  if (named !== undefined && alone) return { calls: [{ name: named, input: alone }], rest: '' };
  const stripped = readStripped(text, offered);
  if (stripped) return stripped;
  const written = hasEnd ? text.trimEnd() : '';
  const lastLine = written.lastIndexOf('\n') + 1;
  const last = written[lastLine] === '{' ? readBareCalls(written.slice(lastLine), offered) : undefined;
  if (last && last !== 'unknown') return { calls: last, before: text.slice(0, lastLine), rest: '' };
  // GLM, without the start of the tag.
  const [, bare = ''] = /^\s*([\w.-]{1,100})\s*<arg_key>/.exec(text) ?? [];
  const ofGlm = nameIn(bare, offered) === undefined ? [] : readArgs(`<tool_call>${text.trimStart()}`, offered);
  if (ofGlm.length > 0) return { calls: ofGlm, rest: '' };
  const ofContinue = readNamedFence(text, offered);
  if (ofContinue) return ofContinue;
  // A fence for calls, after words and before the results that the model made up.
  const [fence, code = ''] =
    /(?:^|\n)(```tool_(?:call|code|use)[ \t]*\n[^\n]*(?:\n(?!```)[^\n]*)*\n```)\s*(?:$|\n```tool_outputs?\b)/.exec(
      text,
    ) ?? [];
  const inFence = fence === undefined ? undefined : readBareCalls(code, offered);
  if (inFence && inFence !== 'unknown') return { calls: inFence, before: text.slice(0, text.indexOf(code)), rest: '' };
  // ReAct, and Cohere without its tokens; HyperCLOVA; Gemma.
  const word = /(?:^|\n)(?:Action:[ \t]*|-> tool\/function_call\s*|tool_code\n)/g;
  const start = [...text.matchAll(word)].at(-1);
  if (!start) return undefined;
  const all = text.slice(start.index + start[0].length).trimEnd();
  const after = all.endsWith('Observation:') ? all.slice(0, -'Observation:'.length).trimEnd() : all;
  const [, name = '', input = ''] = /^([\w.:-]+)[ \t]*\n+Action Input:\s*([^]*)$/.exec(after) ?? [];
  const known = nameIn(name, offered);
  const object = known === undefined ? undefined : objectIn(input.trim());
  const inCode =
    start[0].includes('tool_code') || /^[\w.]+\(/.test(after) ? '```tool_code\n' + after.trim() + '\n```' : after;
  const calls = known !== undefined && object ? [{ name: known, input: object }] : readBareCalls(inCode, offered);
  if (!calls || calls === 'unknown') return undefined;
  return { calls, before: text.slice(0, start.index + (start[0].startsWith('\n') ? 1 : 0)), rest: '' };
}

/** Reads the calls that a text ends with, each in a fence with the name of the tool and marks around its arguments, as Continue teaches it. */
function readNamedFence(text: string, offered: OfferedTools): WrittenCalls | undefined {
  const start = /(?:^|\n)(?:```tool[ \t]*\n\s*|^)TOOL_NAME:/i.exec(text);
  if (!start) return undefined;
  const at = start.index + (start[0].startsWith('\n') ? 1 : 0);
  const fences = text.slice(at).split(/\n```[ \t]*\n+(?=```tool[ \t]*\n)/i);
  const calls = fences.map((fence) => namedCall(fence, offered));
  return calls.every((call) => call !== undefined) ? { calls, before: text.slice(0, at), rest: '' } : undefined;
}

function namedCall(fence: string, offered: OfferedTools): WrittenCall | undefined {
  const [whole = '', written = ''] =
    /^(?:```tool[ \t]*\n\s*)?TOOL_NAME:[ \t]*([\w.:-]{1,100})[ \t]*(?:\n|$)/i.exec(fence) ?? [];
  const name = nameIn(written, offered);
  if (name === undefined) return undefined;
  const body = fence.slice(whole.length);
  const parts = body.split(/^BEGIN_ARG:[ \t]*/im).slice(1);
  const pairs = parts.map((part) => /^([\w.-]{1,100})[ \t]*\n([^]*?)\n?END_ARG[ \t]*\n?([^]*)$/i.exec(part));
  // Words between arguments, or after a fence whose last argument doesn't end: it describes a call.
  if (pairs.slice(0, -1).some((pair) => pair?.[3]?.trim() !== '')) return undefined;
  if (pairs.some((pair) => !pair)) return /\n```/.test(body) ? undefined : { name, input: body };
  const after = (pairs.length === 0 ? body : (pairs.at(-1)?.[3] ?? '')).trim();
  if (after !== '' && after !== '```') return undefined;
  const members = pairs.map((pair): readonly [string, string, string] => ['', pair![1]!, pair![2]!]);
  return { name, input: inputOf(members, offered.get(name)) };
}

/** How Kimi, DeepSeek and gpt-oss name the tool before the input of a call, if a server has removed their marks as special tokens. */
const strippedNames: readonly RegExp[] = [
  /(?<![\w \t"'`(])functions\.([\w.-]{1,100}):\d+\s*(?=\{)/,
  /(?<!\w)function([\w.-]{1,100})\n(?=```json\n)/,
  /(?:^\s*|assistant)(?:commentary)? ?to=functions\.([\w.-]{1,100})[^{\n]{0,40}(?=\{)/,
];

/** Reads such calls, which a text ends with. */
function readStripped(text: string, offered: OfferedTools): WrittenCalls | undefined {
  for (const form of strippedNames) {
    const [before, ...parts] = text.split(form);
    const calls = Array.from({ length: parts.length / 2 }, (_, at) => {
      const json = parts[2 * at + 1]!.trim().replace(/^```json\n([^]*)\n```$/, '$1');
      const name = nameIn(parts[2 * at]!, offered);
      const input = objectIn(json);
      return name === undefined || !input ? undefined : { name, input };
    });
    if (calls.length > 0 && calls.every((call) => call !== undefined)) return { calls, before: before!, rest: '' };
  }
  return undefined;
}

/**
 * Whether a text ends with a call of an offered tool as a code block, or begins with one in JSON: an example, or a call that the model could
 * not make.
 */
export function hasExampleCall(text: string, offered: OfferedTools): boolean {
  const begun = text.trimStart();
  const end = begun.startsWith('{') ? jsonEnd(begun, 0) : undefined;
  if (end !== undefined && Array.isArray(readBareCalls(begun.slice(0, end), offered))) return true;
  const start = /```[ \t]*$/.test(text.trimEnd()) ? text.trimEnd().lastIndexOf('```', text.trimEnd().length - 4) : -1;
  if (start <= 0) return false;
  const calls = readBareCalls(text.slice(start), offered);
  return calls !== undefined && calls !== 'unknown' && calls.length > 0;
}

/** Reads a text that consists only of calls in JSON, possibly in a fence or a list; `unknown` if their tools are not offered. */
export function readBareCalls(text: string, offered: OfferedTools): readonly WrittenCall[] | 'unknown' | undefined {
  const [, language, fenced = text] =
    /^```(json|xml|tool_calls?|tool_code|tool_use|tool|function_call)?[ \t]*\n([^]*?)\n?```$/.exec(text.trim()) ?? [];
  if (fenced !== text && isCallStart(fenced.trimStart(), offered) === true)
    return readWrittenCalls(fenced, offered)?.calls ?? 'unknown';
  // Phi writes this word before its list.
  const list = fenced.trim().replace(/^(?:functools(?=\[)|assistant\s+(?=\{))/, '');
  if (!/^\[?\s*\{/.test(list)) return readBarePython(list, language === 'tool_code', offered);
  const calls: { name: string; input: unknown }[] = [];
  let at = 0;
  for (let start = list.indexOf('{'); start !== -1; start = list.indexOf('{', at)) {
    if (!/^[[\],;\s]*$/.test(list.slice(at, start))) return undefined;
    const end = jsonEnd(list, start);
    const value = end === undefined ? undefined : parseJson(list.slice(start, end));
    const found = isObject(value)
      ? (callsOf(value) ?? (list.startsWith('[') ? keyedCall(value, offered) : undefined))
      : undefined;
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
  const written = (inside ?? '').trim().replace(/^(?:default_api|functions|tools)\./, '');
  const isAlone = first && written.startsWith(`${first.name}(`) && written.endsWith(')');
  return isAlone && calls.every(({ input }) => isObject(input)) ? calls : undefined;
}

function objectIn(text: string): Readonly<Record<string, unknown>> | undefined {
  const value = text.startsWith('{') ? parseJson(text) : undefined;
  return isObject(value) ? value : relaxedObject(text);
}

/** Returns the object that a text begins with, or the entire text if the object isn't complete, or `undefined` without an object. */
function inputIn(text: string): unknown {
  if (!text.startsWith('{')) return undefined;
  const end = jsonEnd(text, 0);
  return (end === undefined ? undefined : objectIn(text.slice(0, end))) ?? text;
}
