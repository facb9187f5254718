import { foldText } from '../../../protocol/formats';
import type { Asset, Recipe } from '../../../core/assets/recipe';

/** A parsed search; an empty list matches everything. */
export interface AssetQuery {
  /** Each must occur somewhere. */
  readonly words: readonly string[];
  readonly model: readonly string[];
  readonly size: readonly string[];
  readonly kind: readonly string[];
  /** Compared whole: a seed with the same beginning is a different seed. */
  readonly seed: readonly string[];
}

/** A file's searchable text, case-folded once. */
export interface SearchableAsset {
  readonly asset: Asset;
  readonly all: string;
  readonly model: string;
  readonly sizes: string;
  readonly seed: string;
  readonly kinds: readonly string[];
}

type Prefix = Exclude<keyof AssetQuery, 'words'>;
const wordPattern = /(?:(model|seed|size|kind):)?(?:"([^"]*)"?|([^\s"]+))/g;
const lonePrefix = /^(model|seed|size|kind):$/;

/** Words that people use for each kind. */
const kindWords: Readonly<Record<Recipe['kind'], readonly string[]>> = {
  image: ['image', 'images', 'picture', 'images'],
  video: ['video', 'videos', 'clip', 'clips'],
  speech: ['speech', 'voice', 'audio', 'sound'],
};

/** Parses words, `"quoted phrases"`, and either after `model:`, `seed:`, `size:` or `kind:`. Ignores a prefix without a value. */
export function parseQuery(text: string): AssetQuery {
  const query: Record<keyof AssetQuery, string[]> = { words: [], model: [], size: [], kind: [], seed: [] };
  for (const [, prefix, quoted, plain = ''] of foldText(text).matchAll(wordPattern)) {
    const word = quoted ?? plain;
    if (word === '' || lonePrefix.test(word)) continue;
    if (prefix === undefined) query.words.push(word);
    else query[prefix as Prefix].push(prefix === 'size' ? sizeOf(word) : word);
  }
  return query;
}

export function isEmptyQuery(query: AssetQuery): boolean {
  return Object.values(query).every((words: readonly string[]) => words.length === 0);
}

export function toSearchable(asset: Asset): SearchableAsset {
  const { recipe } = asset;
  const request: Readonly<Record<string, unknown>> = { ...recipe.request };
  const { width, height, name } = recipe.file;
  const model = foldText(recipe.request.model);
  const sizes = sizeOf(
    foldText(
      [textOf(request['image_size']), width !== undefined && height !== undefined ? `${width}x${height}` : ''].join(
        ' ',
      ),
    ),
  );
  const seed = textOf(recipe.seed ?? request['seed']);
  const texts = [request['prompt'], request['negative_prompt'], request['input'], request['voice'], name];
  return {
    asset,
    model,
    sizes,
    seed,
    kinds: kindWords[recipe.kind],
    all: [foldText(texts.map(textOf).join('\n')), model, sizes, seed].join('\n'),
  };
}

export function matches(one: SearchableAsset, query: AssetQuery): boolean {
  return (
    query.words.every(
      (word) => one.all.includes(word) || (/^\d+[x×]\d+$/.test(word) && one.sizes.includes(sizeOf(word))),
    ) &&
    query.model.every((word) => one.model.includes(word)) &&
    query.size.every((word) => one.sizes.includes(word)) &&
    query.seed.every((word) => one.seed === word) &&
    query.kind.every((word) => one.kinds.some((kind) => kind.startsWith(word)))
  );
}

function sizeOf(text: string): string {
  return text.replaceAll('×', 'x');
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
