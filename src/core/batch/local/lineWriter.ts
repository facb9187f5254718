import { dirname } from 'node:path';
import { openFile, reachOf } from '../../files/privateFiles';

/** Appends whole lines to a file. */
export interface LineWriter {
  /**
   * Resolves once the line is in the file, and on the disk if the writer is durable. If that fails, nothing of the line remains,
   * and it can be added again.
   */
  add(line: string): Promise<void>;
  close(): Promise<void>;
}

export interface LineWriterOptions {
  /** Waits until lines are on the disk. */
  readonly durable: boolean;
}

interface Waiting {
  readonly line: string;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Creates the file if it does not exist; its last line must end with a line break. Lines added during a write are written together. */
export async function openLineWriter(file: string, { durable }: LineWriterOptions): Promise<LineWriter> {
  const handle = await openFile(file, 'a', await reachOf(dirname(file)));
  let waiting: Waiting[] = [];
  let length = (await handle.stat()).size;
  let isTorn = false;
  let trouble: unknown;
  let writing: Promise<void> | undefined;

  const write = async (): Promise<void> => {
    while (waiting.length > 0) {
      const now = waiting;
      waiting = [];
      const bytes = Buffer.from(now.map(({ line }) => `${line}\n`).join(''));
      try {
        if (isTorn) {
          // The error that left an incomplete line says more than the one that prevents removing it.
          await handle.truncate(length).catch(() => {
            throw trouble;
          });
        }
        isTorn = true;
        await handle.appendFile(bytes);
        if (durable) await handle.datasync();
        isTorn = false;
        length += bytes.length;
        for (const { resolve } of now) resolve();
      } catch (error) {
        trouble = error;
        // The next line would be appended to an incomplete one.
        await handle.truncate(length).then(
          () => (isTorn = false),
          () => undefined,
        );
        for (const { reject } of now) reject(error);
      }
    }
    writing = undefined;
  };
  return {
    add: (line) =>
      new Promise((resolve, reject) => {
        waiting.push({ line, resolve, reject });
        writing ??= write();
      }),
    async close() {
      await writing;
      await handle.close();
    },
  };
}
