import { l10n } from 'vscode';
import { isLost } from '../../core/jobs/media/mediaJob';
import type { Media, MediaJob } from '../../services/media/media';
import { UserError } from '../../platform/errors/userError';
import { mediaRowOf } from './mediaRow';
import type { MediaParts } from './mediaRuntime';
import { contextOf } from './view/mediaItem';

/** Actions on jobs, by command name. */
export const jobActions = {
  checkNow: (jobs, { media }) => inTurn(jobs, ({ id }) => media.checkNow(id)),
  fetchAgain: (jobs, { media, questions }) =>
    inTurn(jobs, async (job) => {
      const isLarge = job.trouble?.kind === 'tooLarge';
      if (isLarge && !(await questions.fetchLarge(job))) return;
      await media.fetchAgain(job.id, { evenIfLarge: isLarge });
    }),
  /** Retries each job in place of the failed one; an image in its run. */
  retry: async (jobs, { media, questions, run }) => {
    if (!jobs.every(isLost)) {
      throw new UserError(
        l10n.t('This order cannot be retried'),
        l10n.t('It is under way, or may have been charged. Select it to see how it stands and what can be done.'),
      );
    }
    if (jobs.length > 1 && !(await questions.retry(jobs))) return;
    const images = jobs.filter(({ order }) => order.kind === 'image').map(({ id }) => id);
    const retries = [
      ...jobs.filter(({ order }) => order.kind === 'video').map((job) => () => retryVideo(job, media)),
      ...(images.length > 0 ? [() => run('inferenceDesk.images.retry', images)] : []),
    ];
    await inTurn(retries, (retry) => retry());
  },
  forget: async (jobs, { media, questions }) => {
    if (await questions.forget(jobs)) await inTurn(jobs, ({ id }) => media.forget(id));
  },
} satisfies Readonly<Record<string, (jobs: readonly MediaJob[], parts: MediaParts) => Promise<void>>>;

async function retryVideo({ id }: MediaJob, media: Media): Promise<void> {
  const sent = await media.retry(id);
  if (sent?.stage === 'refused') throw new UserError(l10n.t('Could not retry the order'), sent.trouble?.message ?? '');
}

/** For a selection of several jobs: the token in a row's context value that says a command applies to it. */
const fitting: Readonly<Record<keyof typeof jobActions, RegExp>> = {
  checkNow: /\brunning\b/,
  fetchAgain: /\bfetchable\b/,
  retry: /\bretryable\b/,
  forget: /\bforgettable\b/,
};

/** Returns the selected rows if there are several and the command was invoked on one of them. */
export function severalOf(of: unknown, all: unknown): readonly unknown[] | undefined {
  return Array.isArray(all) && all.length > 1 && all.includes(of) ? all : undefined;
}

/** Returns the jobs of rows or an id, of several those the command applies to; throws `UserError` if there are none. */
export async function findJobs(
  name: keyof typeof jobActions,
  of: unknown,
  all: unknown,
  media: Media,
): Promise<readonly MediaJob[]> {
  await media.ready();
  const several = severalOf(of, all);
  const ids = (several ?? [of]).map((one) => {
    const row = mediaRowOf(one);
    return row?.kind === 'job' ? row.job.id : one;
  });
  const jobs = media.jobs.filter((job) => ids.includes(job.id) && (!several || fitting[name].test(contextOf(job))));
  if (jobs.length > 0) return jobs;
  throw new UserError(l10n.t('The order is not followed here any more'), l10n.t('Its record was removed.'));
}

/** Acts on one after the other even if some fail, then throws the first error. */
export async function inTurn<T>(all: readonly T[], act: (one: T) => Promise<unknown>): Promise<void> {
  const failures: unknown[] = [];
  for (const one of all) await act(one).catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw failures[0];
}
