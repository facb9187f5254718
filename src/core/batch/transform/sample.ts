import { MakingError } from '../making/makingError';
import { transformWords } from '../words/makingWords';
import { readLines } from './lines';
import { createRandom } from './random';
import type { TransformOptions, TransformResult } from './transformOptions';
import { unchanged } from './unchanged';
import { writeStreamAtomically } from './atomicStream';

export type SampleSize = { readonly lines: number } | { readonly percent: number };

export interface SampleOptions extends TransformOptions {
  readonly size: SampleSize;
  readonly seed: number;
}

/**
 * Writes a random sample of a file's lines, all equally likely, in file order; all lines if there are not more than requested.
 * Reads the file twice: once the number of lines is known, none has to be held in memory to choose. The same seed chooses the same
 * lines.
 */
export function sampleFile(source: string, options: SampleOptions): Promise<TransformResult> {
  const { target, replace, size, seed, signal, onProgress } = options;
  return writeStreamAtomically(target, replace, (file) =>
    unchanged([source], async () => {
      let left = 0;
      let firstBytes = 0;
      const half = (bytes: number) => onProgress?.(bytes / 2);
      for await (const lines of readLines(source, { onProgress: half, ...(signal && { signal }) })) {
        left += lines.length;
        firstBytes = lines.reduce((sum, { bytes }) => sum + bytes.length, firstBytes);
      }
      if (left === 0) throw new MakingError(transformWords.noLines());
      let wanted = 'lines' in size ? size.lines : Math.max(1, Math.round((left * size.percent) / 100));
      const random = createRandom(seed);
      const rest = (bytes: number) => onProgress?.((firstBytes + bytes) / 2);
      for await (const lines of readLines(source, { onProgress: rest, ...(signal && { signal }) })) {
        for (const { bytes } of lines) {
          if (random(left--) >= wanted) continue;
          wanted--;
          await file.line(bytes);
        }
      }
      return { lines: file.lines, bytes: file.bytes };
    }),
  );
}
