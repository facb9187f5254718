import { randomUUID } from 'node:crypto';
import { rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { copyFile, makeFolder, writeFile } from './privateFiles';
import type { Reach } from './privateFiles';

export interface Placing extends Reach {
  readonly replace: boolean;
}

/**
 * Copies a file; it appears under the new name only once complete. On failure nothing is left behind and a previous file remains.
 * Creates the folder. Throws file system errors, and `EEXIST` if a file exists that must not be replaced.
 */
export async function copyAtomically(from: string, to: string, placing: Placing): Promise<void> {
  await placeWhole(to, placing, (beside) => copyFile(from, beside, placing));
}

/** Does the same for a text. */
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

/** Whether the file exists. Throws if that cannot be determined. */
export async function isThere(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return false;
      throw error;
    },
  );
}
