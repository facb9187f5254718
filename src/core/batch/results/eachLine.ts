import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { MakingError } from '../making/makingError';
import { transformWords } from '../words/makingWords';

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const readAtOnce = 1 << 20;
/** Longer lines are not read into memory. */
const longestLineBytes = 1 << 27;
const mark = Buffer.from([0xef, 0xbb, 0xbf]);

/** A line in a buffer that is reused for the next ones. */
export interface BufferedLine {
  readonly buffer: Buffer;
  /** The offsets of its first byte and after its last, without the line break and without a byte-order mark. */
  readonly start: number;
  readonly end: number;
  /** The position of the line in the file. */
  readonly offset: number;
  /** Counts from 1 and includes blank lines. */
  readonly number: number;
  /** Whether a line feed follows the line in the file. */
  readonly isEnded: boolean;
}

export interface EachLineOptions {
  readonly signal: AbortSignal;
  readonly onProgress: (bytes: number) => void;
  /** Must finish with the line before it returns. */
  readonly onLine: (line: BufferedLine) => void;
  /** Called with the number, from 1, of a line that is too long to be read. */
  readonly onLongLine?: (number: number) => void;
}

/**
 * Calls `onLine` for every line of a file of any size that is not blank, holding one chunk or one line in memory. Throws if reading
 * fails, if aborted, and a `MakingError` if the file is not text.
 */
export async function eachLine(path: string, options: EachLineOptions): Promise<void> {
  const file = await open(path);
  try {
    await new Walk(file, options).run();
  } finally {
    await file.close();
  }
}

class Walk {
  private buffer = Buffer.allocUnsafeSlow(readAtOnce);
  private filled = 0;
  private read = 0;
  private number = 0;
  /** Within a line that is too long. */
  private isPassing = false;

  constructor(
    private readonly file: FileHandle,
    private readonly options: EachLineOptions,
  ) {}

  async run(): Promise<void> {
    const { signal, onProgress } = this.options;
    for (;;) {
      signal.throwIfAborted();
      const room = this.buffer.length - this.filled;
      const { bytesRead } = await this.file.read(this.buffer, this.filled, room, this.read);
      if (bytesRead === 0) break;
      if (this.read === 0) checkText(this.buffer.subarray(0, bytesRead));
      this.read += bytesRead;
      this.filled += bytesRead;
      this.lines();
      onProgress(this.read);
    }
    if (!this.isPassing) this.line(0, this.filled, false);
  }

  /** Processes the complete lines in the buffer, and moves what follows them to its start. */
  private lines(): void {
    let start = 0;
    for (let end = this.nextFeed(0); end >= 0; end = this.nextFeed(start)) {
      if (this.isPassing) this.number++;
      else this.line(start, end, true);
      this.isPassing = false;
      start = end + 1;
    }
    this.buffer.copyWithin(0, start, this.filled);
    this.filled -= start;
    if (this.isPassing) this.filled = 0;
    else if (this.filled >= longestLineBytes) {
      this.options.onLongLine?.(this.number + 1);
      this.isPassing = true;
      this.filled = 0;
      this.buffer = Buffer.allocUnsafeSlow(readAtOnce);
    } else if (this.filled === this.buffer.length) {
      const larger = Buffer.allocUnsafeSlow(this.filled * 2);
      this.buffer.copy(larger);
      this.buffer = larger;
    }
  }

  private nextFeed(from: number): number {
    const at = this.buffer.indexOf(lineFeed, from);
    return at < this.filled ? at : -1;
  }

  private line(from: number, feed: number, isEnded: boolean): void {
    const { buffer } = this;
    const base = this.read - this.filled;
    const hasMark = base + from === 0 && buffer.subarray(0, mark.length).equals(mark);
    const start = hasMark ? mark.length : from;
    const end = feed > start && buffer[feed - 1] === carriageReturn ? feed - 1 : feed;
    this.number++;
    let first = start;
    while (first < end && (buffer[first] === 0x20 || buffer[first] === 0x09)) first++;
    if (first >= end) return;
    this.options.onLine({ buffer, start, end, offset: base + start, number: this.number, isEnded });
  }
}

/** UTF-16 and binary files have no lines that could be recognized. */
function checkText(start: Buffer): void {
  const first = start.length > 1 ? start.readUInt16LE(0) : 0;
  if (first !== 0xfeff && first !== 0xfffe && !start.includes(0)) return;
  throw new MakingError(transformWords.notText());
}
