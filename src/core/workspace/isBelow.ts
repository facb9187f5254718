import { isAbsolute, relative, sep } from 'node:path';

/** Whether the path is in the folder, or is the folder itself. Links are not resolved. */
export function isBelow(folder: string, path: string): boolean {
  const from = relative(folder, path);
  return from === '' || (from !== '..' && !from.startsWith(`..${sep}`) && !isAbsolute(from));
}
