import path from 'node:path';
import type { ProgressMonitor } from '../../async/progressMonitor';
import { MakingError } from '../making/makingError';
import { objectOf, parseObject } from '../scan/jsonValue';
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

/** The property that all requests of a file must share at most services. */
export type SplitKey = 'url' | 'model';

interface SplitOptions extends PartBounds, Partial<ProgressMonitor> {
  /** Splits the file into one for each value instead, whatever its size. */
  readonly by?: SplitKey;
  readonly folder: string;
  /** Whether these files in the folder may be replaced. Called once, after all parts are written under temporary names. */
  readonly confirm: (existing: readonly string[]) => Promise<boolean>;
}

export interface Part {
  readonly path: string;
  readonly lines: number;
  readonly bytes: number;
}

/** Each file stays open until all lines are written. */
const mostGroups = 100;
const longestGroupName = 60;

/**
 * Splits a file into `name-1.jsonl`, `name-2.jsonl` and so on, each as large as allowed, or into one for each value of a key, named after
 * it. If only one part is returned, nothing had to be split and nothing was written. Returns `undefined` if existing files must not be replaced.
 */
export async function splitFile(source: string, options: SplitOptions): Promise<readonly Part[] | undefined> {
  const files: AtomicFile[] = [];
  try {
    const write = options.by === undefined ? writeParts : writeGroups;
    await unchanged([source], () => write(source, options, files));
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

async function writeGroups(source: string, options: SplitOptions, files: AtomicFile[]): Promise<void> {
  const { by = 'url', folder } = options;
  const { name, ext } = path.parse(source);
  const groups = new Map<string | undefined, AtomicFile>();
  const names = new Set<string>();
  for await (const lines of readLines(source, options)) {
    for (const { bytes } of lines) {
      const key = keyOf(bytes, by);
      let group = groups.get(key);
      if (!group) {
        if (groups.size === mostGroups) throw new MakingError(transformWords.tooManyGroups(mostGroups));
        const target = path.join(folder, `${name}-${groupName(key, names)}${ext}`);
        group = await openAtomic(target, { isPrivate: false });
        groups.set(key, group);
        files.push(group);
      }
      await group.line(bytes);
    }
  }
  if (files.length === 0) throw new MakingError(transformWords.noLines());
  for (const file of files) await file.close();
}

/** Returns the group key of a line, or `undefined` if it is missing or unreadable. */
function keyOf(bytes: Buffer, by: SplitKey): string | undefined {
  const line = parseObject(bytes.toString());
  const value = by === 'url' ? line?.['url'] : objectOf(line?.['body'] ?? line?.['params'])?.['model'];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Returns a name for the file of a group that is unique in `names`, ignoring case, and adds it to them. */
function groupName(key: string | undefined, names: Set<string>): string {
  const words = (key ?? 'other').replaceAll(/[^\p{L}\p{N}._]+/gu, '-').replaceAll(/^[-.]+|[-.]+$/g, '');
  const short = words.replace(/^v\d-/, '').slice(-longestGroupName) || 'other';
  for (let number = 1; ; number++) {
    const name = number === 1 ? short : `${short}-${number}`;
    if (names.has(name.toLowerCase())) continue;
    names.add(name.toLowerCase());
    return name;
  }
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
