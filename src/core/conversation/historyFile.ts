import type { FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeFolder, openFile as openPrivate } from '../files/privateFiles';
import { toLines } from './record';
import type { ConversationRecord } from './record';

/** Adds lines to one history file. */
export interface HistoryFile {
  /**
   * Resolves when the lines are with the system, so that the death of this process cannot lose them. After a failure they
   * are kept and written with the next call. With `durable` it resolves when they are on the disk, and a failure means
   * that they are dropped.
   */
  append(records: readonly ConversationRecord[], options?: { readonly durable?: boolean }): Promise<void>;
  /** Waits for what is being written. */
  close(): Promise<void>;
}

/** The file and its folder are made at the first `append`. Each call is one write at the file's end. */
export function createHistoryFile(path: string): HistoryFile {
  let opened: { readonly handle: FileHandle } | undefined;
  let unwritten = '';
  /** The file may end within a line, which the next write must not continue. */
  let torn = false;
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <R>(work: () => Promise<R>): Promise<R> => {
    const result = last.then(work, work);
    last = result;
    return result;
  };

  const openFile = async (): Promise<FileHandle> => {
    if (opened) return opened.handle;
    await makeFolder(dirname(path));
    const handle = await openPrivate(path, 'a+');
    opened = { handle };
    torn = await endsWithinLine(handle);
    return handle;
  };

  return {
    append: (records, { durable = false } = {}) => {
      const lines = toLines(records);
      return inTurn(async () => {
        const before = unwritten;
        unwritten += lines;
        try {
          const handle = await openFile();
          const starting = torn ? '\n' : '';
          torn = true;
          await handle.appendFile(starting + unwritten);
          torn = false;
          unwritten = '';
          if (durable) await handle.datasync();
        } catch (error) {
          if (durable) unwritten = before;
          throw error;
        }
      });
    },
    close: () =>
      inTurn(async () => {
        await opened?.handle.close();
        opened = undefined;
      }),
  };
}

async function endsWithinLine(handle: FileHandle): Promise<boolean> {
  const { size } = await handle.stat();
  if (size === 0) return false;
  const { buffer } = await handle.read(new Uint8Array(1), 0, 1, size - 1);
  return buffer[0] !== 0x0a;
}
