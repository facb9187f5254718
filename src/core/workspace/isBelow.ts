import { isAbsolute, relative, sep } from 'node:path';

/** Whether the path leads into the folder, or is the folder itself. Links are not looked at. */
export function isBelow(folder: string, path: string): boolean {
  const from = relative(folder, path);
  return from === '' || (from !== '..' && !from.startsWith(`..${sep}`) && !isAbsolute(from));
}
