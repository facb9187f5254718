import { createReadStream } from 'node:fs';
import { isUtf8 } from 'node:buffer';
import { MakingError } from '../making/makingError';
import type { ReadOptions } from '../making/rowSource';
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
}

interface LineOptions extends ReadOptions {
  /** Throws if a line is not valid UTF-8; otherwise its bytes are passed on unchanged. */
  readonly isStrict?: boolean;
}

/**
 * Yields the lines of a file of any size, one chunk's lines at a time: without LF or CRLF, without a byte-order mark, and without
 * blank lines. A last line without a line break counts too.
 */
export async function* readLines(
  path: string,
  { signal, onProgress, isStrict = false }: LineOptions = {},
): AsyncGenerator<readonly FileLine[]> {
  const splitter = new LineSplitter(isStrict);
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

  constructor(private readonly isStrict: boolean) {}

  add(piece: Buffer): readonly FileLine[] {
    if (this.read === 0) checkText(piece);
    const lines: FileLine[] = [];
    let start = 0;
    for (let end = piece.indexOf(lineFeed); end >= 0; end = piece.indexOf(lineFeed, start)) {
      this.cut(piece.subarray(start, end), this.read + end, lines);
      start = end + 1;
    }
    this.read += piece.length;
    const rest = piece.subarray(start);
    this.held.push(rest);
    this.heldBytes += rest.length;
    if (this.heldBytes > longestLineBytes) {
      throw new MakingError(transformWords.tooLongLine(this.number + 1, '128 MB'));
    }
    return lines;
  }

  end(): readonly FileLine[] {
    const lines: FileLine[] = [];
    if (this.heldBytes > 0) this.cut(Buffer.alloc(0), this.read, lines);
    return lines;
  }

  /** `end` is the position of the line feed in the file. */
  private cut(rest: Buffer, end: number, into: FileLine[]): void {
    const whole = this.held.length === 0 ? rest : Buffer.concat([...this.held, rest]);
    let offset = end - whole.length;
    let bytes = whole.at(-1) === carriageReturn ? whole.subarray(0, -1) : whole;
    if (offset === 0 && bytes.length > 2 && bytes.readUIntBE(0, 3) === 0xefbbbf) {
      bytes = bytes.subarray(3);
      offset = 3;
    }
    this.held = [];
    this.heldBytes = 0;
    this.number++;
    if (bytes.every((byte) => byte === 0x20 || byte === 0x09)) return;
    if (this.isStrict && !isUtf8(bytes)) throw new MakingError(fileTextWords.notUtf8());
    into.push({ bytes, offset, number: this.number });
  }
}

/** UTF-16 and binary files have no lines that could be recognized. */
function checkText(start: Buffer): void {
  const first = start.length > 1 ? start.readUInt16LE(0) : 0;
  if (first !== 0xfeff && first !== 0xfffe && !start.includes(0)) return;
  throw new MakingError(transformWords.notText());
}
