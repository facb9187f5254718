import type { TextLine } from '../textLines';
import type { TextPart } from '../textSplit';

const marker = /^(?<indent>[ \t]*)(?<sign>[-*+•◦▪‣]|(?<number>\d{1,9})[.)])(?<gap>[ \t]+)(?=\S)/;
const emptyItem = /^[ \t]*(?:[-*+•◦▪‣]|\d{1,9}[.)])[ \t]*$/;
const thematicBreak = /^ {0,3}([-*_])(?:[ \t]*\1){2,}[ \t]*$/;
const heading = /^ {0,3}#{1,6}(?:[ \t]|$)/;
const checkbox = /^\[[ xX]\][ \t]+(?=\S)/;
/** A marker indented from the outermost by less than this is still on the same level. */
const deeper = 2;

interface Marked {
  readonly at: number;
  /** Columns before the marker, and before the text after it. */
  readonly indent: number;
  readonly width: number;
  /** Characters before the text after the marker. */
  readonly length: number;
  readonly number: number | undefined;
}

/**
 * Returns the outermost items of all lists, each with everything indented below it. Markers stay in position, so a list counted 1,
 * 2, 3 stays counted; numbers that do not count up are treated as names and move with their items.
 */
export function listParts(text: string, lines: readonly TextLine[]): readonly TextPart[] {
  const all = lines.flatMap((line, at) => readMarker(line, at) ?? []);
  const outermost = all.reduce((least, { indent }) => Math.min(least, indent), Number.POSITIVE_INFINITY);
  const items = all.filter(({ indent }) => indent < outermost + deeper);
  const movesMarker = !isCounted(items, lines, outermost);
  return items.map((item, index) => {
    const last = lastLine(lines, item.at, items[index + 1]?.at ?? lines.length, outermost);
    const { start: lineStart } = lines[item.at]!;
    const start = lineStart + (movesMarker ? 0 : item.length);
    const end = lines[last]!.end;
    const sent = sentText(lines.slice(item.at, last + 1), item);
    return { start, end, text: sent, ...(!movesMarker && { marker: { start: lineStart, width: item.width } }) };
  });
}

function readMarker({ text, isFenced }: TextLine, at: number): Marked | undefined {
  if (isFenced || thematicBreak.test(text)) return undefined;
  const found = marker.exec(text);
  if (!found?.groups) return undefined;
  const { indent = '', number } = found.groups;
  return {
    at,
    indent: columns(indent),
    width: columns(found[0]),
    length: found[0].length,
    number: number === undefined ? undefined : Number(number),
  };
}

/** A tab extends to the next multiple of four, as in Markdown. */
export function columns(indent: string): number {
  let column = 0;
  for (const sign of indent) column += sign === '\t' ? 4 - (column % 4) : 1;
  return column;
}

/** An item ends before the next item, before a heading or rule, and before an unindented paragraph after a blank line. */
function lastLine(lines: readonly TextLine[], first: number, next: number, outermost: number): number {
  let last = first;
  for (let at = first + 1; at < next; at++) {
    const line = lines[at]!;
    if (line.isBlank) continue;
    const isIndented = columns(/^[ \t]*/.exec(line.text)![0]) >= outermost + deeper;
    if (!isIndented && (lines[at - 1]!.isBlank || endsList(line))) break;
    last = at;
  }
  return last;
}

function endsList({ text, isFenced }: TextLine): boolean {
  return isFenced || heading.test(text) || thematicBreak.test(text) || emptyItem.test(text);
}

/** Whether the numbers of each list go up by one, or are all the same: then they are positions, not names. */
function isCounted(items: readonly Marked[], lines: readonly TextLine[], outermost: number): boolean {
  return items.every((item, index) => {
    const before = items[index - 1];
    if (item.number === undefined || before?.number === undefined) return true;
    const step = item.number - before.number;
    if (step === 0 || step === 1) return true;
    return isApart(lines, before.at, item.at, outermost);
  });
}

/** Whether text that belongs to no item separates the two, so that they are in different lists. */
function isApart(lines: readonly TextLine[], from: number, to: number, outermost: number): boolean {
  return lines.slice(lastLine(lines, from, to, outermost) + 1, to).some(({ isBlank }) => !isBlank);
}

/** Returns an item's text without its marker, checkbox and indentation. */
function sentText(lines: readonly TextLine[], { length, width }: Marked): string {
  const first = lines[0]!.text.slice(length).replace(checkbox, '');
  if (lines.length === 1) return first;
  const indented = new RegExp(`^[ \\t]{0,${width}}`);
  return [first, ...lines.slice(1).map(({ text }) => text.replace(indented, ''))].join('\n');
}
