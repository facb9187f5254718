import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { kindOf } from './kindOfName';
import type { Asset, Recipe, UnreadableAsset } from './recipe';
import { recipeEnding } from './recipe';
import { parseRecipe } from './recipeFile';

/** An index of the images, videos and audio files with a recipe in some folders. */
export interface AssetIndex {
  /** Lists assets, newest first, without those whose file is missing. A recipe is read again only if its file changed. */
  list(folders: readonly string[]): Promise<readonly Asset[]>;
  /** Of the last listing. */
  readonly unreadable: readonly UnreadableAsset[];
}

interface Known {
  readonly look: string;
  readonly recipe: Recipe | undefined;
}

/** How many recipes are read in parallel. */
const atOnce = 64;

export function createAssetIndex(): AssetIndex {
  /** By path of the recipe. */
  let known = new Map<string, Known>();
  let unreadable: readonly UnreadableAsset[] = [];

  const read = async (path: string, fail: (error: unknown) => void): Promise<Known | undefined> => {
    try {
      const { ino, size, mtimeMs } = await stat(path);
      const look = `${ino} ${size} ${mtimeMs}`;
      const before = known.get(path);
      return before?.look === look ? before : { look, recipe: parseRecipe(await readFile(path, 'utf8')) };
    } catch (error) {
      fail(error);
      return undefined;
    }
  };

  return {
    get unreadable() {
      return unreadable;
    },
    async list(folders) {
      const failed: UnreadableAsset[] = [];
      const failing = (what: UnreadableAsset['what'], path: string) => (error: unknown) => {
        const { code } = error as NodeJS.ErrnoException;
        // Deleted by now, or never created.
        if (code !== 'ENOENT') failed.push({ what, path, ...(code !== undefined && { code }) });
      };
      const found = await Promise.all(
        [...new Set(folders)].map((folder) => filesWithRecipe(folder, failing('folder', folder))),
      );
      const paths = found.flat();
      const seen = new Map<string, Known>();
      const assets: Asset[] = [];
      const next = paths.values();
      const work = async () => {
        for (const path of next) {
          const beside = `${path}${recipeEnding}`;
          const one = await read(beside, failing('recipe', beside));
          if (!one) continue;
          seen.set(beside, one);
          if (one.recipe) assets.push({ path, recipe: one.recipe });
          else failed.push({ what: 'recipe', path: beside });
        }
      };
      await Promise.all(Array.from({ length: atOnce }, work));
      known = seen;
      unreadable = failed.toSorted((a, b) => (a.path < b.path ? -1 : 1));
      return assets.toSorted(newestFirst);
    },
  };
}

async function filesWithRecipe(folder: string, fail: (error: unknown) => void): Promise<readonly string[]> {
  const names = new Set(await readdir(folder).catch((error: unknown): string[] => (fail(error), [])));
  // A recipe can lie next to any file.
  const made = [...names].filter((name) => names.has(`${name}${recipeEnding}`) && kindOf(name) !== undefined);
  return made.map((name) => join(folder, name));
}

function newestFirst(a: Asset, b: Asset): number {
  const [one, other] = [a.recipe, b.recipe];
  const byTime = Date.parse(other.createdAt) - Date.parse(one.createdAt);
  return byTime || one.index - other.index || (a.path < b.path ? -1 : 1);
}
