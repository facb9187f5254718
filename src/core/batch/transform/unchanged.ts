import { stat } from 'node:fs/promises';
import path from 'node:path';
import { MakingError } from '../making/makingError';
import { transformWords } from '../words/makingWords';

/** Throws if a file was written to while `work` read it: the result would be useless. */
export async function unchanged<T>(files: readonly string[], work: () => Promise<T>): Promise<T> {
  const before = await Promise.all(files.map((file) => stat(file)));
  const result = await work();
  for (const [index, file] of files.entries()) {
    const { size, mtimeMs } = await stat(file);
    if (size !== before[index]?.size || mtimeMs !== before[index].mtimeMs) {
      throw new MakingError(transformWords.changed(path.basename(file)));
    }
  }
  return result;
}
