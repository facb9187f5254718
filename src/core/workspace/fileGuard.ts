import { constants } from 'node:fs';
import { lstat, open, readlink, realpath, stat } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { relative, resolve, sep } from 'node:path';
import { isBelow } from './isBelow';

/** Why a file is not used: it lies outside of the folders, perhaps by a link; it may hold keys; it is not there, or is no file. */
export type Refusal = 'outside' | 'secret' | 'missing' | 'notFile';

export interface GuardedFile {
  /** Absolute, links resolved. */
  readonly real: string;
}

export interface Refused {
  readonly refusal: Refusal;
  /** Of the system, where it has one. */
  readonly code?: string;
}

export interface ReadFile extends GuardedFile {
  readonly bytes: Uint8Array;
}

export interface GuardOptions {
  /** By a path with `/`. It is asked of each file by the name it was given and by its real one, in full and from its folder. */
  readonly isSecret: (path: string) => boolean;
  /** Files are used, too, whose name says that they lie elsewhere: a person named them. */
  readonly allowsElsewhere?: boolean;
}

/** Decides what may be read or written by its name. Of what is outside it tells nothing, not even whether it is there. */
export class FileGuard {
  private constructor(
    /** Absolute, links resolved; those that are not there are left out. */
    readonly folders: readonly string[],
    private readonly named: readonly string[],
    private readonly options: GuardOptions,
  ) {}

  static async open(folders: readonly string[], options: GuardOptions): Promise<FileGuard> {
    const real = await Promise.all(folders.map((folder) => realpath(folder).catch(() => undefined)));
    const there = real.filter((folder) => folder !== undefined);
    // A path is mostly asked for as its folder was named, which may be a link.
    const named = folders.filter((_, index) => real[index] !== undefined).map((folder) => resolve(folder));
    return new FileGuard([...new Set(there)], named, options);
  }

  /** Takes a file or a folder; whether it is a file is known when it is read. */
  async check(path: string): Promise<GuardedFile | Refused> {
    const asked = resolve(path);
    if (process.platform === 'win32' && namesStream(asked)) return { refusal: 'notFile' };
    const isNamedHere = this.folderOf(asked, [...this.folders, ...this.named]) !== undefined;
    if (!isNamedHere && this.options.allowsElsewhere !== true) return { refusal: 'outside' };
    const real = await realpath(asked).catch(toMissing);
    if (typeof real !== 'string') return real;
    if (isNamedHere && this.folderOf(real, this.folders) === undefined) return { refusal: 'outside' };
    return this.isSecret(asked) || this.isSecret(real) ? { refusal: 'secret' } : { real };
  }

  /** `tooLarge` for more than so many bytes. What is read is what was checked, also when a link takes its place meanwhile. */
  async read(path: string, mostBytes: number): Promise<ReadFile | Refused | 'tooLarge'> {
    const checked = await this.check(path);
    if ('refusal' in checked) return checked;
    const { real } = checked;
    try {
      // To open a pipe is to wait for somebody at its other end.
      if (!(await lstat(real)).isFile()) return { refusal: 'notFile' };
      const handle = await open(real, readOnly);
      try {
        const opened = await handle.stat();
        if (!opened.isFile()) return { refusal: 'notFile' };
        if (opened.size > mostBytes) return 'tooLarge';
        // It may have grown since, and some files tell no size.
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

  /** A link may have come to stand where the file was checked. */
  private async refusalOfOpened(handle: FileHandle, asked: string, real: string): Promise<Refusal | undefined> {
    const isNamedHere = this.folderOf(asked, [...this.folders, ...this.named]) !== undefined;
    // Only Linux tells where an opened file is; one that was replaced meanwhile is marked there.
    const place = await readlink(`/proc/self/fd/${handle.fd}`).catch(() => undefined);
    if (place !== undefined) {
      const opened = place.replace(/ \(deleted\)$/, '');
      if (isNamedHere && this.folderOf(opened, this.folders) === undefined) return 'outside';
      return this.isSecret(opened) ? 'secret' : undefined;
    }
    const { dev, ino } = await handle.stat({ bigint: true });
    const now = await stat(real, { bigint: true });
    return now.dev === dev && now.ino === ino && (await realpath(asked)) === real ? undefined : 'outside';
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

// Systems without one of these have no such files, or follow links all the same: then the later look tells.
const readOnly = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

const piece = 64 * 1024;

/** `undefined` where there are more; then one more than these is read. */
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

/** Of Windows: `a.txt:b` and `a.txt::$DATA` name what a file holds under another name, which no pattern of names fits. */
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
