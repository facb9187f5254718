import type { FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeFolder, openFile as openPrivate } from '../files/privateFiles';
import { toLines } from './record';
import type { ConversationRecord } from './record';

/** Appends lines to one history file. */
export interface HistoryFile {
  /**
   * Resolves once the operating system has the lines, so that a crash of this process cannot lose them. After a failure they are
   * retained and written with the next call. With `durable`, resolves once they are on disk, and a failure discards them, here and
   * in the file.
   */
  append(records: readonly ConversationRecord[], options?: { readonly durable?: boolean }): Promise<void>;
  /** The records that could not be written so far. */
  readonly unwritten: readonly ConversationRecord[];
  /** Tries once more to write what is unwritten. */
  close(): Promise<void>;
}

/** The first `append` creates the file and its folder. */
export function createHistoryFile(path: string): HistoryFile {
  const writer = createLineWriter(path);
  const unwritten: ConversationRecord[] = [];
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <R>(work: () => Promise<R>): Promise<R> => {
    const result = last.then(work, work);
    last = result;
    return result;
  };
  return {
    unwritten,
    append: (records, { durable = false } = {}) =>
      inTurn(async () => {
        if (!durable) unwritten.push(...records);
        await writer.drain(unwritten);
        if (durable) await writer.writeDurably(records);
      }),
    close: () =>
      inTurn(async () => {
        await writer.drain(unwritten).catch(() => undefined);
        await writer.close();
      }),
  };
}

/** Appends lines to a file, one call at a time. */
function createLineWriter(path: string) {
  let opened: { readonly handle: FileHandle } | undefined;
  /** Whether the file may end within a line, which the next write must not continue. */
  let torn = false;

  const openFile = async (): Promise<FileHandle> => {
    if (opened) return opened.handle;
    await makeFolder(dirname(path));
    const handle = await openPrivate(path, 'a+');
    opened = { handle };
    torn = await endsWithinLine(handle);
    return handle;
  };
  /** Writes `records` and removes those written completely: a full disk takes part of a write. */
  const drain = async (records: ConversationRecord[]): Promise<void> => {
    if (records.length === 0) return;
    const handle = await openFile();
    const starting = torn ? '\n' : '';
    const bytes = Buffer.from(starting + toLines(records));
    let written = 0;
    try {
      while (written < bytes.length) written += (await handle.write(bytes, written)).bytesWritten;
      records.length = 0;
      torn = false;
    } catch (error) {
      records.splice(0, bytes.subarray(starting.length, written).filter((byte) => byte === lineEnd).length);
      if (written > 0) torn = bytes[written - 1] !== lineEnd;
      throw error;
    }
  };
  return {
    drain,
    /** Resolves once the records are on disk; after a failure, restores the file. */
    async writeDurably(records: readonly ConversationRecord[]): Promise<void> {
      const handle = await openFile();
      const { size } = await handle.stat();
      const wasTorn = torn;
      try {
        await drain([...records]);
        await handle.datasync();
      } catch (error) {
        await handle.truncate(size).then(
          () => (torn = wasTorn),
          () => undefined,
        );
        throw error;
      }
    },
    async close(): Promise<void> {
      await opened?.handle.close();
      opened = undefined;
    },
  };
}

const lineEnd = 0x0a;

async function endsWithinLine(handle: FileHandle): Promise<boolean> {
  const { size } = await handle.stat();
  if (size === 0) return false;
  const { buffer } = await handle.read(new Uint8Array(1), 0, 1, size - 1);
  return buffer[0] !== lineEnd;
}
