import * as l10n from '@vscode/l10n';
import { createHash } from 'node:crypto';
import { type Asset, type Recipe, inputMark } from '../../../core/assets/recipe';
import type { MediaAssets } from '../../../services/media/media';
import type {
  GalleryAction,
  GalleryArranged,
  GalleryDetails,
  GalleryKind,
  GalleryTile,
  GalleryView,
} from '../../../protocol/gallery';
import { absoluteTimeText, bytesText, numberText, shortened } from '../../../platform/displayText';
import { UserError } from '../../../platform/errors/userError';
import { foreign } from '../../../core/text/foreignText';
import { durationText, dateFormat, nameOrder } from '../../../protocol/formats';
import { type SearchableAsset, isEmptyQuery, parseQuery, toSearchable, matches } from './assetSearch';

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
      missing: find.filter((id) => !this.byId.has(id)),
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

  /** Throws if the id is unknown. */
  recipeOf(id: string): Recipe {
    return this.find(id).recipe;
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
    throw new UserError(l10n.t('This file is no longer available'), l10n.t('The file has been moved or deleted.'));
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

function placesOf(
  assets: readonly Asset[],
  requested: readonly (Asset | undefined)[],
): Readonly<Record<string, number>> {
  const indexes = new Map(assets.map(({ path }, index) => [path, index]));
  const places = requested.flatMap((one) => {
    const index = one && indexes.get(one.path);
    return one && index !== undefined ? [[idOf(one), index] as const] : [];
  });
  return Object.fromEntries(places);
}

type Fact = GalleryDetails['facts'][number];
type Request = Readonly<Record<string, unknown>>;

/** Parameters that the details show outside the parameter list. */
const shownElsewhere: ReadonlySet<string> = new Set([
  'model',
  'prompt',
  'negative_prompt',
  'input',
  'voice',
  'image_size',
  'seed',
]);
const tileText = 200;
const longestParameter = 200;

function toTile(asset: Asset, id: string, src: string): GalleryTile {
  const { kind, file } = asset.recipe;
  const text = cut(mainText(asset), tileText);
  return {
    id,
    kind,
    label: kindLabel(kind, text),
    about: aboutText(asset),
    src,
    text,
    ...(file.width !== undefined && file.height !== undefined && { width: file.width, height: file.height }),
  };
}

/** Returns the prompts and the spoken text, as they were sent. */
function textsOf({ recipe }: Asset): GalleryDetails['texts'] {
  const request: Request = { ...recipe.request };
  const texts = [
    { label: l10n.t('Prompt'), text: request['prompt'] },
    { label: l10n.t('Negative prompt'), text: request['negative_prompt'] },
    { label: l10n.t('Spoken text'), text: request['input'] },
  ];
  return texts.filter((one): one is { label: string; text: string } => typeof one.text === 'string' && one.text !== '');
}

function factsOf(asset: Asset, language: string): readonly Fact[] {
  const { recipe } = asset;
  const at = timeOf(asset);
  const spoken = recipe.kind === 'speech' ? recipe.request.voice : undefined;
  const facts: readonly (Fact | undefined)[] = [
    whole(l10n.t('Model'), recipe.request.model),
    whole(l10n.t('Voice'), spoken ?? undefined),
    whole(l10n.t('Seed'), seedOf(asset)?.toString()),
    sizeText(asset) === ''
      ? undefined
      : { name: l10n.t('Size'), value: sizeText(asset), copy: sizeText(asset).replaceAll(' × ', 'x') },
    { name: l10n.t('File'), value: [recipe.file.contentType, bytesText(recipe.file.bytes, language)].join(' · ') },
    at === undefined
      ? undefined
      : { name: l10n.t('Created'), value: absoluteTimeText(at, language), copy: recipe.createdAt },
    recipe.inferenceSeconds === undefined
      ? undefined
      : { name: l10n.t('Processing time'), value: durationText(recipe.inferenceSeconds * 1000, language, 'measured') },
    { name: l10n.t('Service'), value: hostOf(recipe.service) },
    short(l10n.t('Trace ID'), recipe.traceId),
    short(l10n.t('Request ID'), recipe.requestId),
    recipe.index > 0 ? { name: l10n.t('Result number'), value: String(recipe.index + 1) } : undefined,
  ];
  return facts.filter((fact) => fact !== undefined);
}

/** Returns all other parameters that were sent, by their names in the API. */
function parametersOf({ recipe }: Asset): GalleryDetails['parameters'] {
  return Object.entries(recipe.request)
    .filter(([name, value]) => !shownElsewhere.has(name) && value !== undefined && !isInput(value))
    .map(([name, value]) => ({
      name,
      value: cut(typeof value === 'string' ? value : JSON.stringify(value), longestParameter),
    }));
}

/** Returns the request's input images: parameter name and reference. */
function inputsOf({ recipe }: Asset): readonly { readonly name: string; readonly ref: string }[] {
  return Object.entries(recipe.request).flatMap(([name, value]) => (isInput(value) ? [{ name, ref: value }] : []));
}

/** Returns earlier requests with the same result, by model and time. */
function earlierOf({ recipe }: Asset, language: string): readonly string[] {
  return (recipe.earlier ?? []).map(({ request, createdAt }) =>
    l10n.t('{0}, {1}', foreign(request.model), absoluteTimeText(Date.parse(createdAt), language)),
  );
}

function mainText({ recipe }: Asset): string {
  return recipe.kind === 'speech' ? recipe.request.input : recipe.request.prompt;
}

/** The seed that the service reported, else the requested one. */
function seedOf({ recipe }: Asset): number | undefined {
  return recipe.seed ?? (recipe.kind === 'speech' ? undefined : (recipe.request.seed ?? undefined));
}

function sizeText({ recipe: { file } }: Asset): string {
  return file.width === undefined || file.height === undefined ? '' : `${file.width} × ${file.height}`;
}

function isInput(value: unknown): value is string {
  return typeof value === 'string' && value.startsWith(inputMark);
}

function whole(name: string, value: string | undefined): Fact | undefined {
  return value === undefined ? undefined : { name, value, copy: value };
}

function short(name: string, value: string | undefined): Fact | undefined {
  return value === undefined ? undefined : { name, value: shortened(value), copy: value };
}

/** Returns the host only, because the URL of a private gateway may contain a key. */
function hostOf(service: string): string {
  return URL.canParse(service) ? new URL(service).host : service;
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}

function kindLabel(kind: GalleryKind, text: string): string {
  switch (kind) {
    case 'image':
      return l10n.t('Image: {0}', text);
    case 'video':
      return l10n.t('Video: {0}', text);
    case 'speech':
      return l10n.t('Speech: {0}', text);
  }
}

function aboutText(asset: Asset): string {
  if (asset.recipe.kind === 'speech') return '';
  const seed = seedOf(asset);
  const parts = [seed === undefined ? '' : l10n.t('seed {0}', String(seed)), sizeText(asset)];
  return parts.filter((part) => part !== '').join(' · ');
}

/** Labels an input image by its parameter name. */
function inputName(name: string): string {
  switch (name) {
    case 'image2':
      return l10n.t('Input image 2');
    case 'image3':
      return l10n.t('Input image 3');
    default:
      return l10n.t('Input image');
  }
}

interface Arrangement {
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
function timeOf({ recipe }: Asset): number | undefined {
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
