import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Leases } from '../storage/leases';
import type { Job, JobPatch } from './job';
import { createJobBoard } from './jobBoard';
import type { JobBoard } from './jobBoard';
import type { JobDriver } from './jobDriver';
import type { JobNotice } from './jobNotice';
import { createJobPoller } from './jobPoller';
import type { JobPoller } from './jobPoller';
import { createJobStore } from './jobStore';
import { RequestProblem } from './requestProblem';
import type { Pace } from './schedule';
import { createStepRunner } from './stepRunner';
import type { StepRunner } from './stepRunner';

/** The engine common to all kinds of jobs: those of all windows of this machine, each advanced by one window at a time. */
export interface JobEngine<J extends Job> {
  readonly board: JobBoard<J>;
  readonly leases: Leases;
  readonly isPolling: boolean;
  /** Aborted when this window shuts down. */
  readonly closing: AbortSignal;
  /** Reads what other windows wrote, and advances what is due. */
  refresh(): Promise<void>;
  /** Immediately retries jobs whose last step failed. */
  wake(): Promise<void>;
  /** Throws `RequestProblem` if there is no such job. */
  get(id: string): J;
  /** Runs `work` while no other window has the job; waits for one that has. Throws `HeldElsewhere`. */
  hold<T>(id: string, work: () => Promise<T>): Promise<T>;
  /** Advances the job in this window now, unless another has it. Resolves once that is done. */
  begin(id: string): Promise<void>;
  /** Advances the job now. If another window has it, waits for at most `heldMs`. Resolves with the job as known then. */
  step(id: string, heldMs?: number): Promise<J>;
  /** Like `step`, but also for a job that only the user can resume. */
  checkNow(id: string, heldMs?: number): Promise<J>;
  /** Resolves once nothing is being written any more. */
  dispose(): Promise<void>;
}

export interface JobEngineOptions<J extends Job> {
  /** Folder of the records; created if missing. */
  readonly folder: string;
  /** Returns `undefined` for an incomplete record. */
  readonly readJob: (raw: unknown) => J | undefined;
  readonly driver: JobDriver<J>;
  readonly pace: Pace;
  /** Identifies this window to others. */
  readonly where: () => string;
  /** Unix milliseconds. */
  readonly now: () => number;
  readonly newId: () => string;
  readonly setTimer: (ms: number, run: () => void) => () => void;
  readonly onChange: () => void;
  /** Called for a notice to the user, in only one of all windows. */
  readonly onNotice: (job: J, notice: JobNotice) => void;
  readonly onTrouble: (error: unknown) => void;
}

const heldWaitMs = 100;
/** Another window holds a job no longer than this, except to fetch large results. */
const longestHeldMs = 30_000;

export function createJobEngine<J extends Job>(options: JobEngineOptions<J>): JobEngine<J> {
  return new LeasedJobEngine(options);
}

class LeasedJobEngine<J extends Job> implements JobEngine<J> {
  private readonly ending = new AbortController();
  private readonly steps: StepRunner;
  private readonly poller: JobPoller;
  private readonly begun = new Set<Promise<unknown>>();

  readonly board: JobBoard<J>;
  readonly leases: Leases;
  readonly closing = this.ending.signal;

  constructor(options: JobEngineOptions<J>) {
    const { folder, readJob, driver, now, onChange } = options;
    const signal = this.closing;
    // Compared with file times, which use the machine's clock.
    const leases = new Leases(join(folder, 'open'), { ...options, now: Date.now });
    const board = createJobBoard({ store: createJobStore(folder, readJob), leases, onChange });
    this.leases = leases;
    this.board = board;
    this.steps = createStepRunner({ board, leases, driver, now, signal });
    this.poller = createJobPoller({ ...options, board, leases, steps: this.steps });
  }

  get isPolling(): boolean {
    return this.poller.isPolling;
  }

  async refresh(): Promise<void> {
    await this.board.refresh();
    this.poller.wake();
  }

  async wake(): Promise<void> {
    await this.board.refresh();
    for (const { id, failures } of this.board.jobs) {
      if (failures) await this.board.update(id, () => ({ triedAt: undefined }) as JobPatch<J>);
    }
    this.poller.wake();
  }

  get(id: string): J {
    const job = this.board.get(id);
    if (!job) throw new RequestProblem('noSuchJob');
    return job;
  }

  async hold<T>(id: string, work: () => Promise<T>): Promise<T> {
    try {
      return await this.leases.hold(id, work, { forMs: longestHeldMs, signal: this.closing });
    } finally {
      this.poller.wake();
    }
  }

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

  async checkNow(id: string, heldMs?: number): Promise<J> {
    await this.board.update(id, ({ trouble }) =>
      trouble?.isFinal ? ({ trouble: { ...trouble, isFinal: false } } as JobPatch<J>) : undefined,
    );
    return this.step(id, heldMs);
  }

  async dispose(): Promise<void> {
    this.ending.abort();
    await this.poller.dispose();
    await Promise.allSettled(this.begun);
    this.leases.dispose();
  }
}
