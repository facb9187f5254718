import { randomUUID } from 'node:crypto';
import { readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';

const mark = Buffer.from([0xef, 0xbb, 0xbf]);

/**
 * Writes a file that an editor can open anew without the byte-order mark it begins with: beside its place, and renamed when it is whole.
 * False: it begins with none. Throws what reading and writing throw; the file is as it was then.
 */
export async function dropMark(file: string): Promise<boolean> {
  const place = await realpath(file);
  const bytes = await readFile(place);
  if (!bytes.subarray(0, mark.length).equals(mark)) return false;
  const { mode } = await stat(place);
  const beside = path.join(path.dirname(place), `.${path.basename(place)}.${randomUUID()}.tmp`);
  try {
    await writeFile(beside, bytes.subarray(mark.length), { mode, flag: 'wx', flush: true });
    await rename(beside, place);
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
  return true;
}
