import { constants } from 'node:fs';
import { lstat, open, readlink, realpath, stat } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { relative, resolve, sep } from 'node:path';
import { isBelow } from './isBelow';

/**
 * Why a file is rejected: it is outside of the folders, perhaps through a link; it might contain keys; it is missing; or it isn't a file.
 */
export type Refusal = 'outside' | 'secret' | 'missing' | 'notFile';

export interface GuardedFile {
  /** Absolute, with links resolved. */
  readonly real: string;
}

export interface Refused {
  readonly refusal: Refusal;
  /** The system's error code, if there is one. */
  readonly code?: string;
}

export interface ReadFile extends GuardedFile {
  readonly bytes: Uint8Array;
}

export interface GuardOptions {
  /** Takes a path with `/`. Called with a file's name as requested and its real name, each in full and relative to its folder. */
  readonly isSecret: (path: string) => boolean;
  /** Also accepts files whose path is outside of the folders, because a user named them. */
  readonly allowsElsewhere?: boolean;
}

/** Decides which files may be read or written. Reveals nothing about files outside, not even whether they exist. */
export class FileGuard {
  private constructor(
    /** Absolute, with links resolved. Missing folders are omitted. */
    readonly folders: readonly string[],
    private readonly named: readonly string[],
    private readonly options: GuardOptions,
  ) {}

  static async open(folders: readonly string[], options: GuardOptions): Promise<FileGuard> {
    const real = await Promise.all(folders.map((folder) => realpath(folder).catch(() => undefined)));
    const there = real.filter((folder) => folder !== undefined);
    // Paths usually begin with the folder as it was named, which may be a link.
    const named = folders.filter((_, index) => real[index] !== undefined).map((folder) => resolve(folder));
    return new FileGuard([...new Set(there)], named, options);
  }

  /** Accepts files and folders; whether it is a file is checked when it is read. */
  async check(path: string): Promise<GuardedFile | Refused> {
    const requested = resolve(path);
    if (process.platform === 'win32' && namesStream(requested)) return { refusal: 'notFile' };
    const isNamedHere = this.folderOf(requested, [...this.folders, ...this.named]) !== undefined;
    if (!isNamedHere && this.options.allowsElsewhere !== true) return { refusal: 'outside' };
    const real = await realpath(requested).catch(toMissing);
    if (typeof real !== 'string') return real;
    if (isNamedHere && this.folderOf(real, this.folders) === undefined) return { refusal: 'outside' };
    return this.isSecret(requested) || this.isSecret(real) ? { refusal: 'secret' } : { real };
  }

  /** Returns `tooLarge` for more than `mostBytes`. Reads exactly the file that was checked, even if a link replaces it in the meantime. */
  async read(path: string, mostBytes: number): Promise<ReadFile | Refused | 'tooLarge'> {
    const checked = await this.check(path);
    if ('refusal' in checked) return checked;
    const { real } = checked;
    try {
      // Opening a pipe would wait for a process at its other end.
      if (!(await lstat(real)).isFile()) return { refusal: 'notFile' };
      const handle = await open(real, readOnly);
      try {
        const opened = await handle.stat();
        if (!opened.isFile()) return { refusal: 'notFile' };
        if (opened.size > mostBytes) return 'tooLarge';
        // The file may have grown since, and some files report no size.
        const bytes = await readMost(handle, mostBytes);
        if (bytes === undefined) return 'tooLarge';
        const refusal = await this.refusalOfOpened(handle, resolve(path), real);
        return refusal === undefined ? { real, bytes } : { refusal };
      } finally {
        await handle.close();
      }
    } catch (error) {
      return toMissing(error);
    }
  }

  /** Detects a link that replaced the file after it was checked. */
  private async refusalOfOpened(handle: FileHandle, requested: string, real: string): Promise<Refusal | undefined> {
    const isNamedHere = this.folderOf(requested, [...this.folders, ...this.named]) !== undefined;
    // Only Linux reports the path of an open file, and marks a file that was replaced in the meantime.
    const place = await readlink(`/proc/self/fd/${handle.fd}`).catch(() => undefined);
    if (place !== undefined) {
      const opened = place.replace(/ \(deleted\)$/, '');
      if (isNamedHere && this.folderOf(opened, this.folders) === undefined) return 'outside';
      return this.isSecret(opened) ? 'secret' : undefined;
    }
    const { dev, ino } = await handle.stat({ bigint: true });
    const now = await stat(real, { bigint: true });
    return now.dev === dev && now.ino === ino && (await realpath(requested)) === real ? undefined : 'outside';
  }

  private isSecret(path: string): boolean {
    const folder = this.folderOf(path, [...this.folders, ...this.named]);
    const { isSecret } = this.options;
    return isSecret(slashed(path)) || (folder !== undefined && isSecret(slashed(relative(folder, path))));
  }

  private folderOf(path: string, folders: readonly string[]): string | undefined {
    return folders.find((folder) => isBelow(folder, path));
  }
}

// A system without one of these flags has no such files, or follows links anyway: then the later check detects it.
const readOnly = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

const piece = 64 * 1024;

/** `undefined` if there is more, after reading one extra byte. */
async function readMost(handle: FileHandle, mostBytes: number): Promise<Uint8Array | undefined> {
  const pieces: Uint8Array[] = [];
  let left = mostBytes + 1;
  while (left > 0) {
    const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(Math.min(left, piece)));
    if (bytesRead === 0) return Buffer.concat(pieces);
    pieces.push(buffer.subarray(0, bytesRead));
    left -= bytesRead;
  }
  return undefined;
}

/** Whether it names a Windows stream: `a.txt:b` and `a.txt::$DATA` name a file's contents in ways that no name pattern matches. */
function namesStream(path: string): boolean {
  return path.replace(/^(?:[\\/]{2}[?.][\\/])?[a-z]:/i, '').includes(':');
}

function slashed(path: string): string {
  return path.split(sep).join('/');
}

function toMissing(error: unknown): Refused {
  const { code } = error as NodeJS.ErrnoException;
  return { refusal: 'missing', ...(code !== undefined && { code }) };
}
