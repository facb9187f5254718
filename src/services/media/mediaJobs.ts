import * as l10n from '@vscode/l10n';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { PaidEnd } from '../../core/account/costs';
import { createInputs } from '../../core/assets/inputs';
import { HeldElsewhere } from '../../core/storage/leases';
import { forgetOld } from '../../core/jobs/forgetOld';
import type { UnreadableJob } from '../../core/jobs/jobStore';
import { MediaEngine } from '../../core/jobs/media/mediaEngine';
import type { MediaJob, MediaJobRequest } from '../../core/jobs/media/mediaJob';
import { expectedMedia, paidMedia } from '../../core/prices/paidWork';
import { RequestProblem } from '../../core/jobs/requestProblem';
import { createBusyWork } from '../../platform/busyWork';
import { runCommand, setContext } from '../../platform/contributions';
import type { DisposableStore } from '../../platform/disposables';
import { reportUnreadable, setAsideReporter } from '../../platform/errors/reportUnreadable';
import { withDisposables } from '../../platform/withDisposables';
import {
  type JobSources,
  accountError,
  createJobConnection,
  followJobs,
  jobSurroundings,
  connectionFor,
  whenJob,
} from '../jobs/jobs';
import type { JobNotice } from '../../core/jobs/jobNotice';
import { type NoticeStep, noticeSteps, savedPath } from '../../core/jobs/media/noticeSteps';
import { sentences } from '../../protocol/sentences';
import { ListRow } from '../../platform/listRow';
import { showMessage } from '../../platform/notify';
import { foreign } from '../../core/text/foreignText';
import type { Media, MediaSubmission } from './media';
import { type StoredAssets, createMediaAssets } from './mediaAssets';
import { ownMediaFolder } from './mediaFolder';
import { mediaBusyError, mediaErrorText, mediaName, mediaProblemError } from './mediaMessages';

export interface MediaPlace {
  /** Absolute: folder of records, inputs and files. */
  readonly storage: string;
  readonly onChange: () => void;
  readonly onAssetsChange: () => void;
}

/** Loads what is on disk, then continues with pending work until it is disposed. */
export function openMediaJobs(sources: JobSources, place: MediaPlace): Promise<LoadedMedia> {
  return withDisposables(async (store) => {
    const { log, profiles } = sources;
    const onError = (error: unknown) => log.warn(`Media: ${String(error)}`);
    const folder = join(place.storage, 'jobs');
    const inputs = createInputs(join(place.storage, 'inputs'));
    const changed = store.add(new vscode.EventEmitter<void>());
    const follow = followResults(sources, place, store);
    const engine: MediaEngine = new MediaEngine({
      ...jobSurroundings,
      folder,
      fallback: ownMediaFolder(sources.context),
      connect: createJobConnection(sources),
      expand: (task) => inputs.expandImages(task),
      onChange: () => {
        follow(engine.jobs);
        changed.fire();
      },
      checkPaid: (job) => sources.costs.check(job.profileId, job),
      onPaid: (job) => sources.costs.note(job.profileId, paidMedia(job)),
      onNotice: (job, notice) => void showMediaNotice(job, notice, media).catch(sources.report),
      onError,
    });
    store.add({ dispose: () => void engine.dispose().catch(onError) });
    const parts = { ...sources, ...place, inputs, lock: engine.lock, onError, onSetAside: setAsideReporter(log) };
    const assets = store.add(await createMediaAssets(parts));
    const media = new LoadedMedia(engine, assets, { sources, store, changed });
    store.add(await followJobs(engine, profiles));
    reportUnreadable(engine.unreadable, log, {
      record: 'An image or video record',
      newer: l10n.t('Some images or videos come from a newer version. Update Inference Desk.'),
      torn: l10n.t('Some image or video records are unreadable. See the log.'),
    });
    void forgetOld(engine, Date.now()).catch(onError);
    return media;
  });
}

/** Returns a function that takes the jobs whenever they differ: it shows that some are in progress, and notices files that were saved. */
function followResults({ activity }: JobSources, { onChange, onAssetsChange }: MediaPlace, store: DisposableStore) {
  const work = store.add(createBusyWork(activity, l10n.t('Generating images and videos')));
  let savedBefore = 0;
  return (jobs: readonly MediaJob[]) => {
    work.update(jobs.some(isBusy));
    const saved = savedCount(jobs);
    if (saved !== savedBefore) onAssetsChange();
    if (saved > savedBefore && jobs.some(isSavedPicture)) void setContext('inferenceDesk.pictureSaved', true);
    savedBefore = saved;
    onChange();
  };
}

interface Surroundings {
  readonly sources: JobSources;
  readonly store: DisposableStore;
  readonly changed: vscode.EventEmitter<void>;
}

/** The media engine with the account that pays and the folders that files are saved in. */
class LoadedMedia implements Media {
  private readonly sending = new Set<Promise<MediaJob>>();
  private isClosing = false;

  constructor(
    private readonly engine: MediaEngine,
    readonly assets: StoredAssets,
    private readonly surroundings: Surroundings,
  ) {}

  get jobs(): readonly MediaJob[] {
    return this.engine.jobs;
  }

  get unreadable(): readonly UnreadableJob[] {
    return this.engine.unreadable;
  }

  refresh(): Promise<void> {
    return this.engine.refresh();
  }

  submit(task: MediaJobRequest, submission?: MediaSubmission): Promise<MediaJob> {
    return worded(this.request(task, submission));
  }

  async close(): Promise<void> {
    this.isClosing = true;
    await Promise.allSettled(this.sending);
  }

  whenEnded(id: string, signal?: AbortSignal): Promise<MediaJob> {
    return worded(this.when(id, isOver, signal));
  }

  async whenEndedWithin(id: string, ms: number, signal: AbortSignal): Promise<MediaJob> {
    const waiting = AbortSignal.any([signal, AbortSignal.timeout(ms)]);
    return this.whenEnded(id, waiting).catch((error: unknown) => {
      signal.throwIfAborted();
      const job = waiting.aborted ? this.find(id) : undefined;
      if (!job) throw error;
      return job;
    });
  }

  checkNow(id: string, heldMs?: number): Promise<MediaJob> {
    return worded(this.engine.checkNow(id, heldMs));
  }

  fetchAgain(id: string, options?: { readonly evenIfLarge?: boolean }): Promise<MediaJob> {
    return worded(this.engine.fetchAgain(id, options));
  }

  async submitAgain(id: string): Promise<MediaJob> {
    const job = this.find(id);
    if (!job) throw mediaProblemError('noSuchJob');
    return worded(this.sendAgain(job));
  }

  retry(id: string): Promise<MediaJob | undefined> {
    const { engine } = this;
    const retried = engine
      .lock(`${id}-again`, async () => {
        await engine.refresh();
        const job = this.find(id);
        if (!job) return undefined;
        const sent = await this.sendAgain(job, id);
        await engine.forget(id);
        return sent;
      })
      .catch((error: unknown) => {
        // Another window or task holds the job until the service answers.
        if (error instanceof HeldElsewhere) return undefined;
        throw error;
      });
    return worded(retried);
  }

  forget(id: string): Promise<void> {
    return worded(this.engine.forget(id));
  }

  dispose(): void {
    this.surroundings.store.dispose();
  }

  private async request(task: MediaJobRequest, submission: MediaSubmission = {}): Promise<MediaJob> {
    const { group, replaces, profileId, signal, onWait } = submission;
    const { sources } = this.surroundings;
    const { id, baseUrl } = await connectionFor(profileId, sources);
    const folder = await this.assets.place();
    // Whatever waits for it ends with the window.
    if (this.isClosing) return new Promise(() => undefined);
    const from = {
      profileId: id,
      baseUrl,
      folder,
      ...(group !== undefined && { group }),
      ...(replaces !== undefined && { replaces }),
    };
    // Before a job is recorded, so that a form says it.
    await sources.costs.check(id, expectedMedia(task));
    return sources.costs.around(
      id,
      () => this.send(this.engine.submit({ ...from, task }, { signal, onWait })),
      async (job) => paidEnd(await this.when(job.id, isMade)),
    );
  }

  private async send(sent: Promise<MediaJob>): Promise<MediaJob> {
    this.sending.add(sent);
    try {
      return await sent;
    } finally {
      this.sending.delete(sent);
    }
  }

  private find(id: string): MediaJob | undefined {
    return this.engine.jobs.find((job) => job.id === id);
  }

  private when(id: string, isReached: (job: MediaJob) => boolean, signal?: AbortSignal): Promise<MediaJob> {
    const onDidChange = this.surroundings.changed.event;
    return whenJob(this.engine, id, { isOver: isReached, onDidChange, signal });
  }

  private sendAgain({ task, profileId, group }: MediaJob, replaces?: string): Promise<MediaJob> {
    return this.request(task, { profileId, replaces, ...(group !== undefined && { group }) });
  }
}

/** Settles like an action on a job, with its errors worded for the user. */
async function worded<T>(action: Promise<T>): Promise<T> {
  try {
    return await action;
  } catch (error) {
    if (error instanceof HeldElsewhere) throw mediaBusyError();
    throw error instanceof RequestProblem ? mediaProblemError(error.kind) : accountError(error);
  }
}

/** Whether the job makes no further progress without the user. */
function isOver({ stage, lastError }: MediaJob): boolean {
  return stage === 'ended' || stage === 'refused' || stage === 'unknown' || lastError?.isFinal === true;
}

/** Whether the service has finished with the job, whatever happens to its files. */
function isMade(job: MediaJob): boolean {
  return isOver(job) || job.stage === 'fetching';
}

function paidEnd({ id, stage, task, results = [] }: MediaJob): PaidEnd {
  if (stage === 'refused') return 'nothing';
  const { kind, request } = task;
  return results.length === 0 ? 'unsure' : { kind, model: request.model, count: results.length, of: id };
}

/** Whether its files are being generated or fetched. */
const isBusy = ({ stage, lastError }: MediaJob): boolean =>
  ['submitting', 'fetching', 'running'].includes(stage) && !lastError;

const isSavedPicture = (job: MediaJob): boolean => job.task.kind === 'image' && savedCount([job]) > 0;

function savedCount(jobs: readonly MediaJob[]): number {
  return jobs.flatMap(({ results = [] }) => results).filter(({ path }) => path !== undefined).length;
}

/** What the buttons of a notification do, apart from commands. */
interface MediaNoticeActs {
  checkNow(id: string): Promise<unknown>;
  fetchAgain(id: string, options?: { readonly evenIfLarge?: boolean }): Promise<unknown>;
}

interface Button {
  readonly title: string;
  readonly run: () => PromiseLike<unknown>;
}

/** Notifies the user that a job ended or needs attention, unless its page is in view, and runs the chosen action. */
async function showMediaNotice(job: MediaJob, notice: JobNotice, acts: MediaNoticeActs): Promise<void> {
  if (isInSight(job)) return;
  const { lastError } = job;
  // Images arrive within seconds and by the dozen; that they are done is visible where they were requested.
  if (notice === 'end' && !lastError && job.task.kind === 'image') return;
  const all = buttonsOf(job, acts);
  const buttons = noticeSteps(job, notice).map((step) => all[step]);
  const text = [notice === 'end' ? endText(job) : taskText(job), lastError ? mediaErrorText(lastError, job) : ''];
  const kind = !lastError ? 'information' : savedPath(job) ? 'warning' : 'error';
  const titles = buttons.map(({ title }) => title);
  const chosen = await showMessage(kind, sentences(...text), ...titles);
  await buttons.find(({ title }) => title === chosen)?.run();
}

/** Whether the page of such jobs is being looked at. */
function isInSight({ task }: MediaJob): boolean {
  if (!vscode.window.state.focused) return false;
  const page = task.kind === 'video' ? 'inferenceDesk.videos' : 'inferenceDesk.images';
  return vscode.window.tabGroups.all.some(({ activeTab }) => {
    const input = activeTab?.input;
    return input instanceof vscode.TabInputWebview && input.viewType.endsWith(page);
  });
}

function endText(job: MediaJob): string {
  const name = mediaName(job);
  const isSaved = savedPath(job) !== undefined;
  if (job.task.kind === 'video') {
    return isSaved
      ? l10n.t('Video "{0}" is done.', foreign(name))
      : l10n.t('Video "{0}" isn\'t available.', foreign(name));
  }
  return isSaved
    ? l10n.t('Image "{0}" is done.', foreign(name))
    : l10n.t('Image "{0}" isn\'t available.', foreign(name));
}

function taskText(job: MediaJob): string {
  const name = mediaName(job);
  return job.task.kind === 'video' ? l10n.t('Video "{0}":', foreign(name)) : l10n.t('Image "{0}":', foreign(name));
}

function buttonsOf(job: MediaJob, acts: MediaNoticeActs): Readonly<Record<NoticeStep, Button>> {
  const { id } = job;
  const row = new ListRow(id, { kind: 'job', key: id, job });
  return {
    show: show(job),
    open: { title: l10n.t('Open'), run: () => runCommand('inferenceDesk.media.open', savedPath(job)) },
    fetchAgain: { title: l10n.t('Download Again'), run: () => acts.fetchAgain(id) },
    fetchAnyway: { title: l10n.t('Download Anyway'), run: () => acts.fetchAgain(id, { evenIfLarge: true }) },
    checkNow: { title: l10n.t('Refresh Status'), run: () => acts.checkNow(id) },
    // The command asks with the price, and refuses a job that has been retried since.
    retry: { title: l10n.t('Retry…'), run: () => runCommand('inferenceDesk.media.retry', row) },
  };
}

function show({ id, task }: MediaJob): Button {
  const start = { as: 'job', id };
  return {
    title: l10n.t('Show'),
    run: () => runCommand(task.kind === 'video' ? 'inferenceDesk.videos.open' : 'inferenceDesk.images.open', start),
  };
}
