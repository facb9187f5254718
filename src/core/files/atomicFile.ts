import { readFile, rm } from 'node:fs/promises';
import { replaceFile } from './privateFiles';
import { setAside } from './setAside';
import type { OnSetAside } from './setAside';

/**
 * A small file that is replaced atomically. Of several writes requested during another, only the last is performed. Text that could
 * not be written is still returned by `read`.
 */
export interface AtomicFile {
  /** Resolves to empty text if there is no file. */
  readonly read: () => Promise<string>;
  /** Empty text deletes the file. */
  readonly write: (text: string) => Promise<void>;
  /** Resolves once no write is in progress; ignores failed writes. */
  readonly settled: () => Promise<void>;
}

export interface AtomicFileOptions {
  /** Whether this version can read the text; an unreadable file is set aside before it is overwritten. */
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

/** Resolves to empty text if there is no file. */
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
