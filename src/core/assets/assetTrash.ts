import { randomUUID } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { copyAtomic, renameDurably } from '../storage/atomicFile';
import { exists, makeFolder } from '../storage/privateFiles';

/** Deleted files that can still be restored, for systems without a trash. */
export interface AssetTrash {
  /**
   * Moves related files, some of which may be missing, to the trash. Resolves with a function that restores them. It throws `EEXIST` if
   * another file has taken the place of one, and `ENOENT` once they have been cleared.
   */
  put(files: readonly string[]): Promise<() => Promise<void>>;
  /** Permanently deletes everything older than `keepMs`. */
  clear(): Promise<void>;
}

const namePattern = /^(\d{1,16})-[\da-f-]{36}$/;

/** Each deletion gets a subfolder of `folder`, whose name includes its time in Unix milliseconds. */
export function createAssetTrash(folder: string, keepMs: number, now: () => number = Date.now): AssetTrash {
  return {
    async put(files) {
      const place = join(folder, `${now()}-${randomUUID()}`);
      await makeFolder(place);
      const moved: (readonly [from: string, to: string])[] = [];
      const back = async () => {
        for (const [from] of moved) if (await exists(from)) throw taken(from);
        for (const [from, to] of moved.toReversed()) await move(to, from);
        await rm(place, { recursive: true, force: true });
      };
      try {
        for (const file of files) {
          if (!(await exists(file))) continue;
          const to = join(place, basename(file));
          await move(file, to);
          moved.push([file, to]);
        }
      } catch (error) {
        await back();
        throw error;
      }
      return back;
    },
    async clear() {
      for (const name of await readdir(folder).catch((): string[] => [])) {
        const [, at] = namePattern.exec(name) ?? [];
        if (at !== undefined && now() - Number(at) > keepMs)
          await rm(join(folder, name), { recursive: true, force: true });
      }
    },
  };
}

function taken(path: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`There is a file at ${path}.`), { code: 'EEXIST', path });
}

/** Moves a file, also to another disk. */
async function move(from: string, to: string): Promise<void> {
  try {
    await renameDurably(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
    await copyAtomic(from, to);
    await rm(from);
  }
}
