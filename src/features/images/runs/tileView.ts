import * as vscode from 'vscode';
import type { ImageRequest } from '../../../core/api/images/images.schema';
import { imageModelFacts, readSize } from '../../../core/imageRuns/imageModels';
import { beginningOf } from '../../../core/assets/altText';
import { variedParts } from '../../../core/imageRuns/promptVariants';
import { imagesOf } from '../../../core/imageRuns/sweep';
import type { ImageRun, ImageRunItem } from '../../../core/imageRuns/imageRun';
import { costText } from '../../../services/usage/costMessages';
import type { Costs } from '../../../services/usage/costs';
import { absoluteTimeText } from '../../../platform/displayText';
import { numberFormat } from '../../../protocol/formats';
import type { Asset, MediaJob } from '../../../services/media/media';
import type { ImageTile } from '../../../protocol/images';
import { stateOf } from './tileState';

export interface TileContext {
  readonly jobOf: (id: string) => MediaJob | undefined;
  readonly asset: (path: string) => Asset | 'gone' | undefined;
  readonly costs: Costs;
  readonly uriOf: (path: string) => string;
  /** Localized reason why a request in flight is delayed; empty if it is not. */
  readonly sendingNote: string;
}

/** The request, job and file of a tile; `path` is `undefined` if no file is saved. */
export interface TilePlace {
  readonly item: ImageRunItem;
  readonly job: MediaJob | undefined;
  readonly path: string | undefined;
}

export const tileId = (run: string, item: number, result: number): string => `${run}.${item}.${result}`;

/** Finds a tile by its id, which comes from the page. */
export function placeOf(id: string, runs: readonly ImageRun[], jobOf: TileContext['jobOf']): TilePlace | undefined {
  const [run, itemAt, resultAt] = id.split('.');
  const item = runs.find((one) => one.id === run)?.items[Number(itemAt)];
  if (!item) return undefined;
  const job = item.jobId === undefined ? undefined : jobOf(item.jobId);
  return { item, job, path: pathsOf(item, job)[Number(resultAt)] };
}

/** File paths by result index; `undefined` for those not saved. */
export function pathsOf(item: ImageRunItem, job: MediaJob | undefined): readonly (string | undefined)[] {
  return job?.results?.map(({ path }) => path) ?? item.files ?? [];
}

/** Returns a tile for each image that a request generated or is expected to. */
export function tilesOf(run: ImageRun, at: number, context: TileContext): readonly ImageTile[] {
  const item = run.items[at]!;
  const job = item.jobId === undefined ? undefined : context.jobOf(item.jobId);
  const paths = pathsOf(item, job);
  // A request that gave no images is shown as one tile.
  const isToCome = item.state === 'waiting' || item.state === 'sending' || item.state === 'notSent';
  const count = paths.length || (isToCome ? imagesOf(item.request) : 1);
  const varied = variedIn(run).get(item.request.prompt);
  return Array.from({ length: count }, (_, result) => ({
    ...tileOf({ item, job, path: paths[result] }, context),
    ...(varied && { varied: beginningOf(varied, longestVaried) }),
    id: tileId(run.id, at, result),
  }));
}

/** Characters, in a tile's caption. */
const longestVaried = 80;
const variedByRun = new WeakMap<ImageRun['items'], ReturnType<typeof variedParts>>();

function variedIn({ items }: ImageRun): ReturnType<typeof variedParts> {
  const varied = variedByRun.get(items) ?? variedParts(items.map(({ request }) => request.prompt));
  variedByRun.set(items, varied);
  return varied;
}

function tileOf(place: TilePlace, context: TileContext): Omit<ImageTile, 'id'> {
  const { item, job, path } = place;
  const { request } = item;
  const known = path === undefined ? undefined : context.asset(path);
  const asset = known === 'gone' ? undefined : known;
  const file = asset?.recipe.file;
  const asked = expectedSize(request);
  const width = file?.width ?? asked.width;
  const height = file?.height ?? asked.height;
  const seed = asset?.recipe.seed ?? job?.seed ?? request.seed ?? undefined;
  const seconds = asset?.recipe.inferenceSeconds ?? job?.inferenceSeconds;
  const { language } = vscode.env;
  const cost = item.jobId === undefined ? undefined : costText(context.costs.of(item.jobId));
  const hasSize = file?.width !== undefined || readSize(request.image_size ?? '') !== undefined;
  return {
    ...stateOf(place, known, context.sendingNote),
    width,
    height,
    prompt: request.prompt,
    model: request.model,
    size: hasSize ? `${width} × ${height}` : (request.aspect_ratio ?? ''),
    ...(seed !== undefined && { seed: String(seed) }),
    ...(seconds !== undefined && { seconds: secondsText(seconds, language) }),
    ...(cost && asset && { cost }),
    ...(asset && path !== undefined && { uri: context.uriOf(path) }),
    ...(asset && { at: absoluteTimeText(Date.parse(asset.recipe.createdAt), language) }),
  };
}

/** Returns the requested size, else the model's usual one. */
function expectedSize({ image_size, aspect_ratio, model }: ImageRequest): {
  readonly width: number;
  readonly height: number;
} {
  const [, across, down] = /^(\d+):(\d+)$/.exec(aspect_ratio ?? '') ?? [];
  if (Number(across) > 0 && Number(down) > 0) return { width: Number(across), height: Number(down) };
  return readSize(image_size ?? '') ?? readSize(imageModelFacts(model).sizes[0] ?? '') ?? { width: 1, height: 1 };
}

function secondsText(seconds: number, language: string): string {
  return numberFormat(language, {
    style: 'unit',
    unit: 'second',
    unitDisplay: 'short',
    maximumFractionDigits: seconds < 10 ? 1 : 0,
  }).format(seconds);
}
