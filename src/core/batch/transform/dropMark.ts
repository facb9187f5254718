import { readFile, realpath, stat } from 'node:fs/promises';
import { writeAtomic } from '../../storage/atomicFile';

const mark = Buffer.from([0xef, 0xbb, 0xbf]);

/**
 * Removes the byte-order mark at the start of a file and keeps its mode. An editor can reopen the file. Returns `false` if there is no
 * mark. Throws if reading or writing fails; the file is then unchanged.
 */
export async function dropMark(file: string): Promise<boolean> {
  const place = await realpath(file);
  const bytes = await readFile(place);
  if (!bytes.subarray(0, mark.length).equals(mark)) return false;
  const { mode } = await stat(place);
  await writeAtomic(place, bytes.subarray(mark.length), { mode, isPrivate: false });
  return true;
}
