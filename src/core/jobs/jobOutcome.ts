import { readingOf } from '../batch/state/batchState';
import type { BatchJob } from './batch/batchJob';
import type { Job } from './job';
import type { MediaJob } from './media/mediaJob';

/** `partly`: some of it failed. `uncertain`: whether the service did the work isn't known, or its results couldn't be saved. */
export type JobOutcome = 'active' | 'done' | 'partly' | 'failed' | 'uncertain';

/** Whether a job is blocked until its account, its key, or its base URL is restored. */
export function isHalted({ trouble }: Job): boolean {
  return trouble !== undefined && ['profileGone', 'signedOut', 'addressChanged'].includes(trouble.kind);
}

/** Returns whether a job goes on without the user, or how it ended. */
export function jobOutcome(job: BatchJob | MediaJob): JobOutcome {
  const { stage, trouble } = job;
  if (stage === 'refused') return 'failed';
  if (stage === 'unknown') return 'uncertain';
  if (stage !== 'ended') return trouble?.isFinal || isHalted(job) ? 'uncertain' : 'active';
  return 'kind' in job.order ? mediaOutcome(job as MediaJob) : batchOutcome(job as BatchJob);
}

function mediaOutcome({ results = [], trouble }: MediaJob): JobOutcome {
  const saved = results.filter(({ path }) => path !== undefined).length;
  if (saved > 0) return saved === results.length ? 'done' : 'partly';
  return trouble?.kind === 'failed' || trouble?.kind === 'noResults' || trouble?.kind === 'expired'
    ? 'failed'
    : 'uncertain';
}

function batchOutcome({ batch, trouble, fetched }: BatchJob): JobOutcome {
  if (!batch) return 'uncertain';
  switch (readingOf(batch)) {
    case 'failed':
    case 'allFailed':
    case 'nothing':
      return 'failed';
    case 'partlyDone':
    case 'ended':
      return 'partly';
    case 'done':
    case 'waiting':
    case 'running':
    case 'unknown':
      return trouble && !fetched ? 'uncertain' : 'done';
  }
}
