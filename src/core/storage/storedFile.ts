import { rm } from 'node:fs/promises';
import { readOrEmpty } from './privateFiles';

/** Files are read when the editor starts, and written later or never. */
const atomicFile = () => import('./atomicFile');

/** A small text file that is replaced as a whole. */
export interface TextFile {
  /** Resolves to empty text if there is no file. Text that could not be written is returned nevertheless. */
  readonly read: () => Promise<string>;
  /** Of several writes requested during another, only the last is performed. Empty text deletes the file. */
  readonly write: (text: string) => Promise<void>;
  /** Resolves once no write is in progress; ignores failed writes. */
  readonly settled: () => Promise<void>;
}

/** Called after a file that this version cannot read was moved. */
export type OnSetAside = (path: string, aside: string) => void;

/** With `onSetAside`, a file whose text this version cannot read, by `isUnderstood`, is moved aside before it is overwritten. */
export function createTextFile(
  path: string,
  onSetAside?: OnSetAside,
  isUnderstood: (text: string) => boolean | Promise<boolean> = () => true,
): TextFile {
  let pending: string | undefined;
  let writing: Promise<void> = Promise.resolve();

  const writeNow = async (): Promise<void> => {
    if (pending === undefined) return;
    const text = pending;
    pending = undefined;
    try {
      await makeWay();
      if (text === '') await rm(path, { force: true });
      else await (await atomicFile()).writeAtomic(path, text);
    } catch (error) {
      pending ??= text;
      throw error;
    }
  };

  const makeWay = async (): Promise<void> => {
    if (!onSetAside) return;
    const there = await readOrEmpty(path).catch(() => undefined);
    if (there === undefined || (there !== '' && !(await isUnderstood(there)))) await setAside(path, onSetAside);
  };

  return {
    read: async () => pending ?? (await readOrEmpty(path)),
    write: (text) => {
      pending = text;
      writing = writing.then(writeNow, writeNow);
      return writing;
    },
    settled: () => writing.catch(() => {}),
  };
}

/** Renames a file so that its name says it is unreadable. Does nothing without a file. */
export async function setAside(path: string, onSetAside: OnSetAside): Promise<void> {
  const aside = `${path}.unreadable-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`;
  const { renameDurably } = await atomicFile();
  try {
    await renameDurably(path, aside);
  } catch (error) {
    // Another window was faster.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  onSetAside(path, aside);
}

/** A small JSON file that is replaced as a whole. */
export interface JsonFile<T> {
  /** Resolves with `undefined` if there is no file, or it does not have the expected form. */
  read(): Promise<T | undefined>;
  /** Of several writes requested during another, only the last is performed. */
  write(value: T): Promise<void>;
  remove(): Promise<void>;
}

/**
 * `parse` validates the content, and returns `undefined` if it doesn't have the expected form. With `onSetAside`, such a file is moved
 * aside when it is read or overwritten. Pass it for everything except caches.
 */
export function createJsonFile<T>(
  path: string,
  parse: (raw: unknown) => T | undefined | Promise<T | undefined>,
  onSetAside?: OnSetAside,
): JsonFile<T> {
  const parseText = async (text: string): Promise<T | undefined> => {
    try {
      return await parse(JSON.parse(text));
    } catch (error) {
      if (error instanceof SyntaxError) return undefined;
      throw error;
    }
  };
  const isUnderstood = async (text: string) => (await parseText(text)) !== undefined;
  const file = createTextFile(path, onSetAside, isUnderstood);

  return {
    async read() {
      const text = await readOrEmpty(path);
      if (text === '') return undefined;
      const value = await parseText(text);
      // If it cannot be moved now, it is moved before the next write.
      if (value === undefined && onSetAside) await setAside(path, onSetAside).catch(() => undefined);
      return value;
    },
    write: async (value) => file.write(`${JSON.stringify(value, undefined, 1)}\n`),
    remove: () => file.write(''),
  };
}

/** `raw` with the property `from` named `to`, for files that earlier versions wrote. Returns anything without `from` unchanged. */
export function renamed(raw: unknown, from: string, to: string): unknown {
  if (typeof raw !== 'object' || raw === null || !Object.hasOwn(raw, from)) return raw;
  const { [from]: value, ...others } = raw as Readonly<Record<string, unknown>>;
  return { ...others, [to]: value };
}
