import { createHash } from 'node:crypto';
import type { Asset, Recipe } from '../../core/assets/recipe';
import type { MediaAssets } from '../../services/media/media';
import type {
  GalleryAction,
  GalleryArranged,
  GalleryDetails,
  GalleryNotice,
  GalleryTile,
  GalleryView,
} from '../../protocol/gallery';
import { arranged } from './arrangement';
import type { Arrangement, ArrangementWords } from './arrangement';
import { earlierOf, factsOf, inputsOf, parametersOf, textsOf, toTile } from './assetFacts';
import type { AssetWords } from './assetFacts';
import { isEmptyQuery, parseQuery, toSearchable } from './assetSearch';
import type { SearchableAsset } from './assetSearch';

export interface GalleryControllerOptions {
  readonly assets: MediaAssets;
  readonly words: GalleryMessages;
  /** Returns the URI from which the page can load a file. */
  readonly toSrc: (path: string) => string;
  readonly exists: (path: string) => Promise<boolean>;
  /** Notices about what the last listing could not read. */
  readonly notices: () => readonly GalleryNotice[];
}

export interface GalleryMessages extends AssetWords, ArrangementWords {
  /** `all`: nothing is filtered out. */
  readonly count: (count: number, total: number, all: boolean) => string;
  readonly inputName: (name: string) => string;
  readonly gone: () => Error;
}

/** The state of one gallery page. */
export interface GalleryController {
  arrange(
    order: { readonly view: GalleryView; readonly again: boolean; readonly find: readonly string[] },
    signal: AbortSignal,
  ): Promise<GalleryArranged>;
  tiles(from: number, count: number): readonly GalleryTile[];
  details(id: string): Promise<GalleryDetails>;
  /** Throws if the id is unknown. */
  pathOf(id: string): string;
}

const making: readonly GalleryAction[] = ['regenerate', 'vary', 'insert'];
const keeping: readonly GalleryAction[] = [
  'saveAs',
  'open',
  'openOutside',
  'reveal',
  'copyPath',
  'showRecipe',
  'remove',
];

export function createGalleryController({
  assets,
  words,
  toSrc,
  exists,
  notices,
}: GalleryControllerOptions): GalleryController {
  const searchable = new WeakMap<Recipe, SearchableAsset>();
  let all: readonly SearchableAsset[] | undefined;
  let byId: ReadonlyMap<string, Asset> = new Map();
  let shown: Arrangement = { assets: [], parts: [] };

  const load = async (): Promise<readonly SearchableAsset[]> => {
    const list = await assets.list();
    byId = new Map(list.map((asset) => [idOf(asset), asset]));
    return list.map((asset) => {
      const known = searchable.get(asset.recipe);
      const one = known?.asset.path === asset.path ? known : toSearchable(asset);
      searchable.set(asset.recipe, one);
      return one;
    });
  };
  const find = (id: string): Asset => {
    const asset = byId.get(id);
    if (!asset) throw words.gone();
    return asset;
  };
  const tileOf = (asset: Asset) => toTile(asset, idOf(asset), toSrc(asset.path), words);

  return {
    async arrange({ view, again, find: wanted }, signal) {
      const list = all && !again ? all : await load();
      // A newer call has superseded this one.
      signal.throwIfAborted();
      all = list;
      shown = arranged(list, view, words);
      const isAll = view.kind === 'all' && isEmptyQuery(parseQuery(view.query));
      return {
        total: list.length,
        count: shown.assets.length,
        countText: words.count(shown.assets.length, list.length, isAll),
        parts: shown.parts,
        places: placesOf(
          shown.assets,
          wanted.map((id) => byId.get(id)),
        ),
        notices: notices(),
      };
    },
    tiles: (from, count) => shown.assets.slice(from, from + count).map(tileOf),
    async details(id) {
      const asset = find(id);
      return detailsOf(asset, tileOf(asset), { assets, words, toSrc, exists });
    },
    pathOf: (id) => find(id).path,
  };
}

async function detailsOf(
  asset: Asset,
  tile: GalleryTile,
  { assets, words, toSrc, exists }: Omit<GalleryControllerOptions, 'notices'>,
): Promise<GalleryDetails> {
  const { caption: _, ...shown } = tile;
  const inputs = await Promise.all(
    inputsOf(asset).map(async ({ name, ref }) => {
      const input = await assets.input(ref);
      return { name: words.inputName(name), ...(input && { src: toSrc(input.path) }) };
    }),
  );
  return {
    ...shown,
    name: asset.recipe.file.name,
    texts: textsOf(asset, words),
    facts: factsOf(asset, words),
    parameters: parametersOf(asset),
    inputs,
    earlier: earlierOf(asset, words),
    isGone: !(await exists(asset.path)),
    actions: asset.recipe.kind === 'speech' ? keeping : [...making, ...keeping],
  };
}

/** Stable across restarts, and reveals no path to the page. */
export function idOf({ path }: Asset): string {
  return createHash('sha256').update(path).digest('hex').slice(0, 24);
}

function placesOf(assets: readonly Asset[], wanted: readonly (Asset | undefined)[]): Readonly<Record<string, number>> {
  const places = wanted.flatMap((one) => {
    const index = one ? assets.findIndex(({ path }) => path === one.path) : -1;
    return one && index >= 0 ? [[idOf(one), index] as const] : [];
  });
  return Object.fromEntries(places);
}
