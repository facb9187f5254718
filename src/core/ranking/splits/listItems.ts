import type { TextLine } from '../textLines';
import type { TextPart } from '../textSplit';

const blank = String.raw`[ \t\u3000]`;
const numeral = '[〇零一二三四五六七八九十百]{1,7}';
const anyGap = String.raw`${blank}*(?=\S)`;
const space = String.raw`${blank}+(?=\S)`;
const spaceOrHan = String.raw`(?:${space}|(?=\p{sc=Han}))`;

/** Outermost first, as documents nest them. */
const kinds = ['ordinal', 'bracketedOrdinal', 'number', 'bracketedNumber', 'circled', 'bullet'] as const;
type Kind = (typeof kinds)[number];
/** Chinese documents nest other kinds below these without indentation. */
const nestsByKind: ReadonlySet<Kind> = new Set(['ordinal', 'bracketedOrdinal', 'bracketedNumber', 'circled']);
/** The signs of each kind, and what must follow. */
const signs: readonly (readonly [kind: Kind, sign: string, gap: string])[] = [
  ['ordinal', `${numeral}、`, anyGap],
  ['ordinal', `${numeral}[.．]`, spaceOrHan],
  ['bracketedOrdinal', `[（(]${numeral}[）)][、.．]?|[㈠-㈩]`, anyGap],
  ['number', String.raw`\d{1,9}[、）]|[⒈-⒛]`, anyGap],
  ['number', String.raw`\d{1,9}[.)．]`, spaceOrHan],
  ['bracketedNumber', String.raw`（\d{1,9}）[、.．]?|[⑴-⒇]`, anyGap],
  ['bracketedNumber', String.raw`\(\d{1,9}\)`, spaceOrHan],
  ['circled', '[①-⑳㉑-㉟㊱-㊿❶-❿][、.．]?', anyGap],
  ['bullet', '[-*+•◦▪‣]', space],
  ['bullet', '[•◦▪‣·●○■□◆◇▲△▶►※](?=[^•◦▪‣·●○■□◆◇▲△▶►※])', anyGap],
];
const markers = signs.map(([kind, sign, gap]) => ({
  kind,
  pattern: new RegExp(`^(?<indent>${blank}*)(?<sign>${sign})${gap}`, 'u'),
}));
const emptyItem = new RegExp(
  `^${blank}*(?:${signs.map(([, sign]) => sign.replace(/\(\?=.*/, '')).join('|')})${blank}*$`,
  'u',
);
const thematicBreak = /^ {0,3}([-*_])(?:[ \t]*\1){2,}[ \t]*$/;
const heading = /^ {0,3}#{1,6}(?:[ \t]|$)/;
const checkbox = /^\[[ xX]\][ \t]+(?=\S)/;
/** A marker indented from the outermost by less than this is still on the same level. */
const deeper = 2;

interface Marked {
  readonly at: number;
  readonly kind: Kind;
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
  const items = outermostKind(all.filter(({ indent }) => indent < outermost + deeper));
  const lists = listsOf(items, lines, outermost);
  const movesMarker = !isCounted(items, lists);
  return items.map((item, index) => {
    const last = lastLine(lines, item, items[index + 1], outermost);
    const { start: lineStart } = lines[item.at]!;
    const start = lineStart + (movesMarker ? 0 : item.length);
    const end = lines[last]!.end;
    const sent = sentText(lines.slice(item.at, last + 1), item);
    const marker = !movesMarker && { marker: { start: lineStart, width: item.width } };
    return { start, end, text: sent, list: lists[index]!, ...marker };
  });
}

/** Returns the items that contain the others: all of them, unless kinds nest others without indentation; then those of the outermost list. */
function outermostKind(items: readonly Marked[]): readonly Marked[] {
  if (!items.some(({ kind }) => nestsByKind.has(kind))) return items;
  const of = (kind: Kind) => items.filter((item) => item.kind === kind);
  const outer = kinds.find((kind) => of(kind).length > 1) ?? kinds.find((kind) => of(kind).length > 0);
  return outer === undefined ? items : of(outer);
}

function readMarker({ text, isFenced }: TextLine, at: number): Marked | undefined {
  if (isFenced || thematicBreak.test(text)) return undefined;
  for (const { kind, pattern } of markers) {
    const found = pattern.exec(text);
    if (!found?.groups) continue;
    const { indent = '', sign = '' } = found.groups;
    const number = kind === 'bullet' ? undefined : numberOf(sign);
    return { at, kind, indent: columns(indent), width: columns(found[0]), length: found[0].length, number };
  }
  return undefined;
}

const hanDigits = '〇一二三四五六七八九';
const firstDingbat = '❶'.charCodeAt(0);

/** Returns the number of a marker in any of its forms: `12.`, `（12）`, `⑫`, `十二、`. */
function numberOf(sign: string): number {
  if (/[❶-❿]/.test(sign)) return sign.charCodeAt(0) - firstDingbat + 1;
  const plain = sign.normalize('NFKC');
  const digits = /\d+/.exec(plain)?.[0];
  if (digits !== undefined) return Number(digits);
  let sum = 0;
  let digit = 0;
  for (const letter of plain.replaceAll('零', '〇')) {
    if (hanDigits.includes(letter)) digit = digit * 10 + hanDigits.indexOf(letter);
    else if (letter === '十' || letter === '百') {
      sum += (digit || 1) * (letter === '十' ? 10 : 100);
      digit = 0;
    }
  }
  return sum + digit;
}

/** A tab extends to the next multiple of four, as in Markdown. An ideographic space is two columns wide. */
export function columns(indent: string): number {
  let column = 0;
  for (const sign of indent) column += sign === '\t' ? 4 - (column % 4) : sign === '\u3000' ? 2 : 1;
  return column;
}

/**
 * An item ends before the next item, before a heading or rule, and before an unindented paragraph after a blank line. Between two
 * consecutive Chinese ordinals everything belongs to the first.
 */
function lastLine(lines: readonly TextLine[], item: Marked, next: Marked | undefined, outermost: number): number {
  const isOutline =
    item.kind.toLowerCase().endsWith('ordinal') && next !== undefined && next.number === (item.number ?? 0) + 1;
  let last = item.at;
  for (let at = item.at + 1; at < (next?.at ?? lines.length); at++) {
    const line = lines[at]!;
    if (line.isBlank) continue;
    const isInside = isOutline || isBelow(line, at, item, outermost);
    if (!isInside && (lines[at - 1]!.isBlank || endsList(line))) break;
    last = at;
  }
  return last;
}

/** Whether a line is indented, or has a marker of a kind that is nested below the item's without indentation. */
function isBelow(line: TextLine, at: number, { kind }: Marked, outermost: number): boolean {
  if (columns(/^[ \t\u3000]*/.exec(line.text)![0]) >= outermost + deeper) return true;
  const nested = readMarker(line, at);
  return nested !== undefined && kinds.indexOf(nested.kind) > kinds.indexOf(kind);
}

function endsList({ text, isFenced }: TextLine): boolean {
  return isFenced || heading.test(text) || thematicBreak.test(text) || emptyItem.test(text);
}

/** Whether the numbers of each list go up by one, or are all the same: then they are positions, not names. */
function isCounted(items: readonly Marked[], lists: readonly number[]): boolean {
  return items.every((item, index) => {
    const before = items[index - 1];
    if (item.number === undefined || before?.number === undefined || lists[index] !== lists[index - 1]) return true;
    const step = item.number - before.number;
    return step === 0 || step === 1;
  });
}

/** Returns the number of the list of each item. Lists have text between them, or markers of different kinds. */
function listsOf(items: readonly Marked[], lines: readonly TextLine[], outermost: number): readonly number[] {
  let list = 0;
  return items.map((item, index) => {
    const before = items[index - 1];
    if (
      before &&
      (before.kind !== item.kind || isRestart(before, item, lines) || isApart(lines, before, item, outermost))
    )
      list += 1;
    return list;
  });
}

/** Whether a numbered list restarts after a blank line. */
function isRestart(before: Marked, item: Marked, lines: readonly TextLine[]): boolean {
  if (item.number !== 1 || before.number === undefined || before.number < 2) return false;
  return lines[item.at - 1]?.isBlank === true;
}

/** Whether text that belongs to no item separates the two, so that they are in different lists. */
function isApart(lines: readonly TextLine[], from: Marked, to: Marked, outermost: number): boolean {
  return lines.slice(lastLine(lines, from, to, outermost) + 1, to.at).some(({ isBlank }) => !isBlank);
}

/** Returns an item's text without its marker, checkbox and indentation. */
function sentText(lines: readonly TextLine[], { length, width }: Marked): string {
  const first = lines[0]!.text.slice(length).replace(checkbox, '');
  if (lines.length === 1) return first;
  const indented = new RegExp(`^[ \\t\\u3000]{0,${width}}`);
  return [first, ...lines.slice(1).map(({ text }) => text.replace(indented, ''))].join('\n');
}
