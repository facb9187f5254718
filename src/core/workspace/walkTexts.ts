import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { toGlobs } from '../search/searchGlobs';
import { decodeText } from './decodeText';
import { FileGuard } from './fileGuard';
import { createGitignore, readIgnoreFile } from './gitignore';
import { createGlob } from './globs';
import type { IgnoreFile } from './gitignore';

export interface WalkOptions {
  /** Globs separated by commas, as typed. */
  readonly include?: string | undefined;
  readonly exclude?: string | undefined;
  /** Takes a path relative to the folder: files with keys or passwords are not read. */
  readonly isSecret: (path: string) => boolean;
  readonly limits: WalkLimits;
  readonly signal: AbortSignal;
}

export interface WalkLimits {
  readonly files: number;
  /** Larger files are omitted. */
  readonly fileBytes: number;
  /** Limit for all files together. */
  readonly totalBytes: number;
}

export interface WalkedText {
  /** Relative to the folder, with `/`. */
  readonly path: string;
  readonly text: string;
}

/** The omitted files, by reason. Complete once the walk has ended. */
export interface WalkLeftOut {
  overLimit: number;
  tooLarge: number;
  unreadable: number;
}

interface Walk {
  readonly folder: string;
  readonly isIncluded: (path: string) => boolean;
  readonly options: WalkOptions;
}

/** Never worth searching, whether or not Git ignores them. */
const passedOver: ReadonlySet<string> = new Set(['.git', '.hg', '.svn', 'node_modules']);

/**
 * Yields the texts of the files in a folder, in path order, except those that Git ignores, files that aren't UTF-8 text, and links, which
 * could lead out of the folder. Throws the signal's reason.
 */
export async function* walkTexts(
  folder: string,
  options: WalkOptions,
  leftOut: WalkLeftOut,
): AsyncGenerator<WalkedText> {
  const { signal, limits } = options;
  const walk = { folder, options, isIncluded: includedBy(options) };
  const guard = await FileGuard.open([folder], options);
  let files = 0;
  let bytesLeft = limits.totalBytes;
  for await (const path of walkPaths('', [], walk)) {
    signal.throwIfAborted();
    if (files >= limits.files) {
      leftOut.overLimit += 1;
      continue;
    }
    files += 1;
    const read = await guard.read(join(folder, path), limits.fileBytes);
    if (read === 'tooLarge') leftOut.tooLarge += 1;
    else if ('refusal' in read) leftOut.unreadable += 1;
    else if (read.bytes.length > bytesLeft) leftOut.overLimit += 1;
    else {
      bytesLeft -= read.bytes.length;
      const text = decodeText(read.bytes);
      if (text !== undefined) yield { path, text };
    }
  }
}

function includedBy({ include, exclude, isSecret }: WalkOptions): (path: string) => boolean {
  const globs = toGlobs(include ?? '');
  const isIncluded = globs.length === 0 ? () => true : createGlob(globs);
  const isExcluded = createGlob(toGlobs(exclude ?? ''));
  return (path) => isIncluded(path) && !isExcluded(path) && !isSecret(path);
}

/** Yields the files below `at`, which is empty for the folder itself. `ignored` are the ignore files of the parent folders. */
async function* walkPaths(at: string, ignored: readonly IgnoreFile[], walk: Walk): AsyncGenerator<string> {
  walk.options.signal.throwIfAborted();
  const entries = await readdir(join(walk.folder, at), { withFileTypes: true }).catch(() => []);
  const here = entries.some((entry) => entry.name === '.gitignore' && entry.isFile());
  const text = here ? await readFile(join(walk.folder, at, '.gitignore'), 'utf8').catch(() => '') : '';
  const ignoring = text === '' ? ignored : [...ignored, readIgnoreFile(at, text)];
  const isIgnored = createGitignore(ignoring);
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = at === '' ? entry.name : `${at}/${entry.name}`;
    if (passedOver.has(entry.name)) continue;
    if (entry.isDirectory()) {
      if (!isIgnored(`${path}/`)) yield* walkPaths(path, ignoring, walk);
    } else if (entry.isFile() && !isIgnored(path) && walk.isIncluded(path)) yield path;
  }
}
