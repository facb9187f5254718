import type { Job, JobPatch } from './job';
import type { Pace } from './schedule';

/** What a step can use besides its job. */
export interface StepTools<J extends Job> {
  readonly signal: AbortSignal;
  readonly now: () => number;
  /** Saves part of the step's outcome, so that a crash does not undo it. Resolves with the resulting job. */
  save(patch: JobPatch<J>): Promise<J>;
}

/** One kind of job. Each step returns what has changed, or throws `StepFailure`. */
export interface JobDriver<J extends Job> {
  readonly pace: Pace;
  /** Returns `undefined` for an incomplete record. */
  readJob(raw: unknown): J | undefined;
  /** Returns the change after which all that is known to be paid for is counted; `undefined` if it is. */
  countedPatch(job: J): JobPatch<J> | undefined;
  /** Searches the service for a job whose request may or may not have arrived. */
  find(job: J, tools: StepTools<J>): Promise<JobPatch<J>>;
  /** Sends a queued job. Absent if jobs of this kind are never queued. */
  next?(job: J, tools: StepTools<J>): Promise<JobPatch<J>>;
  /** Asks for the status of a running job. */
  look(job: J, tools: StepTools<J>): Promise<JobPatch<J>>;
  /** Fetches the results of a job that has ended. */
  fetch(job: J, tools: StepTools<J>): Promise<JobPatch<J>>;
}
