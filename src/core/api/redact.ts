/**
 * Removes keys from a text that may echo them, in time linear in its length. If `maxChars` is set, returns only that much of the
 * text, and nothing of a key that extends beyond that point.
 */
export interface Redact {
  (text: string, maxChars?: number): string;
  /** The same for a text in pieces: returns what is left of each. A key that spans several is replaced by the mark in the first. */
  pieces(texts: readonly string[]): readonly string[];
  /** Removes only literal keys, for texts that are too large for more and rarely contain any. */
  plain(this: void, text: string): string;
  /** Returns the position of a partial key, of one character or more, at the end of a text, or the text's length without one. */
  begun(this: void, text: string): number;
  /** Returns the characters that follow in a key after a beginning that `begun` found. */
  next(this: void, beginning: string): readonly string[];
  /**
   * Whether JSON might contain a key, or a string that ends with the beginning of one. False for nearly all other JSON, and far faster than
   * the other methods.
   */
  mayHold(this: void, json: string): boolean;
  /** The length of the longest key that `begun` finds; 0 if there is none. */
  readonly longest: number;
}

export const redacted = '[key]';

/** Shorter keys aren't searched for, because a word such as `none`, which services without keys accept, is part of too many others. */
const shortestKey = 8;

/**
 * Removes the keys as plain text, hexadecimal, base64 (also inside a longer encoded text, with or without line breaks) and lists of
 * bytes, each as is or as URLs, JSON strings and HTML escape it, in whole or in part, up to twice. Also removes the larger part of a
 * key whose rest was cut off. A text without its keys stays as it is when it passes here again.
 */
export function createRedact(keys: readonly string[]): Redact {
  const forms = keys.flatMap(formsOf);
  const plainForms = forms.filter(({ kind }) => kind === 'plain');
  const followed = plainForms.filter(({ whole }) => whole.length <= longestFollowed);
  const reach = forms.map(({ whole }) => whole.length).reduce((most, one) => Math.max(most, one), 0) * mostEscaped;
  const redact = (text: string, maxChars = text.length): string => {
    const seen = text.length > maxChars + reach ? text.slice(0, maxChars + reach) : text;
    return without(spansIn(seen, forms), [seen.slice(0, maxChars)]).join('');
  };
  return Object.assign(redact, {
    pieces: (texts: readonly string[]) => without(spansIn(texts.join(''), forms), texts),
    plain: (text: string) => plainForms.reduce((left, { whole }) => left.replaceAll(whole, redacted), text),
    begun: (text: string) => followed.reduce((first, { whole }) => Math.min(first, begunAt(text, whole)), text.length),
    next: (beginning: string) => followed.flatMap(({ whole }) => nextIn(whole, beginning)),
    mayHold: testFor(plainForms.map(({ whole }) => whole)),
    longest: followed.reduce((most, { whole }) => Math.max(most, whole.length), 0),
  });
}

interface Form {
  /** Hexadecimal is matched in either case; `whole` and `known` are in lower case. */
  readonly kind: 'plain' | 'hex' | 'base64' | 'bare';
  /** It is looked for only in texts as they are written. */
  readonly isRare?: true;
  readonly whole: string;
  /** The beginning, which identifies a key whose rest was cut off. */
  readonly known: string;
  /** Whether a base64 character at either edge may also encode bits of the surrounding text. */
  readonly edges?: { readonly before: boolean; readonly after: boolean };
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** Shorter beginnings are common to many keys. */
const shortestPart = 16;
function formsOf(key: string): readonly Form[] {
  if (key.length < shortestKey) return [];
  const part = key.slice(0, Math.max(shortestPart, Math.ceil(key.length / 2)));
  const plain: Form = { kind: 'plain', whole: key, known: part };
  const [whole, known] = [key, part].map((text) => Buffer.from(text).toString('hex')) as [string, string];
  const encoded = inBase64(Buffer.from(key), Buffer.from(part));
  const [wide, wideKnown] = [key, part].map((text) => Buffer.from(text, 'utf16le')) as [Buffer, Buffer];
  const rare = [
    { kind: 'hex' as const, whole: wide.toString('hex'), known: wideKnown.toString('hex') },
    ...inBase64(wide, wideKnown),
    ...encoded.flatMap((once) => inBase64(Buffer.from(once.whole), Buffer.from(once.known))),
  ].map((form) => ({ ...form, isRare: true as const }));
  const bare = { kind: 'bare' as const, whole: withoutSeparators(key), known: withoutSeparators(part) };
  const ofBare = bare.known.length >= shortestPart - 2 ? [bare] : [];
  return [plain, { kind: 'hex', whole, known }, ...encoded, ...rare, ...ofBare];
}

function inBase64(key: Buffer, part: Buffer): readonly Form[] {
  return [0, 1, 2].flatMap((before) => base64Forms(key, part, before));
}

/** Returns the base64 forms of a key preceded by `before` bytes, or by 3, 6 and so on more. */
function base64Forms(key: Buffer, part: Buffer, before: number): readonly Form[] {
  const bits = before * 8;
  const inner = (text: Buffer, encoding: 'base64' | 'base64url') =>
    Buffer.concat([Buffer.alloc(before), text])
      .toString(encoding)
      .slice(Math.ceil(bits / 6), Math.floor((bits + text.length * 8) / 6));
  const edges = { before: bits % 6 > 0, after: (bits + key.length * 8) % 6 > 0 };
  const forms = (['base64', 'base64url'] as const).map((encoding) => ({
    kind: 'base64' as const,
    whole: inner(key, encoding),
    known: inner(part, encoding),
    edges,
  }));
  return forms[0]?.whole === forms[1]?.whole ? forms.slice(0, 1) : forms;
}

/** Returns sorted spans that do not overlap. */
function spansIn(text: string, forms: readonly Form[]): readonly Span[] {
  const spans: Span[] = [];
  if (forms.length > 0) for (const view of viewsOf(text)) findIn(view, forms, spans);
  const bare = forms.filter(({ kind }) => kind === 'bare');
  const packed = bare.length > 0 ? withoutSeparators(text) : '';
  // The view costs more than looking whether it is worth it.
  const view = bare.some(({ known }) => packed.includes(known)) ? bareView(text) : undefined;
  if (view) findIn(view, bare, spans);
  const apart: Span[] = [];
  for (const span of spans.toSorted((one, other) => one.start - other.start || other.end - one.end)) {
    const last = apart.at(-1);
    if (!last || span.start >= last.end) apart.push(span);
    else if (span.end > last.end) apart[apart.length - 1] = { start: last.start, end: span.end };
  }
  return apart;
}

function findIn(view: View, forms: readonly Form[], into: Span[]): void {
  const { text, holds } = view;
  let lower: string | undefined;
  for (const form of forms) {
    if (form.isRare && !view.isAsWritten) continue;
    if ((form.kind === 'bare') !== (holds === 'bare')) continue;
    if (holds === 'hex' && form.kind !== 'hex') continue;
    if (holds === 'bytes' && form.kind !== 'plain') continue;
    if (form.kind === 'hex') lower ??= lowerCase(text);
    find(form, form.kind === 'hex' ? (lower ?? text) : text, view, into);
  }
}

/** Keeps the length of the text: U+0130 alone would get longer. */
function lowerCase(text: string): string {
  return text.replaceAll('\u0130', 'I').toLowerCase();
}

function find({ whole, known, edges }: Form, text: string, { startOf, endOf }: View, into: Span[]): void {
  for (let start = text.indexOf(known); start !== -1;) {
    let end = start + known.length;
    while (end - start < whole.length && text[end] === whole[end - start]) end += 1;
    const before = edges?.before === true && isBase64(text[start - 1]) ? 1 : 0;
    if (edges?.after === true && isBase64(text[end])) end += 1;
    for (let padding = 0; edges && padding < 2 && text[end] === '='; padding += 1) end += 1;
    into.push({ start: startOf(start - before), end: endOf(end) });
    start = text.indexOf(known, end);
  }
}

/** No service has longer keys, and to follow one through a stream takes time with its length. */
const longestFollowed = 4096;

function begunAt(text: string, key: string): number {
  const first = Math.max(0, text.length - key.length + 1);
  for (let at = text.indexOf(key.charAt(0), first); at !== -1; at = text.indexOf(key.charAt(0), at + 1)) {
    if (key.startsWith(text.slice(at))) return at;
  }
  return text.length;
}

/** Also considers that only the end of `beginning` may be the beginning of this key. */
function nextIn(key: string, beginning: string): readonly string[] {
  const next: string[] = [];
  for (let at = 0; at < beginning.length; at += 1) {
    if (key.startsWith(beginning.slice(at))) next.push(key.charAt(beginning.length - at));
  }
  return next;
}

function inPattern(char: string): string {
  return String.raw`\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** A beginning of up to three characters is looked for before a quotation mark, and a longer one anywhere. */
function testFor(keys: readonly string[]): (json: string) => boolean {
  if (keys.length === 0) return () => false;
  const signs = keys.map((key) => {
    const [first = '', second = '', third = '', fourth = ''] = key.slice(0, 4).split('').map(inPattern);
    // An alternative for each beginning would take twice the time.
    return `${first}(?:${second}(?:${third}(?:${fourth}|"(?!:))|"(?!:))|"(?!:))`;
  });
  const pattern = new RegExp(signs.join('|'));
  // JSON may escape any character of a key, as a number or, if the key has one of these, by itself.
  const escape = keys.some((key) => /["\\/]/.test(key)) ? '\\' : String.raw`\u00`;
  return (json) => pattern.test(json) || json.includes(escape);
}

function isBase64(char: string | undefined): boolean {
  return char !== undefined && /[\w+/-]/.test(char);
}

/** Returns the pieces of a text, or of its beginning, without what the spans cover. */
function without(spans: readonly Span[], texts: readonly string[]): readonly string[] {
  let next = 0;
  let end = 0;
  return texts.map((text) => {
    const begin = end;
    end += text.length;
    const parts: string[] = [];
    let from = begin;
    for (let span = spans[next]; span && span.start < end; span = spans[next]) {
      if (span.start >= begin) parts.push(text.slice(from - begin, span.start - begin), redacted);
      from = Math.min(span.end, end);
      if (span.end > end) break;
      next += 1;
    }
    parts.push(text.slice(from - begin));
    return parts.join('');
  });
}

/** A text with some of its escapes undone or its separators removed. */
interface View {
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
const mostEscaped = 16;
/** A list with fewer numbers, or fewer separators, is too short for a key. */
const fewestInList = 7;

/** Yields the text itself and every view of it that may hold a key in another form, in time linear in its length. */
function* viewsOf(text: string): Iterable<View> {
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
function withoutSeparators(text: string): string {
  return text.replaceAll(separators, '');
}

/** Returns the view of a text without separators, in which a key is looked for without its own. */
function bareView(text: string): View | undefined {
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
