import { readingOf } from '../batch/state/batchState';
import type { BatchJob } from './batch/batchJob';
import type { Job } from './job';
import type { MediaJob } from './media/mediaJob';

/** `partly`: some of it failed. `uncertain`: whether the service did the work isn't known, or its results couldn't be saved. */
export type JobOutcome = 'active' | 'done' | 'partly' | 'failed' | 'uncertain';

/** Whether a job is blocked until its account, its key, or its base URL is restored. */
export function isHalted({ lastError }: Job): boolean {
  return lastError !== undefined && ['profileGone', 'signedOut', 'addressChanged'].includes(lastError.kind);
}

/** Returns whether a job continues without the user, or how it ended. */
export function jobOutcome(job: BatchJob | MediaJob): JobOutcome {
  const { stage, lastError } = job;
  if (stage === 'refused') return 'failed';
  if (stage === 'unknown') return 'uncertain';
  if (stage !== 'ended') return lastError?.isFinal || isHalted(job) ? 'uncertain' : 'active';
  return 'task' in job ? mediaOutcome(job) : batchOutcome(job);
}

function mediaOutcome({ results = [], lastError }: MediaJob): JobOutcome {
  const saved = results.filter(({ path }) => path !== undefined).length;
  if (saved > 0) return saved === results.length ? 'done' : 'partly';
  return lastError?.kind === 'failed' || lastError?.kind === 'noResults' || lastError?.kind === 'expired'
    ? 'failed'
    : 'uncertain';
}

function batchOutcome({ batch, lastError, fetched }: BatchJob): JobOutcome {
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
      return lastError && !fetched ? 'uncertain' : 'done';
  }
}
