import { createHash } from 'node:crypto';

/** Identifies a text by its content, whatever file it is in. */
export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Scales a vector to length 1, so that the dot product of two is their similarity. `undefined` if it has no direction or is not finite. */
export function toUnitVector(numbers: readonly number[]): Float32Array | undefined {
  const length = Math.sqrt(numbers.reduce((sum, value) => sum + value * value, 0));
  return Number.isFinite(length) && length > 0 ? Float32Array.from(numbers, (value) => value / length) : undefined;
}

/** Returns the similarity of two vectors of length 1: 1 is the same direction, 0 is nothing in common. */
export function similarityOf(one: Float32Array, other: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < one.length; at += 1) sum += one[at]! * other[at]!;
  return sum;
}
