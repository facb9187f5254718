import type { FileHandle } from 'node:fs/promises';
import { constants } from 'node:fs';
import { dirname } from 'node:path';
import { sync } from './atomicFile';
import { makeFolder, openFile } from './privateFiles';
import type { Content, Reach } from './privateFiles';

interface Entry {
  readonly bytes: Buffer;
  readonly isDurable: boolean;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

const lineEnd = 0x0a;

/**
 * Opens a log of lines for appending; creates the file, whose folder must exist. If a crash left an incomplete last line, the next entry
 * starts on a new line.
 */
export async function openAppendLog(path: string, reach: Reach = {}): Promise<AppendLog> {
  const handle = await openFile(path, 'a+', reach);
  try {
    return new AppendLog(handle, await endsWithinLine(handle));
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** A file of lines that this process alone appends to. */
export class AppendLog {
  private waiting: Entry[] = [];
  private writing: Promise<void> | undefined;
  /** Set if part of an entry couldn't be removed after the error. No entry can follow it. */
  private broken: { readonly size: number; readonly error: unknown } | undefined;

  constructor(
    private readonly handle: FileHandle,
    private startsNewLine: boolean,
  ) {}

  /**
   * Adds one or more complete lines, all of them or none: if it rejects, none is in the file. Resolves once they are on disk. With
   * `isDurable: false`, resolves once the system has them, so that a crash of this process can't lose them, but a power failure can.
   * Entries added during a write are written together, in order. If that fails, complete ones are kept.
   */
  append(lines: string, { isDurable = true }: { readonly isDurable?: boolean } = {}): Promise<void> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ bytes: Buffer.from(lines), isDurable, resolve, reject });
      this.writing ??= this.writeAll();
    });
  }

  /** Resolves once everything added is written or has failed. */
  async close(): Promise<void> {
    await this.writing;
    await this.handle.close();
  }

  private async writeAll(): Promise<void> {
    // Those added at once are written at once.
    await Promise.resolve();
    while (this.waiting.length > 0) {
      const entries = this.waiting;
      this.waiting = [];
      const failed = await this.write(entries).catch((error: unknown) => ({ error, whole: 0 }));
      for (const [index, { resolve, reject }] of entries.entries())
        if (failed && index >= failed.whole) reject(failed.error);
        else resolve();
    }
    // Immediately, so that no later entry is overlooked.
    this.writing = undefined;
  }

  /** Resolves with how many entries are written if the others are not. */
  private async write(
    entries: readonly Entry[],
  ): Promise<{ readonly error: unknown; readonly whole: number } | undefined> {
    await this.repair();
    const { size } = await this.handle.stat();
    const start = Buffer.from(this.startsNewLine ? '\n' : '');
    const bytes = Buffer.concat([start, ...entries.map((entry) => entry.bytes)]);
    const settle = () => (entries.some(({ isDurable }) => isDurable) ? sync(this.handle) : undefined);
    let written = 0;
    try {
      while (written < bytes.length) written += (await this.handle.write(bytes, written)).bytesWritten;
      await settle();
      this.startsNewLine = false;
      return undefined;
    } catch (error) {
      const ends = endsOf(entries, start.length);
      let whole = written === bytes.length ? 0 : ends.filter((end) => end <= written).length;
      if (whole > 0) await Promise.resolve(settle()).catch(() => (whole = 0));
      const length = whole === 0 ? 0 : ends[whole - 1]!;
      if (whole > 0) this.startsNewLine = false;
      if (written > length) this.broken = { size: size + length, error };
      await this.repair().catch(() => undefined);
      return { error, whole };
    }
  }

  private async repair(): Promise<void> {
    if (!this.broken) return;
    const { size, error } = this.broken;
    await this.handle.truncate(size).catch(() => {
      // The error that left a partial line is more informative than the one that prevents removing it.
      throw error;
    });
    this.broken = undefined;
  }
}

/** Where each entry ends, in bytes after the beginning of the write. */
function endsOf(entries: readonly Entry[], start: number): readonly number[] {
  let end = start;
  return entries.map(({ bytes }) => (end += bytes.length));
}

async function endsWithinLine(handle: FileHandle): Promise<boolean> {
  const { size } = await handle.stat();
  if (size === 0) return false;
  const { buffer, bytesRead } = await handle.read(new Uint8Array(1), 0, 1, size - 1);
  return bytesRead > 0 && buffer[0] !== lineEnd;
}

/**
 * Appends to a file that other processes append to as well, in one write. With `mustExist`, creates neither the folder nor the file;
 * unless `isDurable` is false, resolves once the content is on disk. A crash may leave part of it, so records begin and end in a
 * way by which a reader recognizes an incomplete one.
 */
export async function appendShared(
  path: string,
  content: Content,
  { mustExist = false, isDurable = true }: { readonly mustExist?: boolean; readonly isDurable?: boolean } = {},
): Promise<void> {
  if (!mustExist) await makeFolder(dirname(path));
  const handle = await openFile(path, mustExist ? constants.O_WRONLY | constants.O_APPEND : 'a');
  try {
    await handle.appendFile(content);
    if (isDurable) await sync(handle);
  } finally {
    await handle.close();
  }
}
