import { createReadStream } from 'node:fs';
import { isUtf8 } from 'node:buffer';
import type { ProgressMonitor } from '../../async/progressMonitor';
import type { TextEncoding } from '../../workspace/textEncoding';
import { MakingError } from '../making/makingError';
import { utf8Pieces } from '../making/utf8File';
import { notTextProblem } from '../fileProblems';
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

/** A line as text: many lines are read faster so than by way of their bytes. */
export interface LineText extends Omit<FileLine, 'bytes'> {
  readonly text: string;
  /** The number of bytes in the file. */
  readonly size: number;
}

interface LineOptions extends Partial<ProgressMonitor> {
  /** Throws if a line is not valid UTF-8; otherwise its bytes are passed on unchanged. */
  readonly isStrict?: boolean;
  /** That of the file, UTF-8 if it is not given. The lines are UTF-8 in any case, and their offsets those in the converted text. */
  readonly encoding?: TextEncoding | undefined;
  /** Called with the number of a line that is too long to be read, which is skipped; without this, such a line throws. */
  readonly onLongLine?: (number: number) => void;
}

/**
 * Yields the lines of a file of any size, one chunk's lines at a time: without LF or CRLF, without a byte-order mark, and without
 * blank lines. A last line without a line break counts too.
 */
export async function* readLines(path: string, options: LineOptions = {}): AsyncGenerator<readonly FileLine[]> {
  yield* split(path, options, (bytes, { start, end, offset, number, isEnded }): FileLine => {
    const line = bytes.subarray(start, end);
    if (options.isStrict && !isUtf8(line)) throw new MakingError(fileTextWords.notUtf8());
    return { bytes: line, offset, number, isEnded };
  });
}

/** Yields the same lines as `readLines`, as text. */
export async function* readLineTexts(
  path: string,
  options: Omit<LineOptions, 'isStrict'> = {},
): AsyncGenerator<readonly LineText[]> {
  yield* split(path, options, (bytes, { start, end, offset, number, isEnded }): LineText => {
    return { text: bytes.toString('utf8', start, end), size: end - start, offset, number, isEnded };
  });
}

/** Where a line is in the bytes around it, and in the file. */
interface Found extends Omit<FileLine, 'bytes'> {
  readonly start: number;
  readonly end: number;
}

type ReadLine<Line> = (bytes: Buffer, found: Found) => Line;

async function* split<Line>(
  path: string,
  { signal, onProgress, onLongLine, encoding }: LineOptions,
  readLine: ReadLine<Line>,
): AsyncGenerator<readonly Line[]> {
  const splitter = new LineSplitter(readLine, onLongLine);
  const pieces: AsyncIterable<Buffer> = encoding
    ? utf8Pieces(path, signal && { signal }, encoding)
    : createReadStream(path, { highWaterMark: pieceBytes, ...(signal && { signal }) });
  for await (const piece of pieces) {
    yield splitter.add(piece);
    onProgress?.(splitter.read);
  }
  yield splitter.end();
}

class LineSplitter<Line> {
  read = 0;
  private number = 0;
  private held: Buffer[] = [];
  private heldBytes = 0;
  /** Within a line that is too long. */
  private isSkipping = false;

  constructor(
    private readonly readLine: ReadLine<Line>,
    private readonly onLongLine: LineOptions['onLongLine'],
  ) {}

  add(piece: Buffer): readonly Line[] {
    if (this.read === 0) checkText(piece);
    const lines: Line[] = [];
    let start = 0;
    for (let end = piece.indexOf(lineFeed); end >= 0; end = piece.indexOf(lineFeed, start)) {
      this.cut({ piece, start, end }, this.read + end, lines);
      start = end + 1;
    }
    this.read += piece.length;
    if (!this.isSkipping) this.hold(piece.subarray(start));
    return lines;
  }

  end(): readonly Line[] {
    const lines: Line[] = [];
    if (this.heldBytes > 0) this.cut(undefined, this.read, lines);
    return lines;
  }

  private hold(rest: Buffer): void {
    this.held.push(rest);
    this.heldBytes += rest.length;
    if (this.heldBytes <= longestLineBytes) return;
    const { onLongLine } = this;
    if (!onLongLine) throw new MakingError(transformWords.tooLongLine(this.number + 1, '128 MB'));
    onLongLine(this.number + 1);
    this.isSkipping = true;
    this.held = [];
    this.heldBytes = 0;
  }

  /** `rest` is what precedes the line feed at `at`; `undefined` at the end of a file without one. */
  private cut(
    rest: { readonly piece: Buffer; readonly start: number; readonly end: number } | undefined,
    at: number,
    into: Line[],
  ): void {
    let [bytes, start, end] = [rest?.piece ?? Buffer.alloc(0), rest?.start ?? 0, rest?.end ?? 0];
    if (this.held.length > 0) {
      bytes = Buffer.concat([...this.held, bytes.subarray(start, end)]);
      [start, end] = [0, bytes.length];
    }
    let offset = at - (end - start);
    if (end > start && bytes[end - 1] === carriageReturn) end--;
    if (offset === 0 && end - start > 2 && bytes.readUIntBE(start, 3) === 0xefbbbf) {
      start += 3;
      offset = 3;
    }
    this.held = [];
    this.heldBytes = 0;
    this.number++;
    const wasSkipping = this.isSkipping;
    this.isSkipping = false;
    if (wasSkipping || isBlank(bytes, start, end)) return;
    into.push(this.readLine(bytes, { start, end, offset, number: this.number, isEnded: rest !== undefined }));
  }
}

function isBlank(bytes: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (bytes[at] !== 0x20 && bytes[at] !== 0x09) return false;
  return true;
}

/** Compressed files, UTF-16 and binary files have no lines that could be recognized. */
function checkText(start: Buffer): void {
  const problem = notTextProblem(start);
  if (!problem) return;
  if (problem.code === 'file.compressed') throw new MakingError(problem.message, problem.code);
  throw new MakingError(transformWords.notText());
}
