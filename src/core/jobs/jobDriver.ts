import type { Job, JobPatch } from './job';

/** What a step may use besides its job. */
export interface StepTools<J extends Job> {
  readonly signal: AbortSignal;
  readonly now: () => number;
  /** Keeps a part of what the step has done, so that a crash does not undo it. Resolves to the job as it is then. */
  save(patch: JobPatch<J>): Promise<J>;
}

/** What is done about one kind of job, a step at a time. A step gives what has changed, or throws `StepFailure`. */
export interface JobDriver<J extends Job> {
  /** Of one whose order may or may not have arrived: looks for it at the service. */
  find(job: J, tools: StepTools<J>): Promise<JobPatch<J>>;
  /** Of one that runs: asks how it goes. */
  look(job: J, tools: StepTools<J>): Promise<JobPatch<J>>;
  /** Of one that ended: gets its results. */
  fetch(job: J, tools: StepTools<J>): Promise<JobPatch<J>>;
}
