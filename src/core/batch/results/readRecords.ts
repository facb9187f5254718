import { open } from 'node:fs/promises';
import { createReadStream } from 'node:fs';
import type { ProgressMonitor } from '../../async/progressMonitor';
import { readLineTexts } from '../transform/lines';
import type { LineText } from '../transform/lines';

const headBytes = 16_384;
const longestRecordBytes = 1 << 27;

/** The names of a list of results within an object, and the members that its first result may have at its beginning. */
const listNames = new Set(
  'data results responses batch_results inlinedResponses inlined_responses inlinedEmbedContentResponses'.split(' '),
);
const resultStart =
  /^\s*\{[^{}[\]]*"(?:custom_id|key|recordId|batch_request_id|response|result|batch_result|error|metadata)"\s*:/;
const deepestList = 6;

/**
 * Returns where the list of results begins in an object that has it after other members, or within them: results in the form of a
 * service's response. `undefined` if there is none at the beginning of the file.
 */
function listStart(head: string): number | undefined {
  const names: string[] = [];
  let name = '';
  for (let at = 0; at < head.length; at++) {
    const letter = head[at];
    if (letter === '"') {
      const start = at + 1;
      for (at = start; at < head.length && head[at] !== '"'; at++) if (head[at] === '\\') at++;
      // A text that is a value is followed by no list.
      name = head.slice(start, at);
      // The object is a result itself.
      if (names.length === 1 && name === 'custom_id') return undefined;
    } else if (letter === '{') {
      if (names.length >= deepestList) return undefined;
      names.push(name);
    } else if (letter === '}') {
      names.pop();
      if (names.length === 0) return undefined;
    } else if (letter === '[') {
      if (names.length === 0) return undefined;
      if (listNames.has(name) && resultStart.test(head.slice(at + 1))) return at + 1;
      // Other lists come before it, such as one that is empty.
      const end = head.indexOf(']', at);
      if (end < 0 || head.slice(at, end).includes('{')) return undefined;
      at = end;
    }
  }
  return undefined;
}

interface RecordOptions extends Partial<ProgressMonitor> {
  /** Called with the line of a record that is too long to be read, which is skipped. */
  readonly onLongLine: (number: number) => void;
}

/**
 * Yields the records of a result file of any size, as many at a time as were read: its lines, or the elements of the one array that
 * it is, alone or in an object, or objects that are spread over several lines. A record that breaks off has `isEnded` unset.
 */
export async function* readRecords(path: string, options: RecordOptions): AsyncGenerator<readonly LineText[]> {
  const layout = await layoutOf(path);
  if (layout === undefined) {
    yield* readLineTexts(path, options);
    return;
  }
  const { signal, onProgress } = options;
  const splitter = new ObjectSplitter(layout, options);
  for await (const piece of createReadStream(path, { highWaterMark: 1 << 18, ...(signal && { signal }) })) {
    yield splitter.add(piece as Buffer);
    onProgress?.(splitter.read);
  }
  yield splitter.end();
}

interface Layout {
  /** The offset of the first byte within the list, or of the first object. */
  readonly start: number;
  readonly isList: boolean;
  /** Whether the list is within an object, so that what follows it is not results. */
  readonly isWithin: boolean;
}

/** Returns `undefined` for a file of lines. */
async function layoutOf(path: string): Promise<Layout | undefined> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0);
    const bytes = buffer.subarray(0, bytesRead);
    const head = bytes.toString('latin1').replace(/^\u00ef\u00bb\u00bf/, (mark) => ' '.repeat(mark.length));
    const bare = /^\s*\[/.exec(head);
    if (bare) return { start: bare[0].length, isList: true, isWithin: false };
    const within = /^\s*\{/.test(head) ? listStart(head) : undefined;
    if (within !== undefined) return { start: within, isList: true, isWithin: true };
    const spread = /^\s*(?=\{[ \t]*\r?\n)/.exec(head);
    return spread ? { start: spread[0].length, isList: false, isWithin: false } : undefined;
  } finally {
    await file.close();
  }
}

const [lineFeed, quote, backslash, openBrace, closeBrace, openBracket, closeBracket] = [
  0x0a, 0x22, 0x5c, 0x7b, 0x7d, 0x5b, 0x5d,
];

/** Splits JSON into its outermost objects without parsing it. */
class ObjectSplitter {
  read = 0;
  private line = 1;
  private depth = 0;
  private isInText = false;
  private isEscaped = false;
  private isListEnded = false;
  /** The record that has begun. */
  private held: Buffer[] = [];
  private heldBytes = 0;
  private startLine = 1;
  private startOffset = 0;

  constructor(
    private readonly layout: Layout,
    private readonly options: RecordOptions,
  ) {}

  add(piece: Buffer): readonly LineText[] {
    const records: LineText[] = [];
    let from = 0;
    for (let at = 0; at < piece.length; at++) {
      const byte = piece[at];
      if (byte === lineFeed) this.line++;
      if (this.read + at < this.layout.start) continue;
      if (this.isListEnded) {
        // Some programs write one list after the other.
        if (byte === openBracket && !this.layout.isWithin) this.isListEnded = false;
      } else if (this.isInText) {
        if (this.isEscaped) this.isEscaped = false;
        else if (byte === backslash) this.isEscaped = true;
        else if (byte === quote) this.isInText = false;
      } else if (byte === quote) this.isInText = this.depth > 0;
      else if (byte === openBrace || byte === openBracket) {
        if (this.depth === 0) {
          from = at;
          this.startLine = this.line;
          this.startOffset = this.read + at;
        }
        this.depth++;
      } else if (byte === closeBrace || byte === closeBracket) {
        if (this.depth === 0) this.isListEnded = this.layout.isList;
        else if (--this.depth === 0) this.finish(piece.subarray(from, at + 1), records);
      }
    }
    this.read += piece.length;
    if (this.depth > 0) this.hold(piece.subarray(this.startOffset >= this.read - piece.length ? from : 0));
    return records;
  }

  /** A list without its end was cut off, even if that was between two records. */
  end(): readonly LineText[] {
    const isCut = this.depth > 0 || (this.layout.isList && !this.isListEnded);
    if (!isCut) return [];
    const bytes = Buffer.concat(this.held);
    const isHeld = this.depth > 0;
    const [offset, number] = isHeld ? [this.startOffset, this.startLine] : [this.read, this.line];
    return [{ text: bytes.toString(), size: bytes.length, offset, number, isEnded: false }];
  }

  private hold(part: Buffer): void {
    this.heldBytes += part.length;
    if (this.heldBytes <= longestRecordBytes) this.held.push(part);
    else this.held = [];
  }

  private finish(last: Buffer, into: LineText[]): void {
    const isTooLong = this.heldBytes + last.length > longestRecordBytes;
    if (isTooLong) this.options.onLongLine(this.startLine);
    else {
      const bytes = this.held.length === 0 ? last : Buffer.concat([...this.held, last]);
      const place = { offset: this.startOffset, number: this.startLine, isEnded: true };
      into.push({ text: bytes.toString(), size: bytes.length, ...place });
    }
    this.held = [];
    this.heldBytes = 0;
  }
}
