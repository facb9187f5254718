import type { Job, JobPatch } from './job';

/** `end`: the job has ended, or its results cannot be fetched. `doubt`: it cannot continue without the user. */
export type JobNotice = 'end' | 'doubt';

/** Transient failures are not reported. */
const manyFailures = 3;
const manyLooks = 5;

/** Returns the notice the user should see about a job but has not seen yet. */
export function noticeOf(job: Job): JobNotice | undefined {
  const { stage, lastError, failures = 0 } = job;
  if (job.toldEndAt === undefined) {
    if (stage === 'ended') return 'end';
    if (stage === 'fetching' && (lastError?.isFinal || failures >= manyFailures)) return 'end';
  }
  return job.toldDoubtAt === undefined && isInDoubt(job) ? 'doubt' : undefined;
}

/** Whether a job can't continue, or can't be found, without the user. */
export function isInDoubt({ stage, lastError, failures = 0, looks = 0 }: Job): boolean {
  if (stage === 'refused') return lastError?.kind === 'interrupted' || lastError?.isFinal === true;
  if (stage === 'queued') return lastError?.kind === 'spendingCap';
  if (stage === 'unknown') return lastError?.isFinal === true || failures >= manyFailures || looks >= manyLooks;
  if (stage !== 'running' || !lastError) return false;
  if (lastError.isFinal || ['profileGone', 'signedOut', 'addressChanged'].includes(lastError.kind)) return true;
  return failures >= manyFailures && ['auth', 'permission', 'notFound'].includes(lastError.error?.kind ?? '');
}

/** Returns the change that prevents the notice from being shown again. */
export function reportedPatch<J extends Job>(notice: JobNotice, now: number): JobPatch<J> {
  const patch: JobPatch<Job> = notice === 'end' ? { toldEndAt: now } : { toldDoubtAt: now };
  return patch as JobPatch<J>;
}
