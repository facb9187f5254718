import * as l10n from '@vscode/l10n';
import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import * as z from 'zod/mini';
import '../../schema/jitless';
import type { VideoRequest } from '../../core/api/videos/videos.schema';
import { inputMark } from '../../core/assets/recipe';
import { chooseModel, modelsForJob } from '../../core/catalogue/jobs';
import { lacksModel } from '../../core/catalogue/lacksModel';
import { runCommand } from '../../platform/contributions';
import { type Disposable, DisposableStore } from '../../platform/disposables';
import { runAction } from '../../platform/errors/reportError';
import { UserError } from '../../platform/errors/userError';
import { panelIcon } from '../../platform/panelIcon';
import { throttle } from '../../platform/throttle';
import { SingleTab } from '../../platform/webview/singleTab';
import { type ScreenHost, showScreen } from '../../platform/webview/webviewHost';
import { type Handlers, done } from '../../protocol/call';
import { emptyVideoForm, videoSizes } from '../../protocol/videoForm';
import {
  type VideoForm,
  type VideoIssues,
  type VideoNotice,
  type VideosPage,
  type VideosScreen,
  videoForm,
  videosCalls,
} from '../../protocol/videos';
import type { MediaJob, MediaStart, MediaSubmission } from '../../services/media/media';
import { modelNotOfferedTitle } from '../../services/models/modelNotOffered';
import { RememberedForm } from '../../services/models/rememberedForm';
import type { Services } from '../../services/services';
import type { CatalogueModel } from '../../core/catalogue/model';
import { imageUse } from '../../core/catalogue/videoModels';
import { mostSeed } from '../../protocol/mediaBounds';
import {
  actOnJob,
  chooseFrame,
  forgetFailed,
  keepFile,
  pathOf,
  retryFailed,
  saveFrame,
  storeProvided,
  waitText,
} from './videoActions';
import { type VideoMediaJob, isVideoJob, stateOf, viewImage, viewPage } from './videosView';

/** The form as last edited in this workspace. */
const savedForm = z.object({ id: z.string(), form: videoForm, account: z.optional(z.string()) });
/** Throttle for bursts of changes. */
const gatherMs = 50;

/** The form and the jobs, whether or not a page shows them. */
export class VideosController implements Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  private readonly remembered;
  notices: readonly VideoNotice[] = [];
  jobToShow: VideosPage['jobToShow'];

  constructor(readonly services: Services) {
    const { context } = services;
    this.remembered = new RememberedForm(context.workspaceState, services, {
      key: 'videos.form',
      modelKey: 'videos.model',
      read: (stored) => savedForm.safeParse(stored).data,
      first: { id: randomUUID(), form: emptyVideoForm },
      replaceModel: ({ form }, model) => ({ id: randomUUID(), form: { ...form, model } }),
      fail: (error) => this.onNotSaved(error),
    });
  }

  /** The form as edited; until a model is chosen, with the default one. */
  get form(): VideoForm {
    const { form } = this.remembered.current;
    return form.model === '' ? { ...form, model: chooseModel('video', this.services.models.state) ?? '' } : form;
  }

  /** Changes whenever the form is replaced on the page. */
  get formId(): string {
    return this.remembered.current.id;
  }

  /** Shows the page in a tab. Dispose it when the tab is closed; jobs continue. */
  show(panel: vscode.WebviewPanel): Disposable {
    const { media, models, profiles, costs, log, context } = this.services;
    const store = new DisposableStore();
    let isOpen = true;
    const warn = (error: unknown) => log.warn(`The page of videos could not be brought up to date: ${String(error)}`);
    const toUri = (path: string) => panel.webview.asWebviewUri(vscode.Uri.file(path)).toString();
    let host: ScreenHost<'videos'> | undefined;
    panel.title = l10n.t('Videos');
    panel.iconPath = panelIcon(context.extensionUri, 'videos');
    const begin = async () => {
      // Until then not all folders are known, and changing them later reloads the page.
      await Promise.all([media().catch(warn), costs.ready()]);
      if (!isOpen) return;
      host = store.add(
        showScreen({
          screen: 'videos',
          title: panel.title,
          webview: panel.webview,
          extensionUri: context.extensionUri,
          handlers: this.handlers(toUri),
          calls: videosCalls,
          log,
          folders: media.roots(),
        }),
      );
    };
    const tell = async () => {
      if (!host || !panel.visible || !isOpen) return;
      host.showFolders(media.roots());
      const page = await viewPage(this, toUri);
      if (isOpen) host.tell('videos/changed', page);
    };
    const { soon } = store.add(throttle(gatherMs, () => void tell().catch(warn)));
    void begin();
    for (const source of [media, models, costs, profiles]) store.add(source.onDidChange(soon));
    store.add(media.onDidChangeAssets(soon));
    store.add(models.follow());
    store.add(this.changed.event(soon));
    store.add(this.services.connections.onDidChangeOffers(soon));
    store.add(panel.onDidChangeViewState(() => (panel.visible ? soon() : host?.forgetPage())));
    // `visible` must not be read on a panel that was closed.
    store.add({ dispose: () => (isOpen = false) });
    return store;
  }

  /** Handlers of the page. It refers to jobs and files by id and index only; paths stay on this side. */
  handlers(toUri: (path: string) => string): Handlers<VideosScreen> {
    const { media, models } = this.services;
    const sending = new Set<AbortController>();
    return {
      'videos/ready': async () => {
        void models.ensureFresh();
        return viewPage(this, toUri);
      },
      'videos/form': async ({ form }) => ({ issues: await this.keep(form) }),
      // Only the user cancels a submission, not hiding or reloading the page.
      'videos/submit': async ({ form }, { emit }) => {
        const ending = new AbortController();
        sending.add(ending);
        try {
          const onWait = (until: number) => emit({ text: waitText(until) });
          const job = await this.submit(form, { signal: ending.signal, onWait });
          return { job: job.id, message: stateOf(job, true).word };
        } catch (error) {
          throw ending.signal.aborted ? new vscode.CancellationError() : error;
        } finally {
          sending.delete(ending);
        }
      },
      'videos/stop': async () => {
        for (const one of sending) one.abort();
        return {};
      },
      'videos/choosePicture': async () => {
        const input = await chooseFrame((await media()).assets);
        return input ? { picture: viewImage(input, toUri) } : {};
      },
      'videos/givePicture': async (images) => ({
        picture: viewImage(await storeProvided(images, (await media()).assets), toUri),
      }),
      'videos/actOnJob': async ({ job, action }) => done(actOnJob(this.jobOf(job), action, this)),
      'videos/failed': async ({ action }) =>
        done(action === 'retry' ? retryFailed(await media()) : forgetFailed(await media())),
      // Those that send the request again ask first which service to use if the file was generated at another one.
      'videos/actOnFile': async ({ job, index, action }) =>
        done(runCommand(`inferenceDesk.media.${action}`, pathOf(this.jobOf(job), index))),
      'videos/saveFrame': async ({ job, index, seconds, png }) => {
        const isSaved = await saveFrame(pathOf(this.jobOf(job), index), { seconds, png });
        return { message: isSaved ? l10n.t('Saved the frame.') : '' };
      },
      // Unknown action ids do nothing: the page is not trusted.
      'videos/act': ({ action }) => done(action === 'retry' ? models.refresh() : runAction(action)),
    };
  }

  /** Models that generate videos; empty while none are known. */
  models() {
    const { models, pins } = this.services.models.state;
    return modelsForJob('video', models, pins);
  }

  async keep(form: VideoForm): Promise<VideoIssues> {
    this.save(form);
    if (this.notices.length > 0) {
      this.notices = [];
      this.changed.fire();
    }
    return this.issues();
  }

  async issues(): Promise<VideoIssues> {
    return this.issuesFor(this.form);
  }

  private async issuesFor(form: VideoForm): Promise<VideoIssues> {
    const isStored =
      form.picture !== '' && (await (await this.services.media()).assets.input(form.picture)) !== undefined;
    return issuesOf(form, this.services.models.state.models, isStored);
  }

  /** Resolves when the service has answered; throws `UserError` if something is missing. */
  async submit(form: VideoForm, submission: MediaSubmission): Promise<MediaJob> {
    const { media, models } = this.services;
    if (models.state.session === 'signedOut') throw signedOut();
    this.save(form);
    const request = toRequest(form, await this.issuesFor(form));
    const job = await (await media()).submit({ kind: 'video', request }, submission);
    this.want(job);
    return job;
  }

  async submitAgain(id: string): Promise<void> {
    this.want(await (await this.services.media()).submitAgain(id));
  }

  async fill(request: VideoRequest, withSeed: boolean): Promise<void> {
    const form = toForm(request, { withSeed });
    const isGone =
      form.picture !== '' &&
      (!form.picture.startsWith(inputMark) ||
        (await (await this.services.media()).assets.input(form.picture)) === undefined);
    const isLacking = this.lacks(request.model);
    this.notices = [
      ...(isGone ? [pictureGone()] : []),
      ...(isLacking ? [modelOfOther(request.model, this.services.account.current.name)] : []),
    ];
    this.save({ ...form, ...(isGone && { picture: '' }), ...(isLacking && { model: '' }) }, randomUUID());
    this.changed.fire();
  }

  async start(start: MediaStart): Promise<void> {
    if (start.as === 'job') return this.showJob(start.id);
    if (start.as === 'form' && start.image !== undefined) return this.beginWith(start.image);
    if (start.as === 'form') {
      const { model = this.form.model, prompt = this.form.prompt } = start;
      this.save({ ...(start.prompt === undefined ? this.form : emptyVideoForm), model, prompt }, randomUUID());
      return this.changed.fire();
    }
    const { media } = this.services;
    const asset = await (await media()).assets.read(start.path);
    if (asset?.recipe.kind !== 'video') throw noRecipe();
    const { request } = asset.recipe;
    const image = request.image ?? '';
    const isWhole = !image.startsWith(inputMark) || (await (await media()).assets.input(image)) !== undefined;
    if (start.as === 'vary' || !isWhole || this.lacks(request.model))
      return this.fill(request, start.as === 'regenerate');
    this.want(await (await media()).submit({ kind: 'video', request }));
  }

  /** Puts an image into the form as its first frame; replaces a model that is known to refuse one. */
  private async beginWith(path: string): Promise<void> {
    const { ref } = await keepFile(vscode.Uri.file(path), (await this.services.media()).assets);
    const { models } = this.services.models.state;
    const isRefused = imageUseOf(this.form.model, models) === 'refused';
    const fitting = isRefused ? this.models().find((one) => imageUseOf(one.id, models) === 'needed') : undefined;
    this.save({ ...this.form, picture: ref, ...(fitting && { model: fitting.id }) }, randomUUID());
    this.changed.fire();
  }

  /** Saves the form in this workspace. A new `id` replaces the form on the page. */
  private save(form: VideoForm, id = this.formId): void {
    this.remembered.save({ id, form }).catch((error: unknown) => this.onNotSaved(error));
  }

  private onNotSaved(error: unknown): void {
    this.services.log.warn(`The video form could not be saved: ${String(error)}`);
  }

  private lacks(model: string): boolean {
    return lacksModel(model, this.services.models.state);
  }

  private want({ id }: { readonly id: string }): void {
    this.jobToShow = { job: id, times: (this.jobToShow?.times ?? 0) + 1 };
    this.changed.fire();
  }

  private jobOf(id: string): VideoMediaJob {
    const found = this.services.media.jobs.find((job) => job.id === id);
    if (found && isVideoJob(found)) return found;
    throw notFollowed();
  }

  private async showJob(id: string): Promise<void> {
    const { media } = this.services;
    await media();
    if (!media.jobs.some((job) => job.id === id)) throw notFollowed();
    this.want({ id });
  }

  dispose(): void {
    this.remembered.dispose();
    this.changed.dispose();
  }
}

/** The videos tab; at most one per window. */
export function createVideos(services: Services) {
  const controller = new VideosController(services);
  const tab = new SingleTab('inferenceDesk.videos', (panel) => controller.show(panel));
  return {
    async open(start: MediaStart | undefined) {
      tab.open();
      if (start) await controller.start(start);
    },
    restore: (panel: vscode.WebviewPanel) => tab.restore(panel),
    dispose() {
      tab.dispose();
      controller.dispose();
    },
  };
}

function notFollowed(): UserError {
  return new UserError(l10n.t('This job is no longer tracked here'), l10n.t('The record has been removed.'));
}

function signedOut(): UserError {
  return new UserError(l10n.t("You aren't signed in"), l10n.t('Sign in to generate videos.'), [
    { id: 'signIn', label: l10n.t('Sign In') },
  ]);
}

function noRecipe(): UserError {
  return new UserError(
    l10n.t('No video details found for this file'),
    l10n.t("The file wasn't generated here, or its details are missing."),
  );
}

/** For the recipe of a video that was generated with another account. */
function modelOfOther(model: string, account: string): VideoNotice {
  return {
    tone: 'warning',
    title: modelNotOfferedTitle([model], account, vscode.env.language),
    detail: l10n.t('Select another model, then try again.'),
  };
}

function pictureGone(): VideoNotice {
  return {
    tone: 'warning',
    title: l10n.t('The first-frame image is no longer available'),
    detail: l10n.t('Choose the image again.'),
  };
}

/** Returns whether a model supports an input image. `models`: those in the catalog. Any other model is judged only by its ID. */
function imageUseOf(model: string, models: readonly CatalogueModel[]) {
  const id = model.trim();
  return imageUse(id, models.find((one) => one.id === id)?.subTypes);
}

/** Returns what prevents sending the form, by field. Empty required fields are not reported, except a required image. */
function issuesOf(form: VideoForm, models: readonly CatalogueModel[], isImageStored: boolean): VideoIssues {
  const use = imageUseOf(form.model, models);
  return {
    ...(!isSeed(form.seed) && { seed: l10n.t('Enter a whole number from {0} to {1}.', '0', String(mostSeed)) }),
    ...pictureIssue(form, use, isImageStored),
  };
}

function pictureIssue({ picture }: VideoForm, use: 'needed' | 'refused' | 'unknown', isStored: boolean): VideoIssues {
  if (picture === '') {
    return use === 'needed' ? { picture: l10n.t('Choose an image first.') } : {};
  }
  if (use === 'refused') {
    return {
      picture: l10n.t("This model doesn't support image input. Remove the image, or choose another model."),
    };
  }
  return isStored ? {} : { picture: l10n.t("Choose the image again. It's no longer available.") };
}

function isSeed(text: string): boolean {
  const seed = text.trim();
  return seed === '' || (/^\d{1,15}$/.test(seed) && Number(seed) <= mostSeed);
}

/** Throws `UserError` if the form cannot be sent. */
function toRequest(form: VideoForm, issues: VideoIssues): VideoRequest {
  const [issue] = Object.values(issues);
  const missing =
    form.prompt.trim() === ''
      ? l10n.t('Enter a prompt.')
      : form.model.trim() === ''
        ? l10n.t('Select a model.')
        : issue;
  if (missing !== undefined) throw new UserError(l10n.t("Couldn't send the request"), missing);
  const [seed, negative] = [form.seed.trim(), form.negativePrompt.trim()];
  return {
    model: form.model.trim(),
    prompt: form.prompt,
    image_size: form.size,
    ...(negative !== '' && { negative_prompt: negative }),
    ...(seed !== '' && { seed: Number(seed) }),
    ...(form.picture !== '' && { image: form.picture }),
  };
}

/** Returns the form that would send this request. */
function toForm(request: VideoRequest, { withSeed }: { readonly withSeed: boolean }): VideoForm {
  const size = videoSizes.find((one) => one === request.image_size) ?? videoSizes[0];
  return {
    prompt: request.prompt,
    negativePrompt: request.negative_prompt ?? '',
    model: request.model,
    size,
    seed: withSeed && typeof request.seed === 'number' ? String(request.seed) : '',
    picture: request.image ?? '',
  };
}
