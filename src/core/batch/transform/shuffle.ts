import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { MakingError } from '../making/makingError';
import { transformWords } from '../words/makingWords';
import { readLines } from './lines';
import { createRandom } from './random';
import type { TransformOptions, TransformResult } from './transformOptions';
import { unchanged } from './unchanged';
import { writeStreamAtomically } from './atomicStream';

/** The most lines read at once, as long as together they do not exceed the bytes below. */
const linesAtOnce = 256;
const bytesAtOnce = 1 << 23;

export interface ShuffleOptions extends TransformOptions {
  readonly seed: number;
}

/**
 * Writes all lines of a file in an order that depends on the seed. Only the lines' positions are held in memory, 12 bytes a line,
 * so files may be larger than memory.
 */
export function shuffleFile(source: string, options: ShuffleOptions): Promise<TransformResult> {
  const { target, replace, seed, signal, onProgress } = options;
  return writeStreamAtomically(target, replace, (file) =>
    unchanged([source], async () => {
      const half = (bytes: number) => onProgress?.(bytes / 2);
      const places = new LinePlaces();
      for await (const lines of readLines(source, { onProgress: half, ...(signal && { signal }) })) {
        for (const { offset, bytes } of lines) places.add(offset, bytes.length);
      }
      if (places.count === 0) throw new MakingError(transformWords.noLines());
      places.shuffle(seed);
      const handle = await open(source);
      try {
        for (let next = 0; next < places.count;) {
          signal?.throwIfAborted();
          const end = places.endOfRun(next);
          for (const bytes of await readRun(handle, places, next, end)) await file.line(bytes);
          next = end;
          onProgress?.((places.bytes + file.bytes) / 2);
        }
      } finally {
        await handle.close();
      }
      return { lines: file.lines, bytes: file.bytes };
    }),
  );
}

function readRun(handle: FileHandle, places: LinePlaces, start: number, end: number): Promise<readonly Buffer[]> {
  return Promise.all(
    Array.from({ length: end - start }, async (_, index) => {
      const { offset, length } = places.at(start + index);
      const { buffer } = await handle.read(Buffer.allocUnsafe(length), 0, length, offset);
      return buffer;
    }),
  );
}

/** The positions of lines in their file. */
class LinePlaces {
  count = 0;
  /** Of all lines together, with their line breaks. */
  bytes = 0;
  private offsets = new Float64Array(1 << 12);
  private lengths = new Uint32Array(1 << 12);

  add(offset: number, length: number): void {
    if (this.count === this.offsets.length) {
      const [offsets, lengths] = [this.offsets, this.lengths];
      this.offsets = new Float64Array(this.count * 2);
      this.lengths = new Uint32Array(this.count * 2);
      this.offsets.set(offsets);
      this.lengths.set(lengths);
    }
    this.offsets[this.count] = offset;
    this.lengths[this.count++] = length;
    this.bytes += length + 1;
  }

  at(index: number): { readonly offset: number; readonly length: number } {
    return { offset: this.offsets[index]!, length: this.lengths[index]! };
  }

  endOfRun(start: number): number {
    let end = start + 1;
    for (let bytes = this.lengths[start]!; end < this.count && end - start < linesAtOnce; end++) {
      bytes += this.lengths[end]!;
      if (bytes > bytesAtOnce) break;
    }
    return end;
  }

  shuffle(seed: number): void {
    const random = createRandom(seed);
    for (let last = this.count - 1; last > 0; last--) this.swap(last, random(last + 1));
  }

  private swap(one: number, other: number): void {
    const { offset, length } = this.at(one);
    this.offsets[one] = this.offsets[other]!;
    this.lengths[one] = this.lengths[other]!;
    this.offsets[other] = offset;
    this.lengths[other] = length;
  }
}
