import { isWhollySaved } from '../../../core/jobs/media/mediaJob';
import type { UnreadableJob } from '../../../core/jobs/jobStore';
import type { Asset, MediaJob } from '../../../services/media/media';
import type { MediaRow } from './mediaRow';
import { isUnderWay } from './underWay';

/** Generated files only; the gallery shows all of them. */
const mostShown = 50;

export interface MediaLists {
  /** Newest first, like the other lists. */
  readonly jobs: readonly MediaJob[];
  readonly unreadable: readonly UnreadableJob[];
  readonly made: readonly Asset[];
}

/** Returns running jobs, then those that need attention, then the newest files. */
export function mediaRows({ jobs: all, unreadable, made }: MediaLists): readonly MediaRow[] {
  // Hide a failed job while its retry is shown; it reappears if the retry leads nowhere.
  const retried = new Set(all.map(({ replaces }) => replaces));
  const jobs = all.filter(({ id }) => !retried.has(id));
  const toRow = (job: MediaJob): MediaRow => ({ kind: 'job', key: `job:${job.id}`, job });
  return [
    ...jobs.filter(isUnderWay).map(toRow),
    ...jobs.filter(hasFailed).map(toRow),
    ...unreadable.map((record): MediaRow => ({ kind: 'unreadable', key: `unreadable:${record.id}`, record })),
    ...made.slice(0, mostShown).map((asset): MediaRow => ({ kind: 'made', key: `made:${asset.path}`, asset })),
    ...(made.length > mostShown ? [{ kind: 'all', key: 'all', count: made.length } as const] : []),
  ];
}

/** Successful jobs are represented by their files, even if those had to be saved elsewhere. */
function hasFailed(job: MediaJob): boolean {
  if (isUnderWay(job)) return false;
  if (job.stage !== 'ended') return true;
  return job.lastError !== undefined && !isWhollySaved(job);
}
