import { lstat, readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';

/**
 * Returns the entries of a folder, and the folder itself, that others than its owner can access, as `<mode> <path>`. On Windows, which has
 * no modes, returns nothing.
 */
export async function wideFiles(root: string): Promise<readonly string[]> {
  if (process.platform === 'win32') return [];
  const names = await readdir(root, { recursive: true });
  const wide = await Promise.all(
    ['', ...names].map(async (name) => {
      // A temporary file might have been removed by now.
      const found = await lstat(join(root, name)).catch(() => undefined);
      if (!found || found.isSymbolicLink()) return [];
      const isAsRequested = found.isDirectory() ? (found.mode & 0o077) === 0 : (found.mode & 0o177) === 0;
      return isAsRequested ? [] : [`${(found.mode & 0o777).toString(8)} ${relative(root, join(root, name)) || '.'}`];
    }),
  );
  return wide.flat().toSorted();
}

export async function modeOf(path: string): Promise<string> {
  return ((await lstat(path)).mode & 0o777).toString(8);
}
