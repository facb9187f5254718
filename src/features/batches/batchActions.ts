import { l10n } from 'vscode';
import { isApiError } from '../../core/api/errors';
import type { BatchJob } from '../../services/batches/batchJobs';
import type { BatchRow } from '../../services/batches/batchRow';
import { UserError } from '../../platform/errors/userError';
import type { Services } from '../../services/services';
import { batchQuestions } from './batchQuestions';
import type { BatchQuestions } from './batchQuestions';
import { nameWords } from './rowWords';
import { foreign } from '../../core/text/foreignText';

/** An action on a batch's row. Rejects with a localized error, as the service or the jobs do. */
export type BatchAction = (row: BatchRow, services: Services, questions: BatchQuestions) => Promise<void>;

/** The actions by the names of their commands. */
export const batchActions = {
  cancel: async (row, services, questions) => {
    if (!row.batch || !(await questions.cancel(row))) return;
    try {
      if (row.job) await services.batchJobs.cancel(row.job.id);
      else await cancelUnwatched(row.batch.id, services);
    } catch (error) {
      if (!isApiError(error) || error.kind !== 'notOffered') throw error;
      throw new UserError(
        l10n.t('This service does not cancel batches'),
        l10n.t('“{0}” runs on, and ends by itself. Its web console may be able to cancel it.', foreign(nameWords(row))),
      );
    }
  },
  watch: async ({ batch, job }, { batchJobs }) => {
    if (batch && !job) await batchJobs.watch(batch);
  },
  checkNow: async ({ job }, { batchJobs, batchList }) => {
    if (job) await batchJobs.checkNow(job.id);
    else await batchList.refresh();
  },
  createAgain: async (row, { batchJobs }, questions) => {
    const { job } = row;
    if (!job || (job.stage === 'unknown' && !(await questions.createAgain(row)))) return;
    await batchJobs.createAgain(job.id);
  },
  fetchResults: async (row, services) => {
    const job = await watched(row, services);
    if (job) await services.batchJobs.fetchResults(job.id);
  },
  linkInput: async (row, services, questions) => {
    const uri = await questions.input(row);
    if (!uri) return;
    const job = await watched(row, services);
    if (job) await services.batchJobs.linkInput(job.id, uri.fsPath);
  },
  forget: async (row, { batchJobs, batchList }, questions) => {
    if (!row.job || !(await questions.forget(row))) return;
    await batchJobs.forget(row.job.id);
    if (row.batch) await batchList.refresh();
  },
} satisfies Readonly<Record<string, BatchAction>>;

export async function takeAction(name: keyof typeof batchActions, row: BatchRow, services: Services): Promise<void> {
  const action: BatchAction = batchActions[name];
  await action(row, services, batchQuestions);
}

async function cancelUnwatched(id: string, { connections, batchList }: Services): Promise<void> {
  await (await connections.client()).batches.cancel({ id });
  await batchList.refresh();
}

/** Returns the job of a row, creating one if needed, because local data about a batch is stored in its job. */
async function watched({ batch, job }: BatchRow, { batchJobs }: Services): Promise<BatchJob | undefined> {
  return job ?? (batch && (await batchJobs.watch(batch)));
}
