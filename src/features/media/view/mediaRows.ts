import type { UnreadableJob } from '../../../core/jobs/jobStore';
import type { Asset, MediaJob } from '../../../services/media/media';
import type { MediaRow } from '../mediaRow';
import { isUnderWay } from './underWay';

/** Of what was kept; the gallery shows all of it. */
const mostShown = 50;

export interface MediaLists {
  /** Newest first, as all of these. */
  readonly jobs: readonly MediaJob[];
  readonly unreadable: readonly UnreadableJob[];
  readonly made: readonly Asset[];
}

/** What is under way, then what a person has to look at, then what was made last. */
export function mediaRows({ jobs: all, unreadable, made }: MediaLists): readonly MediaRow[] {
  // One that is being retried is told of as such, and as failed again where that comes to nothing.
  const retried = new Set(all.map(({ replaces }) => replaces));
  const jobs = all.filter(({ id }) => !retried.has(id));
  const toRow = (job: MediaJob): MediaRow => ({ kind: 'job', key: `job:${job.id}`, job });
  return [
    ...jobs.filter(isUnderWay).map(toRow),
    ...jobs.filter(isInTrouble).map(toRow),
    ...unreadable.map((record): MediaRow => ({ kind: 'unreadable', key: `unreadable:${record.id}`, record })),
    ...made.slice(0, mostShown).map((asset): MediaRow => ({ kind: 'made', key: `made:${asset.path}`, asset })),
    ...(made.length > mostShown ? [{ kind: 'all', key: 'all', count: made.length } as const] : []),
  ];
}

/** What ended well is among the files, even where they had to be saved elsewhere. */
function isInTrouble(job: MediaJob): boolean {
  if (isUnderWay(job)) return false;
  if (job.stage !== 'ended') return true;
  return job.trouble !== undefined && !isWhollySaved(job);
}

export function isWhollySaved({ results }: MediaJob): boolean {
  return results !== undefined && results.length > 0 && results.every(({ path }) => path !== undefined);
}
