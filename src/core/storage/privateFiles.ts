import { openSync } from 'node:fs';
import * as fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Creates folders and files. Unless a user selected their location, only the current user can access them: 0700 and 0600, regardless of the
 * umask. Existing ones with a wider mode are restricted when written or opened. Windows has its own access lists, and modes have no meaning
 * there.
 */
export interface Reach {
  /** Unset: true. False: a user chose the location, and the umask decides who can read it. */
  readonly isPrivate?: boolean | undefined;
}

export type Content = string | Uint8Array;

const usualMode = 0o666;
const ownMode = 0o600;
const ownFolderMode = 0o700;
const others = 0o077;

/** Creates the folder and its parents. */
export async function makeFolder(folder: string, { isPrivate = true }: Reach = {}): Promise<void> {
  await fs.mkdir(folder, { recursive: true, ...(isPrivate && { mode: ownFolderMode }) });
  if (isPrivate) await tighten(folder);
}

/** Returns false if the name already exists. The parent folder must exist. */
export async function makeNewFolder(folder: string, { isPrivate = true }: Reach = {}): Promise<boolean> {
  return fs.mkdir(folder, isPrivate ? ownFolderMode : undefined).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return false;
      throw error;
    },
  );
}

/** Creates a new folder in the system's temporary folder, which the system makes private. */
export function makeTemporaryFolder(prefix: string): Promise<string> {
  return fs.mkdtemp(join(tmpdir(), prefix));
}

/** Files are private if others cannot read the folder they are written to. */
export async function reachOf(folder: string): Promise<{ readonly isPrivate: boolean }> {
  return { isPrivate: ((await fs.stat(folder)).mode & others) === 0 };
}

/** Opens a file for writing: the mode of an existing file is tightened before anything is written. */
export async function openFile(
  path: string,
  flags: string | number,
  { isPrivate = true }: Reach = {},
): Promise<fs.FileHandle> {
  const handle = await fs.open(path, flags, isPrivate ? ownMode : usualMode);
  if (isPrivate) await tighten(path, handle);
  return handle;
}

/** Creates a file for synchronous writing. */
export function openNewFileSync(path: string): number {
  return openSync(path, 'wx', ownMode);
}

/**
 * Writes in place, so that a crash leaves part of the content, and without waiting for the disk: for temporary files and marks that a
 * process leaves for others. Everything that is to last goes through `writeAtomic` or an append log.
 */
export async function writeFile(
  path: string,
  content: Content,
  { flag = 'w', ...reach }: Reach & { readonly flag?: string | number } = {},
): Promise<void> {
  const handle = await openFile(path, flag, reach);
  try {
    await handle.writeFile(content);
  } finally {
    await handle.close();
  }
}

/** Tightens a folder and everything in it, e.g. what an earlier version left there. Does not follow links. */
export async function tightenAll(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const entries = await fs.readdir(folder, { withFileTypes: true }).catch(() => undefined);
  if (!entries) return;
  await tighten(folder);
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await tightenAll(path);
    else if (entry.isFile()) await tighten(path);
  }
}

/** Removes all access of others. If that isn't permitted, as on some file systems, writing continues anyway. */
async function tighten(path: string, handle?: fs.FileHandle): Promise<void> {
  if (process.platform === 'win32') return;
  try {
    const { mode } = await (handle ? handle.stat() : fs.stat(path));
    if ((mode & others) === 0) return;
    const own = mode & ownFolderMode;
    await (handle ? handle.chmod(own) : fs.chmod(path, own));
  } catch {
    // The file may be deleted by now, or belong to another user.
  }
}

/** Whether there is a file or folder. Throws if that cannot be determined. */
export async function exists(path: string): Promise<boolean> {
  return fs.stat(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return false;
      throw error;
    },
  );
}

/** Resolves to empty text if there is no file. */
export async function readOrEmpty(path: string): Promise<string> {
  return fs.readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
}
