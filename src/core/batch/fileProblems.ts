import type { LineProblem, Problem } from './problem';
import { spreadOf } from './readLine';
import type { BatchRules } from './services/batchRules';
import { fileWords, lineWords } from './words/lineWords';

const nowhere = { start: 0, end: 0 };

/** Returns the span of the line's last character. */
function ending(text: string) {
  return { start: Math.max(0, text.length - 1), end: text.length };
}

/** The first bytes of compressed files. */
const compressedStarts: readonly (readonly [format: string, bytes: Buffer])[] = [
  ['gzip', Buffer.from([0x1f, 0x8b])],
  ['ZIP', Buffer.from('PK\u0003\u0004')],
  ['Zstandard', Buffer.from([0x28, 0xb5, 0x2f, 0xfd])],
  ['XZ', Buffer.from([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00])],
  ['bzip2', Buffer.from('BZh')],
  ['7-Zip', Buffer.from([0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c])],
];

/** Returns the format of a file that is compressed, by its first bytes; `undefined` for office documents, which people don't decompress. */
function compressionOf(bytes: Buffer): string | undefined {
  if (bytes.subarray(0, 1000).includes('[Content_Types].xml')) return undefined;
  return compressedStarts.find(([, start]) => bytes.subarray(0, start.length).equals(start))?.[0];
}

/** Returns why the first bytes of a file are not text that a service can read, because they are compressed, UTF-16 or contain zeros. */
export function notTextProblem(bytes: Buffer): Problem | undefined {
  const format = compressionOf(bytes);
  if (format !== undefined) return { code: 'file.compressed', message: fileWords.compressed(format), span: nowhere };
  const first = bytes.length > 1 ? bytes.readUInt16LE(0) : 0;
  const isText = first !== 0xfeff && first !== 0xfffe && !bytes.includes(0);
  return isText ? undefined : { code: 'file.not-text', message: fileWords.notText(), span: nowhere };
}

/** `text` is the text of a line, with U+FFFD in place of invalid bytes. */
export function notUtf8Problem(text: string): Problem {
  const start = text.indexOf('\ufffd');
  return { code: 'line.not-utf8', message: lineWords.notUtf8(), span: { start, end: start + 1 } };
}

export const emptyProblem = (): Problem => ({ code: 'file.empty', message: fileWords.empty(), span: nowhere });

/** `expected`: how the name must end. */
export const nameProblem = ({ id }: BatchRules, expected: string): Problem => ({
  code: 'file.name',
  message: id === 'unknown' ? fileWords.nameElsewhere(expected) : fileWords.name(expected),
  span: nowhere,
});

/** `most`: the bytes that a file may have. */
export function tooLargeProblem(most: number, { isSplit }: BatchRules): Problem {
  const size = most % 1024 ** 3 === 0 ? `${most / 1024 ** 3} GB` : `${Math.round(most / 1e6)} MB`;
  const message = isSplit ? fileWords.partsBySize(size) : fileWords.tooLarge(size);
  return { code: 'file.too-large', message, span: nowhere };
}

export const bomProblem = (text: string): Problem => ({
  code: 'file.bom',
  message: fileWords.bom(),
  span: { start: 0, end: Math.min(1, text.length) },
});

export const crlfProblem = (text: string): Problem => ({
  code: 'file.crlf',
  message: fileWords.crlf(),
  span: ending(text),
});

export const loneCrProblem = (text: string): Problem => ({
  code: 'file.lone-cr',
  message: fileWords.loneCr(),
  span: ending(text),
});

export const noFinalNewline = (text: string): Problem => ({
  code: 'file.no-final-newline',
  message: fileWords.noFinalNewline(),
  span: ending(text),
});

/** Returns the problem of a file that does not hold one request per line, judging by its first line. No other problem applies then. */
export function spreadProblem(firstLine: string): Problem | undefined {
  const spread = spreadOf(firstLine);
  if (!spread) return undefined;
  const start = firstLine.search(/\S/);
  const span = { start, end: start + 1 };
  return spread === 'array'
    ? { code: 'file.array', message: fileWords.array(), span }
    : { code: 'file.spread', message: fileWords.spread(), span };
}

export interface FileStart {
  readonly bytes: number;
  /** The most bytes that it may have, and the rules that say so. */
  readonly most: number;
  readonly rules: BatchRules;
  readonly hasBom: boolean;
  readonly hasCrlf: boolean;
  readonly firstLine: string;
}

/** Yields the problems of the file as a whole, to be reported before those of its lines. */
export function* startProblems({ bytes, most, rules, hasBom, hasCrlf, firstLine }: FileStart): Iterable<LineProblem> {
  if (bytes > most) yield { ...tooLargeProblem(most, rules), line: 0 };
  if (hasBom) yield { ...bomProblem(firstLine), line: 0 };
  if (hasCrlf) yield { ...crlfProblem(firstLine), line: 0 };
}
