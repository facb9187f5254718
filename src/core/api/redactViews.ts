/** A text as it reads once some of its escapes are undone, or what divides its parts is left out. */
export interface View {
  readonly text: string;
  /** What a key in it is written as; `undefined`: anything. */
  readonly holds?: 'bytes' | 'hex';
  /** Where a part that begins here begins in the text itself, */
  startOf(this: void, at: number): number;
  /** and where one that ends here ends. */
  endOf(this: void, at: number): number;
}

/** The most characters that stand for one, as in `\u0026#x00NN;`. */
export const mostEscaped = 16;
/** A list of fewer numbers, or of fewer places between them, is too short for a key. */
const fewestInList = 7;

/** The text itself and all that may hold a key written otherwise, in time that grows with the text. */
export function* viewsOf(text: string): Iterable<View> {
  const itself: View = { text, startOf: (at) => at, endOf: (at) => at };
  yield itself;
  yield* found(changed(itself, lineEnds));
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

/** What is found becomes a character, or nothing: the first group has its code in hexadecimal, the second as a decimal, the third names it. */
interface Change {
  readonly pattern: RegExp;
  /** There is nothing to undo in a text without it. */
  readonly sign?: string;
}

/** What a key is made of: the printable characters of ASCII, as hexadecimal and decimal numbers. */
const hex = '(2[1-9a-f]|[3-6][0-9a-f]|7[0-9a-e])';
const decimal = '(3[3-9]|[4-9][0-9]|1[01][0-9]|12[0-6])';
/** Encoded texts come in lines, at times indented. */
const lineEnd = String.raw`[\r\n]+[ \t]*`;

const lineEnds: Change = { pattern: new RegExp(lineEnd, 'g') };
const escapes: readonly Change[] = [
  { sign: '%', pattern: new RegExp(`%${hex}|(?:%0[ad])+|${lineEnd}`, 'gi') },
  { sign: '\\', pattern: new RegExp(String.raw`\\(?:(?:u00|x)${hex}|()(["/\\]))|(?:\\[rn])+|${lineEnd}`, 'gi') },
  {
    sign: '&',
    pattern: new RegExp(`&(?:#(?:x0{0,6}${hex}|0{0,6}${decimal});?|(amp|lt|gt|quot|apos);)|${lineEnd}`, 'gi'),
  },
];
/** Those of a list, with the commas between them. */
const bytes: Change = {
  sign: ',',
  pattern: new RegExp(String.raw`()(?<![\d.])${decimal}(?![\d.])|(?<=\d)\s{0,4},\s{0,40}(?=\d)`, 'g'),
};
/** What stands between numbers of two digits: `73:6b`, `73 6b`, `0x73, 0x6b`. */
const dividersOfHex: Change = {
  pattern: /(?<=[\da-f]{2})[\s,:-]{1,3}(?:0x)?(?=[\da-f]{2})/gi,
};

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** `undefined` where fewer than so many places change, or no escape is among them. */
function changed(view: View, { pattern, sign }: Change, fewest = 1): View | undefined {
  const { text } = view;
  if (sign !== undefined && !text.includes(sign)) return undefined;
  const parts: string[] = [];
  /** Twice the place from which on the text is shorter, and one more where nothing is left at it: what ends there is not changed. */
  const places: number[] = [];
  /** By how much. */
  const lost: number[] = [];
  let from = 0;
  let missing = 0;
  let escaped = 0;
  for (const { 0: whole, 1: digits, 2: number, 3: name, index } of text.matchAll(pattern)) {
    const char = charOf(digits, number, name);
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

/** The index of the last that is not beyond; -1 where all are. */
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
