import { randomUUID } from 'node:crypto';
import { readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';

const mark = Buffer.from([0xef, 0xbb, 0xbf]);

/**
 * Removes the byte-order mark at the start of a file. Writes a temporary file beside it and renames that when complete, so that an
 * editor can reopen the file. Returns `false` if there is no mark. Throws if reading or writing fails; the file is then unchanged.
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
