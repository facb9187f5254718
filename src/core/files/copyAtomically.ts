import { randomUUID } from 'node:crypto';
import { rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { copyFile, makeFolder, writeFile } from './privateFiles';
import type { Reach } from './privateFiles';

export interface Placing extends Reach {
  readonly replace: boolean;
}

/**
 * Copies a file under another name once it is there as a whole: where that fails nothing is left of it, and what stood there
 * before still does. Makes the folder. Throws what the file system throws, `EEXIST` where something is there that is not to be
 * replaced.
 */
export async function copyAtomically(from: string, to: string, placing: Placing): Promise<void> {
  await placeWhole(to, placing, (beside) => copyFile(from, beside, placing));
}

/** The same for a text. */
export async function writeAtomically(to: string, text: string, placing: Placing): Promise<void> {
  await placeWhole(to, placing, (beside) => writeFile(beside, text, { ...placing, flag: 'wx' }));
}

async function placeWhole(
  to: string,
  { replace, isPrivate }: Placing,
  write: (beside: string) => Promise<void>,
): Promise<void> {
  await makeFolder(path.dirname(to), { isPrivate });
  const beside = path.join(path.dirname(to), `.${randomUUID()}.tmp`);
  try {
    await write(beside);
    if (!replace && (await isThere(to))) throw Object.assign(new Error(`EEXIST: ${to}`), { code: 'EEXIST' });
    await rename(beside, to);
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
}

/** Throws what keeps it from being known. */
export async function isThere(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return false;
      throw error;
    },
  );
}
