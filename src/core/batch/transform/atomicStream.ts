import { randomUUID } from 'node:crypto';
import { rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { openFile } from '../../files/privateFiles';
import { MakingError } from '../making/makingError';
import { transformWords } from '../words/makingWords';

const bufferBytes = 1 << 20;
const lineEnd = Buffer.from('\n');

/** A file at a path the user chose. It is written under a temporary name beside it and renamed when complete. */
export interface AtomicStream {
  readonly path: string;
  readonly lines: number;
  readonly bytes: number;
  /** Adds a line and its line break. Await the result before adding the next one. */
  line(bytes: Buffer): Promise<void> | undefined;
  /** Writes everything buffered. No line may be added after that. */
  close(): Promise<void>;
  /** Renames a closed file to its final name. Throws if a file of that name exists and must not be replaced. */
  place(replace: boolean): Promise<void>;
  /** Closes and deletes the temporary file, whatever its state. */
  discard(): Promise<void>;
}

export async function createAtomicStream(target: string): Promise<AtomicStream> {
  const beside = path.join(path.dirname(target), `.${path.basename(target)}.${randomUUID()}.tmp`);
  const handle = await openFile(beside, 'wx', { isPrivate: false });
  let isOpen = true;
  let pending: Buffer[] = [];
  let pendingBytes = 0;
  let lines = 0;
  let bytes = 0;
  const flush = async () => {
    const whole = Buffer.concat(pending);
    pending = [];
    pendingBytes = 0;
    await handle.appendFile(whole);
  };
  return {
    path: target,
    get lines() {
      return lines;
    },
    get bytes() {
      return bytes;
    },
    line(text) {
      pending.push(text, lineEnd);
      pendingBytes += text.length + 1;
      bytes += text.length + 1;
      lines++;
      return pendingBytes < bufferBytes ? undefined : flush();
    },
    async close() {
      await flush();
      isOpen = false;
      await handle.close();
    },
    async place(replace) {
      if (!replace && (await exists(target))) throw new MakingError(transformWords.exists(path.basename(target)));
      await rename(beside, target);
    },
    async discard() {
      if (isOpen) await handle.close().catch(() => undefined);
      isOpen = false;
      await rm(beside, { force: true });
    },
  };
}

export async function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return false;
      throw error;
    },
  );
}

/** Writes one file completely or not at all: if `work` fails or is cancelled, nothing of the file remains. */
export async function writeStreamAtomically<T>(
  target: string,
  replace: boolean,
  work: (file: AtomicStream) => Promise<T>,
): Promise<T> {
  const file = await createAtomicStream(target);
  try {
    const result = await work(file);
    await file.close();
    await file.place(replace);
    return result;
  } catch (error) {
    await file.discard();
    throw error;
  }
}
