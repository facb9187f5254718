import { disjoint, FileSearch, isImport, type Splices, trimmedBlank } from './fileSearch';
import { isPatch, type Patch, placePatch, readPatches } from './patch';
import {
  indentOf,
  isBlank,
  LineSearch,
  reindented,
  type Splice,
  type TextLines,
  toLines,
  TooManyComparisons,
  withSplices,
} from './textLines';
import { covers, coversInside, definedName, isBalanced, type Unit, unitsIn } from './units';
import { elisionIn } from './elisions';

/** A code block of an answer. */
export interface PlacedCode {
  readonly code: string;
  /** As its fence names it; empty if it doesn't. */
  readonly language: string;
  /** False if the answer ended within it. */
  readonly isComplete: boolean;
  /** The part of the file that the code was requested for, as lines from 0, `end` exclusive. */
  readonly requestedLines?: { readonly start: number; readonly end: number };
}

/** Why a code block can't be placed with certainty. */
export type PlacingProblem = 'truncated' | 'notFound' | 'ambiguous' | 'tooLarge' | 'deletesFile';

/** `edit` is the complete new text. */
export type Placement =
  | { readonly kind: 'edit'; readonly text: string }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'unplaced'; readonly why: PlacingProblem };

const mostCharacters = 2_000_000;
const mostLines = 40_000;

/**
 * Turns a code block into an edit of a file: a diff, search and replace blocks, the complete file, or a part of it. Never guesses: if the
 * location isn't unique, or the code leaves out lines of the file without saying so, it isn't placed.
 */
export function placeCode(file: string, block: PlacedCode): Placement {
  const { code, language, isComplete } = block;
  if (file.length > mostCharacters || code.length > mostCharacters) return unplaced('tooLarge');
  if (!isComplete) return unplaced('truncated');
  const text = toLines(file);
  const answer = toLines(code.replace(/^\uFEFF/, '')).lines;
  if (text.lines.length > mostLines || answer.length > mostLines) return unplaced('tooLarge');
  try {
    if (isPatch(code, language)) {
      const patches = readPatches(code);
      return patches.length === 1 ? placeOnePatch(text, patches[0]!) : unplaced('ambiguous');
    }
    const splices = placeLines(text, answer, block);
    return typeof splices === 'string' ? unplaced(splices) : edited(file, text, splices);
  } catch (error) {
    if (error instanceof TooManyComparisons) return unplaced('tooLarge');
    throw error;
  }
}

/** Same, for the part of a diff about the file. */
export function placePatchOf(file: string, patch: Patch): Placement {
  if (file.length > mostCharacters) return unplaced('tooLarge');
  try {
    return placeOnePatch(toLines(file), patch);
  } catch (error) {
    if (error instanceof TooManyComparisons) return unplaced('tooLarge');
    throw error;
  }
}

function placeOnePatch(text: TextLines, patch: Patch): Placement {
  if (patch.isDeleted) return unplaced('deletesFile');
  const splices = placePatch(patch, new LineSearch(text.lines));
  if (typeof splices === 'string') return unplaced(splices);
  return edited(withSplices(text, []), text, splices);
}

function unplaced(why: PlacingProblem): Placement {
  return { kind: 'unplaced', why };
}

function edited(file: string, text: TextLines, splices: readonly Splice[]): Placement {
  const after = withSplices(text, splices);
  return after === file ? { kind: 'unchanged' } : { kind: 'edit', text: after };
}

function placeLines(text: TextLines, code: readonly string[], { language, requestedLines }: PlacedCode): Splices {
  const { lines } = text;
  const search = new FileSearch(lines);
  if (code.some((line) => searchMark.test(line))) return placeSearches(code, search);
  const parts = splitAtElisions(withoutPath(code, lines), lines);
  if (parts.some((part) => part.isAfterElision || part.isBeforeElision)) return placeParts(parts, search);
  const [{ lines: fresh }] = parts as [Part];
  if (fresh.every(isBlank)) return 'notFound';
  const complete = { start: 0, end: lines.length, lines: trimmedBlank(fresh) };
  if (lines.every(isBlank)) return [complete];
  if (isWholeFile(lines, fresh)) return [complete];
  if (/^(?:md|markdown|mdx)$/i.test(language)) return placeSection(fresh, search);
  const placed = placeUnits(fresh, search);
  if (typeof placed !== 'string') return placed;
  const between = placeBetweenEnds(fresh, search);
  if (typeof between !== 'string') return between;
  if (requestedLines) return replaceRequested(fresh, lines, requestedLines);
  return placed;
}

/** Whether code that isn't a fragment replaces the complete file. */
function isWholeFile(lines: readonly string[], fresh: readonly string[]): boolean {
  const all = (of: readonly string[]): Unit => ({ start: 0, head: 0, end: of.length });
  const isAtMargin = unitsIn(fresh).every(({ head }) => indentOf(fresh[head]!) === '');
  return isAtMargin && covers(lines, all(lines), fresh, all(fresh));
}

/** Removes a first line that only names the file, unless the file has it too. */
function withoutPath(code: readonly string[], lines: readonly string[]): readonly string[] {
  const first = code[0] ?? '';
  if (!isPathComment(first) || lines.some((line) => line.trim() === first.trim())) return code;
  const rest = code.slice(1);
  return isBlank(rest[0] ?? 'x') ? rest.slice(1) : rest;
}

/** Whether a line is a comment with a path and nothing else. */
function isPathComment(line: string): boolean {
  return line.length <= 300 && pathComment.test(line) && /[./\\]\w/.test(line);
}

const pathComment =
  /^\s*(?:\/\/+|#+|--|;+|%+|\/\*+|<!--)\s*(?:(?:file(?:name)?|path)\s*:\s*)?`?[^\s`:*<>"']+`?\s*(?:\([^)]*\))?\s*(?:\*\/|-->)?\s*$/i;

const searchMark = /^\s*<{5,9}\s*(?:SEARCH|ORIGINAL)\b/;
const middleMark = /^\s*={5,9}\s*$/;
const replaceMark = /^\s*>{5,9}\s*(?:REPLACE|UPDATED)?\b.*$/;

/** Places search and replace blocks, all or none. Each text must be in the file exactly once. */
function placeSearches(code: readonly string[], search: FileSearch): Splices {
  const splices: Splice[] = [];
  let at = 0;
  const next = (mark: RegExp, from: number) => {
    let line = from;
    while (line < code.length && !mark.test(code[line]!)) line++;
    return line;
  };
  while ((at = next(searchMark, at)) < code.length) {
    const middle = next(middleMark, at + 1);
    const end = next(replaceMark, middle + 1);
    if (end >= code.length) return 'notFound';
    const old = code.slice(at + 1, middle);
    const fresh = code.slice(middle + 1, end);
    at = end + 1;
    if (old.every(isBlank)) {
      if (!search.text.every(isBlank)) return 'ambiguous';
      splices.push({ start: 0, end: search.text.length, lines: fresh });
      continue;
    }
    const { starts, isReindented } = search.find(old);
    if (starts.length !== 1) return starts.length === 0 ? 'notFound' : 'ambiguous';
    const [start] = starts as [number];
    const first = old.findIndex((line) => !isBlank(line));
    const [from, to] = [indentOf(old[first]!), indentOf(search.text[start + first]!)];
    splices.push({ start, end: start + old.length, lines: isReindented ? reindented(fresh, from, to) : fresh });
  }
  return disjoint(splices);
}

/** Places definitions: each replaces the one of the same name, and new ones follow the definition before them. */
function placeUnits(code: readonly string[], search: FileSearch): Splices {
  const { text } = search;
  const splices: Splice[] = [];
  let after: number | undefined;
  let waiting: (readonly string[])[] = [];
  let hasReplaced = false;
  for (const unit of unitsIn(code)) {
    const head = code[unit.head]!;
    const own = code.slice(unit.start, unit.end);
    const place = headOf(head, search);
    if (place === 'ambiguous') return place;
    if (place === 'notFound') {
      if (definedName(head) === undefined && !isImport(head)) return 'notFound';
      if (isImport(head)) {
        const last = own.length === 1 ? lastImport(text) : undefined;
        if (last === undefined) return 'ambiguous';
        splices.push({ start: last + 1, end: last + 1, lines: own });
      } else if (after === undefined) waiting.push(own, blankAfter(code, unit));
      else splices.push({ start: after, end: after, lines: [...blankBefore(code, unit), ...own] });
      continue;
    }
    const there = search.unitAt(place);
    if (!isBalanced(text, there) || !isBalanced(code, unit)) return 'ambiguous';
    if (!coversInside(text, there, code, unit)) return 'ambiguous';
    const start = unit.start < unit.head ? commentsAbove(text, place) : place;
    if (waiting.length > 0) splices.push({ start, end: start, lines: waiting.flat() });
    waiting = [];
    hasReplaced ||= definedName(head) !== undefined && !isImport(head);
    splices.push({ start, end: there.end, lines: reindented(own, indentOf(head), indentOf(text[place]!)) });
    after = there.end;
  }
  if (!hasReplaced || waiting.length > 0) return 'notFound';
  return disjoint(splices);
}

/** Returns the last line that imports something and is complete. */
function lastImport(text: readonly string[]): number | undefined {
  const at = text.findLastIndex((line) => indentOf(line) === '' && isImport(line));
  return at < 0 || /[({,]\s*$/.test(text[at]!) ? undefined : at;
}

const headingLine = /^(#{1,6})\s+\S/;

/** Replaces the section of a Markdown file that has the same heading, up to the next heading of its level. */
function placeSection(code: readonly string[], search: FileSearch): Splices {
  const lines = trimmedBlank(code);
  const level = headingLine.exec(lines[0]!)?.[1]?.length;
  if (level === undefined) return placeBetweenEnds(lines, search);
  const isNext = (line: string) => (headingLine.exec(line)?.[1]?.length ?? 7) <= level;
  if (lines.slice(1).some(isNext)) return 'ambiguous';
  const { starts } = search.find(lines.slice(0, 1));
  if (starts.length !== 1) return starts.length === 0 ? 'notFound' : 'ambiguous';
  const [start] = starts as [number];
  const { text } = search;
  let end = start + 1;
  while (end < text.length && !isNext(text[end]!)) end++;
  const inner = text.slice(start + 1, end).filter((line) => headingLine.test(line));
  if (inner.some((line) => !lines.includes(line))) return 'ambiguous';
  while (isBlank(text[end - 1]!)) end--;
  return [{ start, end, lines }];
}

/** Returns where a definition is: the one place of its first line, or else of its name. */
function headOf(head: string, search: FileSearch): number | 'notFound' | 'ambiguous' {
  if (!/[\p{L}\p{N}]/u.test(head)) return 'ambiguous';
  const { starts } = search.find([head]);
  if (starts.length === 1) return starts[0]!;
  if (starts.length > 1) return 'ambiguous';
  const name = definedName(head);
  if (name === undefined) return 'notFound';
  const named = search.definitions(name);
  if (named.length > 1) return 'ambiguous';
  return named[0] ?? 'notFound';
}

/** Returns the first line of the comments and decorators directly above a line. */
function commentsAbove(text: readonly string[], head: number): number {
  const depth = indentOf(text[head]!).length;
  let start = head;
  while (
    start > 0 &&
    /^\s*(?:\/\/|\/\*|\*|#|--|@|"""|<!--)/.test(text[start - 1]!) &&
    indentOf(text[start - 1]!).length - depth <= 1 &&
    indentOf(text[start - 1]!).length >= depth
  )
    start--;
  return start;
}

function blankBefore(code: readonly string[], { start }: Unit): readonly string[] {
  let at = start;
  while (at > 0 && isBlank(code[at - 1]!)) at--;
  return code.slice(at, start).map(() => '');
}

function blankAfter(code: readonly string[], { end }: Unit): readonly string[] {
  let at = end;
  while (at < code.length && isBlank(code[at]!)) at++;
  return code.slice(end, at).map(() => '');
}

/** Places statements whose first and last lines are both unchanged and unique. */
function placeBetweenEnds(code: readonly string[], search: FileSearch): Splices {
  const lines = trimmedBlank(code);
  if (lines.length < 3) return 'notFound';
  const first = search.find(lines.slice(0, 1)).starts;
  const last = search.find(lines.slice(-1)).starts;
  if (first.length !== 1 || last.length !== 1) return first.length * last.length === 0 ? 'notFound' : 'ambiguous';
  const [start, end] = [first[0]!, last[0]! + 1];
  const isSensible =
    [lines[0]!, lines.at(-1)!].every((line) => /[\p{L}\p{N}]/u.test(line)) &&
    end > start + 1 &&
    indentOf(search.text[start]!) === indentOf(search.text[end - 1]!) &&
    end - start <= lines.length * 2 + 4;
  if (!isSensible || isBalanced(lines, whole(lines)) !== isBalanced(search.text, { start, head: start, end }))
    return 'ambiguous';
  if (losesDefinitions(search.text, { start, head: start, end }, lines)) return 'ambiguous';
  return [{ start, end, lines: reindented(lines, indentOf(lines[0]!), indentOf(search.text[start]!)) }];
}

function whole(lines: readonly string[]): Unit {
  return { start: 0, head: 0, end: lines.length };
}

/** Replaces the lines that the answer was requested for. */
function replaceRequested(
  code: readonly string[],
  lines: readonly string[],
  { start, end }: { readonly start: number; readonly end: number },
): Splices {
  const old = lines.slice(start, end);
  const first = old.find((line) => !isBlank(line));
  const fresh = trimmedBlank(code);
  if (first === undefined || end > lines.length) return 'notFound';
  // A block that is cut in the file must be cut in the answer too.
  if (isBalanced(old, whole(old)) !== isBalanced(fresh, whole(fresh))) return 'ambiguous';
  const least = fresh
    .filter((line) => !isBlank(line))
    .map(indentOf)
    .reduce((one, other) => (other.length < one.length ? other : one));
  const lead = old.findIndex((line) => !isBlank(line));
  const tail = old.findLastIndex((line) => !isBlank(line));
  return [{ start: start + lead, end: start + tail + 1, lines: reindented(fresh, least, indentOf(first)) }];
}

/** Code between two lines that stand for omitted code. */
interface Part {
  readonly lines: readonly string[];
  readonly isAfterElision: boolean;
  readonly isBeforeElision: boolean;
}

/** Splits code at the lines that stand for omitted code. */
function splitAtElisions(code: readonly string[], lines: readonly string[]): readonly Part[] {
  const there = new Set(lines.map((line) => line.trim()));
  const groups: string[][] = [[]];
  for (const line of code) {
    const elision = elisionIn(line);
    if (elision === 'strong' || (elision === 'weak' && !there.has(line.trim()))) groups.push([]);
    else groups.at(-1)!.push(line);
  }
  const parts = groups.map((group, index) => ({
    lines: trimmedBlank(group),
    isAfterElision: index > 0,
    isBeforeElision: index < groups.length - 1,
  }));
  const filled = parts.filter((part) => part.lines.some((line) => !isBlank(line)));
  return filled.length > 0 ? filled : [{ lines: [], isAfterElision: true, isBeforeElision: true }];
}

/** Places the parts in order, all or none: each between its first and last line, which must be found with certainty. */
function placeParts(parts: readonly Part[], search: FileSearch): Splices {
  const splices: Splice[] = [];
  let from = 0;
  for (const part of parts) {
    if (part.lines.length === 0) return 'notFound';
    const placed = placePart(part, search, from, splices.at(-1));
    if (typeof placed === 'string') return placed;
    splices.push(placed);
    from = placed.end;
  }
  return splices.length === 0 ? 'notFound' : disjoint(splices);
}

function placePart(
  { lines, isBeforeElision }: Part,
  search: FileSearch,
  from: number,
  before: Splice | undefined,
): Splice | 'notFound' | 'ambiguous' {
  const start = startOf(lines, search, from);
  if (start === 'ambiguous') return start;
  if (start === 'notFound') return before ? insertAtBlockEnd(lines, search, before) : 'notFound';
  const to = indentOf(search.text[start]!);
  const fresh = reindented(lines, indentOf(lines[0]!), to);
  const isOpen = isBeforeElision && !isBalanced(lines, { start: 0, head: 0, end: lines.length });
  const end = endOf(lines, search, start, isOpen);
  if (end === 'notFound' && isBeforeElision) return addImports(lines, search.text, start);
  if (typeof end === 'string') return end;
  return losesDefinitions(search.text, { start, head: start, end }, lines) ? 'ambiguous' : { start, end, lines: fresh };
}

/** Adds imports that follow unchanged lines, as far as there is nothing else that is new. */
function addImports(lines: readonly string[], text: readonly string[], start: number): Splice | 'notFound' {
  let same = 0;
  while (same < lines.length && lines[same]!.trim() === text[start + same]?.trim()) same++;
  const added = lines.slice(same);
  if (same === 0 || !added.every((line) => isBlank(line) || isImport(line))) return 'notFound';
  return { start: start + same, end: start + same, lines: added };
}

/** Whether a part of the text defines something at the level of its first line, or above, that the replacing lines don't. */
function losesDefinitions(text: readonly string[], { start, end }: Unit, lines: readonly string[]): boolean {
  const depth = indentOf(text[start]!).length;
  const names = new Set(lines.map(definedName));
  const others = text.slice(start + 1, end).filter((line) => indentOf(line).length <= depth);
  return others.map(definedName).some((name) => name !== undefined && !names.has(name));
}

/** Returns the line of the text at which lines begin: where as many of them as needed to be unique are, or where their name is defined. */
function startOf(lines: readonly string[], search: FileSearch, from: number): number | 'notFound' | 'ambiguous' {
  for (let count = 1; count <= Math.min(lines.length, 6); count++) {
    const { starts } = search.find(lines.slice(0, count), from);
    if (starts.length === 1) return starts[0]!;
    if (starts.length === 0) {
      if (count > 1) return 'ambiguous';
      break;
    }
    if (count === Math.min(lines.length, 6)) return 'ambiguous';
  }
  const name = definedName(lines[0]!);
  if (name === undefined) return 'notFound';
  const named = search.definitions(name).filter((at) => at >= from);
  if (named.length === 0) return 'notFound';
  return named.length === 1 ? named[0]! : 'ambiguous';
}

/** Returns the exclusive end of the lines of the text that these replace. */
function endOf(
  lines: readonly string[],
  search: FileSearch,
  start: number,
  isOpen: boolean,
): number | 'notFound' | 'ambiguous' {
  const { text } = search;
  if (lines.length === 1) return start + 1;
  const last = lines.at(-1)!;
  const indent = indentOf(lines[0]!);
  // The end of the block that the first line begins.
  if (!isOpen) {
    const block = search.unitAt(start);
    const own = unitsIn(lines);
    const isOneBlock = own.length === 1 && isBalanced(lines, { start: 0, head: 0, end: lines.length });
    if (isOneBlock && isBalanced(text, block)) {
      const isClosed = indentOf(last) === indent;
      if (!isClosed || text[block.end - 1]!.trim() === last.trim()) return block.end;
    }
  }
  for (let count = 1; count <= Math.min(lines.length - 1, 6); count++) {
    const tail = lines.slice(-count);
    const { starts } = search.find(tail, start + 1);
    if (starts.length === 1) return starts[0]! + count;
    if (starts.length === 0) return 'notFound';
  }
  return 'ambiguous';
}

/** Inserts new definitions at the end of a block that is marked by its indentation alone. */
function insertAtIndentEnd(
  lines: readonly string[],
  text: readonly string[],
  { head, end }: Unit,
): Splice | 'notFound' | 'ambiguous' {
  const depth = indentOf(text[head]!).length;
  const added = unitsIn(lines);
  if (added.some((unit) => indentOf(lines[unit.head]!).length <= depth)) return 'notFound';
  const inside = text.slice(head + 1, end);
  const known = new Set(inside.map(definedName));
  const names = added.map((unit) => definedName(lines[unit.head]!));
  if (names.some((name) => name === undefined || known.has(name))) return 'ambiguous';
  const sibling = inside.find((line) => !isBlank(line)) ?? lines[0]!;
  return { start: end, end, lines: ['', ...reindented(lines, indentOf(lines[0]!), indentOf(sibling))] };
}

/** Inserts new definitions, followed by the line that closes the block of the part before, at the end of that block. */
function insertAtBlockEnd(
  lines: readonly string[],
  search: FileSearch,
  before: Splice,
): Splice | 'notFound' | 'ambiguous' {
  const block = search.unitAt(before.start);
  if (/:\s*(?:#.*)?$/.test(search.text[before.start]!)) return insertAtIndentEnd(lines, search.text, block);
  const last = lines.at(-1)!;
  const depth = indentOf(last).length;
  const added = trimmedBlank(lines.slice(0, -1));
  if (added.length === 0 || !/^[}\])]+[;,]?$|^end\b/.test(last.trim())) return 'notFound';
  const close = block.end - 1;
  if (close < before.end || search.text[close]!.trim() !== last.trim() || !isBalanced(search.text, block))
    return 'notFound';
  if (!added.every((line) => isBlank(line) || indentOf(line).length > depth)) return 'notFound';
  const inside = search.text.slice(block.head + 1, close);
  const known = new Set(inside.map(definedName));
  const isNew = (name: string | undefined) => name !== undefined && !known.has(name);
  if (!unitsIn(added).every(({ head }) => isNew(definedName(added[head]!)))) return 'ambiguous';
  const sibling = inside.find((line) => !isBlank(line) && !/^\s*(?:\/\/|\/\*|\*|#)/.test(line));
  const fresh = reindented(added, indentOf(added[0]!), sibling === undefined ? indentOf(added[0]!) : indentOf(sibling));
  const isApart = close > 0 && !isBlank(search.text[close - 1]!) && !/[{[(]$/.test(search.text[close - 1]!.trim());
  return { start: close, end: close, lines: isApart ? ['', ...fresh] : fresh };
}
