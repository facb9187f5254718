import * as l10n from '@vscode/l10n';
import { homedir } from 'node:os';
import { dirname, join, parse } from 'node:path';
import * as vscode from 'vscode';
import { leftText } from '../../platform/age';
import { numberText } from '../../platform/displayText';
import { UserError } from '../../platform/errors/userError';
import { showMessage } from '../../platform/notify';
import { maxImageBytes } from '../../protocol/mediaBounds';
import type { ProvidedImage, VideoJobAction } from '../../protocol/videos';
import { droppedUri, imageNotAccepted, providedImage, tooLargeText } from '../../services/images/providedImage';
import { chooseImage } from '../../services/images/chooseImage';
import type { Media, MediaAssets, MediaInput, MediaJob } from '../../services/media/media';
import type { VideosController } from './videosController';
import { actionsOf, isFailed, isVideoJob, type VideoMediaJob } from './videosView';

/** Returns the path of a saved file. */
export function pathOf({ results = [] }: MediaJob, index: number): string {
  const path = results[index]?.path;
  if (path !== undefined) return path;
  throw new UserError(l10n.t("The video hasn't been saved yet"), l10n.t('Download the video first.'));
}

/** Describes how long a request waits for a limit; empty if that is over. */
export function waitText(until: number): string {
  const left = leftText(until, Date.now(), vscode.env.language);
  return left === undefined ? '' : l10n.t("Waiting for the service's limit to reset: {0}", left);
}

/** Runs an action of a job. */
export async function actOnJob(
  job: VideoMediaJob,
  action: VideoJobAction,
  controller: VideosController,
): Promise<void> {
  const media = await controller.services.media();
  switch (action) {
    case 'checkNow':
      await (job.stage === 'ended' ? media.fetchAgain(job.id) : media.checkNow(job.id));
      return;
    case 'fetchAgain':
      await media.fetchAgain(job.id);
      return;
    case 'fetchAnyway':
      await media.fetchAgain(job.id, { evenIfLarge: true });
      return;
    case 'submitAgain':
      return controller.submitAgain(job.id);
    case 'fillForm':
      return controller.fill(job.task.request, true);
    case 'forget':
      if (await mayForget(job)) await media.forget(job.id);
  }
}

/** Fetches what the service still has; submits the rest again, each in place of the failed job. */
export async function retryFailed(media: Media): Promise<void> {
  const failed = media.jobs.filter(isVideoJob).filter(isFailed);
  const isFetched = (job: VideoMediaJob) => actionsOf(job, false).some(({ id }) => id === 'fetchAgain');
  const paid = failed.filter((job) => !isFetched(job));
  if (paid.length > 1 && !(await mayPay(paid.length))) return;
  for (const { id } of failed.filter(isFetched)) await media.fetchAgain(id);
  for (const { id } of paid) await media.retry(id);
}

/** Removes all failed jobs. */
export async function forgetFailed(media: Media): Promise<void> {
  for (const { id } of media.jobs.filter(isVideoJob).filter(isFailed)) await media.forget(id);
}

async function mayPay(count: number): Promise<boolean> {
  const submit = l10n.t('Submit Again');
  const question =
    count === 1
      ? l10n.t('Submit this video again?')
      : l10n.t('Submit {0} videos again?', numberText(count, vscode.env.language));
  const detail = l10n.t("You're charged for each generated video.");
  return (await showMessage('warning', question, { modal: true, detail }, submit)) === submit;
}

/** Asks before forgetting a job that may still produce a paid video. */
async function mayForget({ stage }: MediaJob): Promise<boolean> {
  if (stage !== 'running' && stage !== 'fetching') return true;
  const forget = l10n.t('Remove from List');
  const chosen = await showMessage(
    'warning',
    l10n.t('Remove this job from the list?'),
    {
      modal: true,
      detail: l10n.t("The video won't be saved, but you may still be charged."),
    },
    forget,
  );
  return chosen === forget;
}

interface Frame {
  readonly seconds: number;
  /** Base64. */
  readonly png: string;
}

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Asks where to save the frame, and writes it. `false` on cancel. */
export async function saveFrame(videoPath: string, { seconds, png }: Frame): Promise<boolean> {
  const bytes = Buffer.from(png, 'base64');
  // The page shows third-party content, so its data is not trusted.
  if (!bytes.subarray(0, signature.length).equals(signature)) {
    throw new UserError(l10n.t("Couldn't save the frame"), l10n.t("The frame isn't a valid image."));
  }
  const workspace = vscode.workspace.workspaceFolders?.find(({ uri }) => uri.scheme === 'file')?.uri.fsPath;
  const folder = workspace ?? (dirname(videoPath) || homedir());
  const name = `${parse(videoPath).name}-${seconds.toFixed(2).replace('.', '-')}s.png`;
  const target = await vscode.window.showSaveDialog({
    title: l10n.t('Save Frame'),
    defaultUri: vscode.Uri.file(join(folder, name)),
    filters: { PNG: ['png'] },
  });
  if (!target) return false;
  await vscode.workspace.fs.writeFile(target, bytes);
  return true;
}

interface ProvidedFiles {
  readonly uris: readonly string[];
  readonly pictures: readonly ProvidedImage[];
}

/** Stores a dropped or pasted image. Checks its URI before reading anything; throws `UserError` if it is not a file. */
export async function storeProvided({ uris, pictures }: ProvidedFiles, assets: MediaAssets): Promise<MediaInput> {
  if (uris.length + pictures.length > 1) throw imageNotAccepted(l10n.t('Choose only one image as the first frame.'));
  const [uri] = uris;
  if (uri !== undefined) return keepFile(droppedUri(uri), assets);
  const [picture] = pictures;
  if (!picture) throw imageNotAccepted(l10n.t("This isn't a file."));
  if ('problem' in picture) throw imageNotAccepted(problemText(picture.problem));
  return assets.keepInput({ bytes: Buffer.from(picture.base64, 'base64'), name: picture.name });
}

/** Asks the user for an image, and stores it. `undefined` on cancel. */
export async function chooseFrame(assets: MediaAssets): Promise<MediaInput | undefined> {
  const chosen = await chooseImage(assets, ['png', 'jpg', 'jpeg', 'webp']);
  return chosen && keepFile(chosen, assets);
}

/** Stores an image for the request. Throws `UserError` if it isn't one, or may not be read. */
export async function keepFile(uri: vscode.Uri, assets: MediaAssets): Promise<MediaInput> {
  return assets.keepInput(await providedImage(uri, maxImageBytes));
}

function problemText(problem: 'folder' | 'tooLarge' | 'unreadable'): string {
  switch (problem) {
    case 'folder':
      return l10n.t('This is a folder.');
    case 'tooLarge':
      return tooLargeText(maxImageBytes);
    case 'unreadable':
      return l10n.t("The file couldn't be read.");
  }
}
