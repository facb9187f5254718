/** A set of line numbers, with one bit for each. */
export interface LineSet {
  readonly size: number;
  has(line: number): boolean;
  /** Returns `false` if the set has the line already. */
  add(line: number): boolean;
  delete(line: number): void;
}

export function createLineSet(): LineSet {
  let bits = new Uint8Array(1 << 10);
  let size = 0;
  const has = (line: number) => ((bits[line >> 3] ?? 0) & (1 << (line & 7))) !== 0;
  return {
    get size() {
      return size;
    },
    has,
    add(line) {
      if (has(line)) return false;
      const at = line >> 3;
      if (at >= bits.length) {
        const larger = new Uint8Array(Math.max(at + 1, bits.length * 2));
        larger.set(bits);
        bits = larger;
      }
      bits[at]! |= 1 << (line & 7);
      size++;
      return true;
    },
    delete(line) {
      if (!has(line)) return;
      bits[line >> 3]! &= ~(1 << (line & 7));
      size--;
    },
  };
}
