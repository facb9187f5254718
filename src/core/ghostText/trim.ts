import { type CursorContext, lineAfter, lineBefore } from './cursorContext';
import { type Shape, endOfShape, shapeAt, toLf } from './request';

/** Nobody reads more lines than this before accepting them. */
export const mostLines = 24;

const ends: Readonly<Record<Shape, RegExp>> = {
  line: /\n/,
  passage: /\n[^\S\n]*\n/,
  block: /\n(?:[^\S\n]*\n){2}/,
};

/** A shorter line or word repeats by chance, as `)` does. */
const leastRepeatedLine = 5;
const leastRepeatedWord = 3;

/** A model in a loop repeats a group of up to this many lines at least this many times. */
const longestLoop = 4;
const leastLoops = 3;

/**
 * Returns the part of an answer to suggest at a position, in one piece and with the document's line endings; empty if it only
 * repeats existing text.
 */
export function trimSuggestion(answer: string, place: CursorContext, eol: '\n' | '\r\n' = '\n'): string {
  const known: CursorContext = { ...place, before: toLf(place.before), after: toLf(place.after) };
  const { text: whole } = codeOf(toLf(answer), known);
  const shape = shapeAt(known);
  const begun = withoutRepeatedStart(
    shape === 'block' ? withoutEchoedLines(withoutBlankLines(whole), known) : whole,
    lineBefore(known),
  );
  const lines = untilLoop(untilLoopInLine(firstPartOf(begun, shape).split('\n').slice(0, mostLines)));
  const own = withoutOverlap(untilRepeatedLine(lines, known).join('\n').trimEnd(), known.after);
  const text = withoutClosedEnd(own, known.after).trimEnd();
  if (text.trim() === '' || known.after.startsWith(text)) return '';
  return eol === '\n' ? text : text.replaceAll('\n', eol);
}

/** Whether nothing that is still to arrive would be shown. */
export function isEnough(answer: string, place: CursorContext): boolean {
  const { text, isComplete } = codeOf(toLf(answer), place);
  if (isComplete) return true;
  const started = text.trimStart();
  return started.includes(endOfShape[shapeAt(place)]) || started.split('\n').length > mostLines;
}

function withoutBlankLines(text: string): string {
  return text.replace(/^(?:[^\S\n]*\n)+/, '');
}

/** Removes the lines before the cursor that a suggestion repeats before it continues. */
function withoutEchoedLines(text: string, { before }: CursorContext): string {
  const written = before.slice(0, before.lastIndexOf('\n') + 1).trimEnd();
  const known = written.slice(-2000).split('\n').slice(-mostLines);
  const lines = text.split('\n');
  for (let count = Math.min(known.length, lines.length); count > 0; count--) {
    const echoed = known.slice(-count);
    const isEchoed = echoed.every((line, at) => line.trim() === lines[at]?.trim());
    if (isEchoed && echoed.some((line) => line.trim().length >= leastRepeatedLine))
      return withoutBlankLines(lines.slice(count).join('\n'));
  }
  return text;
}

/** Cuts lines that repeat over and over after their first occurrence. */
function untilLoop(lines: readonly string[]): readonly string[] {
  for (let start = 0; start < lines.length; start++) {
    for (let length = 1; length <= longestLoop; length++) {
      const group = lines.slice(start, start + length);
      const isLoop = Array.from({ length: length * leastLoops }, (_, at) => lines[start + at]).every(
        (line, at) => line === group[at % length],
      );
      if (isLoop && group.join('').trim().length >= leastRepeatedLine) return lines.slice(0, start + length);
    }
  }
  return lines;
}

/** Cuts a statement that repeats over and over in a line after its first occurrence, and the lines after it. */
function untilLoopInLine(lines: readonly string[]): readonly string[] {
  const text = lines.join('\n');
  const found = /([^\n]{8,80}?)\1{7,}/.exec(text);
  if (!found || !/\p{L}{3}/u.test(found[1]!)) return lines;
  return text.slice(0, found.index + found[1]!.length).split('\n');
}

/** Cuts the text at the end of its shape. Leading blank lines end nothing, unless only the rest of a line is requested. */
function firstPartOf(text: string, shape: Shape): string {
  const lead = shape === 'line' ? 0 : text.length - text.trimStart().length;
  const end = text.slice(lead).search(ends[shape]);
  return end < 0 ? text : text.slice(0, lead + end);
}

/** Removes what models repeat from the end of the prompt: the whole line, the object before a dot, the line's indentation, a space. */
function withoutRepeatedStart(text: string, line: string): string {
  const written = line.trim();
  const started = text.trimStart();
  if (written.length >= leastRepeatedLine && started.startsWith(written)) {
    const rest = started.slice(written.length);
    return /\s$/.test(line) ? rest.replace(/^ +/, '') : rest;
  }
  // A shorter one counts if it ends like an assignment.
  if (/^\S.*[^=!<>]=$/.test(written) && started.startsWith(`${written} `))
    return started.slice(written.length).trimStart();
  const [, mark = lineStart.test(written) ? written : undefined] = /\s(\/\/[/!]?|#)\s*$/.exec(line) ?? [];
  if (mark !== undefined && started.startsWith(`${mark} `))
    return started.slice(mark.length + (line.endsWith(' ') ? 1 : 0));
  if (/[\w$)\]]\.$/.test(line) && /^\.[\w$]/.test(text)) return text.slice(1);
  const object = /[\w$]+(?:\.|->|::)$/.exec(line)?.[0];
  if (object !== undefined && object.length >= leastRepeatedLine && text.startsWith(object)) {
    return text.slice(object.length);
  }
  const blanks = /(?<![^\S\n])[^\S\n]*$/.exec(line)?.[0] ?? '';
  if (blanks === '') return text;
  if (written !== '') return text.replace(/^ +/, '');
  return (text.startsWith(blanks) ? text : indentedAs(text, blanks)).slice(blanks.length);
}

/** The mark of a comment or of a list's item, which models write once more before its text. */
const lineStart = /^(?:\/\/[/!]?|#{1,6}|--|;{1,2}|%|[*+>-]|\d{1,3}[.)])$/;

/** Writes the indentation of a text in the form of the document, and at least as deep. */
function indentedAs(text: string, blanks: string): string {
  const own = /^[^\S\n]*/.exec(text)?.[0] ?? '';
  if (own === '') return blanks + text;
  const size = blanks.length / own.length;
  return text.replaceAll(/^[^\S\n]+/gm, (lead) => {
    if (own[0] !== blanks[0]) return blanks[0]!.repeat(Math.round(lead.length * size));
    return lead.startsWith(own) ? blanks + lead.slice(own.length) : lead;
  });
}

/** Cuts the lines where they begin to repeat the lines after the cursor. */
function untilRepeatedLine(lines: readonly string[], place: CursorContext): readonly string[] {
  const [next, nextButOne] = place.after.split('\n').slice(1).filter(isWritten);
  if (next === undefined) return lines;
  const before = lineBefore(place);
  const whole = before.trim() === '' ? [before + (lines[0] ?? ''), ...lines.slice(1)] : ['', ...lines.slice(1)];
  const repeated = whole.findIndex((line, at) => {
    if (!isWritten(line) || line.trimEnd() !== next.trimEnd()) return false;
    if (/[\p{L}\p{N}]/u.test(next) && next.trim().length >= leastRepeatedLine) return true;
    // It ends the block around the cursor, which ends there already.
    if (/^\s*[)\]}]+[;,]?\s*$/.test(next) && closesMoreThanItOpens(lines.slice(0, at + 1).join('\n'))) return true;
    const following = whole.slice(at + 1).find(isWritten);
    return following !== undefined && following.trimEnd() === nextButOne?.trimEnd();
  });
  return repeated < 0 ? lines : lines.slice(0, repeated);
}

function isWritten(line: string): boolean {
  return line.trim() !== '';
}

/**
 * Removes the longest end of the text that repeats the text after the cursor, unless it closes what the text itself opens before it: of
 * `g(a)` before `)`, the bracket stays, and of `name = f();` before ` = f();`, the repeated end goes with its brackets.
 */
function withoutOverlap(text: string, after: string): string {
  for (let length = Math.min(text.length, after.length); length > 0; length--) {
    const overlap = after.slice(0, length);
    if (!text.endsWith(overlap) || isByChance(overlap)) continue;
    const rest = text.slice(0, -length);
    if (rest.endsWith('\\') && /^["'`]/.test(overlap)) continue;
    if (rest === '' || !closesMoreThanItOpens(overlap) || closesMoreThanItOpens(text)) return rest;
  }
  return text;
}

/** Removes the end of the text from a bracket on that the text doesn't open and that follows the cursor, if it only ends the statement. */
function withoutClosedEnd(text: string, after: string): string {
  const end = /[)\]}][)\]};,]*$/.exec(text);
  if (!end) return text;
  for (let at = end.index; at < text.length; at++) {
    if (closing[text[at]!] === undefined || text[at] !== after[0]) continue;
    if (!closesMoreThanItOpens(text.slice(0, at)) && closesMoreThanItOpens(text.slice(0, at + 1)))
      return text.slice(0, at);
  }
  return text;
}

function isByChance(overlap: string): boolean {
  return overlap.trim() === '' || (overlap.length < leastRepeatedWord && /^[\p{L}\p{N}_]+$/u.test(overlap));
}

/** Returns the closing characters after the cursor: those that editors insert automatically, and a few that people leave there. */
export function closersAfter(place: CursorContext): string {
  return /^[)\]}>"'`;,]*/.exec(lineAfter(place))?.[0] ?? '';
}

const closing: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };

/** Whether the text contains a closing bracket without its opening one. Brackets in strings and comments count too. */
function closesMoreThanItOpens(text: string): boolean {
  const open: string[] = [];
  for (const sign of text) {
    const opening = closing[sign];
    if (opening === undefined) {
      if (sign === '(' || sign === '[' || sign === '{') open.push(sign);
    } else if (open.at(-1) === opening) open.pop();
    else return true;
  }
  return false;
}

/** The code in a model's answer, and whether the rest of the answer cannot add to it. */
interface AnswerCode {
  readonly text: string;
  readonly isComplete: boolean;
}

/**
 * Markers of fill-in-the-middle and of chat templates, which some services let through. What follows one belongs to another file or turn.
 * `[SUFFIX]` and its siblings are Codestral's, `<fim_…>` StarCoder's, `<|…|>` those of most others.
 */
const marks =
  /\0|(?<!\uFFFD)\uFFFD+\s*$|<0x[\dA-F]{2}>|▁*<\|{1,2}\/?[\w:.▁-]{2,40}\|{1,2}>|<｜[^｜>\n]{2,40}｜>|▁*<\/?(?:PRE|SUF|MID|EOT)>|<\/?(?:fim|file)[_-][a-z_]{2,30}>|<(?:end|start)_of_(?:turn|text)>|<(?:eos|bos)>|<(?:pad|unk)>\s*$|<\/s>|\[\/?(?:PREFIX|SUFFIX|MIDDLE|INST|EOS|BOS)\]|<\[[^\]>\n]{2,40}\]>|\[e~\[|<channel\|>|<\|channel>|<(?:reponame|gh_stars|empty_output|(?:issue|commit|jupyter)_\w{2,20})>|(?<=^|\n)<filename>|<\/(?:COMPLETION|QUERY|INSERT|code|completion|answer|output)>|<(?:unused\d+|extra_id_\d+|(?:mask|sentinel):\d+|eom)>|\n\n(?:Human|Assistant): |\n### (?:Instruction|Response|Input):/g;

/** Markers after which an answer begins, as some servers echo the end of the prompt. */
const leading =
  /^\s*(?:(?:<\|start\|>assistant)?<\|channel\|>(?:[^]*?<\|channel\|>)?final<\|message\|>|<(\|?)fim_prefix\1>[^]*?<\1fim_middle\1>|<｜fim▁begin｜>[^]*?<｜fim▁end｜>|<\|(?:im_start|start)\|>\s*assistant\s*|<\|(?:fim_middle|assistant|begin_of_text|START_RESPONSE)\|>|<｜(?:fim▁end|begin▁of▁sentence)｜>|analysis[^]*?assistantfinal|<fim[_-]middle>|<bos>|<s>|\[MIDDLE\]|<MID>|<\|?(?:CURSOR|cursor)\|?>|<\|editable_region_start\|>\n?|<PRE>[^]*?<MID>|<｜fim▁hole｜>|<(?:mask|sentinel):\d+>|<INSERT>|(?:###(?:PATH|LANGUAGE|MODE):[^\n]*\n)+|Completion:\s*\n+|### Response:\s*\n+)/;

/** The placeholders of models that know a prompt with a hole, before their lines. */
const placeholders = /(?<=^|\n)[^\S\n]*<COMPLETION>|^\s*\{\{FILL_HERE\}\}/g;
const lineMarks: readonly RegExp[] = [/^\s*\d+ ?\| /, /^\+(?=[\s\w])/];
/** Lines of a table without bars around it, and of a difference. */
const marksOfDocument = /^(?:[\w ]{1,40}\| |@@ |\+)/m;
const invisible = /^[\uFEFF\u200B]+/;

/** A comment that stands for omitted code. */
const elided =
  /^[^\S\n]*(?:\/\/|\/\*|#|--|<!--)[^\S\n]*\.{3}[^\n]*\b(?:rest|existing|remaining|remains|previous|unchanged|same)\b[^\n]*\n?/m;

const thought = { start: /^\s*<think(?:ing)?>/, end: /<\/think(?:ing)?>/ };
/** The same in other marks, which end nothing without their start. */
const otherThought =
  /^\s*(?:<(thought|reasoning|scratch_?pad)>[^]*?(?:<\/\1>|$)|\[THINK\][^]*?(?:\[\/THINK\]|$)|<\|channel>thought[^]*?(?:<channel\|>|$))/i;
const openingFence = /^[^\S\n]*(?:`{3,}|~{3,})[^\n`]*(?:\n|$)/;
const fence = /^[^\S\n]*(?:`{3,}|~{3,})/m;

/** How a chat model begins to talk about code, which no code begins with. */
const chatOpening =
  /^\s*(?:(?:sure|certainly|of course|absolutely|okay)\b[^\n]|here(?:['’]s| is| are)\b|below is\b|the (?:complete|correct|miss|follow)\w* |to complete\b|(?:i|you)(?:['’]ll|['’]m|['’]ve| will| have| can)\b|好的|当然|以下是|下面是|这是|以下[がは]|こちらが|もちろん|다음은|물론|hier (?:ist|sind)\b|voici\b|aquí (?:está|tienes)|claro\b|ecco\b|вот |конечно|여기 )/i;
/** A longer line is no sentence, and would take long to read as one. */
const longestSentence = 400;
/** A sentence, also in bold or as a heading, that says more before a fence. */
const chatSentence =
  /^(?:\*\*|#{1,6} )?(?:\p{Lu}[\p{L}'’]*(?:,? [\p{L}\p{N}'’`()-]+)+|\p{Lo}[^;{}=]*)[^;{}=]*[.:!?。：！？](?:\*\*)?\s*$/u;
/** How one says that it does not complete the code. */
const chatRefusal =
  /^\s*(?:i['’]?m sorry\b|i apologi[sz]e\b|sorry, |i (?:cannot|can['’]t|can not|need (?:more|additional)|don['’]t have) |as an ai\b|what would you like\b|(?:could|can) you (?:please )?(?:provide|clarify|share)\b|please (?:provide|share) (?:the|more|me)\b|申し訳|抱歉|很抱歉|对不起|죄송|извините|the code (?:is|looks|appears) (?:already )?complete|no (?:completion|code|changes?|further code)(?: is| are)? (?:needed|required|necessary))/i;
/** How one begins to explain the code after it. */
const explanation =
  /\n\n(?:Explanation\b|Note: |This (?:function|code|method|line|completion|snippet) |(?:The|In this) (?:code|completion) )/;
/** Places where a sentence is content: in a comment or a string. */
const sentenceStart = /\/\/|\/\*|^\s*\*|#|--|<!--|["'`]/;

/**
 * Takes the code out of a model's answer: without thinking, without a fence around it, and up to the first marker. Empty if the answer is
 * chat. The answer has line feeds as its only line breaks.
 */
function codeOf(answer: string, place: CursorContext): AnswerCode {
  const said = withoutLineMarks(withoutLeading(withoutPlaceholders(withoutThought(answer), place), place), place);
  if (place.isProse === true || fence.test(place.before)) return untilMark(said, place);
  if (isChat(said, place)) return { text: '', isComplete: true };
  const fenced = insideFence(insideTags(said, place));
  const code = untilMark(fenced.text, place);
  const end = code.text.search(explanation);
  const written = withoutElided(end < 0 ? code.text : code.text.slice(0, end), place);
  return { text: written.text, isComplete: end >= 0 || code.isComplete || fenced.isComplete || written.isComplete };
}

function withoutPlaceholders(answer: string, place: CursorContext): string {
  return answer
    .replace(invisible, '')
    .replaceAll(placeholders, (found) => (isContent(found.trim(), '', place) ? found : ''));
}

/** Removes the numbers of lines, or the signs of a difference, that all lines of an answer begin with, unless they are the document's. */
function withoutLineMarks(answer: string, place: CursorContext): string {
  const lines = answer.split('\n').filter(isWritten);
  if (place.isProse === true || lines.length < 2 || isWritten(lineBefore(place))) return answer;
  const mark = lineMarks.find((one) => lines.every((line) => one.test(line)));
  return mark === undefined || marksOfDocument.test(place.before)
    ? answer
    : answer
        .split('\n')
        .map((line) => line.replace(mark, ''))
        .join('\n');
}

/** Removes comments for omitted code from the start of an answer, and ends it at the next one. */
function withoutElided(text: string, place: CursorContext): AnswerCode {
  const found = elided.exec(text);
  if (!found || place.before.includes(found[0].trim())) return { text, isComplete: false };
  const isFirst = text.slice(0, found.index).trim() === '';
  if (!isFirst) return { text: text.slice(0, found.index).trimEnd(), isComplete: true };
  return { text: withoutBlankLines(text.slice(found.index + found[0].length)), isComplete: false };
}

/** A thought whose start was removed counts too; one that has not ended leaves nothing. */
function withoutThought(answer: string): string {
  const other = otherThought.exec(answer)?.[0];
  if (other !== undefined) return answer.slice(other.length);
  const end = thought.end.exec(answer);
  if (end) return answer.slice(end.index + end[0].length);
  return thought.start.test(answer) ? '' : answer;
}

function withoutLeading(answer: string, place: CursorContext): string {
  const found = leading.exec(answer)?.[0];
  return found === undefined || isContent(found.trim(), '', place) ? answer : answer.slice(found.length);
}

/** Whether the first sentence addresses the user and announces code. */
function isChat(answer: string, place: CursorContext): boolean {
  if (sentenceStart.test(lineBefore(place))) return false;
  if (chatRefusal.test(answer)) return true;
  const [first = ''] = answer.trimStart().split('\n', 1);
  if (chatOpening.test(answer)) return /[:：.。]\s*$/.test(first) || fence.test(answer);
  return first.length <= longestSentence && chatSentence.test(first) && fence.test(answer);
}

/** Returns what is inside the tags that some prompts have made a model used to, except in a document of markup. */
function insideTags(answer: string, { before, after }: CursorContext): string {
  const found = /^\s*<(code|completion|code_completion|answer|output)>\n?/.exec(answer);
  if (!found || before.includes('</') || after.includes('</')) return answer;
  const inside = answer.slice(found[0].length);
  const end = inside.indexOf(`</${found[1]!}>`);
  return end < 0 ? inside : inside.slice(0, end).trimEnd();
}

/** Returns what is inside the fence that the answer starts with, or the answer up to a fence that it did not open. */
function insideFence(answer: string): AnswerCode {
  const started = answer.replace(/^\s*\n/, '');
  const inLine = /^\s*```([^`\n]+)```\s*$/.exec(answer)?.[1];
  if (inLine !== undefined) return { text: inLine, isComplete: true };
  const opening = openingFence.exec(started)?.[0];
  const code = opening === undefined ? answer : started.slice(opening.length);
  const end = code.search(fence);
  return end < 0 ? { text: code, isComplete: false } : { text: code.slice(0, end), isComplete: true };
}

function untilMark(text: string, place: CursorContext): AnswerCode {
  const mark = [...text.matchAll(marks)].find(({ 0: found, index }) => !isContent(found, text.slice(0, index), place));
  return mark ? { text: text.slice(0, mark.index), isComplete: true } : { text, isComplete: false };
}

/** Whether a marker belongs to the document: its word is used there, or it closes an element. */
function isContent(mark: string, before: string, place: CursorContext): boolean {
  const element = /^<\/([a-z]+)>$/.exec(mark)?.[1];
  if (element !== undefined && new RegExp(`<${element}[\\s>]`).test(place.before + before)) return true;
  const written = mark.startsWith('[') ? mark.slice(1, -1) : mark;
  return place.before.includes(written) || place.after.includes(written);
}
