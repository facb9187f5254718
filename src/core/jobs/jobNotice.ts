import type { Job, JobPatch } from './job';

/** `end`: it has ended, or its results cannot be had. `doubt`: without the person it does not go on. */
export type JobNotice = 'end' | 'doubt';

/** What passes by itself is not told. */
const manyFailures = 3;
const manyLooks = 5;

/** What the person is to be told of a job and was not yet. */
export function noticeOf(job: Job): JobNotice | undefined {
  const { stage, trouble, failures = 0 } = job;
  if (job.toldEndAt === undefined) {
    if (stage === 'ended') return 'end';
    if (stage === 'fetching' && (trouble?.isFinal || failures >= manyFailures)) return 'end';
  }
  return job.toldDoubtAt === undefined && isInDoubt(job) ? 'doubt' : undefined;
}

function isInDoubt({ stage, trouble, failures = 0, looks = 0 }: Job): boolean {
  if (stage === 'refused') return trouble?.kind === 'interrupted';
  if (stage === 'unknown') return trouble?.isFinal === true || failures >= manyFailures || looks >= manyLooks;
  if (stage !== 'running' || !trouble) return false;
  if (trouble.isFinal || ['profileGone', 'addressChanged'].includes(trouble.kind)) return true;
  return failures >= manyFailures && ['auth', 'permission', 'notFound'].includes(trouble.error?.kind ?? '');
}

/** What keeps it from being told again. */
export function reportedPatch<J extends Job>(notice: JobNotice, now: number): JobPatch<J> {
  const patch: JobPatch<Job> = notice === 'end' ? { toldEndAt: now } : { toldDoubtAt: now };
  return patch as JobPatch<J>;
}
