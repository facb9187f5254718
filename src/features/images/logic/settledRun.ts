import type { ImageRequest } from '../../../core/api/images/images.schema';
import { changeItem, halted } from '../../../core/imageRuns/imageRun';
import type { ImageRun } from '../../../core/imageRuns/imageRun';
import { isLost } from '../../../core/jobs/media/mediaJob';
import type { MediaJob } from '../../../services/media/media';

/**
 * Settles a run whose window closed. Finds requests in flight by their jobs, which are stored before they are sent, even if the run itself
 * was not saved afterwards. All others are marked as unsent, until the user continues.
 */
export function settled(run: ImageRun, jobs: readonly MediaJob[]): ImageRun {
  const free = jobs.filter(({ id, group }) => group === run.id && !run.items.some(({ jobId }) => jobId === id));
  const items = [...run.items.entries()];
  // Requests that were certainly begun are matched first.
  const begun = items.filter(([, { state }]) => state === 'sending');
  const next = items.filter(([, { state }]) => state === 'waiting');
  let now = run;
  for (const [index, { request }] of [...begun, ...next]) {
    const text = requestText(request);
    const at = free.findIndex(({ task }) => requestText(task.request) === text);
    const job = at === -1 ? undefined : free.splice(at, 1)[0];
    const isSent = job !== undefined && job.stage !== 'refused' && job.stage !== 'preparing';
    now = changeItem(now, index, isSent ? { state: 'ordered', jobId: job.id } : { state: 'notSent' });
  }
  return halted(now, { reason: 'closed' });
}

/**
 * Returns the job of a request whose submission threw although it is in flight, because the service's response could not be saved. As many
 * jobs of the same request may be in flight as there are items being sent.
 */
export function begunJob({ id: run, items }: ImageRun, index: number, jobs: readonly MediaJob[]): MediaJob | undefined {
  const text = requestText(items[index]!.request);
  const begun = jobs.filter(
    ({ id, group, stage, task }) =>
      group === run &&
      stage !== 'refused' &&
      stage !== 'preparing' &&
      !items.some(({ jobId }) => jobId === id) &&
      requestText(task.request) === text,
  );
  const sending = items.filter(({ state, request }) => state === 'sending' && requestText(request) === text);
  return begun.length >= sending.length ? begun[0] : undefined;
}

/** Adds the file paths of its finished jobs, for when those are deleted; returns the same run if nothing is new. */
export function withFiles(run: ImageRun, jobs: readonly MediaJob[]): ImageRun {
  return run.items.reduce((now, { jobId, files: known }, at) => {
    const job = jobId === undefined || known ? undefined : jobs.find(({ id }) => id === jobId);
    const files = job?.stage === 'ended' ? (job.results?.flatMap(({ path: file }) => file ?? []) ?? []) : [];
    return files.length === 0 ? now : changeItem(now, at, { files });
  }, run);
}

/** Creates a run around a single job that was started outside the page. */
export function runAround(
  { id: jobId, createdAt, profileId, baseUrl }: MediaJob,
  request: ImageRequest,
  id: string,
): ImageRun {
  return { version: 1, id, createdAt, profileId, baseUrl, items: [{ request, state: 'ordered', jobId }] };
}

export function withoutItems(run: ImageRun, without: readonly number[]): ImageRun {
  return { ...run, items: run.items.filter((_, at) => !without.includes(at)) };
}

/** Returns the indices of the requests that gave no image and never will, including those whose response was lost. */
export function failedItems({ items }: ImageRun, jobOf: (id: string) => MediaJob | undefined): readonly number[] {
  return [...items.keys()].filter((at) => {
    const { state, problem, jobId } = items[at]!;
    if (state !== 'ordered') return state === 'rejected' || (state === 'notSent' && problem !== undefined);
    const job = jobId === undefined ? undefined : jobOf(jobId);
    return job !== undefined && (job.stage === 'unknown' || isLost(job));
  });
}

/** Serializes a request independently of the order of its parameters. */
function requestText(request: object): string {
  return JSON.stringify(Object.entries(request).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
