import * as l10n from '@vscode/l10n';
import type { Asset } from '../../core/assets/recipe';
import { inputMark } from '../../core/assets/recipe';
import type { GalleryDetails, GalleryKind, GalleryTile } from '../../protocol/gallery';
import { foreign } from '../../core/text/foreignText';
import { absoluteTimeText, bytesText, shortened } from '../../platform/displayText';
import { durationText } from '../../protocol/formats';
import { timeOf } from './arrangement';

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

export function toTile(asset: Asset, id: string, src: string): GalleryTile {
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
export function textsOf({ recipe }: Asset): GalleryDetails['texts'] {
  const request: Request = { ...recipe.request };
  const texts = [
    { label: l10n.t('Prompt'), text: request['prompt'] },
    { label: l10n.t('Negative prompt'), text: request['negative_prompt'] },
    { label: l10n.t('Spoken text'), text: request['input'] },
  ];
  return texts.filter((one): one is { label: string; text: string } => typeof one.text === 'string' && one.text !== '');
}

export function factsOf(asset: Asset, language: string): readonly Fact[] {
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
      : { name: l10n.t('Generated'), value: absoluteTimeText(at, language), copy: recipe.createdAt },
    recipe.inferenceSeconds === undefined
      ? undefined
      : { name: l10n.t('Duration'), value: durationText(recipe.inferenceSeconds * 1000, language, 'measured') },
    { name: l10n.t('Service'), value: hostOf(recipe.service) },
    short(l10n.t('Trace ID'), recipe.traceId),
    short(l10n.t('Request ID'), recipe.requestId),
    recipe.index > 0 ? { name: l10n.t('Result number'), value: String(recipe.index + 1) } : undefined,
  ];
  return facts.filter((fact) => fact !== undefined);
}

/** Returns all other parameters that were sent, by their names in the API. */
export function parametersOf({ recipe }: Asset): GalleryDetails['parameters'] {
  return Object.entries(recipe.request)
    .filter(([name, value]) => !shownElsewhere.has(name) && value !== undefined && !isInput(value))
    .map(([name, value]) => ({
      name,
      value: cut(typeof value === 'string' ? value : JSON.stringify(value), longestParameter),
    }));
}

/** Returns the request's input images: parameter name and reference. */
export function inputsOf({ recipe }: Asset): readonly { readonly name: string; readonly ref: string }[] {
  return Object.entries(recipe.request).flatMap(([name, value]) => (isInput(value) ? [{ name, ref: value }] : []));
}

/** Returns earlier requests with the same result, by model and time. */
export function earlierOf({ recipe }: Asset, language: string): readonly string[] {
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
export function inputName(name: string): string {
  switch (name) {
    case 'image2':
      return l10n.t('Input image 2');
    case 'image3':
      return l10n.t('Input image 3');
    default:
      return l10n.t('Input image');
  }
}
