import { l10n } from 'vscode';
import type { Media, MediaJob } from '../../platform/media';
import { UserError } from '../../platform/userError';
import { mediaRowOf } from './mediaRow';
import type { MediaQuestions } from './mediaQuestions';

type JobParts = {
  readonly media: Pick<Media, 'ready' | 'jobs' | 'checkNow' | 'fetchAgain' | 'forget'>;
  readonly questions: Pick<MediaQuestions, 'forget' | 'fetchLarge'>;
};

/** What is done with an order, by the name of its command. */
export const jobActions = {
  checkNow: async (job, { media }) => {
    await media.checkNow(job.id);
  },
  fetchAgain: async (job, { media, questions }) => {
    const isLarge = job.trouble?.kind === 'tooLarge';
    if (isLarge && !(await questions.fetchLarge(job))) return;
    await media.fetchAgain(job.id, { evenIfLarge: isLarge });
  },
  forget: async (job, { media, questions }) => {
    if (await questions.forget(job)) await media.forget(job.id);
  },
} satisfies Readonly<Record<string, (job: MediaJob, parts: JobParts) => Promise<void>>>;

/** The order a row or an id stands for; throws in words where there is none. */
export async function findJob(of: unknown, media: Pick<Media, 'ready' | 'jobs'>): Promise<MediaJob> {
  await media.ready();
  const row = mediaRowOf(of);
  const id = row?.kind === 'job' ? row.job.id : of;
  const job = media.jobs.find((one) => one.id === id);
  if (job) return job;
  throw new UserError(l10n.t('The order is not followed here any more'), l10n.t('Its record was removed.'));
}
