const fewestBits = 12;
/** The most ids to reserve memory for at the start, however many are expected. */
const mostExpected = 1 << 22;
/** The load factor beyond which searching becomes slow. */
const fullest = 0.7;
/** Per slot: the hash, and the number of the id from 1. A 0 marks an empty slot. */
const slotWords = 2;

/**
 * The ids of a file seen so far, by hash; no strings are stored. Ids with the same hash may differ, so the caller compares them in
 * the file. Slots are as small as possible because each lookup is a cache miss; the offsets of ids are read only for equal hashes.
 */
export class IdTable {
  private slots: Int32Array;
  /** A hash begins with its slot number, so that growing the table reads and writes in order. */
  private shift: number;
  private offsets: Float64Array;
  private lines: Uint32Array;
  private count = 0;

  /** `expected` is roughly how many ids there will be; a table that need not grow takes half the time. */
  constructor(expected: number) {
    const ids = Math.max(1, Math.min(mostExpected, Math.ceil(expected)));
    const bits = Math.max(fewestBits, Math.ceil(Math.log2(ids / fullest)));
    this.slots = new Int32Array(slotWords << bits);
    this.shift = 32 - bits;
    this.offsets = new Float64Array(ids);
    this.lines = new Uint32Array(ids);
  }

  /** Stores an id at `offset` of the file, in `line`. Returns `false`, and stores nothing, if an id with that hash exists. */
  addNew(hash: number, offset: number, line: number): boolean {
    const at = this.slotFrom((hash >>> this.shift) * slotWords, hash);
    if (this.slots[at + 1] !== 0) return false;
    this.put(at, hash, offset, line);
    return true;
  }

  /**
   * Like `addNew`, but calls `isSame` in order for the stored offsets with this hash. If one matches, returns its line and does not
   * store the new id; else returns `undefined`.
   */
  add(hash: number, offset: number, line: number, isSame: (offset: number) => boolean): number | undefined {
    const known = this.find(hash, isSame);
    if (known !== undefined) return known;
    let at = this.slotFrom((hash >>> this.shift) * slotWords, hash);
    while (this.slots[at + 1] !== 0) at = this.slotFrom((at + slotWords) & (this.slots.length - slotWords), hash);
    this.put(at, hash, offset, line);
    return undefined;
  }

  /** Returns the line of the first id with this hash for whose offset `isSame` returns `true`, or `undefined`. */
  find(hash: number, isSame: (offset: number) => boolean): number | undefined {
    const last = this.slots.length - slotWords;
    let at = this.slotFrom((hash >>> this.shift) * slotWords, hash);
    for (let id = this.slots[at + 1]!; id !== 0; id = this.slots[at + 1]!) {
      if (isSame(this.offsets[id - 1]!)) return this.lines[id - 1];
      at = this.slotFrom((at + slotWords) & last, hash);
    }
    return undefined;
  }

  /** Returns the first slot from `at` on that is empty or has this hash. */
  private slotFrom(at: number, hash: number): number {
    const { slots } = this;
    const last = slots.length - slotWords;
    while (slots[at] !== hash && slots[at + 1] !== 0) at = (at + slotWords) & last;
    return at;
  }

  private put(at: number, hash: number, offset: number, line: number): void {
    if (this.count === this.offsets.length) this.lengthen();
    this.offsets[this.count] = offset;
    this.lines[this.count] = line;
    this.count++;
    this.slots[at] = hash;
    this.slots[at + 1] = this.count;
    if (this.count > (this.slots.length / slotWords) * fullest) this.grow();
  }

  private lengthen(): void {
    const { offsets, lines } = this;
    const length = Math.ceil(this.count * 1.5) + 1024;
    this.offsets = new Float64Array(length);
    this.offsets.set(offsets);
    this.lines = new Uint32Array(length);
    this.lines.set(lines);
  }

  private grow(): void {
    const { slots } = this;
    const larger = new Int32Array(slots.length * 2);
    const last = larger.length - slotWords;
    this.shift--;
    for (let from = 0; from < slots.length; from += slotWords) {
      if (slots[from + 1] === 0) continue;
      const hash = slots[from]!;
      let at = (hash >>> this.shift) * slotWords;
      while (larger[at + 1] !== 0) at = (at + slotWords) & last;
      larger[at] = hash;
      larger[at + 1] = slots[from + 1]!;
    }
    this.slots = larger;
  }
}

/** FNV-1a with a final mixing step, because ids often differ only in their last digits. */
export function hashOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0x811c9dc5 | 0;
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ bytes[at]!, 0x01000193);
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0x2c1b3c6d);
  return hash ^ (hash >>> 13);
}

/** Returns the same hash for a text, encoded as UTF-8. */
export function hashOfText(text: string): number {
  const bytes = Buffer.from(text);
  return hashOf(bytes, 0, bytes.length);
}
