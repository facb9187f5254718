import { lineBefore, type CursorContext } from './cursorContext';

/** The code in a model's answer, and whether the rest of the answer cannot add to it. */
export interface AnswerCode {
  readonly text: string;
  readonly isComplete: boolean;
}

/**
 * Markers of fill-in-the-middle and of chat templates, which some services let through. What follows one belongs to another file or turn.
 * `[SUFFIX]` and its siblings are Codestral's, `<fim_…>` StarCoder's, `<|…|>` those of most others.
 */
const marks =
  /▁*<\|\/?[\w:.▁-]{2,40}\|>|<｜[^｜>\n]{2,40}｜>|▁*<\/?(?:PRE|SUF|MID|EOT)>|<\/?(?:fim|file)[_-][a-z_]{2,30}>|<(?:end|start)_of_(?:turn|text)>|<(?:eos|bos)>|<(?:pad|unk)>\s*$|<\/s>|\[\/?(?:PREFIX|SUFFIX|MIDDLE|INST)\]|<(?:reponame|gh_stars)>/g;

/** Markers after which an answer begins, as some servers echo the end of the prompt. */
const leading =
  /^\s*(?:<\|channel\|>[^]*?<\|channel\|>final<\|message\|>|<\|channel\|>final<\|message\|>|<\|(?:im_start|start)\|>\s*assistant\s*|<\|(?:fim_middle|assistant|begin_of_text)\|>|<｜fim▁end｜>|<fim[_-]middle>|<bos>|<s>|\[MIDDLE\]|<MID>)/;

const thought = { start: /^\s*<think(?:ing)?>/, end: /<\/think(?:ing)?>/ };
const openingFence = /^[^\S\n]*(?:`{3,}|~{3,})[^\n`]*(?:\n|$)/;
const fence = /^[^\S\n]*(?:`{3,}|~{3,})/m;

/** How a chat model begins to talk about code, which no code begins with. */
const chatOpening =
  /^\s*(?:(?:sure|certainly|of course|absolutely|okay)\b[^\n]|here(?:['’]s| is| are)\b|below is\b|the (?:complete|correct|miss|follow)\w* |to complete\b|(?:i|you)(?:['’]ll|['’]m|['’]ve| will| have| can)\b|好的|当然|以下是|下面是|这是)/i;
/** Where a sentence is content: in a comment or a string. */
const sentenceStart = /\/\/|\/\*|^\s*\*|#|--|<!--|["'`]/;

/**
 * Takes the code out of a model's answer: without thinking, without a fence around it, and up to the first marker. Empty if the answer is
 * chat. The answer has line feeds as its only line breaks.
 */
export function codeOf(answer: string, place: CursorContext): AnswerCode {
  const said = withoutLeading(withoutThought(answer), place);
  if (place.isProse === true || fence.test(place.before)) return untilMark(said, place);
  if (isChat(said, place)) return { text: '', isComplete: true };
  const fenced = insideFence(said);
  const code = untilMark(fenced.text, place);
  return { text: code.text, isComplete: code.isComplete || fenced.isComplete };
}

/** A thought whose start was removed counts too; one that has not ended leaves nothing. */
function withoutThought(answer: string): string {
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
  if (!chatOpening.test(answer) || sentenceStart.test(lineBefore(place))) return false;
  const [first = ''] = answer.trimStart().split('\n', 1);
  return /[:：]\s*$/.test(first) || fence.test(answer);
}

/** Returns what is inside the fence that the answer starts with, or the answer up to a fence that it did not open. */
function insideFence(answer: string): AnswerCode {
  const started = answer.replace(/^\s*\n/, '');
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
  if (mark === '</s>' && /<s[\s>]/.test(place.before + before)) return true;
  const written = mark.startsWith('[') ? mark.slice(1, -1) : mark;
  return place.before.includes(written) || place.after.includes(written);
}
