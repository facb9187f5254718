import { rowWords } from '../words/makingWords';
import { MakingError } from './makingError';

const quote = 0x22;
const comma = 0x2c;
const openBracket = 0x5b;
const backslash = 0x5c;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/** The same limit as for a line. */
const longestItem = 1 << 27;

const isSpace = (byte: number) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

/**
 * Yields the items of a JSON array of any size as bytes, split at the commas between them. The content of an item is not checked
 * and may be invalid JSON.
 */
export async function* arrayItems(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const cutter = new ItemCutter();
  for await (const piece of pieces) yield* cutter.add(piece);
  cutter.end();
}

class ItemCutter {
  /** 0: before the array, 1: between its items, more: within an item. */
  private depth = 0;
  private isEnded = false;
  private isInText = false;
  private isEscaped = false;
  private count = 0;
  private held: Buffer[] = [];
  private heldBytes = 0;

  /** Yields the items that end in this chunk. */
  *add(piece: Buffer): Iterable<Buffer> {
    let start = 0;
    for (let at = 0; at < piece.length; at++) {
      const byte = piece[at]!;
      if (this.isInText) {
        this.inText(byte);
      } else if (this.depth === 0) {
        this.outside(byte);
        start = at + 1;
      } else if (this.depth === 1 && (byte === comma || byte === closeBracket)) {
        yield* this.cut(piece.subarray(start, at), byte === closeBracket);
        start = at + 1;
      } else {
        this.inItem(byte);
      }
    }
    this.hold(piece.subarray(start));
  }

  end(): void {
    if (!this.isEnded) throw new MakingError(this.depth === 0 ? rowWords.notArray() : rowWords.cutOff());
  }

  private outside(byte: number): void {
    if (isSpace(byte)) return;
    if (this.isEnded) throw new MakingError(rowWords.behindArray());
    if (byte !== openBracket) throw new MakingError(rowWords.notArray());
    this.depth = 1;
  }

  private inText(byte: number): void {
    if (this.isEscaped) this.isEscaped = false;
    else if (byte === backslash) this.isEscaped = true;
    else if (byte === quote) this.isInText = false;
  }

  private inItem(byte: number): void {
    if (byte === quote) this.isInText = true;
    else if (byte === openBrace || byte === openBracket) this.depth++;
    else if (byte === closeBrace || byte === closeBracket) this.depth--;
    if (this.depth === 0) throw new MakingError(rowWords.notJson(this.count + 1));
  }

  private *cut(rest: Buffer, isLast: boolean): Iterable<Buffer> {
    const item = this.held.length === 0 ? rest : Buffer.concat([...this.held, rest]);
    this.held = [];
    this.heldBytes = 0;
    if (isLast) {
      this.depth = 0;
      this.isEnded = true;
      if (this.count === 0 && item.every(isSpace)) return;
    }
    this.count++;
    yield item;
  }

  private hold(rest: Buffer): void {
    if (this.depth === 0 || rest.length === 0) return;
    this.held.push(rest);
    this.heldBytes += rest.length;
    if (this.heldBytes > longestItem) throw new MakingError(rowWords.tooLongItem(this.count + 1, '128 MB'));
  }
}
