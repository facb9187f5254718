import { Column } from './column';

const blockBits = 20;
const blockBytes = 1 << blockBits;
/** Longer ids are sorted by their beginning. */
export const mostIdBytes = 128;

const none = new Uint8Array(0);

/** The ids of lines, for sorting: stores bytes and their positions, no strings. */
export class IdStore {
  private readonly blocks: Uint8Array[] = [];
  private free = blockBytes;
  private readonly places = new Column((length) => new Uint32Array(length));
  private readonly lengths = new Column((length) => new Uint8Array(length));

  set(line: number, id: Uint8Array): void {
    const length = Math.min(id.length, mostIdBytes);
    if (this.free + length > blockBytes) {
      this.blocks.push(new Uint8Array(blockBytes));
      this.free = 0;
    }
    this.blocks.at(-1)!.set(id.subarray(0, length), this.free);
    this.places.set(line, (this.blocks.length - 1) * blockBytes + this.free);
    this.lengths.set(line, length);
    this.free += length;
  }

  /** Whether a line has this id, comparing no more than `mostIdBytes`. */
  has(line: number, id: Uint8Array): boolean {
    const length = this.lengths.get(line);
    if (length !== Math.min(id.length, mostIdBytes)) return false;
    const place = this.places.get(line);
    const block = this.blocks[place >>> blockBits]!;
    const at = place & (blockBytes - 1);
    for (let index = 0; index < length; index++) if (block[at + index] !== id[index]) return false;
    return true;
  }

  /** Returns the stored bytes of an id, as a view of the store's memory; empty if the line has none. */
  get(line: number): Uint8Array {
    const length = this.lengths.get(line);
    if (length === 0) return none;
    const place = this.places.get(line);
    const at = place & (blockBytes - 1);
    return this.blocks[place >>> blockBits]!.subarray(at, at + length);
  }

  /** Compares in natural order: a number within an id by its value, everything else by code points. Lines without an id come first. */
  compare(a: number, b: number): number {
    const endA = this.lengths.get(a);
    const endB = this.lengths.get(b);
    if (endA === 0 || endB === 0) return endA - endB;
    const placeA = this.places.get(a);
    const placeB = this.places.get(b);
    const idA = this.blocks[placeA >>> blockBits]!;
    const idB = this.blocks[placeB >>> blockBits]!;
    const atA = placeA & (blockBytes - 1);
    const atB = placeB & (blockBytes - 1);
    return compareBytes(idA, atA, atA + endA, idB, atB, atB + endB);
  }
}

const isDigit = (byte: number): boolean => byte >= 0x30 && byte <= 0x39;

// Six numbers, because this runs some twenty million times when a million lines are sorted.
// oxlint-disable-next-line max-params
function compareBytes(a: Uint8Array, atA: number, endA: number, b: Uint8Array, atB: number, endB: number): number {
  while (atA < endA && atB < endB) {
    const byteA = a[atA]!;
    const byteB = b[atB]!;
    if (!isDigit(byteA) || !isDigit(byteB)) {
      if (byteA !== byteB) return byteA - byteB;
      atA++;
      atB++;
      continue;
    }
    const numberA = numberEnd(a, atA, endA);
    const numberB = numberEnd(b, atB, endB);
    while (atA < numberA - 1 && a[atA] === 0x30) atA++;
    while (atB < numberB - 1 && b[atB] === 0x30) atB++;
    if (numberA - atA !== numberB - atB) return numberA - atA - (numberB - atB);
    for (; atA < numberA; atA++, atB++) if (a[atA] !== b[atB]) return a[atA]! - b[atB]!;
  }
  return endA - atA - (endB - atB);
}

function numberEnd(bytes: Uint8Array, at: number, end: number): number {
  while (at < end && isDigit(bytes[at]!)) at++;
  return at;
}
