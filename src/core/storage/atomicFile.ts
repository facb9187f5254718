import { constants } from 'node:fs';
import { copyFile, open, rename, rm } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { exists, makeFolder } from './privateFiles';
import type { Content, Reach } from './privateFiles';
import { naming, openTemporary } from './temporaryFiles';
import type { TemporaryFile } from './temporaryFiles';

export interface AtomicOptions extends Reach {
  /** Unset: true. False: throws `EEXIST` if a file of that name exists. */
  readonly replace?: boolean;
  /** The file's mode, e.g. that of the file it replaces. */
  readonly mode?: number;
}

/**
 * Writes a file so that readers, also after a crash or a power failure, find either the previous or the complete new content. Resolves once
 * it is on disk. A failure leaves no temporary file, and keeps a previous file. Creates the folder.
 */
export async function writeAtomic(target: string, content: Content, options: AtomicOptions = {}): Promise<void> {
  await makeFolder(path.dirname(target), options);
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  await writeAtomically(target, options, async (file) => file.write(bytes));
}

/** Copies a file in the same way, without its mode. */
export async function copyAtomic(from: string, target: string, options: AtomicOptions = {}): Promise<void> {
  await makeFolder(path.dirname(target), options);
  await writeAtomically(target, options, (file) => file.copy(from));
}

/** Places what `work` writes, once that is complete; if `work` throws, nothing of it remains. The folder must exist. */
export async function writeAtomically<T>(
  target: string,
  options: AtomicOptions,
  work: (file: AtomicFile) => Promise<T>,
): Promise<T> {
  const file = await openAtomic(target, options);
  try {
    const result = await work(file);
    await file.place(options);
    return result;
  } catch (error) {
    await file.discard();
    throw error;
  }
}

/** Starts a file that appears under its name once it is placed. The caller places or discards it. The folder must exist. */
export async function openAtomic(target: string, { mode, ...reach }: AtomicOptions = {}): Promise<AtomicFile> {
  const temporary = await openTemporary(target, reach);
  if (mode !== undefined) await temporary.handle.chmod(mode & 0o7777).catch(() => undefined);
  return new AtomicFile(target, temporary);
}

const bufferBytes = 1 << 20;
const lineEnd = Buffer.from('\n');

/** A file being written under a temporary name. */
export class AtomicFile {
  /** The number of lines added by `line`. */
  lines = 0;
  bytes = 0;
  private pending: Uint8Array[] = [];
  private pendingBytes = 0;
  private isOpen = true;
  private readonly handle: FileHandle;

  constructor(
    readonly target: string,
    private readonly temporary: TemporaryFile,
  ) {
    this.handle = temporary.handle;
  }

  /** Await the result before the next call; it is `undefined` if the bytes were only buffered. */
  write(bytes: Uint8Array): Promise<void> | undefined {
    this.add(bytes);
    return this.pendingBytes < bufferBytes ? undefined : this.flush();
  }

  /** Adds a line and its line break. */
  line(bytes: Uint8Array): Promise<void> | undefined {
    this.lines++;
    this.add(bytes);
    return this.write(lineEnd);
  }

  async copy(from: string): Promise<void> {
    const { mode } = await this.handle.stat();
    await copyFile(from, this.temporary.path, constants.COPYFILE_FICLONE).catch((error: unknown) => {
      throw naming(this.target, this.temporary.path, error);
    });
    if (process.platform !== 'win32') await this.handle.chmod(mode & 0o7777);
  }

  /** Writes buffered content to disk. Nothing can be added after that. */
  async close(): Promise<void> {
    if (!this.isOpen) return;
    await this.flush();
    await sync(this.handle);
    this.isOpen = false;
    await this.handle.close();
  }

  /** Closes the file and gives it its name. */
  async place({ replace = true }: AtomicOptions = {}): Promise<void> {
    await this.close();
    if (!replace && (await exists(this.target)))
      throw Object.assign(new Error(`EEXIST: file already exists, '${this.target}'`), { code: 'EEXIST' });
    await this.rename(this.target);
  }

  /** Places what there is so far under another name. */
  async placePart(target: string): Promise<void> {
    await this.close();
    await this.rename(target);
  }

  /** Deletes the file unless it is placed. Never rejects. */
  async discard(): Promise<void> {
    if (this.isOpen) await this.handle.close().catch(() => undefined);
    this.isOpen = false;
    await rm(this.temporary.path, { force: true }).catch(() => undefined);
    await this.temporary.leave();
  }

  private async rename(target: string): Promise<void> {
    await renameDurably(this.temporary.path, target).catch((error: unknown) => {
      throw naming(target, this.temporary.path, error);
    });
    await this.temporary.leave();
  }

  private add(bytes: Uint8Array): void {
    this.pending.push(bytes);
    this.pendingBytes += bytes.length;
    this.bytes += bytes.length;
  }

  private async flush(): Promise<void> {
    const bytes = this.pending.length === 1 ? this.pending[0]! : Buffer.concat(this.pending);
    this.pending = [];
    this.pendingBytes = 0;
    if (bytes.length > 0) await this.handle.appendFile(bytes);
  }
}

/** Renames a file whose content is on disk; resolves once the new name is, too. Replaces an existing file. */
export async function renameDurably(from: string, to: string): Promise<void> {
  await renameOver(from, to);
  const folder = path.dirname(to);
  await syncFolder(folder);
  if (path.dirname(from) !== folder) await syncFolder(path.dirname(from));
}

/** Virus scanners and indexers of Windows hold a file open for a moment after it was written. */
const windowsRetries = 12;

async function renameOver(from: string, to: string): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await rename(from, to);
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException;
      const isBusy = process.platform === 'win32' && ['EPERM', 'EACCES', 'EBUSY'].includes(code);
      if (!isBusy || attempt === windowsRetries) throw error;
      await wait(5 * 2 ** Math.min(attempt, 7));
    }
  }
}

/** The error codes of file systems that cannot sync, usually network file systems. */
const unsupported: ReadonlySet<string | undefined> = new Set(['EINVAL', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP']);

/** Waits until the file is on disk, where the file system offers that. */
export async function sync(handle: FileHandle): Promise<void> {
  await handle.datasync().catch((error: NodeJS.ErrnoException) => {
    if (!unsupported.has(error.code)) throw error;
  });
}

/** Without this, a power failure can undo a rename that has been reported as done. Windows has nothing like it. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r').catch(() => undefined);
  // The file is in place already: an error here must not make it count as failed.
  await handle?.sync().catch(() => undefined);
  await handle?.close().catch(() => undefined);
}
