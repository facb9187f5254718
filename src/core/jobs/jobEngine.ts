import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { Leases, HeldElsewhere, type Lease } from '../storage/leases';
import { type Job, type JobPatch, StepFailure, toJobError, type JobError } from './job';
import { JobBoard } from './jobBoard';
import type { JobDriver, StepTools } from './jobDriver';
import { type JobNotice, noticeOf, reportedPatch } from './jobNotice';
import { createJobStore } from './jobStore';
import { RequestProblem } from './requestProblem';
import { dueAt } from './schedule';
import { isApiError } from '../api/errors';

export interface JobEngineOptions<J extends Job> {
  /** Folder of the records; created if missing. */
  readonly folder: string;
  /** Identifies this window to others. */
  readonly where: () => string;
  /** Unix milliseconds. */
  readonly now: () => number;
  readonly newId: () => string;
  /** Returns a function that cancels the timer. */
  readonly setTimer: (ms: number, run: () => void) => () => void;
  readonly onChange: () => void;
  /**
   * The jobs that this process advances and reports: all if absent. `name` tells it apart from processes that advance others: letters,
   * digits, `_` and `-`.
   */
  readonly own?: { readonly name: string; readonly has: (job: J) => boolean } | undefined;
  /** Called for a notice to the user, in only one of all windows. */
  readonly onNotice: (job: J, notice: JobNotice) => void;
  /**
   * Notes what is paid for of a job and not counted yet, in only one of all windows. Called again for the same if that process ends before the
   * job is marked as counted, or if it resolves to false, so it must not count twice. Never rejects. If absent, that is left to others.
   */
  readonly onPaid?: ((job: J) => Promise<boolean>) | undefined;
  readonly onError: (error: unknown) => void;
}

const heldWaitMs = 100;
/** Another window holds a job no longer than this, except to fetch large results. */
const longestHeldMs = 30_000;

/** The engine common to all kinds of jobs: those of all windows of this machine, each advanced by one window at a time. */
export class JobEngine<J extends Job> {
  private readonly ending = new AbortController();
  private readonly steps: StepRunner<J>;
  private readonly poller: JobPoller<J>;
  private readonly begun = new Set<Promise<unknown>>();

  readonly board: JobBoard<J>;
  readonly leases: Leases;
  /** Unix milliseconds. */
  readonly now: () => number;
  /** Aborted when this window shuts down. */
  readonly closing: AbortSignal = this.ending.signal;

  constructor(
    driver: JobDriver<J>,
    readonly options: JobEngineOptions<J>,
  ) {
    const { folder, now, onChange } = options;
    this.now = now;
    this.leases = new Leases(join(folder, 'open'), options.where);
    const store = createJobStore(folder, (raw) => driver.readJob(raw));
    this.board = new JobBoard(store, this.leases, onChange);
    this.steps = new StepRunner(this, driver);
    this.poller = new JobPoller(this, this.steps, driver);
  }

  get isPolling(): boolean {
    return this.poller.isPolling;
  }

  /** Reads what other windows wrote, and advances what is due. */
  async refresh(): Promise<void> {
    await this.board.refresh();
    this.poller.wake();
  }

  /** Immediately retries jobs whose last step failed. */
  async wake(): Promise<void> {
    await this.board.refresh();
    for (const { id, failures } of this.board.jobs) {
      if (failures) await this.board.update(id, () => ({ triedAt: undefined }) as JobPatch<J>);
    }
    this.poller.wake();
  }

  /** Throws `RequestProblem` if there is no such job. */
  get(id: string): J {
    const job = this.board.get(id);
    if (!job) throw new RequestProblem('noSuchJob');
    return job;
  }

  /**
   * Adds a job, and checks whether it may cost what it is expected to, one after the other in all windows: each sees those before it, and none
   * that is added at the same time. Removes it again if `check` rejects.
   */
  addPaid(job: J, check: (job: J) => Promise<void>): Promise<void> {
    return this.leases.hold('paying', async () => {
      await this.board.add(job);
      try {
        await this.board.refresh();
        await check(job);
      } catch (error) {
        await this.board.remove(job.id).catch(() => undefined);
        throw error;
      }
    });
  }

  /** Runs `work` while no other window has the job; waits for one that has. Throws `HeldElsewhere`. */
  async hold<T>(id: string, work: () => Promise<T>): Promise<T> {
    try {
      return await this.leases.hold(id, work, { forMs: longestHeldMs, signal: this.closing });
    } finally {
      this.poller.wake();
    }
  }

  /** Advances the job in this window now, unless another has it. Resolves once that is done. */
  async begin(id: string): Promise<void> {
    const work = this.steps.run(id);
    this.begun.add(work);
    try {
      await work;
    } finally {
      this.begun.delete(work);
      this.poller.wake();
    }
  }

  /** Advances the job now. If another window has it, waits for at most `heldMs`. Resolves with the job as known then. */
  async step(id: string, heldMs = Number.POSITIVE_INFINITY): Promise<J> {
    const until = performance.now() + heldMs;
    while (!(await this.steps.run(id))) {
      if (performance.now() >= until) break;
      await wait(heldWaitMs, undefined, { signal: this.closing });
    }
    // Reads what another window wrote of it.
    await this.board.update(id, () => undefined);
    this.poller.wake();
    return this.get(id);
  }

  /** Like `step`, but also for a job that only the user can resume. */
  async checkNow(id: string, heldMs?: number): Promise<J> {
    await this.board.update(id, ({ lastError }) =>
      lastError?.isFinal ? ({ lastError: { ...lastError, isFinal: false } } as JobPatch<J>) : undefined,
    );
    return this.step(id, heldMs);
  }

  /** Resolves once nothing is being written any more. */
  async dispose(): Promise<void> {
    this.ending.abort();
    await this.poller.dispose();
    await Promise.allSettled(this.begun);
    this.leases.dispose();
  }
}

const pollerId = 'poller';
/** The wall clock is checked at least this often, whatever a timer counts, because it may have jumped. */
const longestWaitMs = 30_000;
const shortestWaitMs = 20;
const heldElsewhereMs = 5000;
/** Delay after a record could not be written: a full disk rarely recovers within seconds. */
const brokenMs = 30_000;
const atOnce = 3;

/** Advances due jobs, in one of all windows that share a folder; another takes over when that one closes. */
class JobPoller<J extends Job> {
  private readonly busy = new Map<string, Promise<void>>();
  private readonly counting = new Map<string, Promise<void>>();
  /** By id, until when to skip jobs that another window has, or whose record could not be written. */
  private readonly passedOver = new Map<string, number>();
  private lease: Lease | undefined;
  private stopTimer: (() => void) | undefined;
  private round: Promise<void> | undefined;
  private isWoken = false;
  private isOver = false;

  constructor(
    private readonly engine: JobEngine<J>,
    private readonly steps: StepRunner<J>,
    private readonly driver: JobDriver<J>,
  ) {}

  /** Whether this is the window that polls. */
  get isPolling(): boolean {
    return this.lease !== undefined;
  }

  /** Checks immediately which jobs are due, and from then on whenever one is. */
  wake(): void {
    if (this.isOver) return;
    this.isWoken = true;
    this.round ??= this.runRound().finally(() => {
      this.round = undefined;
      if (this.isWoken) this.wake();
    });
  }

  async dispose(): Promise<void> {
    this.isOver = true;
    this.stopTimer?.();
    await this.round;
    await Promise.all([...this.busy.values(), ...this.counting.values()]);
    await this.letGo();
  }

  private async runRound(): Promise<void> {
    this.stopTimer?.();
    this.stopTimer = undefined;
    let waitMs: number | undefined;
    do {
      this.isWoken = false;
      waitMs = await this.look().catch((error: unknown) => {
        this.engine.options.onError(error);
        return longestWaitMs;
      });
    } while (this.isWoken && !this.isOver);
    if (!this.isOver && waitMs !== undefined) this.stopTimer = this.engine.options.setTimer(waitMs, () => this.wake());
  }

  /** The jobs that this process advances. */
  private get jobs(): readonly J[] {
    const { board, options } = this.engine;
    const { own } = options;
    return own ? board.jobs.filter((job) => own.has(job)) : board.jobs;
  }

  /** Starts due jobs. Resolves with how many milliseconds there is nothing to do; `undefined`: until woken. */
  private async look(): Promise<number | undefined> {
    const { pace } = this.driver;
    const { board, now } = this.engine;
    await board.refresh();
    const open = this.jobs.filter((job) => dueAt(job, now(), pace) !== undefined || noticeOf(job) !== undefined);
    const uncounted = board.jobs.filter((job) => this.isUncounted(job));
    if (open.length === 0 && uncounted.length === 0) {
      if (this.busy.size === 0) await this.letGo();
      // A job given up for its age may be due again once a wrong clock is corrected.
      return this.jobs.some(({ stage }) => stage !== 'ended' && stage !== 'refused') ? longestWaitMs : undefined;
    }
    if (!(await this.holdsLease())) return longestWaitMs;
    for (const job of open) await this.tell(job);
    for (const { id } of uncounted) this.beginCounting(id);
    const due = open.filter((job) => !this.busy.has(job.id) && (this.dueHere(job) ?? Infinity) <= now());
    // Longest waiting first, so that a job that keeps failing delays no other.
    const inOrder = due.toSorted((a, b) => (a.triedAt ?? 0) - (b.triedAt ?? 0));
    for (const job of inOrder.slice(0, Math.max(0, atOnce - this.busy.size))) this.begin(job);
    return this.nextIn() ?? (uncounted.length > 0 ? longestWaitMs : undefined);
  }

  private async tell(job: J): Promise<void> {
    const { board, now, options } = this.engine;
    const notice = noticeOf(job);
    if (!notice) return;
    let isMine = false;
    const updated = await board.update(job.id, (current) => {
      isMine = noticeOf(current) === notice;
      return isMine ? reportedPatch(notice, now()) : undefined;
    });
    if (isMine && updated) options.onNotice(updated, notice);
  }

  private isUncounted(job: J): boolean {
    return this.engine.options.onPaid !== undefined && this.driver.countedPatch(job) !== undefined;
  }

  /** Prices may have to be requested, so steps don't wait for it. What couldn't be noted is tried again later. */
  private beginCounting(id: string): void {
    if (this.counting.has(id)) return;
    const run = async (): Promise<void> => {
      const isCounted = await this.count(id).catch(this.engine.options.onError);
      this.counting.delete(id);
      if (isCounted) this.wake();
    };
    this.counting.set(id, run());
  }

  /** Resolves to whether more was counted. The job is marked only after that was noted, as this process may end in between. */
  private async count(id: string): Promise<boolean> {
    const { board, options } = this.engine;
    const job = await board.update(id, () => undefined);
    const patch = job && this.driver.countedPatch(job);
    if (!job || !patch || !(await options.onPaid?.(job))) return false;
    const isAsBefore = (current: J) =>
      Object.keys(patch).every((key) => isDeepStrictEqual(current[key as keyof J], job[key as keyof J]));
    await board.update(id, (current) => (isAsBefore(current) ? patch : undefined));
    return true;
  }

  private begin({ id }: J): void {
    const { now, options } = this.engine;
    this.passedOver.delete(id);
    const passOver = (ms: number) => this.passedOver.set(id, now() + ms);
    const run = async (): Promise<void> => {
      try {
        if (!(await this.steps.run(id))) passOver(heldElsewhereMs);
      } catch (error) {
        passOver(brokenMs);
        options.onError(error);
      } finally {
        this.busy.delete(id);
        this.wake();
      }
    };
    this.busy.set(id, run());
  }

  private dueHere(job: J): number | undefined {
    const now = this.engine.now();
    const due = dueAt(job, now, this.driver.pace);
    const until = this.passedOver.get(job.id) ?? 0;
    // Any later time means that the clock was set back.
    const isPassedOver = until > now && until <= now + brokenMs;
    return due !== undefined && isPassedOver ? Math.max(due, until) : due;
  }

  private nextIn(): number | undefined {
    const idle = this.jobs.filter(({ id }) => !this.busy.has(id));
    const at = idle.flatMap((job) => this.dueHere(job) ?? []);
    if (at.length === 0) return undefined;
    if (this.busy.size >= atOnce) return longestWaitMs;
    return Math.min(
      longestWaitMs,
      Math.max(shortestWaitMs, at.reduce((least, one) => Math.min(least, one), Infinity) - this.engine.now()),
    );
  }

  private async holdsLease(): Promise<boolean> {
    try {
      if (this.lease) await this.lease.check();
      const { own } = this.engine.options;
      this.lease ??= await this.engine.leases.take(own ? `${pollerId}-${own.name}` : pollerId);
      return true;
    } catch (error) {
      this.lease = undefined;
      if (!(error instanceof HeldElsewhere)) throw error;
      return false;
    }
  }

  private async letGo(): Promise<void> {
    const held = this.lease;
    this.lease = undefined;
    await held?.release();
  }
}

/** Advances jobs by their driver's steps. */
class StepRunner<J extends Job> {
  constructor(
    private readonly engine: JobEngine<J>,
    private readonly driver: JobDriver<J>,
  ) {}

  /**
   * Advances a job by one step, and from its end directly to its results. Records failures in the job. Resolves with false if
   * another window has the job.
   */
  async run(id: string): Promise<boolean> {
    const { board, leases } = this.engine;
    const lease = await take(leases, id);
    if (!lease) return false;
    try {
      // Reads the current record: another window may have written it before this one had the lease.
      let job = await board.update(id, () => undefined);
      for (let before = ''; job && before !== job.stage;) {
        before = job.stage;
        job = await this.runOne(job);
        if (job?.stage !== 'fetching') break;
      }
    } finally {
      await lease.release();
    }
    return true;
  }

  private async runOne(job: J): Promise<J | undefined> {
    const { board, now, closing } = this.engine;
    try {
      const patch = await this.step(job);
      if (!patch) return job;
      const rest = { lastError: undefined, failures: undefined, restMs: undefined, triedAt: now() };
      return await board.update(job.id, () => ({ ...rest, ...patch }) as JobPatch<J>);
    } catch (error) {
      if (closing.aborted) return undefined;
      const { jobError, restMs } = failureOf(error, job);
      const failed = { lastError: { ...jobError, at: now() }, restMs, triedAt: now() };
      return board.update(
        job.id,
        ({ failures = 0 }) => ({ ...failed, failures: failures + 1 }) as unknown as JobPatch<J>,
      );
    }
  }

  private async step(job: J): Promise<JobPatch<J> | undefined> {
    const { driver } = this;
    const { board, now, closing } = this.engine;
    const tools: StepTools<J> = {
      signal: closing,
      now,
      save: async (patch) => (await board.update(job.id, () => patch)) ?? job,
    };
    switch (job.stage) {
      case 'preparing':
        return abandoned('refused', {
          kind: 'interrupted',
          message: 'The window closed before the request was sent.',
          at: now(),
        });
      case 'submitting':
        return abandoned('unknown', {
          kind: 'answerLost',
          message: 'The window closed before the request was sent.',
          at: now(),
        });
      case 'unknown':
        return driver.find(job, tools);
      case 'queued':
        return driver.next?.(job, tools);
      case 'running':
        return driver.look(job, tools);
      case 'fetching':
        return driver.fetch(job, tools);
      case 'refused':
      case 'ended':
        return undefined;
    }
  }
}

async function take(leases: Leases, id: string): Promise<Lease | undefined> {
  return leases.take(id).catch((error: unknown) => {
    if (error instanceof HeldElsewhere) return undefined;
    throw error;
  });
}

/** For a job whose window has closed: otherwise its lease would not have been available. */
function abandoned<J extends Job>(stage: Job['stage'], error: JobError): JobPatch<J> {
  // Makes the job due immediately.
  return { stage, lastError: error, triedAt: undefined } as JobPatch<J>;
}

function failureOf(
  error: unknown,
  { stage }: Job,
): { readonly jobError: Omit<JobError, 'at'>; readonly restMs: number | undefined } {
  if (error instanceof StepFailure) return { jobError: error.jobError, restMs: error.options.restMs };
  return { jobError: toJobError(error, stage === 'fetching' ? 'fetch' : 'ask'), restMs: restOf(error) };
}

function restOf(error: unknown): number | undefined {
  return isApiError(error) ? error.details.retryAfterMs : undefined;
}
