import { execFile } from 'node:child_process';
import { closeSync, openSync, readdirSync, readlinkSync, realpathSync } from 'node:fs';
import { mkdir, mkdtemp, rm, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** A disk that is full until space is freed. */
export interface FullDisk {
  makeRoom(): Promise<void>;
}

/** Whether this system supports `fillUnder`. */
export const canFill = process.platform === 'linux';

/**
 * Fills the disk under a file that this process has open. Its descriptor becomes one of /dev/full, where every write fails with ENOSPC,
 * also for root and without mount permissions.
 */
export function fillUnder(file: string): FullDisk {
  const path = realpathSync(file);
  const [descriptor] = openBelow(path);
  if (descriptor === undefined) throw new Error(`Nobody has ${path} open.`);
  reopenAs(descriptor, '/dev/full');
  return { makeRoom: async () => reopenAs(descriptor, path) };
}

/** Returns the descriptors of this process for files below a path, or for the file there. Always empty on a system other than Linux. */
export function openBelow(path: string): readonly number[] {
  if (!canFill) return [];
  const place = realpathSync(path);
  return readdirSync('/proc/self/fd').flatMap((name) => {
    try {
      return `${readlinkSync(`/proc/self/fd/${name}`)}/`.startsWith(`${place}/`) ? [Number(name)] : [];
    } catch {
      return [];
    }
  });
}

/** Reopens a path under the same descriptor number, which its users keep. */
function reopenAs(descriptor: number, path: string): void {
  closeSync(descriptor);
  const lower: number[] = [];
  for (let got = openSync(path, 'a+'); got !== descriptor; got = openSync(path, 'a+')) {
    lower.push(got);
    if (got > descriptor) throw new Error(`Descriptor ${descriptor} was taken meanwhile.`);
  }
  for (const one of lower) closeSync(one);
}

/** A separate disk that is small enough to fill up. */
export interface SmallDisk extends FullDisk {
  readonly folder: string;
  /** Leaves about this many bytes free. */
  fill(left: number): Promise<void>;
  makeReadOnly(): Promise<void>;
  remove(): Promise<void>;
}

/** Resolves to `undefined` if this process isn't allowed to mount one. */
export async function mountSmallDisk(): Promise<SmallDisk | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'small-disk-'));
  const run = promisify(execFile);
  const isMounted = await run('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', folder]).then(
    () => true,
    () => false,
  );
  if (!isMounted) {
    await rm(folder, { recursive: true });
    return undefined;
  }
  const filler = join(folder, 'filler');
  await mkdir(join(folder, 'work'));
  return {
    folder: join(folder, 'work'),
    async fill(left) {
      const { bavail, bsize } = await statfs(folder);
      await writeFile(filler, Buffer.alloc(Math.max(0, bavail * bsize - left)), { flag: 'a' });
    },
    makeReadOnly: async () => void (await run('mount', ['-o', 'remount,ro', folder])),
    makeRoom: () => rm(filler),
    async remove() {
      await run('umount', ['-l', folder]);
      await rm(folder, { recursive: true });
    },
  };
}
