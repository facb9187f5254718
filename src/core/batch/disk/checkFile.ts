import type { ListedModels } from '../fileRules';
import { readSync } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { tooLargeProblem } from '../fileProblems';
import { maxBytes } from '../limits';
import type { LineProblem } from '../problem';
import { LineScanner } from '../scan/lineScanner';
import { FileWalk } from './fileWalk';
import type { WalkedLine } from './fileWalk';

export interface FileCheckOptions {
  /** The ids the service lists; without them nothing is said of unknown models. */
  readonly models?: ListedModels;
  /** Told in document order, all of them. */
  readonly onProblem: (problem: LineProblem) => void;
  /** Told of every line in order, the blank ones too. */
  readonly onLine?: (line: WalkedLine) => void;
  /** Told every byte that is read, in order, in memory that is used again. */
  readonly onBytes?: (bytes: Uint8Array) => void;
  /** How many bytes were checked. */
  readonly onProgress?: (bytes: number) => void;
  readonly signal?: AbortSignal;
}

export interface FileCheckResult {
  /** How many were read: not all where it is no text, or an array. */
  readonly bytes: number;
  /** How large the file is. */
  readonly size: number;
  /** Lines that are not blank. */
  readonly requests: number;
  /** How many requests ask each model. */
  readonly models: ReadonlyMap<string, { readonly count: number }>;
  /** The file was written to while it was read: check it again. */
  readonly changed: boolean;
}

const lineFeed = 0x0a;
const chunkBytes = 1 << 20;
/** Longer lines are not read into memory; a request with a picture in it is a few megabytes long. */
const longestLineBytes = 1 << 27;
/** A line feed is put behind a last line that has none. */
const spareBytes = 1;

/** Checks a batch file of any size, in memory that does not grow with it but for some 40 bytes a line. Throws what opening and reading throw. */
export async function checkFile(path: string, options: FileCheckOptions): Promise<FileCheckResult> {
  // Before it is opened: a pipe nobody writes to would not let go of the one who opens it.
  if (!(await stat(path)).isFile()) throw Object.assign(new Error('This is not a file.'), { code: 'EISDIR' });
  const file = await open(path);
  try {
    const before = await file.stat();
    const scanner = new LineScanner(chunkBytes + spareBytes);
    const walk = new FileWalk(scanner, {
      bytes: before.size,
      models: options.models,
      onProblem: options.onProblem,
      onLine: options.onLine,
      readAgain: (offset, into) => readSync(file.fd, into, 0, into.length, offset),
    });
    if (before.size > maxBytes) options.onProblem({ ...tooLargeProblem(), line: 0 });
    const bytes = await readLines(file, scanner, walk, options);
    const after = await file.stat();
    const changed = walk.isChanged || after.size !== before.size || after.mtimeMs !== before.mtimeMs;
    return { bytes, size: before.size, requests: walk.requests, models: walk.models.all, changed };
  } finally {
    await file.close();
  }
}

/** Hands the walk whole lines, as many as were read at once. Returns how many bytes were read. */
async function readLines(
  file: FileHandle,
  scanner: LineScanner,
  walk: FileWalk,
  { onBytes, onProgress, signal }: FileCheckOptions,
): Promise<number> {
  let filled = 0;
  let read = 0;
  /** Within a line that is too long: everything up to its end is passed over. */
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
