import path from 'node:path';
import type { ProgressMonitor } from '../../async/progressMonitor';
import { MakingError } from '../making/makingError';
import { transformWords } from '../words/makingWords';
import { readLines } from './lines';
import { unlessTaken } from './writeLines';
import { unchanged } from './unchanged';
import { openAtomic } from '../../storage/atomicFile';
import { exists } from '../../storage/privateFiles';
import type { AtomicFile } from '../../storage/atomicFile';

/** How large a part may be. */
export interface PartBounds {
  /** The most lines per part. */
  readonly maxLines?: number;
  /** The most bytes per part. */
  readonly maxBytes?: number;
}

interface SplitOptions extends PartBounds, Partial<ProgressMonitor> {
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
  const files: AtomicFile[] = [];
  try {
    await unchanged([source], () => writeParts(source, options, files));
    const parts = files.map(({ target, lines, bytes }) => ({ path: target, lines, bytes }));
    return parts.length === 1 || (await placeAll(files, options)) ? parts : undefined;
  } finally {
    await Promise.all(files.map((file) => file.discard()));
  }
}

async function writeParts(source: string, options: SplitOptions, files: AtomicFile[]): Promise<void> {
  const { maxLines = Infinity, maxBytes = Infinity, folder } = options;
  const { name, ext } = path.parse(source);
  let part: AtomicFile | undefined;
  for await (const lines of readLines(source, options)) {
    for (const { bytes, number } of lines) {
      const size = bytes.length + 1;
      if (size > maxBytes) throw new MakingError(transformWords.lineBeyondPart(number));
      if (!part || part.lines >= maxLines || part.bytes + size > maxBytes) {
        await part?.close();
        part = await openAtomic(path.join(folder, `${name}-${files.length + 1}${ext}`), { isPrivate: false });
        files.push(part);
      }
      await part.line(bytes);
    }
  }
  if (!part) throw new MakingError(transformWords.noLines());
  await part.close();
}

async function placeAll(files: readonly AtomicFile[], { confirm }: SplitOptions): Promise<boolean> {
  const areThere = await Promise.all(files.map((file) => exists(file.target)));
  const existing = files.filter((_, index) => areThere[index]).map((file) => file.target);
  const replace = existing.length > 0;
  if (replace && !(await confirm(existing))) return false;
  for (const file of files)
    await file.place({ replace: existing.includes(file.target) }).catch(unlessTaken(file.target));
  return true;
}
