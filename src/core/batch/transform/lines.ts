import { createReadStream } from 'node:fs';
import { isUtf8 } from 'node:buffer';
import type { ProgressMonitor } from '../../async/progressMonitor';
import { MakingError } from '../making/makingError';
import { fileTextWords, transformWords } from '../words/makingWords';

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
/** Small enough that processing one chunk does not block the extension host noticeably. */
const pieceBytes = 1 << 18;
/** The checker does not read longer lines either. */
const longestLineBytes = 1 << 27;

export interface FileLine {
  /** Without the line break. */
  readonly bytes: Buffer;
  /** The position of the bytes in the file. */
  readonly offset: number;
  /** Counts from 1 and includes blank lines. */
  readonly number: number;
  /** Whether a line feed follows the line in the file. */
  readonly isEnded: boolean;
}

interface LineOptions extends Partial<ProgressMonitor> {
  /** Throws if a line is not valid UTF-8; otherwise its bytes are passed on unchanged. */
  readonly isStrict?: boolean;
  /** Called with the number of a line that is too long to be read, which is skipped; without this, such a line throws. */
  readonly onLongLine?: (number: number) => void;
}

/**
 * Yields the lines of a file of any size, one chunk's lines at a time: without LF or CRLF, without a byte-order mark, and without
 * blank lines. A last line without a line break counts too.
 */
export async function* readLines(
  path: string,
  { signal, onProgress, ...options }: LineOptions = {},
): AsyncGenerator<readonly FileLine[]> {
  const splitter = new LineSplitter(options);
  const stream = createReadStream(path, { highWaterMark: pieceBytes, ...(signal && { signal }) });
  for await (const piece of stream as AsyncIterable<Buffer>) {
    yield splitter.add(piece);
    onProgress?.(splitter.read);
  }
  yield splitter.end();
}

class LineSplitter {
  read = 0;
  private number = 0;
  private held: Buffer[] = [];
  private heldBytes = 0;
  /** Within a line that is too long. */
  private isSkipping = false;

  constructor(private readonly options: LineOptions) {}

  add(piece: Buffer): readonly FileLine[] {
    if (this.read === 0) checkText(piece);
    const lines: FileLine[] = [];
    let start = 0;
    for (let end = piece.indexOf(lineFeed); end >= 0; end = piece.indexOf(lineFeed, start)) {
      this.cut(piece.subarray(start, end), this.read + end, lines);
      start = end + 1;
    }
    this.read += piece.length;
    if (!this.isSkipping) this.hold(piece.subarray(start));
    return lines;
  }

  end(): readonly FileLine[] {
    const lines: FileLine[] = [];
    if (this.heldBytes > 0) this.cut(undefined, this.read, lines);
    return lines;
  }

  private hold(rest: Buffer): void {
    this.held.push(rest);
    this.heldBytes += rest.length;
    if (this.heldBytes <= longestLineBytes) return;
    const { onLongLine } = this.options;
    if (!onLongLine) throw new MakingError(transformWords.tooLongLine(this.number + 1, '128 MB'));
    onLongLine(this.number + 1);
    this.isSkipping = true;
    this.held = [];
    this.heldBytes = 0;
  }

  /** `rest` is what precedes the line feed at `end`; `undefined` at the end of a file without one. */
  private cut(rest: Buffer | undefined, end: number, into: FileLine[]): void {
    const whole = this.held.length === 0 && rest ? rest : Buffer.concat([...this.held, ...(rest ? [rest] : [])]);
    let offset = end - whole.length;
    let bytes = whole.at(-1) === carriageReturn ? whole.subarray(0, -1) : whole;
    if (offset === 0 && bytes.length > 2 && bytes.readUIntBE(0, 3) === 0xefbbbf) {
      bytes = bytes.subarray(3);
      offset = 3;
    }
    this.held = [];
    this.heldBytes = 0;
    this.number++;
    const wasSkipping = this.isSkipping;
    this.isSkipping = false;
    if (wasSkipping || bytes.every((byte) => byte === 0x20 || byte === 0x09)) return;
    if (this.options.isStrict && !isUtf8(bytes)) throw new MakingError(fileTextWords.notUtf8());
    into.push({ bytes, offset, number: this.number, isEnded: rest !== undefined });
  }
}

/** UTF-16 and binary files have no lines that could be recognized. */
function checkText(start: Buffer): void {
  const first = start.length > 1 ? start.readUInt16LE(0) : 0;
  if (first !== 0xfeff && first !== 0xfffe && !start.includes(0)) return;
  throw new MakingError(transformWords.notText());
}
