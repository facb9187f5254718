import { l10n } from 'vscode';
import { retried } from '../../../core/imageRuns/imageRun';
import type { ImageRun, ImageRunItem } from '../../../core/imageRuns/imageRun';
import { runCommand } from '../../../platform/contributions';
import { showMessage } from '../../../platform/notify';
import { UserError } from '../../../platform/errors/userError';
import type { Services } from '../../../services/services';
import type { ImageRuns } from './imageRuns';
import { jobProblem } from './submitOutcome';
import { failedItems } from './settledRun';

/** The failed requests of a run. */
interface FailedOrders {
  /** Id of the run. */
  readonly id: string;
  /** Indices into the run's items. */
  readonly items: readonly number[];
}

/** Returns the failed requests by run, except those of runs that another window sends. */
export function failedRequests(runs: ImageRuns, { media }: Services): readonly FailedOrders[] {
  const jobs = new Map(media.jobs.map((job) => [job.id, job]));
  return runs.all
    .filter(({ id }) => !runs.isElsewhere(id))
    .map((run) => ({ id: run.id, items: failedItems(run, (id) => jobs.get(id)) }))
    .filter(({ items }) => items.length > 0);
}

export function itemsOf({ id, items }: FailedOrders, { all }: ImageRuns): readonly ImageRunItem[] {
  const run = all.find((one) => one.id === id);
  return items.flatMap((at) => run?.items[at] ?? []);
}

/** Retries failed requests in place; skips any whose job has changed meanwhile. */
export async function retryRequests({ id, items }: FailedOrders, runs: ImageRuns): Promise<void> {
  const asked = runs.all.find((run) => run.id === id)?.items;
  const isAsAsked = (run: ImageRun) => (at: number) => run.items[at]?.jobId === asked?.[at]?.jobId;
  await runs.goOn(id, (run) => retried(run, items.filter(isAsAsked(run))));
}

/**
 * Retries failed jobs, each in place in its run. Resolves once the service has accepted them, or they are queued, which a message says.
 * Throws `UserError` if one was not accepted; it then shows as failed in its run.
 */
export async function retryJobs(ids: readonly unknown[], runs: ImageRuns, { media, report }: Services): Promise<void> {
  await runs.ready();
  const jobOf = (of: string | undefined) => media.jobs.find(({ id }) => id === of);
  const places = new Map<string, number[]>();
  for (const job of media.jobs.filter(({ id }) => ids.includes(id))) {
    const run = await runs.runOf(job);
    const at = run?.items.findIndex(({ jobId }) => jobId === job.id) ?? -1;
    if (!run || at === -1) throw sentAlready();
    places.set(run.id, [...(places.get(run.id) ?? []), at]);
  }
  const failed = [...places].map(([id, items]) => ({ id, items }));
  for (const one of failed) await retryRequests(one, runs);
  const orders = (await Promise.all(failed.map((one) => whenSent(one, runs)))).flat();
  const [waiting] = orders.filter(({ state }) => state === 'waiting');
  if (waiting) {
    const show = l10n.t('Show');
    const text = l10n.t('Queued. Images are retried as soon as the limit per minute allows.');
    // It may have been sent, as a new job, by the time the user clicks.
    const now = () => media.jobs.find(({ replaces }) => replaces === waiting.jobId)?.id ?? waiting.jobId;
    const open = () => runCommand('inferenceDesk.images.open', { as: 'job', id: now() });
    showMessage('information', text, show)
      .then((chosen) => (chosen === show ? open() : undefined))
      .then(undefined, report);
  }
  const [trouble] = orders.flatMap(({ trouble: own, jobId }) => {
    const job = jobOf(jobId);
    return own ?? (job?.stage === 'refused' ? jobProblem(job) : []);
  });
  if (trouble) throw new UserError(trouble.title || l10n.t('Could not retry the order'), trouble.detail);
}

/** Resolves when the service has answered each of these requests, or none is about to be sent. */
function whenSent(failed: FailedOrders, runs: ImageRuns): Promise<readonly ImageRunItem[]> {
  return new Promise((resolve) => {
    const look = () => {
      const run = runs.all.find(({ id }) => id === failed.id);
      const orders = itemsOf(failed, runs);
      const isNext = ({ state }: ImageRunItem) => state === 'waiting' && run && !runs.queue.waitOf(run);
      if (orders.some((one) => one.state === 'sending' || isNext(one))) return;
      listener.dispose();
      resolve(orders);
    };
    const listener = runs.onDidChange(look);
    look();
  });
}

function sentAlready(): UserError {
  return new UserError(
    l10n.t('This order was already retried'),
    l10n.t('The Images page shows what came of it. You can remove this row with Forget This Order.'),
  );
}
