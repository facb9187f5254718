import { dirname } from 'node:path';
import { openFile, reachOf } from '../../files/privateFiles';

/** Adds whole lines to a file. */
export interface LineWriter {
  /**
   * Resolves when the line is in the file, and on the disk where the file is durable. Where that fails nothing of the line
   * is left, and it may be added again.
   */
  add(line: string): Promise<void>;
  close(): Promise<void>;
}

export interface LineWriterOptions {
  /** Waits for the disk. */
  readonly durable: boolean;
}

interface Waiting {
  readonly line: string;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** The file is made where there is none; its last line must be ended. Lines that are added meanwhile are written together. */
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
          // Why it is torn tells more than why it stays so.
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
        // What was written in part would take the next line with it.
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
