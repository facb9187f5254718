import * as l10n from '@vscode/l10n';
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import * as vscode from 'vscode';
import { createTurns } from '../../../core/async/turns';
import type { ImageRequest } from '../../../core/api/images/images.schema';
import { Leases, HeldElsewhere, type Lease } from '../../../core/storage/leases';
import { ImageQueue, type Sent } from '../../../core/imageRuns/imageQueue';
import { retried, type ImageRun, type ImageRunItem } from '../../../core/imageRuns/imageRun';
import { imagesOf } from '../../../core/imageRuns/sweep';
import { commandTitle, runCommand } from '../../../platform/contributions';
import { DisposableStore, type Disposable } from '../../../platform/disposables';
import { UserError } from '../../../platform/errors/userError';
import { showMessage } from '../../../platform/notify';
import type { MediaJob } from '../../../services/media/media';
import type { Services } from '../../../services/services';
import {
  errorProblem,
  jobProblem,
  outcomeOf,
  outcomeOfError,
  sentElsewhere,
  serviceProblem,
  takenOff,
} from './runProblems';
import { createRunStore, isBusy } from '../logic/runStore';
import { begunJob, failedItems, runAround, settled, withFiles, withoutItems } from '../logic/settledRun';

/** A profile, and the service it pointed to when the request was submitted. */
export interface RequestSource {
  readonly profileId: string;
  readonly baseUrl: string;
}

/** The failed requests of a run. */
interface FailedImages {
  /** Id of the run. */
  readonly id: string;
  /** Indices into the run's items. */
  readonly items: readonly number[];
}

/** How often to check whether another window that holds a run has closed. */
const lookAgainMs = 15_000;

/** Runs started on the page, stored on disk. After a restart nothing is sent automatically. */
export class ImageRuns implements Disposable {
  private readonly store = new DisposableStore();
  private readonly changed = this.store.add(new vscode.EventEmitter<void>());
  private readonly files;
  private readonly leases;
  private readonly held = new Map<string, Lease>();
  private readonly known = new Map<string, ImageRun>();
  /** Ids of runs that other windows are sending. */
  private readonly elsewhere = new Set<string>();
  private reading: Promise<void> | undefined;
  /** Tail of the queue that keeps acquiring and releasing runs from overlapping. */
  private readonly inTurn = createTurns();
  private looking: Promise<void> | undefined;
  private later: NodeJS.Timeout | undefined;
  private isDisposed = false;

  readonly queue: ImageQueue;
  readonly onDidChange = this.changed.event;

  constructor(private readonly services: Services) {
    const { context, media, settings } = services;
    const folder = path.join((context.storageUri ?? context.globalStorageUri).fsPath, 'images');
    this.files = createRunStore(path.join(folder, 'runs'));
    this.leases = this.store.add(new Leases(path.join(folder, 'open'), () => vscode.workspace.name ?? ''));
    this.queue = this.store.add(
      new ImageQueue({
        now: Date.now,
        later: (ms, run) => {
          const timer = setTimeout(run, ms);
          return () => clearTimeout(timer);
        },
        perMinute: () => settings.get('images.perMinute'),
        sentElsewhere: (profileId) => this.sentElsewhere(profileId),
        send: (run, index) => this.send(run, index),
        save: (run) => this.files.save(run),
        describe: errorProblem,
        onChange: (run) => this.take(run),
      }),
    );
    this.store.add(media.onDidChange(() => this.look()));
    this.store.add(settings.onDidChange((name) => name === 'images.perMinute' && this.queue.look()));
  }

  /** Newest first; empty before `ready`. */
  get all(): readonly ImageRun[] {
    return [...this.known.values()].toSorted((a, b) => b.createdAt - a.createdAt);
  }

  isElsewhere(id: string): boolean {
    return this.elsewhere.has(id);
  }

  ready(): Promise<void> {
    this.reading ??= this.read();
    this.reading.catch(() => (this.reading = undefined));
    return this.reading;
  }

  /** Resolves to the run once it is on disk; its requests are sent as the rate limit allows. */
  async start(from: RequestSource, requests: readonly ImageRequest[]): Promise<ImageRun> {
    const items = requests.map((request) => ({ request, state: 'waiting' as const }));
    const run: ImageRun = { version: 1, id: randomUUID(), createdAt: Date.now(), ...from, items };
    const lease = await this.leases.take(run.id);
    try {
      await this.files.save(run);
    } catch (error) {
      await lease.release();
      throw error;
    }
    this.held.set(run.id, lease);
    this.queue.add(run);
    return run;
  }

  stop(id: string): void {
    if (this.held.has(id)) this.queue.stop(id);
  }

  /** Queues what `change` selects, by default all unsent requests, of the stored run. Throws `UserError` if another window sends it. */
  goOn(id: string, change?: (run: ImageRun) => ImageRun): Promise<void> {
    return this.inTurn(async () => {
      const known = this.known.get(id);
      if (!known) return;
      if (this.held.has(id)) return this.queue.goOn(known, change);
      const lease = await this.leases.take(id).catch((error: unknown) => {
        throw error instanceof HeldElsewhere ? sentElsewhere() : error;
      });
      try {
        const run = await this.files.read(id);
        if (!run) {
          this.known.delete(id);
          this.changed.fire();
          throw takenOff();
        }
        this.elsewhere.delete(id);
        this.held.set(id, lease);
        this.queue.goOn(isBusy(run) ? settled(run, this.services.media.jobs) : run, change);
      } finally {
        if (!this.held.has(id)) await lease.release();
      }
    });
  }

  /** The failed requests by run, except those of runs that another window sends. */
  failed(): readonly FailedImages[] {
    const jobs = new Map(this.services.media.jobs.map((job) => [job.id, job]));
    return this.all
      .filter(({ id }) => !this.isElsewhere(id))
      .map((run) => ({ id: run.id, items: failedItems(run, (id) => jobs.get(id)) }))
      .filter(({ items }) => items.length > 0);
  }

  /** Returns how many of these requests may have been charged although they failed. */
  lostAmong(failed: readonly FailedImages[]): number {
    const jobs = new Map(this.services.media.jobs.map((job) => [job.id, job]));
    return failed
      .flatMap((one) => this.itemsOf(one))
      .filter(({ jobId = '' }) => {
        const job = jobs.get(jobId);
        return job?.stage === 'unknown' || job?.lastError?.error?.maybeBilled === true;
      }).length;
  }

  itemsOf({ id, items }: FailedImages): readonly ImageRunItem[] {
    const run = this.known.get(id);
    return items.flatMap((at) => run?.items[at] ?? []);
  }

  /** Retries failed requests in place. Skips any whose job has changed in the meantime. */
  async retry({ id, items }: FailedImages): Promise<void> {
    const before = this.known.get(id)?.items;
    const isUnchanged = (run: ImageRun) => (at: number) => run.items[at]?.jobId === before?.[at]?.jobId;
    await this.goOn(id, (run) => retried(run, items.filter(isUnchanged(run))));
  }

  /**
   * Retries failed jobs, each in place in its run. Resolves once the service has accepted them, or they are queued, which a message says.
   * Throws `UserError` if one was not accepted; it then shows as failed in its run.
   */
  async retryJobs(ids: readonly unknown[]): Promise<void> {
    await this.ready();
    const { media } = this.services;
    const places = new Map<string, number[]>();
    for (const job of media.jobs.filter(({ id }) => ids.includes(id))) {
      const run = await this.runOf(job);
      const at = run?.items.findIndex(({ jobId }) => jobId === job.id) ?? -1;
      if (!run || at === -1) throw sentAlready();
      places.set(run.id, [...(places.get(run.id) ?? []), at]);
    }
    const failed = [...places].map(([id, items]) => ({ id, items }));
    for (const one of failed) await this.retry(one);
    const sentItems = (await Promise.all(failed.map((one) => this.whenSent(one)))).flat();
    const waiting = sentItems.find(({ state }) => state === 'waiting');
    if (waiting) this.sayQueued(waiting);
    const [problem] = sentItems.flatMap(({ problem: own, jobId }) => {
      const job = media.jobs.find(({ id }) => id === jobId);
      return own ?? (job?.stage === 'refused' ? jobProblem(job) : []);
    });
    if (problem) throw new UserError(problem.title || l10n.t("Couldn't retry the job"), problem.detail);
  }

  /** Removes requests from the page; does nothing while the run is being sent. Throws `HeldElsewhere`. */
  async clear(id: string, items: readonly number[]): Promise<void> {
    const run = this.known.get(id);
    if (!run || isBusy(run)) return;
    if (items.length === run.items.length) return this.forget(id);
    await this.inTurn(() => this.change(id, (now) => withoutItems(now, items)));
    this.changed.fire();
  }

  /** Removes a run from the page; requests in flight still complete, and files stay. */
  async forget(id: string): Promise<void> {
    this.queue.remove(id);
    this.known.delete(id);
    await this.files.remove(id);
    await this.release(id);
    this.changed.fire();
  }

  /** Returns the run of a job; for an image job without one, creates a run that holds just that job. */
  async runOf(job: MediaJob): Promise<ImageRun | undefined> {
    const known = this.all.find(({ id, items }) => id === job.group || items.some(({ jobId }) => jobId === job.id));
    if (known || job.task.kind !== 'image') return known;
    const run = runAround(job, job.task.request, randomUUID());
    await this.files.save(run);
    this.take(run);
    return run;
  }

  dispose(): void {
    this.isDisposed = true;
    clearTimeout(this.later);
    this.store.dispose();
  }

  private sayQueued({ jobId }: ImageRunItem): void {
    const show = l10n.t('Show');
    const text = l10n.t('Queued until the limit per minute allows it.');
    // It may have been sent, as a new job, by the time the user clicks.
    const now = () => this.services.media.jobs.find(({ replaces }) => replaces === jobId)?.id ?? jobId;
    const open = () => runCommand('inferenceDesk.images.open', { as: 'job', id: now() });
    showMessage('information', text, show)
      .then((chosen) => (chosen === show ? open() : undefined))
      .then(undefined, this.services.report);
  }

  /** Resolves when the service has answered each of these requests, or none is about to be sent. */
  private whenSent(failed: FailedImages): Promise<readonly ImageRunItem[]> {
    return new Promise((resolve) => {
      const look = () => {
        const run = this.known.get(failed.id);
        const sentItems = this.itemsOf(failed);
        const isNext = ({ state }: ImageRunItem) => state === 'waiting' && run && !this.queue.waitOf(run);
        if (sentItems.some((one) => one.state === 'sending' || isNext(one))) return;
        listener.dispose();
        resolve(sentItems);
      };
      const listener = this.onDidChange(look);
      look();
    });
  }

  private async read(): Promise<void> {
    const [runs] = await Promise.all([this.files.load(), this.services.media()]);
    for (const run of runs.filter(({ id }) => !this.known.has(id))) {
      this.known.set(run.id, run);
      if (isBusy(run)) await this.inTurn(() => this.settle(run));
    }
    this.look();
    this.changed.fire();
  }

  /** Settles a run that a closed window left; if another window is sending it, loads its current state. Call within `inTurn`. */
  private async settle({ id }: ImageRun): Promise<void> {
    try {
      await this.change(id, (run) => (isBusy(run) ? settled(run, this.services.media.jobs) : run));
      this.elsewhere.delete(id);
    } catch (error) {
      if (!(error instanceof HeldElsewhere)) throw error;
      this.elsewhere.add(id);
      const run = await this.files.read(id);
      if (run) this.known.set(id, run);
    }
  }

  /** Changes the stored state of a run that this window does not send. Throws `HeldElsewhere` if another window sends it. */
  private async change(id: string, how: (run: ImageRun) => ImageRun): Promise<void> {
    const lease = await this.leases.take(id);
    try {
      const run = await this.files.read(id);
      const now = run && how(run);
      if (now && now !== run) await this.files.save(now);
      if (now) this.known.set(id, now);
      else this.known.delete(id);
    } finally {
      await lease.release();
    }
  }

  private async send(run: ImageRun, index: number): Promise<Sent> {
    const { media, profiles, log } = this.services;
    try {
      await this.held.get(run.id)?.check();
      const problem = serviceProblem(run, profiles.get(run.profileId));
      if (problem) return { kind: 'held', problem: errorProblem(problem) };
      const { request, jobId: replaces } = run.items[index]!;
      const service = await media();
      const submission = { group: run.id, profileId: run.profileId, replaces };
      const job = await service.submit({ kind: 'image', request }, submission);
      const outcome = outcomeOf(job);
      // Held or limited: the request will get a new job. Otherwise this job replaces the failed one.
      if (outcome.kind === 'held' || outcome.kind === 'limited') await service.forget(job.id);
      else if (replaces !== undefined)
        await service.forget(replaces).catch((error: unknown) => log.warn(String(error)));
      return outcome;
    } catch (error) {
      const lost = begunJob(this.queue.get(run.id) ?? run, index, media.jobs);
      if (lost) return { kind: 'unknown', jobId: lost.id, problem: errorProblem(error) };
      return outcomeOfError(error instanceof HeldElsewhere ? sentElsewhere() : error);
    }
  }

  private take(run: ImageRun): void {
    this.known.set(run.id, run);
    this.changed.fire();
    if (!isBusy(run)) this.release(run.id).catch((error: unknown) => this.services.log.warn(String(error)));
  }

  /** Releases the run's lease once all of it is on disk, where the next window finds it. */
  private release(id: string): Promise<void> {
    return this.inTurn(async () => {
      const run = this.queue.get(id);
      if (run && isBusy(run)) return;
      await this.files.written(id);
      const lease = this.held.get(id);
      this.held.delete(id);
      await lease?.release();
    });
  }

  private look(): void {
    const { jobs } = this.services.media;
    for (const id of this.held.keys()) {
      const run = this.queue.get(id);
      const next = run && withFiles(run, jobs);
      if (next && next !== run) this.queue.replace(next);
    }
    this.queue.look();
    this.changed.fire();
    this.lookAtOthers();
  }

  /** Checks the runs that this window does not send. */
  private lookAtOthers(): void {
    this.looking ??= this.inTurn(async () => {
      this.looking = undefined;
      clearTimeout(this.later);
      let isAll = true;
      for (const run of this.all.filter(({ id }) => !this.held.has(id))) isAll = (await this.lookAtOther(run)) && isAll;
      this.changed.fire();
      // A window that closes does not announce it.
      if (!isAll && !this.isDisposed) this.later = setTimeout(() => this.lookAtOthers(), lookAgainMs).unref();
    }).catch((error: unknown) => this.services.log.warn(String(error)));
  }

  /** Resolves to `false` if another window holds the run. */
  private async lookAtOther(run: ImageRun): Promise<boolean> {
    const { jobs } = this.services.media;
    if (this.elsewhere.has(run.id)) {
      await this.settle(run);
      return !this.elsewhere.has(run.id);
    }
    if (withFiles(run, jobs) === run) return true;
    try {
      await this.change(run.id, (now) => withFiles(now, jobs));
      return true;
    } catch (error) {
      if (!(error instanceof HeldElsewhere)) throw error;
      return false;
    }
  }

  private sentElsewhere(profileId: string) {
    const since = Date.now() - 60_000;
    return this.services.media.jobs.flatMap(({ task, profileId: of, group, createdAt, stage }) => {
      const isOwn = group !== undefined && this.queue.get(group) !== undefined;
      if (task.kind !== 'image' || of !== profileId || isOwn || createdAt < since || stage === 'refused') return [];
      return [{ at: createdAt, pictures: imagesOf(task.request) }];
    });
  }
}

function sentAlready(): UserError {
  return new UserError(
    l10n.t('This job has already been retried'),
    l10n.t('See the Images page. To remove this row, run "{0}".', commandTitle('inferenceDesk.media.forget')),
  );
}
