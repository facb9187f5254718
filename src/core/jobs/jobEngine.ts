import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Leases } from '../storage/leases';
import type { Job, JobPatch } from './job';
import { JobBoard } from './jobBoard';
import type { JobDriver } from './jobDriver';
import type { JobNotice } from './jobNotice';
import { JobPoller } from './jobPoller';
import { createJobStore } from './jobStore';
import { RequestProblem } from './requestProblem';
import { StepRunner } from './stepRunner';

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
   * Called with a job as it was before something more of it was counted as paid for: once for that, in only one of all windows. If absent,
   * that is left to others.
   */
  readonly onPaid?: ((job: J) => void) | undefined;
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
