import * as vscode from 'vscode';
import { l10n } from 'vscode';
import { leftText } from '../../platform/age';
import { runCommand } from '../../platform/contributions';
import type { MediaJob, MediaAssets, MediaInput } from '../../services/media/media';
import { numberText } from '../../platform/displayText';
import { runAction } from '../../platform/errors/reportError';
import { UserError } from '../../platform/errors/userError';
import type { CallContext, Handlers } from '../../protocol/call';
import type { VideoForm, VideoJobAction, VideosPage, VideosScreen, ProvidedImage } from '../../protocol/videos';
import type { Services } from '../../services/services';
import { isVideoOrder, type VideoOrder } from './jobView';
import { actionsOf } from './jobActions';
import { isFailed, stateOf } from './jobStates';
import type { VideosController } from './videosController';
import { viewImage } from './viewPage';
import { showMessage } from '../../platform/notify';
import { dirname, join, parse } from 'node:path';
import { homedir } from 'node:os';
import { droppedUri, providedImage, imageNotAccepted, tooLargeText } from '../../services/images/providedImage';
import { maxImageBytes } from '../../protocol/mediaBounds';

export interface HandlersOptions {
  readonly services: Services;
  readonly controller: VideosController;
  readonly view: () => Promise<VideosPage>;
  readonly toUri: (path: string) => string;
}

/** Handlers of the page. It refers to jobs and files by id and index only; paths stay on this side. */
export function videosHandlers(options: HandlersOptions): Handlers<VideosScreen> {
  const { services, controller, view, toUri } = options;
  const { media, models } = services;
  const sending = new Set<AbortController>();
  return {
    async 'videos/ready'() {
      void models.ensureFresh();
      return view();
    },
    'videos/form': async ({ form }) => ({ issues: await controller.keep(form) }),
    'videos/submit': ({ form }, { emit }) => submit(controller, form, { sending, emit }),
    async 'videos/stop'() {
      for (const one of sending) one.abort();
      return {};
    },
    async 'videos/choosePicture'() {
      const input = await chooseImage(media.assets);
      return input ? { picture: viewImage(input, toUri) } : {};
    },
    'videos/givePicture': async (given) => ({ picture: viewImage(await storeProvided(given, media.assets), toUri) }),
    async 'videos/actOnJob'({ job, action }) {
      await actOnJob(jobOf(job), action, options);
      return {};
    },
    async 'videos/failed'({ action }) {
      const failed = media.jobs.filter(isVideoOrder).filter(isFailed);
      if (action === 'retry') await retryFailed(failed, media);
      else for (const { id } of failed) await media.forget(id);
      return {};
    },
    async 'videos/actOnFile'({ job, index, action }) {
      // Those that send the request again ask first which service to use if the file was generated at another one.
      await runCommand(`inferenceDesk.media.${action}`, pathOf(jobOf(job), index));
      return {};
    },
    async 'videos/saveFrame'({ job, index, seconds, png }) {
      const isSaved = await saveFrame(pathOf(jobOf(job), index), { seconds, png });
      return { said: isSaved ? l10n.t('The frame was saved.') : '' };
    },
    async 'videos/act'({ action }) {
      // Unknown action ids do nothing: the page is not trusted.
      if (action === 'retry') await models.refresh();
      else await runAction(action);
      return {};
    },
  };

  function jobOf(id: string): VideoOrder {
    const found = media.jobs.find((job) => job.id === id);
    if (found && isVideoOrder(found)) return found;
    throw new UserError(l10n.t('The order is not followed here any more'), l10n.t('Its record was removed.'));
  }
}

/** Submits the form. Only the user cancels a submission, not hiding or reloading the page. */
async function submit(
  controller: VideosController,
  form: VideoForm,
  { sending, emit }: Pick<CallContext<{ readonly text: string }>, 'emit'> & { readonly sending: Set<AbortController> },
): Promise<{ readonly job: string; readonly said: string }> {
  const ending = new AbortController();
  sending.add(ending);
  try {
    const onWait = (until: number) => emit({ text: waitText(until) });
    const job = await controller.submit(form, { signal: ending.signal, onWait });
    return { job: job.id, said: stateOf(job, true).word };
  } catch (error) {
    throw ending.signal.aborted ? new vscode.CancellationError() : error;
  } finally {
    sending.delete(ending);
  }
}

function pathOf({ results = [] }: MediaJob, index: number): string {
  const path = results[index]?.path;
  if (path !== undefined) return path;
  throw new UserError(l10n.t('The video is not saved yet'), l10n.t('Fetch it first.'));
}

function waitText(until: number): string {
  const left = leftText(until, Date.now(), vscode.env.language);
  return left === undefined ? '' : l10n.t('Waits for a limit of the service: {0}', left);
}

async function actOnJob(
  job: VideoOrder,
  action: VideoJobAction,
  { services: { media }, controller }: HandlersOptions,
): Promise<void> {
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
      return controller.fill(job.order.request, true);
    case 'forget':
      if (await mayForget(job)) await media.forget(job.id);
  }
}

/** Fetches what the service still has; submits the rest again, each in place of the failed job. */
async function retryFailed(failed: readonly VideoOrder[], media: Services['media']): Promise<void> {
  const isFetched = (job: VideoOrder) => actionsOf(job, false).some(({ id }) => id === 'fetchAgain');
  const paid = failed.filter((job) => !isFetched(job));
  if (paid.length > 1 && !(await mayPay(paid.length))) return;
  for (const { id } of failed.filter(isFetched)) await media.fetchAgain(id);
  for (const { id } of paid) await media.retry(id);
}

async function mayPay(count: number): Promise<boolean> {
  const submit = l10n.t('Submit again');
  const question = l10n.t('Submit {0} videos again?', numberText(count, vscode.env.language));
  const detail = l10n.t('Each video that is made is paid for.');
  return (await showMessage('warning', question, { modal: true, detail }, submit)) === submit;
}

/** Asks before forgetting a job that may still produce a paid video. */
async function mayForget({ stage }: MediaJob): Promise<boolean> {
  if (stage !== 'running' && stage !== 'fetching') return true;
  const forget = l10n.t('Forget');
  const chosen = await showMessage(
    'warning',
    l10n.t('Forget this order?'),
    {
      modal: true,
      detail: l10n.t('It is not followed any more: its video is not saved, and is paid for all the same.'),
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
    throw new UserError(l10n.t('The frame was not saved'), l10n.t('What the page gave is no picture.'));
  }
  const workspace = vscode.workspace.workspaceFolders?.find(({ uri }) => uri.scheme === 'file')?.uri.fsPath;
  const folder = workspace ?? (dirname(videoPath) || homedir());
  const name = `${parse(videoPath).name}-${seconds.toFixed(2).replace('.', '-')}s.png`;
  const target = await vscode.window.showSaveDialog({
    title: l10n.t('Save this frame'),
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
  if (uris.length + pictures.length > 1) throw imageNotAccepted(l10n.t('A video begins with one picture.'));
  const [uri] = uris;
  if (uri !== undefined) return keepFile(droppedUri(uri), assets);
  const [picture] = pictures;
  if (!picture) throw imageNotAccepted(l10n.t('What was dropped is no file.'));
  if ('trouble' in picture) throw imageNotAccepted(troubleText(picture.trouble));
  return assets.keepInput({ bytes: Buffer.from(picture.base64, 'base64'), name: picture.name });
}

/** Asks the user for an image, and stores it. `undefined` on cancel. */
async function chooseImage(assets: MediaAssets): Promise<MediaInput | undefined> {
  const chosen = await vscode.window.showOpenDialog({
    title: l10n.t('Choose the first picture'),
    openLabel: l10n.t('Use Picture'),
    filters: { [l10n.t('Pictures')]: ['png', 'jpg', 'jpeg', 'webp'] },
  });
  return chosen?.[0] ? keepFile(chosen[0], assets) : undefined;
}

async function keepFile(uri: vscode.Uri, assets: MediaAssets): Promise<MediaInput> {
  return assets.keepInput(await providedImage(uri, maxImageBytes));
}

function troubleText(trouble: 'folder' | 'tooLarge' | 'unreadable'): string {
  switch (trouble) {
    case 'folder':
      return l10n.t('It is a folder.');
    case 'tooLarge':
      return tooLargeText(maxImageBytes);
    case 'unreadable':
      return l10n.t('It could not be read.');
  }
}
