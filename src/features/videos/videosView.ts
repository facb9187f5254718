import * as l10n from '@vscode/l10n';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import * as vscode from 'vscode';
import type { VideoRequest } from '../../core/api/videos/videos.schema';
import { imageUse } from '../../core/catalogue/videoModels';
import { ageWords } from '../../platform/age';
import { absoluteTimeText, bytesText, numberText } from '../../platform/displayText';
import { describe } from '../../platform/errors/reportError';
import { durationText, listText } from '../../protocol/formats';
import type { VideoFile, VideoImage, VideoJob, VideoJobAction, VideoNotice, VideosPage } from '../../protocol/videos';
import type { MediaInput, MediaJob } from '../../services/media/media';
import { mediaErrorText } from '../../services/media/mediaMessages';
import type { Services } from '../../services/services';
import { hasPrices } from '../../core/profiles/knownServices';
import { missingNotice } from '../../services/account/notOffered';
import { isLost } from '../../core/jobs/media/mediaJob';
import { expectedMedia } from '../../core/prices/paidWork';
import { costFacts, priceLine } from '../../services/usage/costMessages';
import type { PriceBook } from '../../services/usage/prices';
import type { VideosController } from './videosController';

/** Returns the URI from which the page can load a file. */
type ToUri = (path: string) => string;

const endpoint = 'POST /video/submit';

/** With the prices of the active account. */
type PricedServices = Services & { readonly prices: PriceBook };

export type VideoMediaJob = MediaJob & { readonly task: { readonly kind: 'video'; readonly request: VideoRequest } };

export function isVideoJob(job: MediaJob): job is VideoMediaJob {
  return job.task.kind === 'video';
}

/** Returns what the page shows at the time of the call. */
export async function viewPage(controller: VideosController, toUri: ToUri): Promise<VideosPage> {
  const { account, media, models, usage } = controller.services;
  const missing = missingNotice(account.current, endpoint);
  const [book] = await Promise.all([usage().then((service) => service.readyPrices()), media(), models.ready()]);
  const listed = [...new Set([...controller.models().map(({ id }) => id), controller.form.model.trim()])];
  const prices = hasPrices(account.current.baseUrl ?? '')
    ? listed.map((model) => ({ model, price: book.quote([{ model, piece: 'video', count: 1 }]) }))
    : [];
  const { state } = models;
  const all = media.jobs.filter(isVideoJob);
  const failed = all.filter(isFailed);
  const isBelow = (job: VideoMediaJob) => job.id !== controller.jobToShow?.job && failed.includes(job);
  const [jobs, issues, input] = await Promise.all([
    Promise.all(
      all
        .toSorted((a, b) => Number(isBelow(a)) - Number(isBelow(b)))
        .map((job) => viewOne(job, { ...controller.services, prices: book }, toUri)),
    ),
    controller.issues(),
    controller.form.picture === '' ? undefined : (await media()).assets.input(controller.form.picture),
  ]);
  return {
    form: controller.form,
    formId: controller.formId,
    ...(input && { picture: viewImage(input, toUri) }),
    issues,
    models: controller.models().map(({ id, subTypes }) => ({ id, picture: imageUse(id, subTypes) })),
    modelsAreLoading: state.session === 'starting' || (state.loading && state.models.length === 0),
    ...(state.error !== undefined && { modelsError: describe(state.error) }),
    isSignedOut: state.session === 'signedOut',
    ...(missing && { isNotOffered: true }),
    jobs,
    ...(failed.length > 0 && {
      failed: l10n.t('Failed: {0}', numberText(failed.length, vscode.env.language)),
      retryFailed: book.label(
        l10n.t('Retry Failed'),
        failed.filter(isLost).map(({ task }) => expectedMedia(task)),
      ),
    }),
    notices: [...(missing ? [missing] : []), ...controller.notices, ...unreadableNotice(media.unreadable.length)],
    ...(controller.jobToShow && { jobToShow: controller.jobToShow }),
    costs: prices.map(({ model, price }) => ({ model, ...priceLine(price) })),
  };
}

async function viewOne(job: VideoMediaJob, services: PricedServices, toUri: ToUri): Promise<VideoJob> {
  const { assets } = await services.media();
  const image = job.task.request.image ?? '';
  const viewFile = async ({ path, index }: { readonly path: string; readonly index: number }): Promise<VideoFile> => {
    const [asset, found] = await Promise.all([assets.read(path), stat(path).catch(() => undefined)]);
    const bytes = found?.size ?? asset?.recipe.file.bytes;
    const facts = bytes === undefined ? [] : [bytesText(bytes, vscode.env.language)];
    return { index, name: basename(path), facts, ...(found && { uri: toUri(path) }) };
  };
  const saved = (job.results ?? []).flatMap(({ path }, index) => (path === undefined ? [] : [{ path, index }]));
  const [files, input] = await Promise.all([
    Promise.all(saved.map(viewFile)),
    image === '' ? undefined : assets.input(image),
  ]);
  return viewJob(job, services, { files, pictureUri: input && toUri(input.path), now: Date.now() });
}

/** Returns an input image as the page shows it. */
export function viewImage({ ref, path, contentType, bytes, width, height }: MediaInput, toUri: ToUri): VideoImage {
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
      title: l10n.t("Couldn't read some jobs"),
      detail: l10n.t("Unreadable records: {0}. They're damaged or from a newer version.", String(count)),
    },
  ];
}

/** Returns a job as the page shows it. */
export function viewJob(
  job: VideoMediaJob,
  { account, profiles, costs, prices }: PricedServices,
  shown: { readonly files: readonly VideoFile[]; readonly pictureUri: string | undefined; readonly now: number },
): VideoJob {
  const { files, pictureUri, now } = shown;
  const { language } = vscode.env;
  const { id, createdAt, position, task, lastError } = job;
  const { request } = task;
  const profile = profiles.get(job.profileId);
  const state = stateOf(job, profile !== undefined);
  const seed = job.seed ?? request.seed;
  const isOther = account.current.id !== job.profileId;
  const note = noteOf(job, state, profile !== undefined);
  const priced = (label: string) => prices.label(label, [expectedMedia(task)], { profileId: job.profileId });
  return {
    id,
    dot: state.dot,
    state: state.word,
    ...(job.stage === 'running' && position !== undefined && { stateDetail: placeText(position, language) }),
    ...(lastError?.kind === 'ask' && job.stage === 'running' && { stateDetail: l10n.t('Status unknown') }),
    ...(!state.isOver && { elapsedMs: Math.max(0, now - createdAt) }),
    ...(state.dot === 'done' && tookOf(job, language)),
    when: ageWords(createdAt, now, language),
    at: absoluteTimeText(createdAt, language),
    model: request.model,
    prompt: request.prompt,
    ...(request.negative_prompt && { negativePrompt: request.negative_prompt }),
    size: request.image_size.replace('x', ' × '),
    ...(typeof seed === 'number' && { seed: String(seed) }),
    ...(pictureUri !== undefined && { pictureUri }),
    ...(isOther && { profile: profile?.name ?? l10n.t('removed') }),
    ...(note && { error: note }),
    actions: actionsOf(
      job,
      files.some(({ uri }) => uri !== undefined),
    )
      .filter(({ id: action }) => action !== 'submitAgain' || isOther || !account.current.lacks(endpoint))
      .map((action) => (action.id === 'submitAgain' ? { ...action, label: priced(action.label) } : action)),
    files,
    regenerate: prices.label(l10n.t('Regenerate'), [expectedMedia(task)]),
    facts: [...costFacts(costs.of(id)), ...factsOf(job, now, language)],
  };
}

function placeText(position: number, language: string): string {
  return l10n.t('position {0}', numberText(position, language));
}

function tookOf({ createdAt, answeredAt }: MediaJob, language: string): { readonly took?: string } {
  // The first check comes after a while: a shorter time would mean nothing.
  return answeredAt === undefined || answeredAt - createdAt < 1000
    ? {}
    : { took: l10n.t('in {0}', durationText(answeredAt - createdAt, language)) };
}

function noteOf(job: VideoMediaJob, { dot, word }: JobState, isProfileThere: boolean): VideoNotice | undefined {
  const { lastError } = job;
  if (!isProfileThere && dot === 'doubt' && job.stage !== 'unknown') {
    const gone = { kind: 'profileGone', message: '', at: job.createdAt } as const;
    return { tone: 'warning', title: word, detail: mediaErrorText(gone, job) };
  }
  if (!lastError) return undefined;
  const tone = dot === 'failed' ? 'error' : dot === 'done' ? 'info' : 'warning';
  const title =
    dot === 'done' ? l10n.t('Saved to Another Folder') : lastError.kind === 'ask' ? l10n.t('Status unknown') : word;
  return { tone, title, detail: mediaErrorText(lastError, job) };
}

function factsOf(job: MediaJob, now: number, language: string): VideoJob['facts'] {
  const { checkedAt, inferenceSeconds, requestId, traceId } = job;
  return [
    ...(checkedAt !== undefined && job.stage === 'running'
      ? [{ name: l10n.t('Last checked'), value: ageWords(checkedAt, now, language) }]
      : []),
    ...(inferenceSeconds === undefined
      ? []
      : [{ name: l10n.t('Processing time'), value: durationText(inferenceSeconds * 1000, language, 'measured') }]),
    ...(requestId === undefined ? [] : [{ name: l10n.t('Request ID'), value: requestId }]),
    ...(traceId === undefined ? [] : [{ name: l10n.t('Trace ID'), value: traceId }]),
  ];
}

interface JobState {
  readonly dot: VideoJob['dot'];
  /** Short label. */
  readonly word: string;
  /** Nothing more happens automatically. */
  readonly isOver: boolean;
}

const state = (dot: JobState['dot'], word: string, isOver = false): JobState => ({ dot, word, isOver });

/** Returns the state of a job. `isProfileThere`: the profile it was submitted with still exists. */
export function stateOf(job: MediaJob, isProfileThere: boolean): JobState {
  const isEnded = job.stage === 'ended' || job.stage === 'refused' || job.stage === 'unknown';
  if (!isEnded && !isProfileThere) return state('doubt', l10n.t('Account removed'), true);
  switch (job.stage) {
    case 'preparing':
    case 'queued':
      return state('waiting', l10n.t('Preparing'));
    case 'submitting':
      return state('working', l10n.t('Sending'));
    case 'unknown':
      return state('doubt', l10n.t('No response. You may have been charged.'), true);
    case 'refused':
      return refusedState(job);
    case 'running':
      return runningState(job);
    case 'fetching':
      return fetchingState(job);
    case 'ended':
      return endedState(job);
  }
}

/** Whether the job is over for good and saved no file. */
export function isFailed(job: MediaJob): boolean {
  return stateOf(job, true).dot === 'failed';
}

function refusedState({ lastError }: MediaJob): JobState {
  const isOurs = lastError?.kind === 'interrupted' || lastError?.kind === 'input';
  return state('failed', isOurs ? l10n.t('Unsent') : l10n.t('Rejected'), true);
}

function runningState({ status, lastError }: MediaJob): JobState {
  const isOver = lastError?.isFinal === true;
  if (lastError?.kind === 'addressChanged') return state('doubt', l10n.t('Base URL changed'), true);
  if (lastError?.kind === 'gone') return state('doubt', l10n.t('Missing at the service'), isOver);
  if (lastError?.kind === 'noResults') return state('doubt', withoutAddress(), isOver);
  switch (status?.toLowerCase()) {
    case undefined:
      return state('waiting', l10n.t('Sent'), isOver);
    case 'inqueue':
      return state('waiting', l10n.t('Queued'), isOver);
    case 'inprogress':
      return state('working', l10n.t('In progress'), isOver);
    case 'succeed':
      return state('working', l10n.t('Generated'), isOver);
    default:
      return state('working', l10n.t('Status: {0}', status ?? ''), isOver);
  }
}

function fetchingState({ lastError }: MediaJob): JobState {
  if (!lastError) return state('working', l10n.t('Saving'));
  const isOver = lastError.isFinal === true;
  if (lastError.kind === 'expired') return state('doubt', addressExpired(), isOver);
  if (lastError.kind === 'tooLarge') return state('doubt', l10n.t('Very large, not saved yet'), isOver);
  return state('doubt', l10n.t('Waiting to be saved'), isOver);
}

function endedState({ results = [], lastError }: MediaJob): JobState {
  if (results.some(({ path }) => path !== undefined)) return state('done', l10n.t('Done'), true);
  if (lastError?.kind === 'failed') return state('failed', l10n.t('Failed'), true);
  if (lastError?.kind === 'expired') return state('failed', addressExpired(), true);
  if (lastError?.kind === 'noResults') return state('doubt', withoutAddress(), true);
  return state('failed', l10n.t('Unsaved'), true);
}

const withoutAddress = () => l10n.t('No download link');
const addressExpired = () => l10n.t('Link expired');

type Action = VideoJob['actions'][number];

/** Returns the actions for a job itself, apart from those for its files. `isFileHere`: at least one of its files is on disk. */
export function actionsOf(job: MediaJob, isFileHere: boolean): readonly Action[] {
  return idsOf(job, isFileHere).map((id) => ({ id, ...wordsOf(id, job) }));
}

function idsOf({ stage, lastError }: MediaJob, isFileHere: boolean): readonly VideoJobAction[] {
  switch (stage) {
    case 'preparing':
    case 'queued':
    case 'submitting':
      return [];
    case 'unknown':
    case 'refused':
      return ['submitAgain', 'fillForm', 'forget'];
    case 'running':
      return ['checkNow', 'fillForm', 'forget'];
    case 'fetching':
      if (!lastError) return ['forget'];
      return [lastError.kind === 'tooLarge' ? 'fetchAnyway' : 'fetchAgain', 'submitAgain', 'fillForm', 'forget'];
    case 'ended': {
      if (isFileHere) return ['forget'];
      const rest = ['submitAgain', 'fillForm', 'forget'] as const;
      if (lastError?.kind === 'noResults') return ['checkNow', ...rest];
      return lastError && lastError.kind !== 'failed' ? ['fetchAgain', ...rest] : rest;
    }
  }
}

function wordsOf(id: VideoJobAction, { stage }: MediaJob): Omit<Action, 'id'> {
  switch (id) {
    case 'checkNow':
      return { label: l10n.t('Refresh Status') };
    case 'fetchAgain':
      return { label: l10n.t('Download Again'), hint: l10n.t('Requests a new download link at no charge') };
    case 'fetchAnyway':
      return { label: l10n.t('Download Anyway') };
    case 'submitAgain':
      return stage === 'refused'
        ? { label: l10n.t('Submit Again'), hint: l10n.t('No charge so far') }
        : { label: l10n.t('Submit Again (May Be Charged Again)') };
    case 'fillForm':
      return { label: l10n.t('Copy Settings to Form') };
    case 'forget':
      return { label: l10n.t('Remove from List'), hint: l10n.t("Saved videos aren't deleted") };
  }
}
