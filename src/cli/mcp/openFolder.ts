import { lstat, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { makeNewFolder } from '../../core/storage/privateFiles';
import { isBelow } from '../../core/workspace/isBelow';
import type { Folders } from './folders';

export interface OpenedFolder {
  /** Absolute path. */
  readonly folder: string;
  /** Explains to the model why this is not the requested folder. */
  readonly problem?: string;
}

export interface RequestedFolder {
  /** Nested folder names below the first working folder. */
  readonly names: readonly string[];
  /** Used without a working folder, or if a link, which a project can contain, leads out of it. */
  readonly fallback: string;
}

/** Creates the folder, so that no link can replace it before something is written there. */
export async function openFolder({ list }: Folders, { names, fallback }: RequestedFolder): Promise<OpenedFolder> {
  const [first] = list;
  if (first === undefined) return { folder: fallback };
  let folder = first;
  for (const name of names) {
    const requested = join(folder, name);
    // If it cannot be created, writing to it will report the error.
    await makeNewFolder(requested, { isPrivate: false }).catch(() => undefined);
    const isThere = await lstat(requested).then(
      () => true,
      () => false,
    );
    const real = isThere ? await realpath(requested).catch(() => undefined) : requested;
    if (real === undefined || !isBelow(first, real)) {
      const problem = `${requested} links to a location outside the working folder. Files are saved in ${fallback} instead.`;
      return { folder: fallback, problem };
    }
    folder = real;
  }
  return { folder };
}
