import { dirname } from 'node:path';
import { StepFailure } from '../job';
import type { JobPatch, JobError } from '../job';
import type { StepTools } from '../jobDriver';
import { answered, askStatus } from './askVideo';
import type { MediaJob } from './mediaJob';
import type { ConnectMedia, MediaService } from './mediaService';
import { saveResult } from './saveResult';
import type { SaveTarget } from './saveResult';

/** Where to save files if the user's folder is not writable, and the lock that keeps windows apart there. */
export interface MediaTarget extends SaveTarget {
  /** Absolute. */
  readonly fallback: string;
}

export interface Fetching {
  readonly job: MediaJob;
  readonly tools: StepTools<MediaJob>;
  readonly connect: ConnectMedia;
  readonly place: MediaTarget;
}

/** How long after it was first seen an address is certain to be valid. */
const freshMs = 10 * 60_000;

/**
 * Saves every result not saved yet, each once. Saves what is available, whatever happens to the rest; then throws why the others are
 * not available yet. If none ever will be, the job has ended.
 */
export async function fetchMedia(fetching: Fetching): Promise<JobPatch<MediaJob>> {
  const service = await fetching.connect(fetching.job);
  const { tools, place } = fetching;
  const fresh = await withFreshAddresses(service, fetching);
  let { job } = fresh;
  let elsewhere: JobError | undefined;
  const failures: StepFailure[] = [];
  for (const index of (job.results ?? []).keys()) {
    if (job.results?.[index]?.path !== undefined) continue;
    try {
      const saved = await saveResult(service, { job, index, place, signal: tools.signal });
      if (saved.elsewhere) elsewhere = { ...saved.elsewhere, at: tools.now() };
      job = await tools.save({ results: withPath(job, index, saved.path) });
    } catch (error) {
      if (tools.signal.aborted || !(error instanceof StepFailure)) throw error;
      failures.push(error);
    }
  }
  if (failures.length === 0) {
    const trouble = elsewhere ?? savedElsewhere(job, tools.now());
    return { stage: 'ended', ...(trouble && { trouble }) };
  }
  if (fresh.failure !== undefined) throw fresh.failure;
  const hopes = failures.filter(({ trouble }) => trouble.kind !== 'expired' || !trouble.isFinal);
  const told = hopes.find(({ trouble }) => !trouble.isFinal) ?? hopes[0];
  if (told) throw told;
  return { stage: 'ended', trouble: { ...failures[0]!.trouble, at: tools.now() } };
}

/** Returns the error for results that an earlier attempt saved elsewhere. */
function savedElsewhere({ results = [], folder }: MediaJob, now: number): JobError | undefined {
  const isElsewhere = results.some(({ path }) => path !== undefined && dirname(path) !== folder);
  return isElsewhere ? { kind: 'savedElsewhere', message: '', at: now } : undefined;
}

function withPath({ results = [] }: MediaJob, at: number, path: string): MediaJob['results'] {
  return results.map((result, index) => (index === at ? { ...result, path } : result));
}

/** A video's addresses can be renewed; if that fails for now, the known ones may still be valid. */
async function withFreshAddresses(
  service: MediaService,
  { job, tools }: Fetching,
): Promise<{ readonly job: MediaJob; readonly failure?: unknown }> {
  const { requestId, answeredAt = 0, failures = 0 } = job;
  const isFresh = failures === 0 && Math.abs(tools.now() - answeredAt) < freshMs;
  if (requestId === undefined || isFresh) return { job };
  try {
    const status = await askStatus(service, job, tools.signal);
    return { job: status.videos.length === 0 ? job : await tools.save(answered(job, status, tools.now())) };
  } catch (failure) {
    tools.signal.throwIfAborted();
    return { job, failure };
  }
}
