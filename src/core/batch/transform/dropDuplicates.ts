import { createDigestSet } from './digestSet';
import { readLines } from './lines';
import type { TransformOptions, TransformResult } from './transformOptions';
import { unchanged } from './unchanged';
import { writeStreamAtomically } from './atomicStream';

/** `customId`: the ids are equal. `request`: everything but the id is equal, regardless of member order and notation. */
export type Sameness = 'customId' | 'request';

export interface DropOptions extends TransformOptions {
  readonly sameness: Sameness;
}

export interface DropResult extends TransformResult {
  readonly dropped: number;
}

/** Writes the first of equal lines only. A line that cannot be compared by its id is always written. */
export function dropDuplicates(source: string, options: DropOptions): Promise<DropResult> {
  const { target, replace, sameness, signal, onProgress } = options;
  return writeStreamAtomically(target, replace, (file) =>
    unchanged([source], async () => {
      const seen = createDigestSet();
      let dropped = 0;
      for await (const lines of readLines(source, { ...(signal && { signal }), ...(onProgress && { onProgress }) })) {
        for (const { bytes } of lines) {
          const key = keyOf(bytes, sameness);
          if (key === undefined || seen.add(key)) await file.line(bytes);
          else dropped++;
        }
      }
      return { lines: file.lines, bytes: file.bytes, dropped };
    }),
  );
}

function keyOf(bytes: Buffer, sameness: Sameness): string | Buffer | undefined {
  const request = parse(bytes);
  if (!request) return sameness === 'request' ? bytes : undefined;
  const { custom_id: id, ...rest } = request;
  if (sameness === 'customId') return typeof id === 'string' && id !== '' ? id : undefined;
  return inOrder(rest) ?? bytes;
}

function parse(bytes: Buffer): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Readonly<Record<string, unknown>>) : undefined;
  } catch {
    return undefined;
  }
}

/** Returns JSON with its members sorted by name, or `undefined` if the value nests too deeply for recursion. */
function inOrder(value: unknown): string | undefined {
  try {
    return JSON.stringify(value, (_key, member: unknown) => {
      if (typeof member !== 'object' || member === null || Array.isArray(member)) return member;
      const sorted = Object.entries(member).toSorted(([a], [b]) => (a < b ? -1 : 1));
      return Object.fromEntries(sorted);
    });
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
