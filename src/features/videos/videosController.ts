import '../../schema/jitless';
import * as vscode from 'vscode';
import { l10n } from 'vscode';
import type { VideoRequest } from '../../core/api/videos/videos.schema';
import { inputMark } from '../../core/assets/recipe';
import { chooseModel, modelsForJob } from '../../core/catalogue/jobs';
import type { CatalogueModel } from '../../core/catalogue/model';
import type { Disposable } from '../../platform/disposables';
import type { MediaJob, MediaSubmission, MediaStart } from '../../services/media/media';
import { UserError } from '../../platform/errors/userError';
import { emptyVideoForm, videoSizes } from '../../protocol/videoForm';
import { type VideoForm, type VideoIssues, type VideoNotice, type VideosPage, videoForm } from '../../protocol/videos';
import type { Services } from '../../services/services';
import { imageUse } from '../../core/catalogue/videoModels';
import { mostSeed } from '../../protocol/mediaBounds';
import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';

/** The form and the jobs, whether or not a page shows them. */
export interface VideosController extends Disposable {
  readonly form: VideoForm;
  readonly formId: string;
  readonly notices: readonly VideoNotice[];
  readonly wanted: VideosPage['wanted'];
  readonly onDidChange: vscode.Event<void>;
  /** Models that generate videos; empty while none are known. */
  models(): readonly CatalogueModel[];
  keep(form: VideoForm): Promise<VideoIssues>;
  issues(): Promise<VideoIssues>;
  /** Resolves when the service has answered; throws `UserError` if something is missing. */
  submit(form: VideoForm, submission: MediaSubmission): Promise<MediaJob>;
  submitAgain(id: string): Promise<void>;
  fill(request: VideoRequest, withSeed: boolean): Promise<void>;
  start(start: MediaStart): Promise<void>;
}

export function createVideosController(services: Services): VideosController {
  return new WindowVideosController(services);
}

class WindowVideosController implements VideosController {
  private readonly changed = new vscode.EventEmitter<void>();
  private readonly kept;

  readonly onDidChange = this.changed.event;
  notices: readonly VideoNotice[] = [];
  wanted: VideosPage['wanted'];

  constructor(private readonly services: Services) {
    this.kept = createSavedForm(services.context.workspaceState, (error) =>
      services.log.warn(`What was typed for a video could not be kept: ${String(error)}`),
    );
  }

  /** The form as edited; until a model is chosen, with the default one. */
  get form(): VideoForm {
    const { form } = this.kept;
    return form.model === '' ? { ...form, model: chooseModel('video', this.services.models.state) ?? '' } : form;
  }

  get formId(): string {
    return this.kept.id;
  }

  models(): readonly CatalogueModel[] {
    const { models, pins } = this.services.models.state;
    return modelsForJob('video', models, pins);
  }

  async keep(form: VideoForm): Promise<VideoIssues> {
    this.kept.keep(form);
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
    const isKept = form.picture !== '' && (await this.services.media.assets.input(form.picture)) !== undefined;
    return issuesOf(form, this.services.models.state.models, isKept);
  }

  async submit(form: VideoForm, submission: MediaSubmission): Promise<MediaJob> {
    const { media, models } = this.services;
    if (models.state.session === 'signedOut') throw signedOut();
    this.kept.keep(form);
    const request = toRequest(form, await this.issuesFor(form));
    const job = await media.submit({ kind: 'video', request }, submission);
    this.want(job);
    return job;
  }

  async submitAgain(id: string): Promise<void> {
    this.want(await this.services.media.submitAgain(id));
  }

  async fill(request: VideoRequest, withSeed: boolean): Promise<void> {
    const form = toForm(request, { withSeed });
    const isGone =
      form.picture !== '' &&
      (!form.picture.startsWith(inputMark) || (await this.services.media.assets.input(form.picture)) === undefined);
    this.notices = isGone ? [pictureGone()] : [];
    this.kept.fill(isGone ? { ...form, picture: '' } : form);
    this.changed.fire();
  }

  async start(start: MediaStart): Promise<void> {
    if (start.as === 'job') return this.show(start.id);
    if (start.as === 'form') {
      const { model = this.form.model, prompt = this.form.prompt } = start;
      this.kept.fill({ ...(start.prompt === undefined ? this.form : emptyVideoForm), model, prompt });
      return this.changed.fire();
    }
    const { media } = this.services;
    const asset = await media.assets.read(start.path);
    if (asset?.recipe.kind !== 'video') throw noRecipe();
    const { request } = asset.recipe;
    const image = request.image ?? '';
    const isWhole = !image.startsWith(inputMark) || (await media.assets.input(image)) !== undefined;
    if (start.as === 'vary' || !isWhole) return this.fill(request, start.as === 'regenerate');
    this.want(await media.submit({ kind: 'video', request }));
  }

  private want({ id }: { readonly id: string }): void {
    this.wanted = { job: id, times: (this.wanted?.times ?? 0) + 1 };
    this.changed.fire();
  }

  private async show(id: string): Promise<void> {
    const { media } = this.services;
    await media.ready();
    if (!media.jobs.some((job) => job.id === id)) {
      throw new UserError(l10n.t('The order is not followed here any more'), l10n.t('Its record was removed.'));
    }
    this.want({ id });
  }

  dispose(): void {
    this.changed.dispose();
  }
}

function signedOut(): UserError {
  return new UserError(l10n.t('You are not signed in'), l10n.t('Sign in to make videos.'), [
    { id: 'signIn', label: l10n.t('Sign in') },
  ]);
}

function noRecipe(): UserError {
  return new UserError(
    l10n.t('There is no recipe of a video beside this file'),
    l10n.t('It was not made here, or its recipe was moved or deleted.'),
  );
}

function pictureGone(): VideoNotice {
  return {
    tone: 'warning',
    title: l10n.t('Nothing was sent: the first picture is not kept here any more'),
    detail: l10n.t('Everything else of the order is in the form. Choose the picture again.'),
  };
}

/** Returns whether a model takes an input image. `models`: those in the catalogue; any other model is judged by its id alone. */
function imageUseOf(model: string, models: readonly CatalogueModel[]) {
  const id = model.trim();
  return imageUse(models.find((one) => one.id === id) ?? { id, subTypes: [] });
}

/** Returns what prevents sending the form, by field. Empty required fields are not reported, except a required image. */
function issuesOf(form: VideoForm, models: readonly CatalogueModel[], isPictureKept: boolean): VideoIssues {
  const use = imageUseOf(form.model, models);
  return {
    ...(!isSeed(form.seed) && { seed: l10n.t('A whole number from 0 to {0}.', String(mostSeed)) }),
    ...pictureIssue(form, use, isPictureKept),
  };
}

function pictureIssue({ picture }: VideoForm, use: 'needed' | 'refused' | 'unknown', isKept: boolean): VideoIssues {
  if (picture === '') {
    return use === 'needed' ? { picture: l10n.t('This model makes a video of a picture: choose one first.') } : {};
  }
  if (use === 'refused') {
    return {
      picture: l10n.t('This model takes no picture. Remove it, or choose a model that makes videos of pictures.'),
    };
  }
  return isKept ? {} : { picture: l10n.t('The picture is not kept here any more. Choose it again.') };
}

function isSeed(text: string): boolean {
  const seed = text.trim();
  return seed === '' || (/^\d{1,15}$/.test(seed) && Number(seed) <= mostSeed);
}

/** Throws `UserError` if the form cannot be sent. */
function toRequest(form: VideoForm, issues: VideoIssues): VideoRequest {
  const [issue] = Object.values(issues);
  const missing =
    form.prompt.trim() === '' ? l10n.t('Type a prompt.') : form.model.trim() === '' ? l10n.t('Choose a model.') : issue;
  if (missing !== undefined) throw new UserError(l10n.t('Nothing was sent'), missing);
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

const key = 'videos.form';
const keptSchema = z.object({ id: z.string(), form: videoForm });

/** The form as last edited in this workspace. */
interface SavedForm {
  readonly form: VideoForm;
  /** Changes with each `fill`. */
  readonly id: string;
  /** Saves the form as edited on the page. */
  keep(form: VideoForm): void;
  /** Replaces the form on the page. */
  fill(form: VideoForm): void;
}

function createSavedForm(state: vscode.Memento, onTrouble: (error: unknown) => void): SavedForm {
  const read = keptSchema.safeParse(state.get<unknown>(key));
  let kept: { readonly id: string; readonly form: VideoForm } = read.success
    ? read.data
    : { id: randomUUID(), form: emptyVideoForm };
  const write = (next: typeof kept) => {
    kept = next;
    state.update(key, kept).then(undefined, onTrouble);
  };
  return {
    get form() {
      return kept.form;
    },
    get id() {
      return kept.id;
    },
    keep: (form) => write({ id: kept.id, form }),
    fill: (form) => write({ id: randomUUID(), form }),
  };
}
