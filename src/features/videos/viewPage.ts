import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import * as vscode from 'vscode';
import { l10n } from 'vscode';
import { imageUse } from '../../core/catalogue/videoModels';
import { lastCosts } from '../../services/usage/costMessages';
import { bytesText, numberText } from '../../platform/displayText';
import type { MediaInput } from '../../services/media/media';
import { describe } from '../../platform/errors/reportError';
import type { VideoFile, VideoJob, VideoNotice, VideoImage, VideosPage } from '../../protocol/videos';
import type { Services } from '../../services/services';
import { isFailed } from './jobStates';
import { isVideoOrder, viewJob } from './jobView';
import type { VideoOrder } from './jobView';
import type { VideosController } from './videosController';
import { listText } from '../../protocol/formats';

export interface ViewOptions {
  readonly services: Services;
  readonly controller: VideosController;
  /** Returns the URI from which the page can load a file. */
  readonly toUri: (path: string) => string;
}

/** Returns what the page shows at the time of the call. */
export async function viewPage(options: ViewOptions): Promise<VideosPage> {
  const { services, controller, toUri } = options;
  const { media, models, costs } = services;
  await Promise.all([media.ready(), models.ready()]);
  const { state } = models;
  const all = media.jobs.filter(isVideoOrder);
  const failed = all.filter(isFailed);
  const isBelow = (job: VideoOrder) => job.id !== controller.wanted?.job && failed.includes(job);
  const [jobs, issues, input] = await Promise.all([
    Promise.all(all.toSorted((a, b) => Number(isBelow(a)) - Number(isBelow(b))).map((job) => viewOne(job, options))),
    controller.issues(),
    controller.form.picture === '' ? undefined : media.assets.input(controller.form.picture),
  ]);
  return {
    form: controller.form,
    formId: controller.formId,
    ...(input && { picture: viewImage(input, toUri) }),
    issues,
    models: controller.models().map((model) => ({ id: model.id, picture: imageUse(model) })),
    modelsAreLoading: state.session === 'starting' || (state.loading && state.models.length === 0),
    ...(state.error !== undefined && { modelsTrouble: describe(state.error) }),
    isSignedOut: state.session === 'signedOut',
    jobs,
    ...(failed.length > 0 && { failed: l10n.t('Failed: {0}', numberText(failed.length, vscode.env.language)) }),
    notices: [...controller.notices, ...unreadableNotice(media.unreadable.length)],
    ...(controller.wanted && { wanted: controller.wanted }),
    costs: lastCosts(costs, 'video'),
  };
}

async function viewOne(job: VideoOrder, options: ViewOptions): Promise<VideoJob> {
  const {
    services: { media, profiles, costs },
    toUri,
  } = options;
  const image = job.order.request.image ?? '';
  const saved = (job.results ?? []).flatMap(({ path }, index) => (path === undefined ? [] : [{ path, index }]));
  const [files, input] = await Promise.all([
    Promise.all(saved.map(({ path, index }) => viewFile(path, index, options))),
    image === '' ? undefined : media.assets.input(image),
  ]);
  return viewJob(job, {
    profiles,
    cost: costs.of(job.id),
    now: Date.now(),
    language: vscode.env.language,
    files,
    pictureUri: input && toUri(input.path),
  });
}

async function viewFile(path: string, index: number, { services: { media }, toUri }: ViewOptions): Promise<VideoFile> {
  const [asset, found] = await Promise.all([media.assets.read(path), stat(path).catch(() => undefined)]);
  const bytes = found?.size ?? asset?.recipe.file.bytes;
  const facts = bytes === undefined ? [] : [bytesText(bytes, vscode.env.language)];
  return { index, name: basename(path), facts, ...(found && { uri: toUri(path) }) };
}

export function viewImage(
  { ref, path, contentType, bytes, width, height }: MediaInput,
  toUri: ViewOptions['toUri'],
): VideoImage {
  const format = contentType.replace(/^image\//, '').toUpperCase();
  const pixels = width !== undefined && height !== undefined ? [`${width} × ${height}`] : [];
  return {
    ref,
    uri: toUri(path),
    facts: listText([format, ...pixels, bytesText(bytes, vscode.env.language)], vscode.env.language),
  };
}

function unreadableNotice(count: number): readonly VideoNotice[] {
  if (count === 0) return [];
  return [
    {
      tone: 'warning',
      title: l10n.t('Some orders cannot be read'),
      detail: l10n.t(
        'Records: {0}. A newer version of the extension wrote them, or they are damaged. They are left as they are.',
        String(count),
      ),
    },
  ];
}
