import { isApiError } from '../api/errors';
import { HeldElsewhere } from '../storage/leases';
import type { Lease, Leases } from '../storage/leases';
import { StepFailure, toJobError } from './job';
import type { Job, JobPatch, JobError } from './job';
import type { JobDriver, StepTools } from './jobDriver';
import type { JobEngine } from './jobEngine';

/** Advances jobs by their driver's steps. */
export class StepRunner<J extends Job> {
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
