import { createHash } from 'node:crypto';
import { open, stat, type FileHandle } from 'node:fs/promises';
import { MakingError } from '../making/makingError';
import { parseObject } from '../scan/jsonValue';
import { transformWords } from '../words/makingWords';
import { writeLines } from './writeLines';
import type { WriteOptions } from './writeLines';
import { readLines } from './lines';
import { unchanged } from './unchanged';

export interface TransformResult {
  readonly lines: number;
  readonly bytes: number;
}

/** Writes all lines of several files, one file after another. */
export function mergeFiles(sources: readonly string[], options: WriteOptions): Promise<TransformResult> {
  const { signal, onProgress } = options;
  return writeLines(options, (file) =>
    unchanged(sources, async () => {
      let before = 0;
      for (const source of sources) {
        const tell = (bytes: number) => onProgress?.(before + bytes);
        for await (const lines of readLines(source, { onProgress: tell, ...(signal && { signal }) })) {
          for (const { bytes } of lines) await file.line(bytes);
        }
        before += (await stat(source)).size;
      }
      return { lines: file.lines, bytes: file.bytes };
    }),
  );
}

/** `customId`: the IDs are equal. `request`: everything but the ID is equal, regardless of property order and notation. */
export type Sameness = 'customId' | 'request';

export interface DropResult extends TransformResult {
  readonly dropped: number;
}

/** Writes the first of equal lines only. A line that cannot be compared by its id is always written. */
export function dropDuplicates(source: string, sameness: Sameness, options: WriteOptions): Promise<DropResult> {
  return writeLines(options, (file) =>
    unchanged([source], async () => {
      const seen = new Set<string>();
      let dropped = 0;
      for await (const lines of readLines(source, options)) {
        for (const { bytes } of lines) {
          const key = keyOf(bytes, sameness);
          const digest = key === undefined ? undefined : createHash('sha256').update(key).digest('base64');
          if (digest !== undefined && seen.has(digest)) dropped++;
          else await file.line(bytes);
          if (digest !== undefined) seen.add(digest);
        }
      }
      return { lines: file.lines, bytes: file.bytes, dropped };
    }),
  );
}

function keyOf(bytes: Buffer, sameness: Sameness): string | Buffer | undefined {
  const request = parseObject(bytes.toString());
  if (!request) return sameness === 'request' ? bytes : undefined;
  const { custom_id: id, ...rest } = request;
  if (sameness === 'customId') return typeof id === 'string' && id !== '' ? id : undefined;
  return inOrder(rest) ?? bytes;
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

export type SampleSize = { readonly lines: number } | { readonly percent: number };

/**
 * Writes a random sample of a file's lines, all equally likely, in file order, or all lines if there aren't more than requested. Reads the
 * file twice: once the number of lines is known, none has to be held in memory. The same seed selects the same lines.
 */
export function sampleFile(
  source: string,
  sample: SampleSize & { readonly seed: number },
  options: WriteOptions,
): Promise<TransformResult> {
  const { signal, onProgress } = options;
  return writeLines(options, (file) =>
    unchanged([source], async () => {
      let left = 0;
      let firstBytes = 0;
      const half = (bytes: number) => onProgress?.(bytes / 2);
      for await (const lines of readLines(source, { onProgress: half, ...(signal && { signal }) })) {
        left += lines.length;
        firstBytes = lines.reduce((sum, { bytes }) => sum + bytes.length, firstBytes);
      }
      if (left === 0) throw new MakingError(transformWords.noLines());
      let remaining = 'lines' in sample ? sample.lines : Math.max(1, Math.round((left * sample.percent) / 100));
      const random = createRandom(sample.seed);
      const rest = (bytes: number) => onProgress?.((firstBytes + bytes) / 2);
      for await (const lines of readLines(source, { onProgress: rest, ...(signal && { signal }) })) {
        for (const { bytes } of lines) {
          if (random(left--) >= remaining) continue;
          remaining--;
          await file.line(bytes);
        }
      }
      return { lines: file.lines, bytes: file.bytes };
    }),
  );
}

/** The most lines read at once, as long as together they do not exceed the bytes below. */
const linesAtOnce = 256;
const bytesAtOnce = 1 << 23;

/**
 * Writes all lines of a file in an order that depends on the seed. Only the lines' positions are held in memory.
 */
export function shuffleFile(source: string, seed: number, options: WriteOptions): Promise<TransformResult> {
  const { signal, onProgress } = options;
  return writeLines(options, (file) =>
    unchanged([source], async () => {
      const half = (bytes: number) => onProgress?.(bytes / 2);
      const places: LinePlace[] = [];
      for await (const lines of readLines(source, { onProgress: half, ...(signal && { signal }) })) {
        for (const { offset, bytes } of lines) places.push({ offset, length: bytes.length });
      }
      if (places.length === 0) throw new MakingError(transformWords.noLines());
      const all = places.reduce((sum, { length }) => sum + length + 1, 0);
      shuffle(places, seed);
      const handle = await open(source);
      try {
        for (let next = 0; next < places.length;) {
          signal?.throwIfAborted();
          const run = runFrom(places, next);
          for (const bytes of await readRun(handle, run)) await file.line(bytes);
          next += run.length;
          onProgress?.((all + file.bytes) / 2);
        }
      } finally {
        await handle.close();
      }
      return { lines: file.lines, bytes: file.bytes };
    }),
  );
}

interface LinePlace {
  readonly offset: number;
  readonly length: number;
}

function shuffle(places: LinePlace[], seed: number): void {
  const random = createRandom(seed);
  for (let last = places.length - 1; last > 0; last--) {
    const other = random(last + 1);
    [places[last], places[other]] = [places[other]!, places[last]!];
  }
}

/** Returns the next lines to read at once: at least one. */
function runFrom(places: readonly LinePlace[], start: number): readonly LinePlace[] {
  let end = start + 1;
  for (let bytes = places[start]!.length; end < places.length && end - start < linesAtOnce; end++) {
    bytes += places[end]!.length;
    if (bytes > bytesAtOnce) break;
  }
  return places.slice(start, end);
}

function readRun(handle: FileHandle, run: readonly LinePlace[]): Promise<readonly Buffer[]> {
  return Promise.all(
    run.map(async ({ offset, length }) => {
      const { buffer } = await handle.read(Buffer.allocUnsafe(length), 0, length, offset);
      return buffer;
    }),
  );
}

/** Returns an integer from 0 to `below` - 1, all equally likely. `below` is at most 2^32. */
type Random = (below: number) => number;

const range = 2 ** 32;

/** Produces the same numbers for the same seed on every machine (the "sfc32" generator). Not for secrets. */
export function createRandom(seed: number): Random {
  let [a, b, c, counter] = [seed >>> 0, Math.floor(seed / range) >>> 0, 0x9e3779b9, 1];
  const next = (): number => {
    const sum = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return sum >>> 0;
  };
  // Similar seeds produce similar first numbers.
  for (let round = 0; round < 16; round++) next();
  return (below) => {
    const fair = range - (range % below);
    let value = next();
    while (value >= fair) value = next();
    return value % below;
  };
}
