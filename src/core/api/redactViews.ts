/** A text with some of its escapes undone or its separators removed. */
export interface View {
  readonly text: string;
  /** How a key is written in this view; `undefined`: any form. */
  readonly holds?: 'bytes' | 'hex' | 'bare';
  /** No escapes are undone, so that the forms that are rarely written are looked for too. */
  readonly isAsWritten?: true;
  /** Maps the start of a range in this view to the original text. */
  startOf(this: void, at: number): number;
  /** Maps the end of a range in this view to the original text. */
  endOf(this: void, at: number): number;
}

/** The longest escape of one character, as in `\u0026#x00NN;`. */
export const mostEscaped = 16;
/** A list with fewer numbers, or fewer separators, is too short for a key. */
const fewestInList = 7;

/** Yields the text itself and every view of it that may hold a key in another form, in time linear in its length. */
export function* viewsOf(text: string): Iterable<View> {
  const itself: View = { text, isAsWritten: true, startOf: (at) => at, endOf: (at) => at };
  yield itself;
  const inOneLine = changed(itself, lineEnds);
  if (inOneLine) yield { ...inOneLine, isAsWritten: true };
  yield* found(changed(itself, unseen));
  yield* found(changed(itself, bytes, fewestInList), 'bytes');
  yield* found(changed(itself, dividersOfHex, fewestInList), 'hex');
  for (const first of escapes) {
    const view = changed(itself, first);
    if (!view) continue;
    yield view;
    for (const second of escapes) yield* found(changed(view, second));
  }
}

function found(view: View | undefined, holds?: View['holds']): readonly View[] {
  if (!view) return [];
  return [holds === undefined ? view : { ...view, holds }];
}

/**
 * A replacement of each match by one character or nothing: group 1 or 4 is its code in hexadecimal, group 2 in decimal, group 5 in octal,
 * group 3 its name.
 */
interface Change {
  readonly pattern: RegExp;
  /** A text without this string has nothing to replace. */
  readonly sign?: string;
}

/** The characters of a key, printable ASCII, as hexadecimal and decimal numbers. */
const hex = '(2[1-9a-f]|[3-6][0-9a-f]|7[0-9a-e])';
const decimal = '(3[3-9]|[4-9][0-9]|1[01][0-9]|12[0-6])';
/** One or more, in several matches if there are many: a run of millions would overflow the stack of the regular expression. */
const run = '{1,1000}';
/** Encoded texts are broken into lines, which may be indented. */
const lineEnd = String.raw`[\r\n]${run}[ \t]{0,1000}`;

/** Characters that are not seen, and the zeros of UTF-16. */
const unseen: Change = { pattern: /[\0\u00ad\u200b-\u200f\u2060-\u2064\ufeff]{1,1000}/g };
const separators = /[\s\u200b-\u200f\u2060-\u2064\ufeff.,:;|/\\'"_+=-]{1,1000}/g;
const bare: Change = { pattern: separators };

/** Returns a text without what may separate the parts of a key. */
export function withoutSeparators(text: string): string {
  return text.replaceAll(separators, '');
}

/** Returns the view of a text without separators, in which a key is looked for without its own. */
export function bareView(text: string): View | undefined {
  return found(changed({ text, startOf: (at) => at, endOf: (at) => at }, bare), 'bare')[0];
}

const lineEnds: Change = { pattern: new RegExp(lineEnd, 'g') };
const escapes: readonly Change[] = [
  { sign: '%', pattern: new RegExp(`%${hex}|(?:%0[ad])${run}|${lineEnd}`, 'gi') },
  {
    sign: '\\',
    pattern: new RegExp(
      String.raw`\\(?:(?:u00|x)${hex}|()(["/\\])|u\{0{0,4}${hex}\}|(1[0-7]{2}|0?[4-7][0-7]))|(?:\\[rn])${run}|${lineEnd}`,
      'gi',
    ),
  },
  {
    sign: '&',
    pattern: new RegExp(`&(?:#(?:x0{0,6}${hex}|0{0,6}${decimal});?|(amp|lt|gt|quot|apos);)|${lineEnd}`, 'gi'),
  },
];
/** The decimal numbers of a list, with the commas between them. */
const bytes: Change = {
  sign: ',',
  pattern: new RegExp(String.raw`()(?<![\d.])${decimal}(?![\d.])|(?<=\d)\s{0,4},\s{0,40}(?=\d)`, 'g'),
};
/** Separators between two-digit numbers: `73:6b`, `73 6b`, `0x73, 0x6b`. */
const dividersOfHex: Change = {
  pattern: /(?<=[\da-f]{2})[\s,:-]{1,3}(?:0x)?(?=[\da-f]{2})/gi,
};

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Returns `undefined` if fewer than `fewest` matches change, or none of them is an escape. */
function changed(view: View, { pattern, sign }: Change, fewest = 1): View | undefined {
  const { text } = view;
  if (sign !== undefined && !text.includes(sign)) return undefined;
  const parts: string[] = [];
  /** Twice the offset after each replacement in the new text, plus one if it is empty: an end at that offset is then not shifted. */
  const places: number[] = [];
  /** By how many characters the new text is shorter from there on. */
  const lost: number[] = [];
  let from = 0;
  let missing = 0;
  let escaped = 0;
  for (const { 0: whole, 1: digits, 2: number, 3: name, 4: others, 5: octal, index } of text.matchAll(pattern)) {
    const char = octal ? String.fromCharCode(Number.parseInt(octal, 8)) : charOf(digits || others, number, name);
    if (index > from) parts.push(text.slice(from, index));
    if (char !== '') parts.push(char);
    if (sign === undefined || whole.includes(sign) || char !== '') escaped += 1;
    from = index + whole.length;
    missing += whole.length - char.length;
    places.push((from - missing) * 2 + (char === '' ? 1 : 0));
    lost.push(missing);
  }
  if (escaped < fewest) return undefined;
  parts.push(text.slice(from));
  const before = (at: number) => lost[lastUpTo(places, at)] ?? 0;
  return {
    text: parts.join(''),
    startOf: (at) => view.startOf(at + before(at * 2 + 1)),
    endOf: (at) => view.endOf(at + before(at * 2)),
  };
}

function charOf(digits: string | undefined, number: string | undefined, name: string | undefined): string {
  if (digits) return String.fromCharCode(Number.parseInt(digits, 16));
  if (number) return String.fromCharCode(Number(number));
  return name === undefined ? '' : (named[name.toLowerCase()] ?? name);
}

/** Returns the index of the last entry not greater than `at`; -1 if all are. */
function lastUpTo(places: readonly number[], at: number): number {
  let low = -1;
  let high = places.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((places[middle] ?? 0) <= at) low = middle;
    else high = middle - 1;
  }
  return low;
}
