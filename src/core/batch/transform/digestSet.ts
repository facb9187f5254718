import { createHash } from 'node:crypto';

const words = 4;
const firstCapacity = 1 << 12;

/** A set of texts, stored as 16 bytes each: in practice, two different texts never count as the same. */
export interface DigestSet {
  /** Returns `false` if the text was added before. */
  add(text: string | Buffer): boolean;
}

export function createDigestSet(): DigestSet {
  let table = new Uint32Array(firstCapacity * words);
  let count = 0;
  return {
    add(text) {
      const digest = createHash('sha256').update(text).digest();
      const key = Uint32Array.from({ length: words }, (_, word) => digest.readUInt32LE(word * 4));
      // A first word of zero marks a free slot.
      key[0] ||= 1;
      if (!put(table, key)) return false;
      if (++count * 2 * words > table.length) table = grown(table);
      return true;
    },
  };
}

function put(table: Uint32Array, key: Uint32Array): boolean {
  const capacity = table.length / words;
  for (let slot = key[1]! % capacity; ; slot = (slot + 1) % capacity) {
    const at = slot * words;
    if (table[at] === 0) {
      table.set(key, at);
      return true;
    }
    if (key.every((word, index) => table[at + index] === word)) return false;
  }
}

function grown(table: Uint32Array): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(table.length * 2);
  for (let at = 0; at < table.length; at += words) {
    if (table[at] !== 0) put(larger, table.subarray(at, at + words));
  }
  return larger;
}
