import { readFile, rm } from 'node:fs/promises';
import { replaceFile } from '../core/files/privateFiles';
import { setAside } from '../core/files/setAside';
import type { OnSetAside } from '../core/files/setAside';

/** One small JSON file, written to a temporary file first and then renamed, so that a reader never sees half of it. */
export interface JsonFile<T> {
  /** Resolves with `undefined` if there is no file, or it does not have the expected form. */
  read(): Promise<T | undefined>;
  /** Writes through one `JsonFile` happen in the order they were requested. */
  write(value: T): Promise<void>;
  remove(): Promise<void>;
}

/**
 * `parse` validates what was read, and returns `undefined` if it does not have the expected form. With `onSetAside`, such a file is moved
 * aside before anything is written in its place; pass it for everything except caches.
 */
export function createJsonFile<T>(
  path: string,
  parse: (raw: unknown) => T | undefined | Promise<T | undefined>,
  onSetAside?: OnSetAside,
): JsonFile<T> {
  /** Whether the existing file was not understood and has not been moved yet. */
  let isInTheWay = false;
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <R>(work: () => Promise<R>): Promise<R> => {
    const result = last.then(work, work);
    last = result;
    return result;
  };

  const makeWay = async (): Promise<void> => {
    if (!isInTheWay || !onSetAside) return;
    await setAside(path, onSetAside);
    isInTheWay = false;
  };
  const parseText = async (text: string): Promise<T | undefined> => {
    try {
      return await parse(JSON.parse(text));
    } catch (error) {
      if (error instanceof SyntaxError) return undefined;
      throw error;
    }
  };

  return {
    async read() {
      const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return undefined;
        throw error;
      });
      if (text === undefined) return undefined;
      const value = await parseText(text);
      isInTheWay = value === undefined;
      // If it cannot be moved now, it is moved before the next write.
      await makeWay().catch(() => undefined);
      return value;
    },
    write: (value) =>
      inTurn(async () => {
        await makeWay();
        await replaceFile(path, `${JSON.stringify(value, undefined, 1)}\n`);
      }),
    remove: () => inTurn(() => rm(path, { force: true })),
  };
}
