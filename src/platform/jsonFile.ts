import { readFile, rm } from 'node:fs/promises';
import { replaceFile } from '../core/files/privateFiles';

/** One small JSON file, written whole: beside it first, then renamed, so that a reader never sees half of it. */
export interface JsonFile<T> {
  /** `undefined` where there is no file, or none that can be understood. */
  read(): Promise<T | undefined>;
  /** Writes of one `JsonFile` happen in the order they were asked for. */
  write(value: T): Promise<void>;
  remove(): Promise<void>;
}

/** `parse` checks what was read, and returns `undefined` for what it does not understand. */
export function createJsonFile<T>(
  path: string,
  parse: (raw: unknown) => T | undefined | Promise<T | undefined>,
): JsonFile<T> {
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <R>(work: () => Promise<R>): Promise<R> => {
    const result = last.then(work, work);
    last = result;
    return result;
  };

  return {
    async read() {
      const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return undefined;
        throw error;
      });
      if (text === undefined) return undefined;
      try {
        return await parse(JSON.parse(text));
      } catch (error) {
        if (error instanceof SyntaxError) return undefined;
        throw error;
      }
    },
    write: (value) => inTurn(() => replaceFile(path, `${JSON.stringify(value, undefined, 1)}\n`)),
    remove: () => inTurn(() => rm(path, { force: true })),
  };
}
