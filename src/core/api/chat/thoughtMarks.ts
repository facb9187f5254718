import { openFenceIn } from '../../../protocol/fences';
import type { ThinkingMarks } from '../modelOptions.schema';

/** How models mark thinking within their text: the mark before it and the one after it. */
const pairs: readonly (readonly [open: string, close: string])[] = [
  ['<think>', '</think>'],
  ['<thinking>', '</thinking>'],
  ['<thought>', '</thought>'],
  ['<thoughts>', '</thoughts>'],
  // Escaped, as gateways write it that take the answer for a web page, or its JSON for text.
  ['&lt;think&gt;', '&lt;/think&gt;'],
  [String.raw`\u003cthink\u003e`, String.raw`\u003c/think\u003e`],
  ['<reasoning>', '</reasoning>'],
  ['<seed:think>', '</seed:think>'],
  ['[THINK]', '[/THINK]'],
  ['◁think▷', '◁/think▷'],
  ['<|START_THINKING|>', '<|END_THINKING|>'],
  ['<|channel>thought', '<channel|>'],
  ['<|thinking|>', '<|/thinking|>'],
  ['<|begin_of_thought|>', '<|end_of_thought|>'],
  ['<|inner_prefix|>', '<|inner_suffix|>'],
  ['<longcat_think>', '</longcat_think>'],
  ['<unused94>thought', '<unused95>'],
  ['<|think|>', '<|end|>'],
  ['<|im_start|>think', '<|im_start|>answer'],
  ['<scratch_pad>', '</scratch_pad>'],
  ['<scratchpad>', '</scratchpad>'],
];

/** The first of these in another case, or with attributes. */
const variant = /^<(think|thinking|thought|reasoning)(?:\s[^<>]{0,100})?>/i;
const variantStart = /^<(?:[a-z]{0,9}|(?:think|thinking|thought|reasoning)\s[^<>]{0,100})$/i;

/** The element in which gateways for Open WebUI write thinking. */
const details = /^<details\s[^<>]{0,100}type="reasoning"[^<>]{0,100}>\s{0,10}(?:<summary>[^<>\n]{0,100}<\/summary>)?/;
const detailsStart =
  /^<details(?:\s[^<>]{0,200})?(?:>\s{0,10}(?:<[^<>\n]{0,110}(?:>[^<>\n]{0,100}(?:<\/?\w{0,7})?)?)?)?$/;

/** How chat templates open the turn of the assistant, which a server that applies the wrong one leaves in the answer. */
const turnStarts: readonly string[] = [
  '<|im_start|>assistant',
  '<|start_header_id|>assistant<|end_header_id|>',
  '<start_of_turn>model',
  '<|assistant|>',
  // Solar
  '<|begin|>assistant',
  '<|content|>',
  // Llama 3, whose marks around the word are removed.
  'assistant\n\n',
];

/** The start of all text, unless a space or a sign follows: an answer about such marks can begin with one. */
const textStarts: readonly string[] = [
  '<｜begin▁of▁sentence｜>',
  '<|begin_of_text|>',
  '<|startoftext|>',
  '<bos>',
  '<unk>',
];

/** How models end a turn, which servers that do not know the token leave in the answer. */
const turnEnds: readonly string[] = [
  '<|im_end|>',
  '<|eot_id|>',
  '<|eom_id|>',
  '<|endoftext|>',
  '<|end_of_text|>',
  '<|end|>',
  '<|return|>',
  '<|call|>',
  '<|user|>',
  '<|flush|>',
  '<|END_OF_TURN_TOKEN|>',
  '<end_of_turn>',
  '<｜end▁of▁sentence｜>',
  '</s>',
  '[/INST]',
  '<|endofturn|>',
  '[|endofturn|]',
  '<|endofprompt|>',
  '<|eos|>',
  '<|EOT|>',
  '<|pad|>',
  '<|PAD_TOKEN|>',
  '<|role_end|>',
  '<|observation|>',
  '<|action_end|>',
  // Hunyuan, Seed, MiniMax, Apriel
  '<｜hy_EOT｜>',
  '<seed:eos>',
  '[e~[',
  '[END FINAL RESPONSE]',
  '<eos>',
  '<pad>',
  '<unk>',
  '<eoa>',
  '[EOS]',
  '[EOT]',
  '<file_sep>',
];

/** The starts of the next turn, with which models continue if a server doesn't know their end of a turn. */
const nextTurns: readonly string[] = [
  '<|im_start|>',
  '<start_of_turn>',
  '<|start_header_id|>',
  '<|start_of_role|>',
  '<|START_OF_TURN_TOKEN|>',
  '<｜User｜>',
  '[|user|]',
];

/** The next turn of a user, without the end of the turn before it. */
const userTurn = /^(?:<\|im_start\|>|<start_of_turn>|<\|start_header_id\|>|<\|start_of_role\|>)user\b/;

/**
 * Returns the mark with which the next turn begins, if the text begins with the end of a turn and the next one, or a line with the turn of
 * a user; `wait` if that depends on more text.
 */
export function nextTurnIn(
  text: string,
  { isEnd, isLine }: { readonly isEnd: boolean; readonly isLine: () => boolean },
): { readonly mark: string } | 'wait' | undefined {
  const rest = text.slice(lastMarksLength(text));
  const isAfterEnd = rest.length < text.length;
  const mark = nextTurns.find((one) => rest.startsWith(one));
  if (mark !== undefined && (isAfterEnd || (userTurn.test(rest) && isLine()))) return { mark };
  if (isEnd || rest === '') return undefined;
  const mayFollow = mark !== undefined ? rest.length < mark.length + 5 : nextTurns.some((one) => one.startsWith(rest));
  return mayFollow ? 'wait' : undefined;
}

/** Marks around the part of an answer that counts, which are not part of it. */
const wrappers: readonly string[] = [
  '<|begin_of_box|>',
  '<|end_of_box|>',
  '<|begin_of_solution|>',
  '<|end_of_solution|>',
  '<|START_RESPONSE|>',
  '<|END_RESPONSE|>',
  '<|START_TEXT|>',
  '<|END_TEXT|>',
];

/** The tags around the answer of models that think before it. */
const answerTags: readonly string[] = ['answer', 'response', 'output'];

/** Returns the name of such a tag that a text is. */
export function answerTagIn(text: string): string | undefined {
  return answerTags.find((name) => text === `<${name}>`);
}

/** Closing marks that appear alone where the template has opened the thinking in the prompt. */
const closes: readonly string[] = [
  ...pairs.map(([, close]) => close),
  // Apriel
  '[BEGIN FINAL RESPONSE]',
];

/**
 * The beginnings of a gpt-oss message, before its channel. Some servers remove the first marks, so the text begins with the channel's name.
 */
const channelStarts: readonly string[] = [
  '<|channel|>',
  '<|start|>',
  'assistant<|channel|>',
  'analysis<|message|>',
  'commentary<|message|>',
  'final<|message|>',
  'to=functions.',
];

export type TextStart =
  | { readonly type: 'thinking'; readonly length: number; readonly close: string }
  | { readonly type: 'channel' }
  /** Granite's sentence, which begins thinking only if the one that ends it follows. */
  | { readonly type: 'worded' }
  | { readonly type: 'close'; readonly length: number };

/**
 * Returns what a text begins with: `wait` if that depends on more text, `undefined` if it has no mark. `isAfterThought`: whether it follows
 * thinking. `own`: marks of the model.
 */
export function textStart(text: string, isAfterThought = false, own?: ThinkingMarks): TextStart | 'wait' | undefined {
  const all = own ? [[own.open, own.close] as const, ...pairs] : pairs;
  const pair = all.find(([open]) => text.startsWith(open));
  if (pair) return { type: 'thinking', length: pair[0].length, close: pair[1] };
  const other = variant.exec(text);
  if (other) return { type: 'thinking', length: other[0].length, close: `</${other[1]!}>` };
  if (text.length < 500 && detailsStart.test(text)) return 'wait';
  const element = details.exec(text);
  if (element) return { type: 'thinking', length: element[0].length, close: '</details>' };
  const tag = isAfterThought ? answerTags.find((name) => text.startsWith(`<${name}>`)) : undefined;
  if (tag !== undefined) return { type: 'close', length: tag.length + 2 };
  if (isAfterThought && text.startsWith(reflection[0]))
    return { type: 'thinking', length: reflection[0].length, close: reflection[1] };
  if (channelStarts.some((start) => text.startsWith(start))) return { type: 'channel' };
  if (worded.some((sentence) => text.startsWith(sentence))) return { type: 'worded' };
  const begin = textStarts.find((mark) => text.startsWith(mark));
  if (begin === text) return 'wait';
  if (begin !== undefined && !/[\s,.:;=)/|"'”’，。：；、]/.test(text.charAt(begin.length)))
    return { type: 'close', length: begin.length };
  const close = [...(own ? [own.close] : []), ...closes, ...turnStarts].find((mark) => text.startsWith(mark));
  if (close !== undefined) return { type: 'close', length: close.length };
  return variantStart.test(text) ||
    [...startMarks, ...(own ? [own.open, own.close] : [])].some((mark) => mark.startsWith(text))
    ? 'wait'
    : undefined;
}

/** The sentences that Granite writes before its thinking and, on a line of its own, before its answer. */
const worded = ["Here's my thought process:", 'Here is my thought process:'];
const wordedEnds = ["Here's my response:", 'Here is my response:'];

/** Returns the length of such a sentence at the beginning of a line that ends thinking; `wait` if that depends on more text. */
export function wordedEnd(text: string): number | 'wait' | undefined {
  const end = wordedEnds.find((sentence) => text.startsWith(sentence));
  return end?.length ?? (wordedEnds.some((sentence) => sentence.startsWith(text)) ? 'wait' : undefined);
}

/** Returns the thinking of a text, without the sentence before it. */
export function wordedThought(text: string): string {
  const thought = text.trim();
  const start = worded.find((sentence) => thought.startsWith(sentence));
  return thought.slice(start?.length ?? 0).trimStart();
}

/** More thinking, if it follows some. */
const reflection = ['<reflection>', '</reflection>'] as const;

const startMarks: readonly string[] = [
  ...channelStarts,
  ...pairs.flat(),
  ...turnStarts,
  ...textStarts,
  ...answerTags.map((name) => `<${name}>`),
  ...worded,
  reflection[0],
];

/**
 * Returns the length of the mark at the beginning of a text that isn't part of an answer: one around the relevant part, or one that ends
 * it, up to the end. `wait` if that depends on more text.
 */
export function strayMark(text: string, isEnd: boolean): number | 'wait' | undefined {
  const wrapper = wrappers.find((mark) => text.startsWith(mark));
  if (wrapper !== undefined) return wrapper.length;
  const length = lastMarksLength(text);
  // So many in a row are no text either.
  if (length > mostLastMarks) return length;
  const rest = text.slice(length);
  if (rest === '') return isEnd ? text.length : 'wait';
  if (isEnd || rest.length > longestLastMark) return undefined;
  return [...lastMarks, ...wrappers].some((mark) => mark.startsWith(rest)) ? 'wait' : undefined;
}

/** Maximum length of marks in a row that are read at once, because each further piece of a text reads them again. */
const mostLastMarks = 2000;

/** Returns the length of the marks at the beginning of a text that end an answer, with the white space after them. */
export function lastMarksLength(text: string): number {
  let length = 0;
  while (length <= mostLastMarks) {
    const mark = lastMarks.find((one) => text.startsWith(one, length));
    if (mark === undefined) return length;
    length += mark.length;
    while (/\s/.test(text.charAt(length))) length += 1;
  }
  return length;
}

/** Whether a text begins with what a server leaves behind that has read thinking or calls. */
export function isRemains(text: string): boolean {
  return remains.some((mark) => text.startsWith(mark));
}

/** Text that servers leave after they have parsed thinking or calls. */
const remains: readonly string[] = [
  '</think>',
  '</thinking>',
  '</tool_call>',
  '</tool_calls>',
  '</function_calls>',
  ']<]minimax[>[</tool_call>',
];

const lastMarks: readonly string[] = [...turnEnds, ...answerTags.map((name) => `</${name}>`), ...remains];
const longestLastMark = [...lastMarks, ...wrappers].reduce((most, { length }) => Math.max(most, length), 0);

/** Returns the length of the closing mark at the beginning of a text; `wait` if that depends on more text. */
export function closeAt(text: string, own?: ThinkingMarks): number | 'wait' | undefined {
  const all = own ? [own.close, ...closes] : closes;
  const close = all.find((mark) => text.startsWith(mark));
  if (close !== undefined) return close.length;
  return all.some((mark) => mark.startsWith(text)) ? 'wait' : undefined;
}

/** Whether a closing mark between these texts is only mentioned: in code, within a sentence, or as the end of an element of the answer. */
export function isMention(mark: string, before: string, after: string, own?: ThinkingMarks): boolean {
  if (isInCode(before) || /<think(ing)?>/.test(before)) return true;
  // The template of a model that leaves out the opening mark writes it into the request, so it is not in the text.
  const opens = [...pairs, ...(own ? [[own.open, own.close] as const] : [])].filter(([, close]) => close === mark);
  if (opens.some(([open]) => before.includes(open))) return true;
  const isWithin = /[\p{L}\p{N},:;("'“‘][ \t]*$/u.test(before) && /^[ \t]*[\p{Ll},.:;)"'”’]/u.test(after);
  return isWithin && /^[ \t.,:;)"'”’]/.test(after);
}

/**
 * Whether a text begins with Phi's end of a turn, with which Solar and gpt-oss end their thinking, so that what follows decides; `wait` if
 * that depends on more text.
 */
export function isTurnEnd(text: string, isEnd: boolean): boolean | 'wait' {
  if (!text.startsWith('<|end|>')) return false;
  const after = text.slice('<|end|>'.length).trimStart();
  const others = ['<|begin|>', '<|start|>', '<|content|>'];
  if (others.some((mark) => after.startsWith(mark))) return false;
  return isEnd || !others.some((mark) => mark.startsWith(after)) ? true : 'wait';
}

/** Whether a mark that ends a turn is part of an answer about such marks: it follows a space, or others that begin a text or a turn. */
export function isNamedEnd(mark: string, before: string): boolean {
  if (nextTurns.some((one) => before.includes(one)) || (mark.startsWith('[/INST]') && before.includes('[INST]')))
    return true;
  if (!/^(?:<(?:eos|pad|unk|eoa|file_sep)>|\[EO[ST]\])/.test(mark)) return false;
  return /\S[ \t]+$/.test(before.slice(-100)) || /<(?:bos|eos|unk|mask)>|\[BOS\]/.test(before);
}

/** Whether what follows a text is an example: at the start of the answer, behind a colon, below a heading, or indented as code. */
export function isIntroduced(before: string): boolean {
  const last = before.trimEnd().split('\n').at(-1) ?? '';
  return last === '' || /[:：][*_]*$|^ {0,3}#{1,6} /.test(last) || / {4}$|\t$/.test(before);
}

/** Whether what follows a text is code: in a fence that is still open, also in a list or a quotation, or after an odd number of backticks in its line. */
export function isInCode(before: string): boolean {
  if (openFenceIn(before)) return true;
  const line = before.slice(before.lastIndexOf('\n') + 1);
  return (line.split('`').length - 1) % 2 === 1;
}

/** Returns how much of the end of a text may be the beginning of one of these marks. */
export function heldLength(text: string, marks: readonly string[]): number {
  const longest = marks.reduce((most, { length }) => Math.max(most, length), 0);
  const most = Math.min(text.length, longest - 1);
  for (let length = most; length > 0; length -= 1) {
    const end = text.slice(text.length - length);
    if (marks.some((mark) => mark.startsWith(end))) return length;
  }
  return 0;
}

/** Marks that end the content of a channel. */
export const channelEnds: readonly string[] = ['<|end|>', '<|return|>', '<|call|>', '<|start|>', '<|channel|>'];

/** The mark between the header of a message and its content. */
export const channelMessage = '<|message|>';

export interface Channel {
  readonly isFinal: boolean;
  /** The tool that the content is for. */
  readonly tool?: string;
}

/** Reads a header such as `<|start|>assistant<|channel|>commentary to=functions.x <|constrain|>json`. */
export function readChannel(header: string): Channel {
  const tool = /\bto=(?:functions\.)?([\w.-]+)/.exec(header)?.[1];
  return {
    isFinal: /(?:^|\|>)\s*final\b/.test(header) || !/analysis|commentary/.test(header),
    ...(tool === undefined || tool === 'assistant' ? {} : { tool }),
  };
}

/** A channel's name at the start of a text whose marks were removed. */
const strippedStart = /^(?:analysis|commentary)(?=[\p{Lu}\p{N}"'“‘(*\s])/u;

/** Whether a text may be from gpt-oss, without its marks; `wait` if that depends on more text. */
export function isStripped(text: string): boolean | 'wait' {
  if (strippedStart.test(text)) return true;
  return ['analysis', 'commentary'].some((name) => name.startsWith(text)) ? 'wait' : false;
}

/**
 * Splits a text that a server treated as thinking although it contains the end of the thinking. Returns `undefined` if it contains none.
 */
export function answerInThinking(text: string): { readonly thinking: string; readonly text: string } | undefined {
  const end = /<\/think(?:ing)?>|(?:<\|end\|>)?(?:<\|start\|>assistant)?<\|channel\|>final<\|message\|>/.exec(text);
  const answer = end ? text.slice(end.index + end[0].length).trimStart() : '';
  return answer === '' ? undefined : { thinking: text.slice(0, end!.index).trimEnd(), text: answer };
}

/** Removes the name of the channel. */
export function withoutChannel(text: string): string {
  return text.replace(strippedStart, '').trim();
}

const strippedNames = ['final', 'analysis', 'commentary'];

/** The beginnings of the next message in such a text. */
export const strippedMarks: readonly string[] = strippedNames.flatMap((name) => [
  `assistant${name}`,
  `assistant\n${name}`,
]);

const strippedNext = /assistant\n?(final|analysis|commentary)/;
const strippedTool = /^ to=(?:functions\.)?([\w.-]+)[^{\n]*/;

export interface StrippedNext {
  /** The positions of its beginning and of its content. */
  readonly at: number;
  readonly content: number;
  readonly channel: Channel;
}

/** Finds the next message in such a text; `wait` with its start if its kind depends on more text. */
export function findStripped(text: string, isEnd: boolean): StrippedNext | { readonly wait: number } | undefined {
  const found = strippedNext.exec(text);
  if (!found) return undefined;
  const { index: at } = found;
  const content = at + found[0].length;
  const after = text.slice(content);
  const mayHaveTool = found[1] === 'commentary' && after.length < 100 && /^(?: |$)[^{\n]*$/.test(after);
  if (!isEnd && (after === '' || mayHaveTool)) return { wait: at };
  const tool = strippedTool.exec(after);
  const channel = { isFinal: found[1] === 'final', ...(tool && { tool: tool[1]! }) };
  return { at, content: content + (tool?.[0].length ?? 0), channel };
}
