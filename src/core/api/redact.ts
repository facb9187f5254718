/**
 * Takes keys out of a text that may echo them, in time that grows with the text. Of a text longer than `maxChars` only its first
 * part is kept, and of a key that reaches beyond that place nothing is.
 */
export type Redact = (text: string, maxChars?: number) => string;

export const redacted = '[key]';

/**
 * The keys go as they are, in hexadecimal and in base64 (also where they stand within a longer text that was so encoded), each of
 * these as it is and as addresses and JSON escape it, in whole or in part, up to twice. The larger part of a key goes too, where the rest was cut off.
 */
export function createRedact(keys: readonly string[]): Redact {
  const forms = keys.flatMap(formsOf);
  const reach = Math.max(0, ...forms.map(({ whole }) => whole.length)) * mostEscaped;
  return (text, maxChars = text.length) => {
    const seen = text.length > maxChars + reach ? text.slice(0, maxChars + reach) : text;
    const kept = seen.slice(0, maxChars);
    const spans: Span[] = [];
    for (const view of viewsOf(seen)) for (const form of forms) find(form, view, spans);
    return spans.length === 0 ? kept : without(spans, kept);
  };
}

interface Form {
  readonly whole: string;
  /** Its beginning, by which it is known where the rest was cut off. */
  readonly known: string;
  /** A text of which the key is a part may share the base64 characters at its edges. */
  readonly edges?: { readonly before: boolean; readonly after: boolean };
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** Encoded, a shorter one is too short to be told from other text. */
const shortestEncoded = 8;
/** A shorter beginning is common to keys. */
const shortestPart = 16;
/** As `%25XX`, or `\\u00XX`. */
const mostEscaped = 7;

function formsOf(key: string): readonly Form[] {
  if (key === '') return [];
  const part = key.slice(0, Math.max(shortestPart, Math.ceil(key.length / 2)));
  const plain: Form = { whole: key, known: part };
  if (key.length < shortestEncoded) return [plain];
  const [whole, known] = [key, part].map((text) => Buffer.from(text).toString('hex')) as [string, string];
  const hex = [
    { whole, known },
    { whole: whole.toUpperCase(), known: known.toUpperCase() },
  ];
  return [plain, ...hex, ...[0, 1, 2].flatMap((before) => base64Forms(key, part, before))];
}

/** For a key that follows on so many characters, or on three more, and so on. */
function base64Forms(key: string, part: string, before: number): readonly Form[] {
  const bits = before * 8;
  const inner = (text: string, encoding: 'base64' | 'base64url') =>
    Buffer.from('\0'.repeat(before) + text)
      .toString(encoding)
      .slice(Math.ceil(bits / 6), Math.floor((bits + text.length * 8) / 6));
  const edges = { before: bits % 6 > 0, after: (bits + key.length * 8) % 6 > 0 };
  const forms = (['base64', 'base64url'] as const).map((encoding) => ({
    whole: inner(key, encoding),
    known: inner(part, encoding),
    edges,
  }));
  return forms[0]?.whole === forms[1]?.whole ? forms.slice(0, 1) : forms;
}

function find({ whole, known, edges }: Form, { text, sourceOf }: View, into: Span[]): void {
  for (let start = text.indexOf(known); start !== -1;) {
    let end = start + known.length;
    while (end - start < whole.length && text[end] === whole[end - start]) end += 1;
    const before = edges?.before === true && isBase64(text[start - 1]) ? 1 : 0;
    if (edges?.after === true && isBase64(text[end])) end += 1;
    for (let padding = 0; edges && padding < 2 && text[end] === '='; padding += 1) end += 1;
    into.push({ start: sourceOf(start - before), end: sourceOf(end) });
    start = text.indexOf(known, end);
  }
}

function isBase64(char: string | undefined): boolean {
  return char !== undefined && /[\w+/-]/.test(char);
}

function without(spans: Span[], text: string): string {
  const parts: string[] = [];
  let from = 0;
  for (const { start, end } of spans.toSorted((one, other) => one.start - other.start || other.end - one.end)) {
    if (start >= text.length) break;
    if (start >= from) parts.push(text.slice(from, start), redacted);
    from = Math.max(from, end);
  }
  parts.push(text.slice(from));
  return parts.join('');
}

/** A text as it reads once some of its escapes are undone. */
interface View {
  readonly text: string;
  /** The place in the text itself. */
  sourceOf(this: void, at: number): number;
}

/** What a key is made of: the printable characters of ASCII. */
const code = '(2[1-9a-f]|[3-6][0-9a-f]|7[0-9a-e])';
const escapes = [new RegExp(`%${code}`, 'gi'), new RegExp(`\\\\(?:u00${code}|(["/\\\\]))`, 'gi')];

function* viewsOf(text: string): Iterable<View> {
  const itself: View = { text, sourceOf: (at) => at };
  yield itself;
  for (const first of escapes) {
    const view = unescaped(itself, first);
    if (!view) continue;
    yield view;
    for (const second of escapes) {
      const deeper = unescaped(view, second);
      if (deeper) yield deeper;
    }
  }
}

function unescaped({ text, sourceOf }: View, escape: RegExp): View | undefined {
  const parts: string[] = [];
  /** Where the text is shorter from, and by how much. */
  const places: number[] = [];
  const lost: number[] = [];
  let from = 0;
  let missing = 0;
  for (const { 0: found, 1: digits, 2: char, index } of text.matchAll(escape)) {
    parts.push(text.slice(from, index), char ?? String.fromCharCode(Number.parseInt(digits ?? '', 16)));
    from = index + found.length;
    missing += found.length - 1;
    places.push(from - missing);
    lost.push(missing);
  }
  if (places.length === 0) return undefined;
  parts.push(text.slice(from));
  return { text: parts.join(''), sourceOf: (at) => sourceOf(at + (lost[lastUpTo(places, at)] ?? 0)) };
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
