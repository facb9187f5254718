import { randomUUID } from 'node:crypto';
import { constants, openSync } from 'node:fs';
import * as fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/**
 * The one place where folders and files are made. Unless a person chose where they are, only that person can read them: 0700
 * and 0600, whatever the umask says. What is there already with a wider mode is tightened when it is written or opened.
 * Windows keeps its own access lists; modes say nothing there.
 */
export interface Reach {
  /** Unset: true. False: a person chose the place, and who may read there is for the umask to say. */
  readonly isPrivate?: boolean | undefined;
}

type Content = string | Uint8Array;

const usualMode = 0o666;
const ownMode = 0o600;
const ownFolderMode = 0o700;
const others = 0o077;

/** Makes the folder and those it is in. */
export async function makeFolder(folder: string, { isPrivate = true }: Reach = {}): Promise<void> {
  await fs.mkdir(folder, { recursive: true, ...(isPrivate && { mode: ownFolderMode }) });
  if (isPrivate) await tighten(folder);
}

/** False where something of that name is there. The folder it is in must be. */
export async function makeNewFolder(folder: string, { isPrivate = true }: Reach = {}): Promise<boolean> {
  return fs.mkdir(folder, isPrivate ? ownFolderMode : undefined).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return false;
      throw error;
    },
  );
}

/** A folder of its own among the system's temporary ones, which the system makes private. */
export function makeTemporaryFolder(prefix: string): Promise<string> {
  return fs.mkdtemp(join(tmpdir(), prefix));
}

/** Where others cannot look into the folder, neither shall they into what is written there. */
export async function reachOf(folder: string): Promise<{ readonly isPrivate: boolean }> {
  return { isPrivate: ((await fs.stat(folder)).mode & others) === 0 };
}

/** For writing: an existing file is tightened before anything is written to it. */
export async function openFile(
  path: string,
  flags: string | number,
  { isPrivate = true }: Reach = {},
): Promise<fs.FileHandle> {
  const handle = await fs.open(path, flags, isPrivate ? ownMode : usualMode);
  if (isPrivate) await tighten(path, handle);
  return handle;
}

/** A new file, for what is written without waiting. */
export function openNewFileSync(path: string): number {
  return openSync(path, 'wx', ownMode);
}

export async function writeFile(
  path: string,
  content: Content,
  { flag = 'w', isDurable = false, ...reach }: Reach & { readonly flag?: string; readonly isDurable?: boolean } = {},
): Promise<void> {
  const handle = await openFile(path, flag, reach);
  try {
    await handle.writeFile(content);
    if (isDurable) await handle.sync();
  } finally {
    await handle.close();
  }
}

export async function appendFile(path: string, content: Content, reach?: Reach): Promise<void> {
  await writeFile(path, content, { ...reach, flag: 'a' });
}

/** Written beside its place and renamed: a reader sees all of it or what was there before, and a failure leaves nothing. Makes the folder. */
export async function replaceFile(
  path: string,
  content: Content,
  { isDurable, ...reach }: Reach & { readonly isDurable?: boolean } = {},
): Promise<void> {
  await makeFolder(dirname(path), reach);
  const beside = `${path}.${randomUUID()}.tmp`;
  try {
    await writeFile(beside, content, { ...reach, flag: 'wx', ...(isDurable && { isDurable }) });
    await fs.rename(beside, path);
  } catch (error) {
    await fs.rm(beside, { force: true }).catch(() => undefined);
    throw error;
  }
}

/** The copy does not take over the mode of what it is a copy of. Replaces what is there. */
export async function copyFile(from: string, to: string, reach: Reach = {}): Promise<void> {
  const handle = await openFile(to, 'a', reach);
  try {
    const { mode } = await handle.stat();
    await fs.copyFile(from, to, constants.COPYFILE_FICLONE);
    if (process.platform !== 'win32') await handle.chmod(mode & 0o777);
  } finally {
    await handle.close();
  }
}

/** Tightens all that is in a folder, and the folder, e.g. what an earlier version left there. Links are not followed. */
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

/** Takes from others what they have. Where that is not allowed, as on some file systems, what is to be written still is. */
async function tighten(path: string, handle?: fs.FileHandle): Promise<void> {
  if (process.platform === 'win32') return;
  try {
    const { mode } = await (handle ? handle.stat() : fs.stat(path));
    if ((mode & others) === 0) return;
    const own = mode & ownFolderMode;
    await (handle ? handle.chmod(own) : fs.chmod(path, own));
  } catch {
    // It may be gone by now, or belong to somebody else.
  }
}
