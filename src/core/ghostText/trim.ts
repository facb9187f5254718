import { closesMoreThanItOpens } from './brackets';
import { lineAfter, lineBefore } from './cursorContext';
import type { CursorContext } from './cursorContext';
import { toLf } from './request';
import { endOfShape, shapeAt } from './shape';
import type { Shape } from './shape';

/** More lines than this nobody reads before accepting them. */
export const mostLines = 24;

/** Marks between the parts of a prompt for filling in, which some services let through; what follows them is another file. */
const marks = /<\|[a-z_]{2,40}\|>|<｜[^｜>]{2,40}｜>|<(?:PRE|SUF|MID|EOT)>|<(?:fim|file)_[a-z_]{2,30}>/;

const ends: Readonly<Record<Shape, RegExp>> = {
  line: /\n/,
  passage: /\n[^\S\n]*\n/,
  block: /\n(?:[^\S\n]*\n){2}/,
};

/** A shorter line or word repeats by chance, as `)` does. */
const leastRepeatedLine = 5;
const leastRepeatedWord = 3;

/**
 * What of an answer is suggested at a place, with the document's ends of lines: a part of the answer in one piece, or nothing where
 * it says what is there already.
 */
export function trimSuggestion(answer: string, place: CursorContext, eol: '\n' | '\r\n' = '\n'): string {
  const known: CursorContext = { before: toLf(place.before), after: toLf(place.after) };
  const whole = toLf(answer).split(marks)[0] ?? '';
  const shape = shapeAt(known);
  const begun = withoutRepeatedStart(shape === 'block' ? withoutBlankLines(whole) : whole, lineBefore(known));
  const lines = firstPartOf(begun, shape).split('\n').slice(0, mostLines);
  const text = withoutOverlap(untilRepeatedLine(lines, known).join('\n').trimEnd(), known.after).trimEnd();
  if (text.trim() === '' || known.after.startsWith(text)) return '';
  return eol === '\n' ? text : text.replaceAll('\n', eol);
}

/** Whether nothing that is still to come would be shown. */
export function isEnough(answer: string, place: CursorContext): boolean {
  const text = toLf(answer);
  const started = text.trimStart();
  if (started === '') return false;
  return marks.test(text) || started.includes(endOfShape[shapeAt(place)]) || started.split('\n').length > mostLines;
}

function withoutBlankLines(text: string): string {
  return text.replace(/^(?:[^\S\n]*\n)+/, '');
}

/** Blank lines before the first word end nothing, save where only the rest of a line is wanted. */
function firstPartOf(text: string, shape: Shape): string {
  const lead = shape === 'line' ? 0 : text.length - text.trimStart().length;
  const end = text.slice(lead).search(ends[shape]);
  return end < 0 ? text : text.slice(0, lead + end);
}

/** Models begin with what they were given last: the whole line once more, its indentation, a space. */
function withoutRepeatedStart(text: string, line: string): string {
  const written = line.trim();
  const started = text.trimStart();
  if (written.length >= leastRepeatedLine && started.startsWith(written)) return started.slice(written.length);
  const blanks = /[^\S\n]*$/.exec(line)?.[0] ?? '';
  if (blanks === '') return text;
  if (written !== '') return text.replace(/^ +/, '');
  return text.startsWith(blanks) ? text.slice(blanks.length) : text;
}

/** Up to where the lines after the cursor begin to be told again. */
function untilRepeatedLine(lines: readonly string[], place: CursorContext): readonly string[] {
  const [next, nextButOne] = place.after.split('\n').slice(1).filter(isWritten);
  if (next === undefined) return lines;
  const before = lineBefore(place);
  const whole = before.trim() === '' ? [before + (lines[0] ?? ''), ...lines.slice(1)] : ['', ...lines.slice(1)];
  const repeated = whole.findIndex((line, at) => {
    if (!isWritten(line) || line.trimEnd() !== next.trimEnd()) return false;
    if (/[\p{L}\p{N}]/u.test(next) && next.trim().length >= leastRepeatedLine) return true;
    const following = whole.slice(at + 1).find(isWritten);
    return following !== undefined && following.trimEnd() === nextButOne?.trimEnd();
  });
  return repeated < 0 ? lines : lines.slice(0, repeated);
}

function isWritten(line: string): boolean {
  return line.trim() !== '';
}

/** The longest end of the text with which the text after the cursor begins goes, unless it closes what the text itself opens. */
function withoutOverlap(text: string, after: string): string {
  for (let length = Math.min(text.length, after.length); length > 0; length--) {
    const overlap = after.slice(0, length);
    if (!text.endsWith(overlap) || isByChance(overlap)) continue;
    const rest = text.slice(0, -length);
    if (rest === '' || !/[)\]}]/.test(overlap) || closesMoreThanItOpens(text)) return rest;
  }
  return text;
}

function isByChance(overlap: string): boolean {
  return overlap.trim() === '' || (overlap.length < leastRepeatedWord && /^[\p{L}\p{N}_]+$/u.test(overlap));
}

/** The signs an editor puts after the cursor by itself, and a few that people leave there. */
export function closersAfter(place: CursorContext): string {
  return /^[)\]}>"'`;,]*/.exec(lineAfter(place))?.[0] ?? '';
}
