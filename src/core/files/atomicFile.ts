import { readFile, rm } from 'node:fs/promises';
import { replaceFile } from './privateFiles';
import { setAside } from './setAside';
import type { OnSetAside } from './setAside';

/**
 * A small file that is written whole, beside and renamed. Of several writes asked for meanwhile only the last is made. What cannot be
 * written is read all the same.
 */
export interface AtomicFile {
  /** Empty where there is no file. */
  readonly read: () => Promise<string>;
  /** Empty text removes the file. */
  readonly write: (text: string) => Promise<void>;
  /** Resolves when nothing is being written; a failed write is nothing to it. */
  readonly settled: () => Promise<void>;
}

export interface AtomicFileOptions {
  /** Whether a text is one of those that are written there; another is set aside before it would be written over. */
  readonly isUnderstood: (text: string) => boolean;
  readonly onSetAside: OnSetAside;
}

export function createAtomicFile(path: string, options?: AtomicFileOptions): AtomicFile {
  let wanted: string | undefined;
  let writing: Promise<void> = Promise.resolve();

  const writeNow = async (): Promise<void> => {
    if (wanted === undefined) return;
    const text = wanted;
    wanted = undefined;
    if (options) await makeWay(path, options);
    if (text === '') return rm(path, { force: true });
    try {
      await replaceFile(path, text);
    } catch (error) {
      wanted ??= text;
      throw error;
    }
  };

  return {
    read: async () => wanted ?? (await readOrEmpty(path)),
    write: (text) => {
      wanted = text;
      writing = writing.then(writeNow, writeNow);
      return writing;
    },
    settled: () => writing.catch(() => {}),
  };
}

/** Empty where there is no file. */
export async function readOrEmpty(path: string): Promise<string> {
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
}

async function makeWay(path: string, { isUnderstood, onSetAside }: AtomicFileOptions): Promise<void> {
  const there = await readOrEmpty(path).catch(() => undefined);
  if (there === undefined || (there !== '' && !isUnderstood(there))) await setAside(path, onSetAside);
}
