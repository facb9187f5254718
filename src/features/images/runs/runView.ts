import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ImageRequest } from '../../../core/api/images/images.schema';
import { beginningOf } from '../../../core/assets/altText';
import { imageModelFacts, readSize } from '../../../core/imageRuns/imageModels';
import type { ImageRun, ImageRunItem } from '../../../core/imageRuns/imageRun';
import { variedParts } from '../../../core/imageRuns/promptVariants';
import { refusedImageParameter } from '../../../core/imageRuns/refusedImageParameter';
import { imagesOf } from '../../../core/imageRuns/sweep';
import { isLost, isWhollySaved } from '../../../core/jobs/media/mediaJob';
import { ageWords } from '../../../platform/age';
import { absoluteTimeText, numberText } from '../../../platform/displayText';
import { durationText, listText } from '../../../protocol/formats';
import type { ImageRunView, ImagesPage, ImageTile } from '../../../protocol/images';
import { sentences } from '../../../protocol/sentences';
import type { WireAction } from '../../../protocol/wire';
import type { Asset, MediaJob } from '../../../services/media/media';
import { costText, totalCost } from '../../../services/usage/costMessages';
import { mediaErrorText } from '../../../services/media/mediaMessages';
import type { ImagesController } from '../imagesController';
import { jobProblem, queueNote, sendingNote } from './runProblems';

/** Returns a run as the page shows it. */
export function runView(run: ImageRun, controller: ImagesController): ImageRunView {
  const { language } = vscode.env;
  const isElsewhere = controller.runs.isElsewhere(run.id);
  const tiles = run.items.flatMap((_, at) => tilesOf(run, at, controller));
  const models = [...new Set(run.items.map(({ request }) => request.model))];
  const count = (state: string) => run.items.filter((item) => item.state === state).length;
  const waiting = count('waiting');
  const notSent = run.items.filter(({ state, problem: own }) => state === 'notSent' && !own).length;
  const isBusy = waiting > 0 || count('sending') > 0;
  const cost = costOf(run, controller);
  const pictures = tiles.length === 1 ? '' : l10n.t('{0} images', numberText(tiles.length, language));
  return {
    id: run.id,
    prompt: promptOf(run),
    facts: [listText(models, language), pictures].filter(Boolean).join(' · '),
    age: ageWords(run.createdAt, Date.now(), language),
    status: statusOf(run, { waiting, notSent }, controller),
    ...(cost && { cost }),
    canStop: waiting > 0 && !isElsewhere,
    canGoOn: notSent > 0 && !isElsewhere,
    canForget: !isBusy,
    tiles,
  };
}

function costOf({ items }: ImageRun, controller: ImagesController): ImageRunView['cost'] {
  const { costs } = controller.services;
  const results = items.map((item) => ({
    cost: item.jobId === undefined ? undefined : costs.of(item.jobId),
    count: pathsOf(item, controller.jobOf(item.jobId)).length,
  }));
  return totalCost(results);
}

function promptOf({ items }: ImageRun): string {
  const prompts = [...new Set(items.map(({ request }) => request.prompt))];
  const [first = ''] = prompts;
  return prompts.length > 1 ? l10n.t('{0} (and {1} more)', first, prompts.length - 1) : first;
}

interface Counts {
  readonly waiting: number;
  readonly notSent: number;
}

/** Describes the progress of a run, and why its next request is not sent now. */
function statusOf(run: ImageRun, { waiting, notSent }: Counts, controller: ImagesController): string {
  const { runs } = controller;
  const { language } = vscode.env;
  const number = (value: number) => numberText(value, language);
  const total = number(run.items.length);
  if (runs.isElsewhere(run.id) && waiting > 0) return l10n.t('Another window is sending these requests.');
  if (notSent > 0) {
    const words = {
      stopped: l10n.t('Stopped.'),
      closed: l10n.t('The window closed before all requests were sent.'),
      trouble: '',
    };
    return sentences(
      words[run.halt?.reason ?? 'trouble'],
      l10n.t('Requests not sent: {0} of {1}.', number(notSent), total),
    );
  }
  if (waiting === 0) return sentences(...savedNotes(run, controller));
  const sent = l10n.t('Requests sent: {0} of {1}.', number(run.items.length - waiting), total);
  const wait = runs.queue.waitOf(run);
  return sentences(sent, wait && queueNote(wait));
}

/** Reports once if saved results are elsewhere, or not complete. */
function savedNotes({ items }: ImageRun, controller: ImagesController): readonly string[] {
  const notes = items.flatMap(({ jobId }) => {
    const job = controller.jobOf(jobId);
    return job?.lastError && isWhollySaved(job) ? [mediaErrorText(job.lastError, job)] : [];
  });
  return [...new Set(notes)];
}

/** Returns the form field whose value the service refused in a run, if its response says which. */
export function refusedField({ items }: ImageRun, controller: ImagesController): ImagesPage['refused'] {
  for (const { jobId, request, state } of items) {
    // For a request that is being retried, this is not known yet.
    const job = state === 'ordered' ? controller.jobOf(jobId) : undefined;
    const error = job?.stage === 'refused' ? job.lastError?.error : undefined;
    if (error?.kind !== 'badRequest') continue;
    const field = refusedImageParameter({ parameter: error.parameter, message: error.message }, request);
    if (field !== undefined) return { field, text: l10n.t('The service rejected this value.') };
  }
  return undefined;
}

/** The request, job and file of a tile; `path` is `undefined` if no file is saved. */
export interface TilePlace {
  readonly item: ImageRunItem;
  readonly job: MediaJob | undefined;
  readonly path: string | undefined;
}

/** Finds a tile by its id, which comes from the page. */
export function placeOf(id: string, controller: ImagesController): TilePlace | undefined {
  const [run, itemAt, resultAt] = id.split('.');
  const item = controller.runs.all.find((one) => one.id === run)?.items[Number(itemAt)];
  if (!item) return undefined;
  const job = controller.jobOf(item.jobId);
  return { item, job, path: pathsOf(item, job)[Number(resultAt)] };
}

/** File paths by result index; `undefined` for those not saved. */
export function pathsOf(item: ImageRunItem, job: MediaJob | undefined): readonly (string | undefined)[] {
  return job?.results?.map(({ path }) => path) ?? item.files ?? [];
}

/** Returns a tile for each image that a request generated or is expected to. */
function tilesOf(run: ImageRun, at: number, controller: ImagesController): readonly ImageTile[] {
  const item = run.items[at]!;
  const job = controller.jobOf(item.jobId);
  const paths = pathsOf(item, job);
  // A request that gave no images is shown as one tile.
  const isToCome = item.state === 'waiting' || item.state === 'sending' || item.state === 'notSent';
  const count = paths.length || (isToCome ? imagesOf(item.request) : 1);
  const varied = variedIn(run).get(item.request.prompt);
  return Array.from({ length: count }, (_, result) => ({
    ...tileOf({ item, job, path: paths[result] }, controller),
    ...(varied && { varied: beginningOf(varied, longestVaried) }),
    id: `${run.id}.${at}.${result}`,
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

function tileOf(place: TilePlace, controller: ImagesController): Omit<ImageTile, 'id'> {
  const { item, job, path } = place;
  const { request } = item;
  const known = path === undefined ? undefined : controller.assets.get(path);
  const asset = known === 'gone' ? undefined : known;
  const file = asset?.recipe.file;
  const expected = expectedSize(request);
  const width = file?.width ?? expected.width;
  const height = file?.height ?? expected.height;
  const seed = asset?.recipe.seed ?? job?.seed ?? request.seed ?? undefined;
  const seconds = asset?.recipe.inferenceSeconds ?? job?.inferenceSeconds;
  const { language } = vscode.env;
  const cost = item.jobId === undefined ? undefined : costText(controller.services.costs.of(item.jobId));
  const hasSize = file?.width !== undefined || readSize(request.image_size ?? '') !== undefined;
  const state = stateOf(place, known, sendingNote(controller.waits.get(request.model)));
  const canRetry = !controller.services.account.current.lacks('POST /images/generations');
  return {
    ...state,
    actions: state.actions
      .filter(({ id }) => id !== 'again' || canRetry)
      .map((one) => (one.id === 'again' ? { ...one, label: controller.priced(one.label, [request]) } : one)),
    width,
    height,
    prompt: request.prompt,
    model: request.model,
    size: hasSize ? `${width} × ${height}` : (request.aspect_ratio ?? ''),
    ...(seed !== undefined && { seed: String(seed) }),
    ...(seconds !== undefined && { seconds: durationText(seconds * 1000, language, 'measured') }),
    ...(cost && asset && { cost }),
    ...(asset && path !== undefined && { uri: controller.uriOf(path) }),
    ...(asset && { regenerate: controller.priced(l10n.t('Regenerate'), [request]) }),
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

const steps = {
  again: () => l10n.t('Retry'),
  fetch: () => l10n.t('Download Again'),
  fetchAnyway: () => l10n.t('Download Anyway'),
  exchange: () => l10n.t('Show Request and Response'),
} as const;
export type TileStep = keyof typeof steps;

export function isTileStep(id: string): id is TileStep {
  return Object.hasOwn(steps, id);
}

const step = (id: TileStep): WireAction => ({ id, label: steps[id]() });
const tileState = (state: ImageTile['state'], title: string, detail = '', ids: readonly TileStep[] = []) => ({
  state,
  title,
  detail,
  actions: ids.map(step),
});
type State = ReturnType<typeof tileState>;

/** Returns the state of an image, its text, and its actions. `known`: what is known about its file. */
function stateOf({ item, job, path }: TilePlace, known: Asset | 'gone' | undefined, sendingNote: string): State {
  if (known === 'gone')
    return tileState('gone', l10n.t('The file no longer exists'), l10n.t('The file has been moved or deleted.'));
  if (path !== undefined) return tileState(known ? 'shown' : 'saving', known ? '' : l10n.t('Saving'));
  switch (item.state) {
    case 'waiting':
      return tileState('waiting', l10n.t('Queued'));
    case 'sending':
      return tileState('sending', l10n.t('Generating'), sendingNote);
    case 'notSent':
      if (!item.problem) return tileState('notSent', l10n.t('Unsent'));
      return tileState('failed', item.problem.title, item.problem.detail, ['again']);
    case 'rejected':
      return tileState('failed', item.problem?.title ?? l10n.t('Failed'), item.problem?.detail, ['again']);
    case 'ordered':
      return job
        ? jobState(job)
        : tileState('gone', l10n.t('No more information'), l10n.t('The record has been removed.'));
  }
}

function jobState(job: MediaJob): State {
  const { stage, lastError } = job;
  switch (stage) {
    case 'preparing':
    case 'queued':
    case 'submitting':
      return tileState('sending', l10n.t('Generating'));
    case 'unknown':
      return tileState('lost', lostTitle(job), l10n.t("You may have been charged. We won't retry automatically."), [
        'again',
        ...exchangeOf(job),
      ]);
    case 'refused': {
      const { title, detail } = jobProblem(job);
      return tileState('failed', title || l10n.t('Failed'), detail, ['again', ...exchangeOf(job)]);
    }
    case 'running':
    case 'fetching':
    case 'ended':
      if (!lastError) return tileState('saving', l10n.t('Saving'));
      return unsaved(job, mediaErrorText(lastError, job));
  }
}

function lostTitle(job: MediaJob): string {
  const error = job.lastError?.error;
  if (!error) return l10n.t('VS Code closed before a response arrived');
  return error.kind === 'network' || error.kind === 'timeout' ? l10n.t('No response') : jobProblem(job).title;
}

function unsaved(job: MediaJob, detail: string): State {
  const kind = job.lastError?.kind;
  if (kind === 'failed') {
    const problem = jobProblem(job);
    return tileState('failed', problem.title || l10n.t('Failed'), problem.detail, ['again', ...exchangeOf(job)]);
  }
  if (isLost(job))
    return tileState('failed', kind === 'expired' ? l10n.t('Unsaved') : l10n.t('No image received'), detail, [
      'again',
      ...exchangeOf(job),
    ]);
  if (kind === 'tooLarge') return tileState('notSaved', l10n.t('The image is very large'), detail, ['fetchAnyway']);
  if (kind === 'savedElsewhere') return tileState('saving', l10n.t('Saving'), detail);
  return tileState('notSaved', l10n.t('Waiting to be saved'), detail, ['fetch']);
}

function exchangeOf({ lastError }: MediaJob): readonly TileStep[] {
  return lastError?.error?.exchangeId === undefined ? [] : ['exchange'];
}
