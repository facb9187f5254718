import { dirname } from 'node:path';
import { openAppendLog } from '../storage/appendLog';
import type { AppendLog } from '../storage/appendLog';
import { makeFolder } from '../storage/privateFiles';
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
  let log: AppendLog | undefined;
  const unwritten: ConversationRecord[] = [];
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <R>(work: () => Promise<R>): Promise<R> => {
    const result = last.then(work, work);
    last = result;
    return result;
  };
  const open = async (): Promise<AppendLog> => {
    await makeFolder(dirname(path));
    return (log ??= await openAppendLog(path));
  };
  /** A full disk takes part of a write: what it took is not written again. */
  const drain = async (): Promise<void> => {
    if (unwritten.length === 0) return;
    const to = log ?? (await open());
    const written = unwritten.map((record) => to.append(toLines([record]), { isDurable: false }));
    const results = await Promise.allSettled(written);
    const failed = results.findIndex(({ status }) => status === 'rejected');
    unwritten.splice(0, failed < 0 ? unwritten.length : failed);
    await Promise.all(written);
  };
  return {
    unwritten,
    append: (records, { durable = false } = {}) =>
      inTurn(async () => {
        if (!durable) unwritten.push(...records);
        await drain();
        if (durable) await (log ?? (await open())).append(toLines(records));
      }),
    close: () =>
      inTurn(async () => {
        await drain().catch(() => undefined);
        await log?.close();
        log = undefined;
      }),
  };
}
