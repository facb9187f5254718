import * as l10n from '@vscode/l10n';
import type { Asset } from '../../../core/assets/recipe';
import type { GalleryView } from '../../../protocol/gallery';
import { matches, parseQuery } from './assetSearch';
import type { SearchableAsset } from './assetSearch';
import { dateFormat, nameOrder } from '../../../protocol/formats';

export interface Arrangement {
  readonly assets: readonly Asset[];
  readonly parts: readonly { readonly heading: string; readonly count: number }[];
}

/** Filters and sorts the files, and groups them by day or model. `all` must be newest first; `now` in Unix milliseconds. */
export function arranged(
  all: readonly SearchableAsset[],
  view: GalleryView,
  { language, now }: { readonly language: string; readonly now: number },
): Arrangement {
  const query = parseQuery(view.query);
  const found = all.filter((one) => isOfKind(one.asset, view.kind) && matches(one, query)).map(({ asset }) => asset);
  const assets = sorted(found, view.sort, language);
  return {
    assets,
    parts:
      view.sort === 'model'
        ? partsBy(assets, modelOf, modelOf)
        : partsBy(assets, dayKey, (asset) => dayText(timeOf(asset), now, language)),
  };
}

function isOfKind({ recipe }: Asset, kind: GalleryView['kind']): boolean {
  return kind === 'all' || recipe.kind === kind;
}

function sorted(found: readonly Asset[], sort: GalleryView['sort'], language: string): readonly Asset[] {
  if (sort === 'newest') return found;
  if (sort === 'oldest') return found.toReversed();
  const compare = nameOrder(language);
  return found.toSorted((a, b) => compare(modelOf(a), modelOf(b)));
}

function partsBy(assets: readonly Asset[], keyOf: (asset: Asset) => string, headingOf: (asset: Asset) => string) {
  const parts: { heading: string; count: number }[] = [];
  let last: string | undefined;
  for (const asset of assets) {
    const key = keyOf(asset);
    if (key === last) parts.at(-1)!.count++;
    else parts.push({ heading: headingOf(asset), count: 1 });
    last = key;
  }
  return parts;
}

function modelOf({ recipe }: Asset): string {
  return recipe.request.model;
}

/** Unix milliseconds. */
export function timeOf({ recipe }: Asset): number | undefined {
  const at = Date.parse(recipe.createdAt);
  return Number.isNaN(at) ? undefined : at;
}

/** Identifies a day in the local time zone; empty if the time is unknown. */
function dayKey(asset: Asset): string {
  const at = timeOf(asset);
  if (at === undefined) return '';
  const date = new Date(at);
  return `${date.getFullYear()}-${date.getMonth()}-${date.getDate()}`;
}

const dayMs = 24 * 60 * 60 * 1000;

function dayText(at: number | undefined, now: number, language: string): string {
  if (at === undefined) return l10n.t('No date');
  const today = new Date(now).toDateString();
  if (new Date(at).toDateString() === today) return l10n.t('Today');
  if (new Date(at + dayMs).toDateString() === today) return l10n.t('Yesterday');
  return dateFormat(language, { dateStyle: 'full' }).format(at);
}
