import { jsonParts } from './splits/jsonArray';
import { listParts } from './splits/listItems';
import { sentenceParts } from './splits/sentences';
import { sectionParts } from './splits/sections';
import { tableParts } from './splits/tableRows';
import { readLines } from './textLines';
import type { TextLine } from './textLines';
import type { SplitBy, TextPart, TextSplit } from './textSplit';

/** In the order in which they are offered. */
const ways: readonly SplitBy[] = [
  'rows',
  'lines',
  'paragraphs',
  'sentences',
  'listItems',
  'sections',
  'jsonArray',
  'whole',
];

/**
 * Splits a text into documents. Text that belongs to none (a preamble before a heading, the header of a table, blank lines, commas) is
 * between them. `columns`: those of a table to send, or all if none are named.
 */
export function splitText(text: string, by: SplitBy, columns: readonly string[] = []): TextSplit {
  return splitLines(text, by, readLines(text), columns);
}

/** Returns how many documents each kind of split yields, without those that yield none. */
export function possibleSplits(text: string): readonly { readonly by: SplitBy; readonly count: number }[] {
  const lines = readLines(text);
  return ways.map((by) => ({ by, count: splitLines(text, by, lines).parts.length })).filter(({ count }) => count > 0);
}

/** Longer blocks are rarely what a user means by one document of many. */
const linesOfParagraph = 20;
/** The least share of a text that must be in list items for it to count as a list. */
const partOfList = 0.8;

/**
 * Returns the most likely way to split a text into documents. `languageId` is the editor's: Markdown syntax has no meaning in code
 * of another language.
 */
export function proposeSplit(text: string, languageId = 'plaintext'): SplitBy {
  const lines = readLines(text);
  const split = (by: SplitBy) => splitLines(text, by, lines).parts;
  if (split('jsonArray').length > 1) return 'jsonArray';
  if (isProse(languageId)) {
    if (split('sections').length > 1) return 'sections';
    const items = split('listItems');
    const inItems = items.reduce((sum, { start, end, marker }) => sum + end - (marker?.start ?? start), 0);
    if (items.length > 1 && inItems >= partOfList * text.trim().length) return 'listItems';
  }
  const written = split('lines').length;
  if (written < 2) return isProse(languageId) && split('sentences').length > 1 ? 'sentences' : 'whole';
  const paragraphs = split('paragraphs').length;
  return paragraphs > 1 && written / paragraphs <= linesOfParagraph ? 'paragraphs' : 'lines';
}

function isProse(languageId: string): boolean {
  return languageId === 'markdown' || languageId === 'plaintext';
}

function splitLines(text: string, by: SplitBy, lines: readonly TextLine[], columns: readonly string[] = []): TextSplit {
  if (text.includes('\0')) return { by, parts: [], problem: 'binary' };
  if (lines.every(({ isBlank }) => isBlank)) return { by, parts: [], problem: 'blank' };
  switch (by) {
    case 'whole':
      return { by, parts: wholePart(text, lines) };
    case 'lines':
      return { by, parts: lineParts(lines) };
    case 'paragraphs':
      return { by, parts: paragraphParts(text, lines) };
    case 'sentences':
      return { by, parts: sentenceParts(text, lines) };
    case 'listItems':
      return partsOr(by, listParts(text, lines), 'noListItems');
    case 'sections':
      return partsOr(by, sectionParts(text, lines), 'noSections');
    case 'rows':
      return partsOr(by, tableParts(text, columns) ?? [], 'notTable');
    case 'jsonArray': {
      const parts = jsonParts(text);
      return typeof parts === 'string' ? { by, parts: [], problem: parts } : { by, parts };
    }
  }
}

function partsOr(by: SplitBy, parts: readonly TextPart[], problem: NonNullable<TextSplit['problem']>): TextSplit {
  return parts.length > 0 ? { by, parts } : { by, parts, problem };
}

function wholePart(text: string, lines: readonly TextLine[]): readonly TextPart[] {
  const { start } = lines.find(({ isBlank }) => !isBlank)!;
  const { end } = lines.findLast(({ isBlank }) => !isBlank)!;
  return [{ start, end, text: text.slice(start, end) }];
}

/** Returns each line that is not blank. It moves with its indentation, but is sent without. */
function lineParts(lines: readonly TextLine[]): readonly TextPart[] {
  return lines.filter(({ isBlank }) => !isBlank).map(({ start, end, text }) => ({ start, end, text: text.trim() }));
}

/** Returns each block of lines between blank ones. A blank line within fenced code does not end a block. */
function paragraphParts(text: string, lines: readonly TextLine[]): readonly TextPart[] {
  const parts: TextPart[] = [];
  let open: { readonly start: number; end: number } | undefined;
  const close = (): void => {
    if (open) parts.push({ ...open, text: text.slice(open.start, open.end) });
    open = undefined;
  };
  for (const { start, end, isBlank, isFenced } of lines) {
    if (isBlank && !isFenced) {
      close();
      continue;
    }
    open ??= { start, end };
    open.end = end;
  }
  close();
  return parts;
}
