import { elisionIn } from './elisions';
import { disjoint, type FileSearch, isImport, type Splices, trimmedBlank } from './fileSearch';
import { indentOf, isBlank, reindented, type Splice } from './textLines';
import { definedName, isBalanced, type Unit, unitsIn } from './units';

/** Code between two lines that stand for code which is left out. */
export interface Part {
  readonly lines: readonly string[];
  readonly isAfterElision: boolean;
  readonly isBeforeElision: boolean;
}

/** Splits code at the lines that stand for code which is left out. */
export function splitAtElisions(code: readonly string[], lines: readonly string[]): readonly Part[] {
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
export function placeParts(parts: readonly Part[], search: FileSearch): Splices {
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

/** Whether a part of the text defines something at the level of its first line, or above, that the lines in its place don't. */
export function losesDefinitions(text: readonly string[], { start, end }: Unit, lines: readonly string[]): boolean {
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
