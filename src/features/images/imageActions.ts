import { stat } from 'node:fs/promises';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ImageRequest } from '../../core/api/images/images.schema';
import { inputMark } from '../../core/assets/recipe';
import { expandSweep, imagesOf } from '../../core/imageRuns/sweep';
import { editField, editModel } from '../../core/imageRuns/imageModels';
import { modelsForJob } from '../../core/catalogue/jobs';
import { inputFields } from '../../protocol/imageForm';
import { rulesOf } from '../../core/profiles/vendorRules';
import { lacksModel } from '../../core/catalogue/lacksModel';
import { maxImageBytes } from '../../protocol/mediaBounds';
import { chooseImage } from '../../services/images/chooseImage';
import { droppedUri, providedImage } from '../../services/images/providedImage';
import { modelNotOfferedTitle } from '../../services/models/modelNotOffered';
import { HeldElsewhere } from '../../core/storage/leases';
import { runCommand } from '../../platform/contributions';
import { numberText, bytesText } from '../../platform/displayText';
import { UserError } from '../../platform/errors/userError';
import { runAction } from '../../platform/errors/reportError';
import { showMessage } from '../../platform/notify';
import type { ImageForm, ImagesNotice, TileAction, ImageInput, InputField } from '../../protocol/images';
import { rememberCopied } from '../../services/images/copiedImage';
import { toMediaStart } from '../../services/media/media';
import { lastSentText, planOf, problemWords } from './form/formAnswer';
import { readForm, toForm } from './logic/readForm';
import type { ImagesController } from './imagesController';
import type { RequestSource } from './runs/imageRuns';
import { sentElsewhere } from './runs/runProblems';
import { isTileStep, placeOf, type TilePlace } from './runs/runView';
import type { Asset, MediaAssets, MediaInput } from '../../services/media/media';

/** Handles the argument of the command that opened the page; see `MediaStart`. Throws `UserError` if that job or recipe does not exist. */
export async function startWith(controller: ImagesController, start: unknown): Promise<void> {
  await controller.refresh();
  const requestedStart = toMediaStart(start);
  switch (requestedStart?.as) {
    case undefined:
      return;
    case 'form':
      return controller.fill({
        // Keep the rest of the form as edited.
        ...controller.form,
        ...(requestedStart.model !== undefined && { model: requestedStart.model }),
        ...(requestedStart.prompt !== undefined && { prompt: requestedStart.prompt }),
        ...(requestedStart.image !== undefined && (await editOf(controller, requestedStart.image))),
      });
    case 'job':
      return showJob(controller, requestedStart.id);
    case 'vary':
      return vary(controller, await requestOf(controller, requestedStart.path));
    case 'regenerate': {
      const request = await requestOf(controller, requestedStart.path);
      const isWhole = (await controller.inputs.away(request)).length === 0;
      if (!isWhole || lacksModel(request.model, controller.services.models.state)) return vary(controller, request);
      return controller.want(await submitRequests(controller, [request]));
    }
  }
}

/** Returns the part of the form that edits an image. Throws `UserError` if no model of the account does. */
async function editOf(controller: ImagesController, path: string): Promise<Partial<ImageForm>> {
  const { models, pins } = controller.services.models.state;
  const ids = modelsForJob('image', models, pins).map(({ id }) => id);
  const model = editModel(controller.form.model, ids);
  const field = model === undefined ? undefined : editField(model);
  if (model === undefined || field === undefined)
    throw new UserError(l10n.t("Couldn't edit the image"), l10n.t('Switch to an account with an image editing model.'));
  const empty = Object.fromEntries(inputFields.map((name) => [name, '']));
  return { ...empty, model, [field]: await controller.inputs.drop({ uri: vscode.Uri.file(path).toString() }) };
}

async function showJob(controller: ImagesController, id: string): Promise<void> {
  const job = controller.jobOf(id);
  const run = job && (await controller.runs.runOf(job));
  if (!run)
    throw new UserError(
      l10n.t('No more information about this job'),
      l10n.t('The record has been removed. See the gallery.'),
    );
  controller.want(run.id);
}

/** Fills the form with a request but for its seed, for the input images that are not on this machine, and for another account's model. */
async function vary(controller: ImagesController, request: ImageRequest): Promise<void> {
  const { account, models } = controller.services;
  const away = await controller.inputs.away(request);
  const { seed: _seed, ...form } = toForm(request);
  const emptied = Object.fromEntries(away.map((field) => [field, '']));
  const notice: ImagesNotice = {
    tone: 'warning',
    title: l10n.t('An input image is no longer available'),
    detail: l10n.t('Choose the image again, then generate.'),
    actions: [],
  };
  const isLacking = lacksModel(request.model, models.state);
  const other: ImagesNotice = {
    tone: 'warning',
    title: modelNotOfferedTitle([request.model], account.current.name, vscode.env.language),
    detail: l10n.t('Select another model, then try again.'),
    actions: [],
  };
  controller.fill({ ...form, ...emptied, ...(isLacking && { model: '' }) }, [
    ...(away.length === 0 ? [] : [notice]),
    ...(isLacking ? [other] : []),
  ]);
}

async function requestOf({ services: { media } }: ImagesController, path: string): Promise<ImageRequest> {
  const asset = await (await media()).assets.read(path);
  if (asset?.recipe.kind === 'image') return asset.recipe.request;
  throw new UserError(
    l10n.t('No image details found'),
    l10n.t("{0} wasn't generated here, or its details are missing.", path),
  );
}

/** Above this number of images, ask for confirmation: each one costs money. */
const confirmAbove = 20;
/** Maximum number of requests in one run. At the service's lowest rate limit, more would take hours. */
const mostRequests = 500;

/** Sends the requests of a form. Throws `UserError` if the form is incomplete or invalid; does nothing if the user declines. */
export async function submitForm(controller: ImagesController, form: ImageForm): Promise<void> {
  const reading = readForm(form, rulesOf(controller.services.account.current.baseUrl).bounds);
  const { request, sweep, issues } = reading;
  if (request.prompt === '')
    throw new UserError(l10n.t('Prompt missing'), l10n.t('Describe the image, then generate it.'));
  if (request.model === '') throw new UserError(l10n.t('No model selected'), l10n.t('Select or enter a model.'));
  const [issue] = issues;
  if (issue) throw new UserError(l10n.t('Invalid value: {0}', issue.field), problemWords(issue));
  const size = planOf(reading);
  if (size.requests > mostRequests)
    throw new UserError(
      l10n.t('Too many images'),
      l10n.t('These settings need {0} requests (limit {1}). Use fewer variations.', size.requests, mostRequests),
    );
  if (!(await isConfirmed(size, controller))) return;
  const requests = expandSweep(request, sweep, { random: Math.random, most: mostRequests });
  await submitRequests(controller, requests);
}

/** Sends requests unchanged, with the active profile. Resolves to the id of their run. */
async function submitRequests(controller: ImagesController, requests: readonly ImageRequest[]): Promise<string> {
  const profile = controller.services.account.current.profile;
  if (!profile)
    throw new UserError(l10n.t("You aren't signed in"), l10n.t('Sign in to generate images.'), [
      { id: 'signIn', label: l10n.t('Sign In') },
    ]);
  return submitRequestsTo(controller, requests, { profileId: profile.id, baseUrl: profile.baseUrl });
}

/** Sends requests unchanged, with this profile and base URL. Resolves to the id of their run. */
async function submitRequestsTo(
  controller: ImagesController,
  requests: readonly ImageRequest[],
  { profileId, baseUrl }: RequestSource,
): Promise<string> {
  controller.say([]);
  return (await controller.runs.start({ profileId, baseUrl }, requests)).id;
}

/** Asks for confirmation above `askedAbove` images. */
async function isConfirmed(
  { pictures, requests }: { readonly pictures: number; readonly requests: number },
  controller: ImagesController,
): Promise<boolean> {
  if (pictures <= confirmAbove) return true;
  const { language } = vscode.env;
  const number = (value: number) => numberText(value, language);
  const detail = [
    l10n.t("You're charged for each image. Requests that have been sent can't be stopped."),
    lastSentText({ requests, pictures }, controller.pace()),
  ];
  const yes = l10n.t('Generate {0} Images', number(pictures));
  const chosen = await showMessage(
    'warning',
    l10n.t('Generate {0} images in {1} requests?', number(pictures), number(requests)),
    { modal: true, detail: detail.filter(Boolean).join('\n') },
    yes,
  );
  return chosen === yes;
}

/** Runs an action on a saved image. */
export async function actOnTile(controller: ImagesController, tile: string, action: TileAction): Promise<void> {
  const path = placeOf(tile, controller)?.path;
  if (path === undefined) throw notHere();
  return runCommand(`inferenceDesk.media.${action}`, path);
}

/** Remembers that a saved image was copied to the clipboard, so that pasting it into a text can insert its path. */
export async function rememberTile(controller: ImagesController, tile: string, pixels: string): Promise<void> {
  const path = placeOf(tile, controller)?.path;
  if (path !== undefined) await rememberCopied({ path, pixels }, controller.services.context.globalState);
}

/** Runs an action that a tile offers. Ignores unknown ids: the page is not trusted. */
export async function stepOfTile(controller: ImagesController, tile: string, action: string): Promise<void> {
  const place = placeOf(tile, controller);
  if (!place || !isTileStep(action)) return;
  const { job } = place;
  if (action === 'again') return again(controller, tile, place);
  if (!job) throw notHere();
  const exchange = job.lastError?.error?.exchangeId;
  if (action === 'exchange') {
    if (exchange !== undefined) await runCommand('inferenceDesk.showExchange', exchange);
    return;
  }
  await (await controller.services.media()).fetchAgain(job.id, { evenIfLarge: action === 'fetchAnyway' });
}

/** Retries a failed request in place. One with an image is sent again as a separate run. */
async function again(controller: ImagesController, tile: string, { item, job }: TilePlace): Promise<void> {
  const { runs } = controller;
  const [run = '', at] = tile.split('.');
  const failed = runs.failed().find(({ id, items }) => id === run && items.includes(Number(at)));
  if (failed) return runs.retry({ ...failed, items: [Number(at)] });
  if (!job) throw notHere();
  // To the service it was first sent to, whichever is active now.
  controller.want(await submitRequestsTo(controller, [item.request], job));
}

/** Retries all failed requests. Does nothing if there are many and the user declines. */
export async function retryFailed(controller: ImagesController): Promise<void> {
  const { runs } = controller;
  const failed = runs.failed();
  const requests = failed.flatMap((one) => runs.itemsOf(one).map(({ request }) => request));
  const pictures = requests.reduce((sum, request) => sum + imagesOf(request), 0);
  if (!(await isConfirmed({ requests: requests.length, pictures }, controller))) return;
  for (const one of failed) await runs.retry(one);
}

/** Removes all failed requests from the page, and their jobs. */
export async function clearFailed({ runs, services }: ImagesController): Promise<void> {
  for (const failed of runs.failed()) {
    const jobs = runs.itemsOf(failed).flatMap(({ jobId }) => jobId ?? []);
    await runs.clear(failed.id, failed.items).catch((error: unknown) => {
      throw error instanceof HeldElsewhere ? sentElsewhere() : error;
    });
    if (runs.failed().some(({ id }) => id === failed.id)) continue;
    for (const id of jobs) await (await services.media()).forget(id);
  }
}

/** Runs an action of a notice. Ignores unknown action ids: the page is not trusted. */
export async function act(action: string): Promise<void> {
  if (action === 'gallery') await runCommand('inferenceDesk.gallery.open');
  else if (action === 'paceSetting')
    await vscode.commands.executeCommand('workbench.action.openSettings', 'inferenceDesk.images.perMinute');
  else await runAction(action);
}

function notHere(): UserError {
  return new UserError(
    l10n.t('This image is no longer available'),
    l10n.t('The record has been removed. See the gallery.'),
  );
}

/** Input images that are sent with a request. */
export class ProvidedInputs {
  private readonly known = new Map<string, MediaInput | undefined>();

  constructor(
    private readonly assets: () => Promise<MediaAssets>,
    private readonly uriOf: (path: string) => string,
  ) {}

  /** Returns, by reference, the form's input images that are stored on this machine. */
  of(form: ImageForm): Readonly<Record<string, ImageInput>> {
    return Object.fromEntries(
      inputFields.flatMap((field) => {
        const input = this.known.get(form[field]);
        return input ? [[form[field], { uri: this.uriOf(input.path), facts: factsOf(input) }]] : [];
      }),
    );
  }

  /** Looks up the form's references that are not known yet. */
  async learn(form: ImageForm): Promise<void> {
    const unknown = inputFields.map((field) => form[field]).filter((ref) => ref !== '' && !this.known.has(ref));
    for (const ref of unknown) this.known.set(ref, await (await this.assets()).input(ref));
  }

  /** Returns the fields of the request whose input images are not on this machine. */
  async away(request: ImageRequest): Promise<readonly InputField[]> {
    const isHere = await Promise.all(
      inputFields.map(async (field) => {
        const value = request[field];
        return !value?.startsWith(inputMark) || (await (await this.assets()).input(value)) !== undefined;
      }),
    );
    return inputFields.filter((_, at) => !isHere[at]);
  }

  /** Resolves to the reference of the chosen image; `undefined` on cancel. Throws `UserError` if the file is not an image. */
  async choose(): Promise<string | undefined> {
    const endings = ['png', 'jpg', 'jpeg', 'webp', 'gif', 'bmp', 'tif', 'tiff', 'avif'];
    const uri = await chooseImage(await this.assets(), endings);
    return uri && this.keep(await providedImage(uri, maxImageBytes));
  }

  async drop(image: { readonly uri: string } | { readonly name: string; readonly base64: string }): Promise<string> {
    if ('uri' in image) return this.keep(await providedImage(droppedUri(image.uri), maxImageBytes));
    if (image.base64 === 'tooLarge') throw tooLarge();
    return this.keep({ bytes: Buffer.from(image.base64, 'base64'), name: image.name });
  }

  private async keep(from: Parameters<MediaAssets['keepInput']>[0]): Promise<string> {
    const input = await (await this.assets()).keepInput(from);
    this.known.set(input.ref, input);
    return input.ref;
  }
}

function tooLarge(): UserError {
  return new UserError(l10n.t('The image is too large'), l10n.t('The limit is 20 MB.'));
}

function factsOf({ contentType, bytes, width, height }: MediaInput): string {
  const size = width !== undefined && height !== undefined ? `${width} × ${height}` : '';
  const kind = contentType.replace(/^image\//, '').toUpperCase();
  return [kind, size, bytesText(bytes, vscode.env.language)].filter(Boolean).join(' · ');
}

/** Cache of what is known about displayed files; each is read once. */
export class KnownAssets {
  private readonly known = new Map<string, Asset | 'gone'>();
  private readonly watchedPaths = new Set<string>();

  constructor(
    private readonly assets: () => Promise<MediaAssets>,
    private readonly onChange: () => void,
  ) {}

  /** `gone` if the file no longer exists; `undefined` while it has not been read. */
  get(path: string): Asset | 'gone' | undefined {
    return this.known.get(path);
  }

  /** Reads those not known yet, and calls `onChange` if that changed something. */
  want(paths: readonly string[]): void {
    for (const path of paths.filter((one) => !this.watchedPaths.has(one))) {
      this.watchedPaths.add(path);
      void this.look(path);
    }
  }

  /** Checks again whether the files still exist. */
  lookAgain(): void {
    for (const path of this.watchedPaths) void this.look(path);
  }

  private async look(path: string): Promise<void> {
    const isThere = await stat(path).then(
      (found) => found.isFile(),
      () => false,
    );
    const before = this.known.get(path);
    if (isThere && before !== undefined && before !== 'gone') return;
    const asset = isThere ? await this.read(path) : undefined;
    this.known.set(path, asset ?? 'gone');
    if (before !== this.known.get(path)) this.onChange();
  }

  private async read(path: string): Promise<Asset | undefined> {
    try {
      return await (await this.assets()).read(path);
    } catch {
      return undefined;
    }
  }
}
