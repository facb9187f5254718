import { stat } from 'node:fs/promises';
import { readLines } from './lines';
import type { TransformOptions, TransformResult } from './transformOptions';
import { unchanged } from './unchanged';
import { writeStreamAtomically } from './atomicStream';

/** Writes all lines of several files, one file after another. */
export function mergeFiles(sources: readonly string[], options: TransformOptions): Promise<TransformResult> {
  const { target, replace, signal, onProgress } = options;
  return writeStreamAtomically(target, replace, (file) =>
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
