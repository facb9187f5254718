import * as l10n from '@vscode/l10n';
import { setTimeout as wait } from 'node:timers/promises';
import * as vscode from 'vscode';
import { createTurns } from '../../../core/async/turns';
import { isMediaOver, savingMs } from '../../../core/agentTools/agentMedia';
import { ApiError } from '../../../core/api/errors';
import { imageModelFacts } from '../../../core/imageRuns/imageModels';
import { paceDelay } from '../../../core/imageRuns/pace';
import { imagesOf } from '../../../core/imageRuns/sweep';
import type { Asset, MediaJob, MediaJobRequest } from '../../../services/media/media';
import { mediaErrorText } from '../../../services/media/mediaMessages';
import type { Services } from '../../../services/services';
import { PublicApiError, toPublicApiError } from '../apiError';
import type { GeneratedImage, GeneratedImages, ImageRequest } from '../logic/inferenceDesk';
import { foreign } from '../../../core/text/foreignText';

type ImageTask = Extract<MediaJobRequest, { kind: 'image' }>;

/** Generates images, one job after the other, and waits until they are saved. */
export type GenerateImage = (
  request: ImageRequest,
  account: { readonly profileId: string; readonly model: string },
  signal: AbortSignal,
) => Promise<GeneratedImages>;

export function createGenerateImage(services: Services, longestSavingMs = savingMs): GenerateImage {
  const { media } = services;
  const inTurn = createTurns();
  return async (request, { profileId, model }, signal) => {
    const task = toTask(request, model);
    if (imageModelFacts(model).needsImage) throw needsPicture(model);
    const service = await media();
    const sent = await inTurn(async () => {
      await wait(delayOf(task, profileId, services), undefined, { signal });
      return service.submit(task, { profileId, signal });
    });
    signal.throwIfAborted();
    if (sent.stage === 'refused' || sent.stage === 'unknown') throw failure(sent);
    const job = await service.whenEndedWithin(sent.id, longestSavingMs, signal);
    if (!isMediaOver(job)) throw notSavedYet(job);
    const paths = (job.results ?? []).flatMap(({ path }) => path ?? []);
    const assets = (await Promise.all(paths.map((path) => service.assets.read(path)))).filter(
      (asset) => asset !== undefined,
    );
    if (assets.length === 0) throw failure(job);
    return toGenerated(job, task, assets);
  };
}

function toTask({ prompt, negativePrompt, size, seed, format, count }: ImageRequest, model: string): ImageTask {
  const set = { negative_prompt: negativePrompt, image_size: size, seed, output_format: format, batch_size: count };
  const defined = Object.fromEntries(Object.entries(set).filter(([, value]) => value !== undefined));
  return { kind: 'image', request: { model, prompt, ...defined } };
}

/** Returns how long to wait until the user's rate limit, which counts all image jobs on this machine, allows the request. */
function delayOf(task: ImageTask, profileId: string, { media, settings }: Services): number {
  const sent = media.jobs.flatMap((job) => {
    const counts = job.task.kind === 'image' && job.profileId === profileId && job.stage !== 'refused';
    return counts ? [{ at: job.createdAt, pictures: imagesOf(job.task.request as ImageTask['request']) }] : [];
  });
  const perMinute = settings.get('images.perMinute');
  return paceDelay(sent, imagesOf(task.request), { perMinute, now: Date.now() });
}

function needsPicture(model: string): PublicApiError {
  const words = l10n.t('{0} only edits images. Use another model.', foreign(model));
  return new PublicApiError('invalidInput', words, { parameter: 'model' });
}

function failure(job: MediaJob): PublicApiError {
  const { stage, lastError } = job;
  if (stage === 'refused' && lastError?.error) return toPublicApiError(new ApiError(lastError.error));
  const words = lastError ? mediaErrorText(lastError, job) : l10n.t("The image isn't available.");
  if (stage === 'unknown') return new PublicApiError('outcomeUnknown', words, { maybeBilled: true });
  return new PublicApiError('failed', words, stage === 'refused' ? {} : { maybeBilled: true });
}

function notSavedYet(job: MediaJob): PublicApiError {
  const words = l10n.t("The image is downloading and will be in the gallery. Don't request it again.");
  const why = job.lastError ? [mediaErrorText(job.lastError, job)] : [];
  return new PublicApiError('notSavedYet', [words, ...why].join(' '), { maybeBilled: true });
}

function toGenerated(job: MediaJob, { request }: ImageTask, assets: readonly Asset[]): GeneratedImages {
  const { results = [], seed, inferenceSeconds } = job;
  return {
    images: assets.map(toImage),
    missing: results.length - assets.length,
    model: request.model,
    prompt: request.prompt,
    ...(seed !== undefined && { seed }),
    ...(inferenceSeconds !== undefined && { inferenceSeconds }),
    createdAt: assets[0]!.recipe.createdAt,
  };
}

function toImage({ path, recipe: { file } }: Asset): GeneratedImage {
  const { contentType, bytes, width, height } = file;
  return {
    uri: vscode.Uri.file(path),
    contentType,
    bytes,
    ...(width !== undefined && { width }),
    ...(height !== undefined && { height }),
  };
}
