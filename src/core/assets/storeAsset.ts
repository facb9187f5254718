import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { makeFolder } from '../storage/privateFiles';
import { renameDurably, writeAtomic } from '../storage/atomicFile';
import { assetName, hashDigits } from './assetName';
import type { FileFacts } from './fileFacts';
import type { Asset, GeneratedBy, Recipe } from './recipe';
import { recipeEnding } from './recipe';
import { readRecipe, recipePath, recipeText, recipeVersion } from './recipeFile';

/** How a file was generated, without what its bytes show. */
export type Making = GeneratedBy & Omit<Recipe, 'version' | 'file' | keyof GeneratedBy>;

export interface StoreOptions {
  /** Absolute. */
  readonly folder: string;
  /** False: a user chose the folder. */
  readonly isPrivate: boolean;
  readonly made: Making;
  readonly facts: FileFacts;
  /** Runs `work` while no other window runs work with the same name. */
  readonly lock: <T>(name: string, work: () => Promise<T>) => Promise<T>;
}

/**
 * Stores a complete file that lies in `folder`: first writes its recipe, then renames it. The same content is stored once; its
 * recipe then lists the other ways it was generated. Throws file system errors; `temporary` then remains.
 */
export async function storeAsset(
  temporary: string,
  { folder, made, facts, lock, isPrivate }: StoreOptions,
): Promise<Asset> {
  const sha256 = await hashOf(temporary);
  return lock(`asset-${sha256.slice(0, hashDigits)}`, async () => {
    const preferred = assetName(wordsOf(made), sha256, facts.ending);
    await makeFolder(folder, { isPrivate });
    const name = (await sameContent(folder, sha256)) ?? preferred;
    const { ending: _, ...rest } = facts;
    const recipe = { version: recipeVersion, ...made, file: { name, sha256, ...rest } } as Recipe;
    const path = join(folder, name);
    const joined = withEarlier(recipe, await readRecipe(path));
    await writeAtomic(recipePath(path), recipeText(joined), { isPrivate });
    await renameDurably(temporary, path);
    return { path, recipe: joined };
  });
}

/** Returns the name of a file in the folder whose recipe lists this content. */
async function sameContent(folder: string, sha256: string): Promise<string | undefined> {
  const mark = `-${sha256.slice(0, hashDigits)}.`;
  for (const entry of await readdir(folder)) {
    if (!entry.includes(mark) || !entry.endsWith(recipeEnding)) continue;
    const name = entry.slice(0, -recipeEnding.length);
    const recipe = await readRecipe(join(folder, name)).catch(() => undefined);
    if (recipe?.file.sha256 === sha256) return name;
  }
  return undefined;
}

/** Adds the earlier recipes, newest first; the same generation, repeated after a crash, is listed once. */
function withEarlier(recipe: Recipe, before: Recipe | undefined): Recipe {
  if (!before) return recipe;
  const { earlier = [], ...last } = before;
  const others = [last as Recipe, ...earlier].filter((one) => !isSameGeneration(one, recipe));
  return others.length === 0 ? recipe : { ...recipe, earlier: others };
}

function isSameGeneration(one: Recipe, other: Recipe): boolean {
  // Once its status is requested again, a video can have other facts, for example another duration.
  if (one.requestId !== undefined)
    return one.requestId === other.requestId && one.service === other.service && one.index === other.index;
  const facts = (recipe: Recipe) => ({ ...recipe, file: undefined, earlier: undefined });
  return isDeepStrictEqual(facts(one), facts(other));
}

function wordsOf(made: GeneratedBy): string {
  return made.kind === 'speech' ? made.request.input : made.request.prompt;
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 }) as AsyncIterable<Buffer>) {
    hash.update(chunk);
  }
  return hash.digest('hex');
}
