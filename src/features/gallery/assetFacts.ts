import type { Asset } from '../../core/assets/recipe';
import { inputMark } from '../../core/assets/recipe';
import type { GalleryDetails, GalleryKind, GalleryTile } from '../../protocol/gallery';
import { timeOf } from './arrangement';

/** Localized labels and formats for a file's tile and details. */
export interface AssetWords {
  readonly label: (kind: GalleryKind, text: string) => string;
  readonly about: (kind: GalleryKind, about: { readonly size: string; readonly seed: string }) => string;
  readonly prompt: string;
  readonly negativePrompt: string;
  readonly spokenText: string;
  readonly facts: Readonly<Record<FactName, string>>;
  readonly time: (at: number) => string;
  readonly seconds: (seconds: number) => string;
  readonly bytes: (bytes: number) => string;
  readonly shortened: (id: string) => string;
  /** An earlier request with the same result, shown by model and time only. */
  readonly earlier: (model: string, time: string) => string;
}

type FactName =
  | 'model'
  | 'seed'
  | 'size'
  | 'file'
  | 'voice'
  | 'made'
  | 'took'
  | 'service'
  | 'traceId'
  | 'requestId'
  | 'result';
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

export function toTile(asset: Asset, id: string, src: string, words: AssetWords): GalleryTile {
  const { kind, file } = asset.recipe;
  const text = cut(mainText(asset), tileText);
  return {
    id,
    kind,
    label: words.label(kind, text),
    about: words.about(kind, { size: sizeText(asset), seed: String(seedOf(asset) ?? '') }),
    src,
    text,
    ...(file.width !== undefined && file.height !== undefined && { width: file.width, height: file.height }),
  };
}

/** Returns the prompts and the spoken text, as they were sent. */
export function textsOf({ recipe }: Asset, words: AssetWords): GalleryDetails['texts'] {
  const request: Request = { ...recipe.request };
  const texts = [
    { label: words.prompt, text: request['prompt'] },
    { label: words.negativePrompt, text: request['negative_prompt'] },
    { label: words.spokenText, text: request['input'] },
  ];
  return texts.filter((one): one is { label: string; text: string } => typeof one.text === 'string' && one.text !== '');
}

export function factsOf(asset: Asset, words: AssetWords): readonly Fact[] {
  const { recipe } = asset;
  const { model, voice, seed, size, file, made, took, service, traceId, requestId, result } = words.facts;
  const at = timeOf(asset);
  const spoken = recipe.kind === 'speech' ? recipe.request.voice : undefined;
  const facts: readonly (Fact | undefined)[] = [
    whole(model, recipe.request.model),
    whole(voice, spoken ?? undefined),
    whole(seed, seedOf(asset)?.toString()),
    sizeText(asset) === ''
      ? undefined
      : { name: size, value: sizeText(asset), copy: sizeText(asset).replaceAll(' × ', 'x') },
    { name: file, value: [recipe.file.contentType, words.bytes(recipe.file.bytes)].join(' · ') },
    at === undefined ? undefined : { name: made, value: words.time(at), copy: recipe.createdAt },
    recipe.inferenceSeconds === undefined ? undefined : { name: took, value: words.seconds(recipe.inferenceSeconds) },
    { name: service, value: hostOf(recipe.service) },
    short(traceId, recipe.traceId, words),
    short(requestId, recipe.requestId, words),
    recipe.index > 0 ? { name: result, value: String(recipe.index + 1) } : undefined,
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

export function earlierOf({ recipe }: Asset, words: AssetWords): readonly string[] {
  return (recipe.earlier ?? []).map((one) => words.earlier(one.request.model, words.time(Date.parse(one.createdAt))));
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

function short(name: string, value: string | undefined, words: AssetWords): Fact | undefined {
  return value === undefined ? undefined : { name, value: words.shortened(value), copy: value };
}

/** Returns the host only, because the URL of a private gateway may contain a key. */
function hostOf(service: string): string {
  return URL.canParse(service) ? new URL(service).host : service;
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}
