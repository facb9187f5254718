import { open, stat } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { nameProblem, tooLargeProblem } from '../fileProblems';
import { siliconFlow } from '../services/batchServices';
import { LineScanner } from '../scan/lineScanner';
import { FileWalk } from './fileWalk';
import type { FileCheckOptions } from './fileWalk';

export interface FileCheckResult {
  /** The number of bytes read: not all of them if the file is not text or is an array. */
  readonly bytes: number;
  /** The file's size in bytes. */
  readonly size: number;
  /** The number of lines that are not blank. */
  readonly requests: number;
  /** How many requests use each model. */
  readonly models: ReadonlyMap<string, { readonly count: number }>;
  /** The file was written to while it was read, so it should be checked again. */
  readonly changed: boolean;
}

const lineFeed = 0x0a;
const chunkBytes = 1 << 20;
/** Longer lines are not read into memory; a request that contains an image is a few megabytes long. */
const longestLineBytes = 1 << 27;
/** Room for the line feed that is appended to a last line without one. */
const spareBytes = 1;

/**
 * Checks a batch file of any size. Memory use does not grow with it, except for the ids. Throws if opening or reading
 * fails.
 */
export async function checkFile(path: string, options: FileCheckOptions): Promise<FileCheckResult> {
  // Check before opening: opening a pipe that nobody writes to never returns.
  if (!(await stat(path)).isFile()) throw Object.assign(new Error('This is not a file.'), { code: 'EISDIR' });
  const file = await open(path);
  try {
    const before = await file.stat();
    const scanner = new LineScanner(chunkBytes + spareBytes, options.rules);
    const walk = new FileWalk(scanner, options);
    const { rules = siliconFlow } = options;
    const { bytes: most, fileEnding = '' } = rules;
    if (!path.toLowerCase().endsWith(fileEnding)) options.onProblem({ ...nameProblem(rules, fileEnding), line: 0 });
    if (most !== undefined && before.size > most) options.onProblem({ ...tooLargeProblem(most, rules), line: 0 });
    const bytes = await readLines(file, scanner, walk, options);
    const after = await file.stat();
    const changed = after.size !== before.size || after.mtimeMs !== before.mtimeMs;
    return { bytes, size: before.size, requests: walk.requests, models: walk.models.all, changed };
  } finally {
    await file.close();
  }
}

/** Passes whole lines to `walk`, all that were read at once. Returns the number of bytes read. */
async function readLines(
  file: FileHandle,
  scanner: LineScanner,
  walk: FileWalk,
  { onBytes, onProgress, signal }: FileCheckOptions,
): Promise<number> {
  let filled = 0;
  let read = 0;
  /** Within a line that is too long: everything up to its end is skipped. */
  let isPassing = false;
  const keepFrom = (start: number) => {
    scanner.buffer.copyWithin(0, start, filled);
    filled -= start;
  };
  for (;;) {
    signal?.throwIfAborted();
    const { buffer } = scanner;
    const { bytesRead } = await file.read(buffer, filled, buffer.length - spareBytes - filled, read);
    if (bytesRead === 0) break;
    onBytes?.(buffer.subarray(filled, filled + bytesRead));
    if (read === 0 && !walk.begin(buffer.subarray(0, bytesRead))) return bytesRead;
    read += bytesRead;
    filled += bytesRead;
    if (isPassing) {
      const lineEnd = buffer.subarray(0, filled).indexOf(lineFeed);
      keepFrom(lineEnd < 0 ? filled : lineEnd + 1);
      isPassing = lineEnd < 0;
    }
    const end = filled === 0 ? 0 : buffer.lastIndexOf(lineFeed, filled - 1) + 1;
    if (end > 0) {
      if (!walk.lines({ end, base: read - filled })) return read;
      keepFrom(end);
    } else if (filled >= longestLineBytes) {
      walk.tooLong('128 MB', read - filled, read);
      filled = 0;
      isPassing = true;
    } else if (filled === buffer.length - spareBytes) {
      scanner.reserve(Math.min(filled * 2, longestLineBytes) + spareBytes);
    }
    onProgress?.(read);
  }
  walk.end({ end: filled, base: read - filled });
  return read;
}
