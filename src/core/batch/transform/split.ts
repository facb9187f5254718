import path from 'node:path';
import { MakingError } from '../making/makingError';
import type { ReadOptions } from '../making/rowSource';
import { transformWords } from '../words/makingWords';
import { readLines } from './lines';
import { unchanged } from './unchanged';
import { createAtomicStream, exists } from './atomicStream';
import type { AtomicStream } from './atomicStream';

export interface SplitOptions extends ReadOptions {
  /** The most lines per part. */
  readonly maxLines?: number;
  /** The most bytes per part. */
  readonly maxBytes?: number;
  readonly folder: string;
  /** Whether these files in the folder may be replaced. Called once, after all parts are written under temporary names. */
  readonly confirm: (existing: readonly string[]) => Promise<boolean>;
}

export interface Part {
  readonly path: string;
  readonly lines: number;
  readonly bytes: number;
}

/**
 * Splits a file into `name-1.jsonl`, `name-2.jsonl` and so on, each as large as allowed. If only one part is returned, the file is
 * within the limits already and nothing was written. Returns `undefined` if existing files must not be replaced.
 */
export async function splitFile(source: string, options: SplitOptions): Promise<readonly Part[] | undefined> {
  const files: AtomicStream[] = [];
  try {
    await unchanged([source], () => writeParts(source, options, files));
    const parts = files.map(({ path: file, lines, bytes }) => ({ path: file, lines, bytes }));
    return parts.length === 1 || (await placeAll(files, options)) ? parts : undefined;
  } finally {
    await Promise.all(files.map((file) => file.discard()));
  }
}

async function writeParts(source: string, options: SplitOptions, files: AtomicStream[]): Promise<void> {
  const { maxLines = Infinity, maxBytes = Infinity, folder, signal, onProgress } = options;
  const { name, ext } = path.parse(source);
  let part: AtomicStream | undefined;
  for await (const lines of readLines(source, { ...(signal && { signal }), ...(onProgress && { onProgress }) })) {
    for (const { bytes, number } of lines) {
      const size = bytes.length + 1;
      if (size > maxBytes) throw new MakingError(transformWords.lineBeyondPart(number));
      if (!part || part.lines >= maxLines || part.bytes + size > maxBytes) {
        await part?.close();
        part = await createAtomicStream(path.join(folder, `${name}-${files.length + 1}${ext}`));
        files.push(part);
      }
      await part.line(bytes);
    }
  }
  if (!part) throw new MakingError(transformWords.noLines());
  await part.close();
}

async function placeAll(files: readonly AtomicStream[], { confirm }: SplitOptions): Promise<boolean> {
  const areThere = await Promise.all(files.map((file) => exists(file.path)));
  const existing = files.filter((_, index) => areThere[index]).map((file) => file.path);
  const replace = existing.length > 0;
  if (replace && !(await confirm(existing))) return false;
  for (const file of files) await file.place(existing.includes(file.path));
  return true;
}
