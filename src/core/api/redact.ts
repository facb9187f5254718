import { bareView, mostEscaped, viewsOf, withoutSeparators } from './redactViews';
import type { View } from './redactViews';

/**
 * Removes keys from a text that may echo them, in time linear in its length. If `maxChars` is set, returns only that much of the
 * text, and nothing of a key that extends beyond that point.
 */
export interface Redact {
  (text: string, maxChars?: number): string;
  /** The same for a text in pieces: returns what is left of each. A key that spans several is replaced by the mark in the first. */
  pieces(texts: readonly string[]): readonly string[];
  /** Removes the keys only where they are written as they are: for texts that are too large for more, and are mostly free of them. */
  plain(this: void, text: string): string;
  /** Returns where the beginning of a key starts that a text ends with, of one character or more; the length of the text if there is none. */
  begun(this: void, text: string): number;
  /** Returns the characters that follow in a key after a beginning that `begun` found. */
  next(this: void, beginning: string): readonly string[];
  /**
   * Whether JSON may contain a key, or a string that ends with the beginning of one. Says so of nearly no other JSON, and takes far less
   * time than the other methods.
   */
  mayHold(this: void, json: string): boolean;
  /** The length of the longest key that `begun` finds; 0 if there is none. */
  readonly longest: number;
}

export const redacted = '[key]';

/**
 * Keys shorter than this are not searched for: a word such as `none`, which services without keys accept, is part of too many others.
 */
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
