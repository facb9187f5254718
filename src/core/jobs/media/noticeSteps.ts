import type { JobNotice } from '../jobNotice';
import type { MediaJob } from './mediaJob';

/** What a notice of an order offers. */
export type NoticeStep = 'show' | 'open' | 'fetchAgain' | 'fetchAnyway' | 'checkNow' | 'submitAgain';

/** In the order in which they are offered. */
export function noticeSteps(job: MediaJob, notice: JobNotice): readonly NoticeStep[] {
  const { order, stage, trouble } = job;
  if (notice === 'end') {
    const isTooLarge = trouble?.kind === 'tooLarge';
    const canFetch = trouble !== undefined && stage === 'fetching';
    const fetch: readonly NoticeStep[] = canFetch ? [isTooLarge ? 'fetchAnyway' : 'fetchAgain'] : [];
    return savedPath(job) === undefined ? ['show', ...fetch] : ['show', 'open', ...fetch];
  }
  if (stage !== 'refused' && stage !== 'unknown') return ['show', 'checkNow'];
  // A picture is one of a run, which would not know of one ordered beside it, and order it too.
  return order.kind === 'image' ? ['show'] : ['show', 'submitAgain'];
}

/** Absolute; of the first of its files that is here. */
export function savedPath({ results = [] }: Pick<MediaJob, 'results'>): string | undefined {
  return results.find(({ path }) => path !== undefined)?.path;
}
