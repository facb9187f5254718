import * as l10n from '@vscode/l10n';
import { createHash } from 'node:crypto';
import type { Asset, Recipe } from '../../core/assets/recipe';
import type { MediaAssets } from '../../services/media/media';
import type {
  GalleryAction,
  GalleryArranged,
  GalleryDetails,
  GalleryKind,
  GalleryTile,
  GalleryView,
} from '../../protocol/gallery';
import { arranged } from './arrangement';
import type { Arrangement } from './arrangement';
import { earlierOf, factsOf, inputName, inputsOf, parametersOf, textsOf, toTile } from './assetFacts';
import { numberText } from '../../platform/displayText';
import { UserError } from '../../platform/errors/userError';
import { isEmptyQuery, parseQuery, toSearchable } from './assetSearch';
import type { SearchableAsset } from './assetSearch';

const making: Readonly<Record<GalleryKind, readonly GalleryAction[]>> = {
  image: ['regenerate', 'vary', 'edit', 'useAsFirstFrame', 'insert'],
  video: ['regenerate', 'vary', 'insert'],
  speech: [],
};
const keeping: readonly GalleryAction[] = [
  'saveAs',
  'open',
  'openOutside',
  'reveal',
  'copyPath',
  'showRecipe',
  'remove',
];

/** The state of one gallery page. */
export class GalleryController {
  private readonly searchable = new WeakMap<Recipe, SearchableAsset>();
  private all: readonly SearchableAsset[] | undefined;
  private byId: ReadonlyMap<string, Asset> = new Map();
  private shown: Arrangement = { assets: [], parts: [] };

  constructor(
    private readonly assets: () => Promise<MediaAssets>,
    private readonly surroundings: {
      /** Returns the URI from which the page can load a file. */
      readonly toSrc: (path: string) => string;
      readonly exists: (path: string) => Promise<boolean>;
      /** The display language, as in `vscode.env.language`. */
      readonly language: string;
      readonly now: () => number;
    },
  ) {}

  /** Lists the files again if `again`, then searches, filters and sorts them. */
  async arrange(
    { view, again, find }: { readonly view: GalleryView; readonly again: boolean; readonly find: readonly string[] },
    signal: AbortSignal,
  ): Promise<Omit<GalleryArranged, 'canMake' | 'notices'>> {
    const list = this.all && !again ? this.all : await this.load();
    // A newer call has superseded this one.
    signal.throwIfAborted();
    this.all = list;
    const { language, now } = this.surroundings;
    const { assets, parts } = (this.shown = arranged(list, view, { language, now: now() }));
    const isAll = view.kind === 'all' && isEmptyQuery(parseQuery(view.query));
    return {
      total: list.length,
      count: assets.length,
      countText: countText(assets.length, list.length, { isAll, language }),
      parts,
      places: placesOf(
        assets,
        find.map((id) => this.byId.get(id)),
      ),
      gone: find.filter((id) => !this.byId.has(id)),
    };
  }

  tiles(from: number, count: number): readonly GalleryTile[] {
    return this.shown.assets.slice(from, from + count).map((asset) => this.tileOf(asset));
  }

  /** Throws if the id is unknown. */
  async details(id: string): Promise<GalleryDetails> {
    const asset = this.find(id);
    const { toSrc, exists, language } = this.surroundings;
    const { about: _, ...shown } = this.tileOf(asset);
    const inputs = await Promise.all(
      inputsOf(asset).map(async ({ name, ref }) => {
        const input = await (await this.assets()).input(ref);
        return { name: inputName(name), ...(input && { src: toSrc(input.path) }) };
      }),
    );
    return {
      ...shown,
      name: asset.recipe.file.name,
      texts: textsOf(asset),
      facts: factsOf(asset, language),
      parameters: parametersOf(asset),
      inputs,
      earlier: earlierOf(asset, language),
      isGone: !(await exists(asset.path)),
      actions: [...making[asset.recipe.kind], ...keeping],
    };
  }

  /** Throws if the id is unknown. */
  pathOf(id: string): string {
    return this.find(id).path;
  }

  private async load(): Promise<readonly SearchableAsset[]> {
    const list = await (await this.assets()).list();
    this.byId = new Map(list.map((asset) => [idOf(asset), asset]));
    return list.map((asset) => {
      const known = this.searchable.get(asset.recipe);
      const one = known?.asset.path === asset.path ? known : toSearchable(asset);
      this.searchable.set(asset.recipe, one);
      return one;
    });
  }

  private find(id: string): Asset {
    const asset = this.byId.get(id);
    if (asset) return asset;
    throw new UserError(
      l10n.t('This file is no longer available here'),
      l10n.t('The file has been moved or deleted. Choose another one.'),
    );
  }

  private tileOf(asset: Asset): GalleryTile {
    return toTile(asset, idOf(asset), this.surroundings.toSrc(asset.path));
  }
}

/** Stable across restarts, and reveals no path to the page. */
export function idOf({ path }: Asset): string {
  return createHash('sha256').update(path).digest('hex').slice(0, 24);
}

function countText(
  count: number,
  total: number,
  { isAll, language }: { readonly isAll: boolean; readonly language: string },
): string {
  if (!isAll) return l10n.t('{0} of {1}', numberText(count, language), numberText(total, language));
  return total === 1 ? l10n.t('1 file') : l10n.t('{0} files', numberText(total, language));
}

function placesOf(assets: readonly Asset[], wanted: readonly (Asset | undefined)[]): Readonly<Record<string, number>> {
  const indexes = new Map(assets.map(({ path }, index) => [path, index]));
  const places = wanted.flatMap((one) => {
    const index = one && indexes.get(one.path);
    return one && index !== undefined ? [[idOf(one), index] as const] : [];
  });
  return Object.fromEntries(places);
}
