import { lstat, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { makeNewFolder } from '../../core/files/privateFiles';
import { isBelow } from '../../core/workspace/isBelow';
import type { Folders } from './folders';

export interface OpenedFolder {
  /** Absolute. */
  readonly folder: string;
  /** Why it is not the one that was wanted, for a model. */
  readonly trouble?: string;
}

export interface RequestedFolder {
  /** Below the folder that is worked in, one in the other. */
  readonly names: readonly string[];
  /** Used where there is no such folder, or a link leads out of it: a project may bring one along. */
  readonly fallback: string;
}

/** Makes the folder, so that no link can take its place before something is written there. */
export async function openFolder(
  { list }: Pick<Folders, 'list'>,
  { names, fallback }: RequestedFolder,
): Promise<OpenedFolder> {
  const [first] = list;
  if (first === undefined) return { folder: fallback };
  let folder = first;
  for (const name of names) {
    const wanted = join(folder, name);
    // Where it cannot be made, that is told when something is to be written there.
    await makeNewFolder(wanted, { isPrivate: false }).catch(() => undefined);
    const isThere = await lstat(wanted).then(
      () => true,
      () => false,
    );
    const real = isThere ? await realpath(wanted).catch(() => undefined) : wanted;
    if (real === undefined || !isBelow(first, real)) {
      const trouble = `${wanted} is a link that leads out of the folder to work in, so nothing is written there: it is kept in ${fallback}.`;
      return { folder: fallback, trouble };
    }
    folder = real;
  }
  return { folder };
}
