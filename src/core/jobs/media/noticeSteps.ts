import type { JobNotice } from '../jobNotice';
import type { MediaJob } from './mediaJob';

/** The actions offered in a notice about a job. */
export type NoticeStep = 'show' | 'open' | 'fetchAgain' | 'fetchAnyway' | 'checkNow' | 'retry';

/** Returns the actions in display order. */
export function noticeSteps(job: MediaJob, notice: JobNotice): readonly NoticeStep[] {
  const { task, stage, lastError } = job;
  if (notice === 'end') {
    const isTooLarge = lastError?.kind === 'tooLarge';
    const canFetch = lastError !== undefined && stage === 'fetching';
    const fetch: readonly NoticeStep[] = canFetch ? [isTooLarge ? 'fetchAnyway' : 'fetchAgain'] : [];
    return savedPath(job) === undefined ? ['show', ...fetch] : ['show', 'open', ...fetch];
  }
  if (stage !== 'refused' && stage !== 'unknown') return ['show', 'checkNow'];
  // An image belongs to a run, which wouldn't know of a job submitted separately, and would submit it too. One whose outcome is unknown may
  // have been charged, which its page says next to the price of another.
  return task.kind === 'image' || stage === 'unknown' ? ['show'] : ['show', 'retry'];
}

/** Returns the absolute path of the first of its files that is saved. */
export function savedPath({ results = [] }: MediaJob): string | undefined {
  return results.find(({ path }) => path !== undefined)?.path;
}
