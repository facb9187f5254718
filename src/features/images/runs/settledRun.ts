import type { ImageRequest } from '../../../core/api/images/images.schema';
import { changeItem, halted } from '../../../core/imageRuns/imageRun';
import type { ImageRun } from '../../../core/imageRuns/imageRun';
import { isLost } from '../../../core/jobs/media/mediaJob';
import type { MediaJob } from '../../../services/media/media';

/**
 * A run whose window went away: what was on its way is found by its job, which is on record before it is sent, also where the
 * run itself was not written any more; all else was not sent, and waits for a person.
 */
export function settled(run: ImageRun, jobs: readonly MediaJob[]): ImageRun {
  const free = jobs.filter(({ id, group }) => group === run.id && !run.items.some(({ jobId }) => jobId === id));
  const items = [...run.items.entries()];
  // What was surely begun has the first choice.
  const begun = items.filter(([, { state }]) => state === 'sending');
  const next = items.filter(([, { state }]) => state === 'waiting');
  let now = run;
  for (const [index, { request }] of [...begun, ...next]) {
    const text = requestText(request);
    const at = free.findIndex(({ order }) => requestText(order.request) === text);
    const job = at === -1 ? undefined : free.splice(at, 1)[0];
    const isSent = job !== undefined && job.stage !== 'refused' && job.stage !== 'preparing';
    now = changeItem(now, index, isSent ? { state: 'ordered', jobId: job.id } : { state: 'notSent' });
  }
  return halted(now, { reason: 'closed' });
}

/**
 * The job of an order whose giving failed although it is on its way: what the service answered could not be written. As many
 * orders of the same request may be on their way at once as there are items that are being sent.
 */
export function begunJob({ id: run, items }: ImageRun, index: number, jobs: readonly MediaJob[]): MediaJob | undefined {
  const text = requestText(items[index]!.request);
  const begun = jobs.filter(
    ({ id, group, stage, order }) =>
      group === run &&
      stage !== 'refused' &&
      stage !== 'preparing' &&
      !items.some(({ jobId }) => jobId === id) &&
      requestText(order.request) === text,
  );
  const sending = items.filter(({ state, request }) => state === 'sending' && requestText(request) === text);
  return begun.length >= sending.length ? begun[0] : undefined;
}

/** With where the files of its jobs are, for when those are forgotten; the same run where there is nothing new. */
export function withFiles(run: ImageRun, jobs: readonly MediaJob[]): ImageRun {
  return run.items.reduce((now, { jobId, files: known }, at) => {
    const job = jobId === undefined || known ? undefined : jobs.find(({ id }) => id === jobId);
    const files = job?.stage === 'ended' ? (job.results?.flatMap(({ path: file }) => file ?? []) ?? []) : [];
    return files.length === 0 ? now : changeItem(now, at, { files });
  }, run);
}

/** A run of one order that was given without a page. */
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

/** By place: the orders of which certainly nothing came and nothing will. */
export function failedItems({ items }: ImageRun, jobOf: (id: string) => MediaJob | undefined): readonly number[] {
  return [...items.keys()].filter((at) => {
    const { state, trouble, jobId } = items[at]!;
    if (state !== 'ordered') return state === 'rejected' || (state === 'notSent' && trouble !== undefined);
    const job = jobId === undefined ? undefined : jobOf(jobId);
    return job !== undefined && isLost(job);
  });
}

/** The same for the same request, in whatever order it names its parameters. */
function requestText(request: object): string {
  return JSON.stringify(Object.entries(request).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
