import { createReadStream } from 'node:fs';
import { writeAtomically } from '../../storage/atomicFile';
import { ApiError } from '../errors';

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const space = 0x20;
const lineEnd = Buffer.from('\n');
const name = Buffer.from('results');

/**
 * Writes the elements of the array `results` of a JSON object, one a line, without holding the file in memory. Resolves with the number of
 * bytes written. Throws kind `badResponse` if there is no such array, or it is not complete.
 */
export async function resultsToLines(
  from: string,
  to: string,
  { isPrivate }: { readonly isPrivate?: boolean | undefined } = {},
): Promise<number> {
  return writeAtomically(to, isPrivate === undefined ? {} : { isPrivate }, async (file) => {
    const reader = new ResultsReader();
    for await (const piece of createReadStream(from, { highWaterMark: 1 << 20 }) as AsyncIterable<Buffer>) {
      for (const part of reader.read(piece)) await file.write(part);
      if (reader.state === 'ended') break;
    }
    if (reader.state === 'ended') return file.bytes;
    const message = reader.state === 'before' ? 'The batch has no results.' : 'The results are not complete.';
    throw new ApiError({ kind: 'badResponse', message, sent: true });
  });
}

/** Reads the elements of one array out of the bytes of a JSON object. */
class ResultsReader {
  state: 'before' | 'inside' | 'ended' = 'before';
  private depth = 0;
  private isInString = false;
  private isEscaped = false;
  /** How much of the last string of the object itself is the array's name; -1 if it is another one. */
  private matched = -1;
  /** Whether anything of the current element was read. */
  private isFilled = false;

  /** Returns what follows of the elements, with a line break after each. Overwrites line breaks within them. */
  read(piece: Buffer): readonly Uint8Array[] {
    const parts: Uint8Array[] = [];
    let start = 0;
    for (let at = 0; at < piece.length; at++) {
      const byte = piece[at] ?? 0;
      if (this.isInString) this.readString(byte);
      else if (byte === quote) {
        this.isInString = true;
        this.isFilled = true;
        this.matched = this.depth === 1 ? 0 : -1;
      } else if (byte < space) piece[at] = space;
      else if (byte === 0x7b || byte === 0x5b) {
        this.depth++;
        this.isFilled = true;
        const isResults = byte === 0x5b && this.depth === 2 && this.matched === name.length;
        if (isResults && this.state === 'before') {
          this.state = 'inside';
          this.isFilled = false;
          start = at + 1;
        }
      } else if (byte === 0x7d || byte === 0x5d) {
        this.depth--;
        if (this.state === 'inside' && this.depth === 1) {
          if (this.isFilled) parts.push(piece.subarray(start, at), lineEnd);
          this.state = 'ended';
          return parts;
        }
      } else if (byte === comma && this.state === 'inside' && this.depth === 2) {
        parts.push(piece.subarray(start, at), lineEnd);
        start = at + 1;
        this.isFilled = false;
      } else if (byte !== space) this.isFilled = true;
    }
    if (this.state === 'inside' && this.isFilled) parts.push(piece.subarray(start));
    return parts;
  }

  private readString(byte: number): void {
    if (this.isEscaped) this.isEscaped = false;
    else if (byte === backslash) this.isEscaped = true;
    else if (byte === quote) {
      this.isInString = false;
      return;
    }
    if (this.matched >= 0) this.matched = byte === name[this.matched] ? this.matched + 1 : -1;
  }
}
