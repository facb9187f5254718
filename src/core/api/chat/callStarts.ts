import { isObject } from '../isObject';

export type Schema = Readonly<Record<string, unknown>>;

/** The tools that a request offers, with the schema of their input. */
export type OfferedTools = ReadonlyMap<string, Schema>;

export interface WrittenCall {
  readonly name: string;
  /** Text if it was cut off. */
  readonly input: unknown;
}

/** Marks that begin a call in the text of a model whose server has no parser for it, in lower case. */
const marks: readonly string[] = [
  '<tool_call>',
  '<tool_calls>',
  '<tools_call>',
  '&lt;tool_call&gt;',
  '<tool>',
  '<tool_code>',
  '<call>',
  // LM Studio
  '[tool_request]',
  '<tool_use>',
  '<tool-use>',
  '<use_mcp_tool>',
  '<function=',
  '<function/',
  '<function:',
  '<function name=',
  '<tool_call name=',
  '<tool_use name=',
  '<tool name=',
  '<functioncall>',
  '<xai:function_call name=',
  '<function_call>',
  '<function_calls>',
  '<invoke name=',
  // Anthropic
  ...['function_calls>', 'invoke name='].map((rest) => `<${'antml'}:${rest}`),
  '<minimax:tool_call>',
  ']<]minimax[>[<tool_call>',
  '<seed:tool_call>',
  '<longcat_tool_call>',
  '<|tool_call|>',
  '<|tool_call>',
  '<|tool_calls|>',
  '<|tool_call:begin|>',
  '<|python_tag|>',
  '<|start_action|>',
  '<|action_start|>',
  '<|tool_call_start|>',
  '<|tools_prefix|>',
  '<|function_call|>',
  '<|message_sep|>',
  '<|from|>',
  '<|recipient|>',
  '<|open|>tools',
  '<start_function_call>',
  '<toolcall>',
  '<|tool_calls_section_begin|>',
  '<|tool_call_section_begin|>',
  '<|tool_call_begin|>',
  ...['▁', '_', ' '].flatMap((gap) => ['call', 'calls'].map((word) => `<｜tool${gap}${word}${gap}begin｜>`)),
  '<|tool▁calls▁begin|>',
  '<|tool▁call▁begin|>',
  '<｜dsml｜',
  '<｜｜dsml｜｜',
  '<‖dsml‖',
  '<|dsml|',
  '[tool_calls]',
];

/** Marks that are elements of other texts too. */
const common: ReadonlySet<string> = new Set(['<tool>', '<call>']);

/** A mark after which anything is a call. */
const certain = /^<\|(?:open|from|recipient)\|>/;
const longestMark = marks.reduce((most, { length }) => Math.max(most, length), 0);

/** Text that can follow such a mark instead of a tool name. */
const inside = /^(?:[[{\]]|<(?!\/)|call:|function|to=|print\(|```)/;

/** Whether a text begins with a call; `wait` if that depends on more text. */
export function isCallStart(text: string, offered: OfferedTools): boolean | 'wait' {
  const head = text.slice(0, longestMark).toLowerCase();
  const mark = marks.find((one) => head.startsWith(one));
  if (mark === undefined) {
    const ofTool = isToolTag(text, offered);
    return ofTool || !marks.some((one) => one.startsWith(head)) ? ofTool : 'wait';
  }
  if (certain.test(mark)) return true;
  if (/=$|dsml|^<function[/:]/.test(mark)) return isOpenTag(text, offered);
  const after = text.slice(mark.length).trimStart();
  if (after === '' || after === '<') return 'wait';
  if (common.has(mark)) return /^\{\s*$/.test(after) ? 'wait' : /^\{\s*["']/.test(after);
  if (inside.test(after)) return true;
  const name = /^[\w.:-]*/.exec(after)?.[0] ?? '';
  if (name === '') return false;
  return ownName(name, offered) === undefined && name.length === after.length
    ? 'wait'
    : nameIn(name, offered) !== undefined;
}

/** A tag that names a tool, or that begins the calls of DeepSeek, and what separates it from the input in the forms that models write. */
const openTag =
  /^<(?:function[=/:]|(?:\w{1,20}:)?(?:invoke|function|function_call|tool_call|tool_use|tool) name=|[｜‖|]{1,2}dsml[｜‖|]{1,2}(?:\w{0,30}(?: name=)?))["']?([\w.:-]{0,100})["']?[>=(,[\]\s]{0,100}/i;

/** The beginnings of a call's input in such a tag. */
const inputStarts: readonly string[] = ['{', '```', '<'];

/** Whether a text begins with such a tag and an input, or with the end of the call. In a sentence, words follow the tag. */
function isOpenTag(text: string, offered: OfferedTools): boolean | 'wait' {
  const [whole = '', written = ''] = openTag.exec(text) ?? [];
  if (whole === '') return false;
  const after = text.slice(whole.length, whole.length + 200);
  if (after === '' || (after.length < 3 && '```'.startsWith(after))) return 'wait';
  if (!inputStarts.some((start) => after.startsWith(start))) return false;
  if (!after.startsWith('<')) return true;
  if (/^<\/?(?:\w+:)?(?:parameter|param|arg|function|invoke|tool|[｜‖|]{1,2}dsml)/i.test(after)) return true;
  const keys = propertiesOf(offered.get(nameIn(written, offered) ?? ''));
  if (keys.some((key) => after.startsWith(`<${key}>`))) return true;
  return /^<[/\w:｜‖|]*$/.test(after) && after.length < 100 ? 'wait' : false;
}

/** Returns the name of the tool in the tag that a text begins with, or "". */
export function toolNamedFirst(text: string): string {
  return openTag.exec(text)?.[1] ?? '';
}

/** Whether a text that ends is nothing but such a tag. */
export function isOpenTagAlone(text: string): boolean {
  const [whole, written] = openTag.exec(text) ?? [];
  return whole === text && written !== '';
}

/** Whether a text begins with a tag that is a tool's name and with its input, as models write that know Cline. */
function isToolTag(text: string, offered: OfferedTools): boolean | 'wait' {
  const [whole = '', written = '', end = ''] = /^<([\w.-]{0,100})(>?)/.exec(text) ?? [];
  if (whole === '' || (written === '' && text.length > 1)) return false;
  const schema = isToolName(written) ? offered.get(written) : undefined;
  if (end !== '') return schema !== undefined && isInputStart(text.slice(whole.length), written, schema);
  const mayGoOn = whole.length === text.length && [...offered.keys()].some((one) => one.startsWith(written));
  return mayGoOn ? 'wait' : false;
}

/** The tags around the input of a call, as models write them that know Roo. */
export const inputTags: readonly string[] = ['args', 'arguments', 'parameters', 'params'];

/** Whether what follows the tag of a tool is its input: JSON, a tag around it or of a property, or the end of the call. */
export function isInputStart(text: string, name: string, schema: Schema): boolean | 'wait' {
  const after = text.trimStart();
  const starts = ['{', `</${name}>`, ...[...inputTags, ...propertiesOf(schema)].map((key) => `<${key}>`)];
  if (starts.some((start) => after.startsWith(start))) return true;
  return starts.some((start) => start.startsWith(after)) ? 'wait' : false;
}

export const propertiesOf = (schema: Schema | undefined): readonly string[] =>
  Object.keys(isObject(schema?.['properties']) ? schema['properties'] : {});

export function isToolName(name: string): boolean {
  return /[_.-]|[a-z][A-Z]/.test(name);
}

/** Whether a text is nothing but the beginning of a call, which servers leave in the text of an answer whose call they have read. */
export function isMarkAlone(text: string): boolean {
  const written = text.trim().toLowerCase();
  return marks.some((mark) => mark === written) || /^<[｜‖|]{1,2}dsml[｜‖|]{1,2}[a-z_]*>?$/.test(written);
}

/** Returns a text from where its last line of calls begins; `undefined` if none does. */
export function writtenCallsIn(text: string, offered: OfferedTools): string | undefined {
  const lower = text.toLowerCase();
  const at = marks.reduce((first, mark) => {
    const found = lower.indexOf(mark);
    return found === -1 ? first : Math.min(first, found);
  }, Infinity);
  return Number.isFinite(at) && isCallStart(text.slice(at), offered) === true ? text.slice(at) : undefined;
}

/** Returns the only tool whose name has the same letters and digits as the one in a call, which models write in another case or twice. */
export function nameAlike(written: string, offered: OfferedTools): string | undefined {
  const plain = (name: string) => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
  const letters = plain(written.slice(0, 200).split(/[({]/)[0]!);
  const alike = [...offered.keys()].filter((name) => letters === plain(name) || letters === plain(name).repeat(2));
  return alike.length === 1 && letters !== '' ? alike[0] : undefined;
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
  const bare = written.replace(/:\d+$|\.call$/, '').replace(/^(?:functions?|tools?|default_api|call)[.:]/, '');
  // Kimi leaves out signs of its IDs, or replaces them.
  const loose = written.length < 200 ? (/^functions?[._]?(.+?)[:_]?\d+$/.exec(written)?.[1] ?? '') : '';
  return [written, bare, loose].find((name) => offered.has(name));
}

/** Whether a text between the mark of a call and what looks like its input has words of a sentence. */
export function isSentence(text: string): boolean {
  const words = text.slice(0, 1000).replaceAll(/[<[][^<>[\]\n]{0,100}[>\]]/g, '\n');
  return /\p{L}{2,}[,.:;]* [ ,.:;]*\p{L}{2,}[ ,.:;]|[，。：；]/u.test(words);
}
