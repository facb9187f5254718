import { stat } from 'node:fs/promises';

/** Returns a string that changes whenever the file does. */
export async function versionOf(path: string): Promise<string> {
  const { ino, size, mtimeMs } = await stat(path);
  return `${ino} ${size} ${mtimeMs}`;
}
