import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Batch } from '../../core/api/batches/batches.schema';
import type { Client } from '../../core/api/client';
import { isApiError } from '../../core/api/errors';
import { hasResults } from '../../core/batch/results/runFolder';
import { isAddress, isOver, sourcesOf } from '../../core/jobs/batch/batchState';
import { hasFurtherPart } from '../../core/jobs/batch/parts';
import { listText } from '../../protocol/formats';
import type { BatchJob, BatchRow } from '../../services/batches/batches';
import { UserError } from '../../platform/errors/userError';
import { hasPrices } from '../../core/profiles/knownServices';
import type { CostText } from '../../protocol/wire';
import { accountError, createJobConnection } from '../../services/jobs/jobs';
import type { Services } from '../../services/services';
import { nameWords } from './rowWords';
import { foreign } from '../../core/text/foreignText';
import { numberText } from '../../platform/displayText';
import { sentences } from '../../protocol/sentences';
import { progressText } from '../../services/batches/batchMessages';
import { tellChecked, tellCreated } from '../../services/batches/batchNotices';
import { showMessage } from '../../platform/notify';

/** An action on a batch's row. Rejects with a localized error, as the service or the jobs do. */
export type BatchAction = (row: BatchRow, services: Services, questions: BatchQuestions) => Promise<void>;

/** The actions by the names of their commands. */
export const batchActions = {
  cancel: async (row, services, questions) => {
    if (!row.batch || !(await questions.cancel(row))) return;
    try {
      if (row.job) await (await services.batchJobs()).cancel(row.job.id);
      else await cancelUnwatched(row.batch.id, services);
    } catch (error) {
      if (!isApiError(error) || error.kind !== 'notOffered') throw error;
      throw new UserError(
        l10n.t("This service doesn't support canceling batches"),
        row.job && hasFurtherPart(row.job)
          ? l10n.t('The current part of "{0}" continues, but no more parts will be submitted.', foreign(nameWords(row)))
          : l10n.t('"{0}" continues. Try to cancel it in the service\'s console.', foreign(nameWords(row))),
      );
    }
  },
  stopParts: async (row, { batchJobs }, questions) => {
    if (!row.job || !(await questions.stopParts(row))) return;
    await (await batchJobs()).cancel(row.job.id).catch((error: unknown) => {
      // The part in progress can't be canceled, as announced.
      if (!isApiError(error) || error.kind !== 'notOffered') throw error;
    });
  },
  watch: async (row, { batchJobs }) => {
    if (!row.batch || row.job) return;
    await (await batchJobs()).watch(row.batch);
    // The row itself changes only once the service reports progress.
    void showMessage('information', l10n.t('You\'ll be notified when "{0}" ends.', foreign(nameWords(row))));
  },
  checkNow: async (row, { batchJobs, batchList }) => {
    const name = nameWords(row);
    if (row.job) return tellChecked(row.job, { ...(await (await batchJobs()).checkNow(row.job.id)), name });
    const { error, items } = await batchList.refresh();
    if (error !== undefined) throw error;
    const batch = items.find(({ id }) => id === row.batch?.id);
    if (batch) tellChecked(row, { batch, name });
  },
  createAgain: async (row, services, questions) => {
    const { job } = row;
    if (!job) return;
    const price = hasPrices(job.baseUrl) ? await priceOf(job, services) : undefined;
    const isAsked = job.stage === 'unknown' || price !== undefined;
    if (isAsked && !(await questions.createAgain(row, price))) return;
    tellCreated(await (await services.batchJobs()).createAgain(job.id));
  },
  fetchResults: async (row, services) => {
    const job = await watched(row, services);
    if (job) await (await services.batchJobs()).fetchResults(job.id);
  },
  linkInput: async (row, services, questions) => {
    const uri = await questions.input(row);
    if (!uri) return;
    const job = await watched(row, services);
    if (job) await (await services.batchJobs()).linkInput(job.id, uri.fsPath);
  },
  cleanUp: (row, services, questions) => cleanUp(row, services, (question) => questions.cleanUp(question)),
  forget: async (row, { batchJobs, batchList }, questions) => {
    if (!row.job || !(await questions.forget(row))) return;
    await (await batchJobs()).forget(row.job.id);
    if (row.batch) await batchList.refresh();
  },
} satisfies Readonly<Record<string, BatchAction>>;

export async function takeAction(name: keyof typeof batchActions, row: BatchRow, services: Services): Promise<void> {
  const action: BatchAction = batchActions[name];
  await action(row, services, batchQuestions);
}

/** Resolves to the price of all requests of a job. */
async function priceOf({ profileId, input, options }: BatchJob, { usage }: Services): Promise<CostText> {
  const prices = await (await usage()).readyPrices();
  const model = options.replace?.model ?? input?.model;
  const { requests = 0, inputTokens, outputLimit } = input ?? {};
  const isKnown = model !== undefined && inputTokens !== undefined;
  return prices.quote(isKnown ? [{ model, requests, inputTokens, outputLimit }] : [], { isBatch: true, profileId });
}

async function cancelUnwatched(id: string, { connections, batchList }: Services): Promise<void> {
  await (await connections.client()).batches.cancel({ id });
  await batchList.refresh();
}

/** Returns the job of a row, creating one if needed, because local data about a batch is stored in its job. */
async function watched({ batch, job }: BatchRow, { batchJobs }: Services): Promise<BatchJob | undefined> {
  return job ?? (batch && (await (await batchJobs()).watch(batch)));
}

/** Confirmations before actions that cannot be undone. Each resolves to false if the user declines. */
export interface BatchQuestions {
  cancel(row: BatchRow): Promise<boolean>;
  stopParts(row: BatchRow): Promise<boolean>;
  /** Asked for a job whose outcome is unknown. */
  /** `price`: absent if the service has no prices. */
  createAgain(row: BatchRow, price: CostText | undefined): Promise<boolean>;
  forget(row: BatchRow): Promise<boolean>;
  cleanUp(question: CleanUpQuestion): Promise<boolean>;
  /** Asks for the input file; `undefined` if the user cancels. */
  input(row: BatchRow): Promise<vscode.Uri | undefined>;
}

const batchQuestions: BatchQuestions = {
  cancel(row) {
    const progress = row.batch && progressText(row.batch, vscode.env.language);
    const consequence = l10n.t("You're charged for completed requests. The remaining requests won't run.");
    return confirm({
      title: l10n.t('Cancel the batch "{0}"?', foreign(nameWords(row))),
      detail: progress === undefined ? consequence : l10n.t('Progress: {0}. {1}', progress, consequence),
      action: l10n.t('Cancel Batch'),
      stay: l10n.t('Keep Running'),
    });
  },
  stopParts(row) {
    const { parts = [], part = 0 } = row.job ?? {};
    const left = parts.length - part - 1;
    const last = l10n.t("The part in progress continues and may be charged because the service can't cancel batches.");
    const rest =
      left === 1
        ? l10n.t("1 remaining part won't be submitted.")
        : l10n.t("{0} remaining parts won't be submitted.", numberText(left, vscode.env.language));
    return confirm({
      title: l10n.t('Stop submitting the remaining parts of "{0}"?', foreign(nameWords(row))),
      detail: sentences(last, rest),
      action: l10n.t('Stop Submitting Parts'),
      stay: l10n.t('Keep Submitting'),
    });
  },
  createAgain: (row, price) =>
    confirm({
      title: l10n.t('Resubmit the batch "{0}"?', foreign(nameWords(row))),
      detail: sentences(
        row.job?.stage === 'unknown'
          ? l10n.t("If the batch exists but the service doesn't list it, you'll be charged twice.")
          : undefined,
        price && l10n.t('Price: {0}.', price.text),
        price?.hint,
      ),
      action: l10n.t('Resubmit'),
      stay: l10n.t('Wait'),
    }),
  forget: (row) =>
    confirm({
      title: l10n.t('Remove "{0}" from the list?', foreign(nameWords(row))),
      detail: row.batch
        ? l10n.t(
            "Inference Desk stops tracking the batch and removes its links to files and results. The batch and files aren't deleted.",
          )
        : row.job?.stage === 'unknown'
          ? l10n.t('The batch might still run at the service and be charged, but will no longer be tracked.')
          : l10n.t("Saved files aren't deleted."),
      action: l10n.t('Remove from List'),
      stay: l10n.t('Keep'),
    }),
  cleanUp: ({ row, files, isSaved }) =>
    confirm({
      title: l10n.t('Delete the files of "{0}" at the service?', foreign(nameWords(row))),
      detail: [
        l10n.t("Files to delete: {0}. This can't be undone.", files),
        isSaved
          ? l10n.t("Results on this machine aren't deleted.")
          : l10n.t("Some results aren't saved on this machine and will be lost."),
      ].join(' '),
      action: l10n.t('Delete'),
      stay: l10n.t('Keep'),
    }),
  async input(row) {
    const [uri] =
      (await vscode.window.showOpenDialog({
        title: l10n.t('Batch file of "{0}"', foreign(nameWords(row))),
        openLabel: l10n.t('Link'),
        filters: { [l10n.t('JSON Lines')]: ['jsonl'], [l10n.t('All Files')]: ['*'] },
      })) ?? [];
    return uri;
  },
};

interface Question {
  readonly title: string;
  readonly detail: string;
  readonly action: string;
  /** Label of the negative button. The editor's own "Cancel" would be mistaken for cancelling the batch. */
  readonly stay: string;
}

async function confirm({ title, detail, action, stay }: Question): Promise<boolean> {
  const yes = { title: action };
  const no = { title: stay, isCloseAffordance: true };
  return (await showMessage('warning', title, { modal: true, detail }, yes, no)) === yes;
}

/** Something of a batch at the service that can be deleted. */
interface Stored {
  readonly kind: 'input' | 'output' | 'errors' | 'batch';
  readonly id: string;
}

/** The confirmation before anything is deleted. */
interface CleanUpQuestion {
  readonly row: BatchRow;
  readonly files: string;
  /** Whether all results are on this machine. */
  readonly isSaved: boolean;
}

/**
 * Deletes what the service stores of a batch that has ended, after one question, and says what was deleted. Results on this machine stay.
 * An input file that a batch in progress still uses stays too.
 */
async function cleanUp(
  row: BatchRow,
  services: Services,
  ask: (question: CleanUpQuestion) => Promise<boolean>,
): Promise<void> {
  const { batch, job } = row;
  if (!batch || !isOver(batch)) return;
  const client = await clientOf(row, services);
  const stored = storedOf(row, client, services);
  if (stored.length === 0) {
    throw new UserError(
      l10n.t('No files to delete'),
      l10n.t('The service doesn\'t store any files for "{0}".', foreign(nameWords(row))),
    );
  }
  const isSaved = job !== undefined && (await isAllSaved(job));
  if (!(await ask({ row, files: namesOf(stored), isSaved }))) return;
  const deleted: Stored[] = [];
  const alreadyDeleted: Stored[] = [];
  for (const one of stored) {
    try {
      await (one.kind === 'batch' ? client.batches.delete({ id: one.id }) : client.files.delete({ id: one.id }));
      deleted.push(one);
    } catch (error) {
      if (isApiError(error) && error.kind === 'notFound') alreadyDeleted.push(one);
      else throw failureOf(error, deleted);
    }
  }
  await services.batchList.refresh().catch(() => undefined);
  const lines = [
    deleted.length > 0 && l10n.t('Deleted from the service: {0}.', namesOf(deleted)),
    alreadyDeleted.length > 0 && l10n.t('Already deleted: {0}.', namesOf(alreadyDeleted)),
  ].filter((text) => text !== false);
  void showMessage('information', lines.join(' '));
}

/** Returns a client of the account that made the batch, which need not be the active one. */
async function clientOf({ job }: BatchRow, services: Services): Promise<Client> {
  if (!job) return services.connections.client();
  return createJobConnection(services)(job).catch((error: unknown) => {
    throw accountError(error);
  });
}

/** Whether all downloaded results are still on this machine, unchanged. */
async function isAllSaved({ folder, stage, lastError, parts, ...whole }: BatchJob): Promise<boolean> {
  if (folder === undefined || stage !== 'ended' || lastError !== undefined) return false;
  const sizes: number[] = [];
  for (const { batch, fetched } of parts ?? [whole]) {
    for (const { kind } of batch ? sourcesOf(batch) : []) {
      const file = fetched?.[kind];
      if (!file) return false;
      sizes.push(file.bytes);
    }
  }
  return hasResults(folder, sizes).catch(() => false);
}

function storedOf(row: BatchRow, client: Client, services: Services): readonly Stored[] {
  const batches = batchesOf(row);
  if (client.batches.form !== 'file') return batches.map(({ id }): Stored => ({ kind: 'batch', id }));
  const used = inputsInUse(batches, services);
  const files = batches.flatMap(({ inputFileId, outputFileId, errorFileId }) => [
    { kind: 'input', id: inputFileId } as const,
    { kind: 'output', id: outputFileId } as const,
    { kind: 'errors', id: errorFileId } as const,
  ]);
  const known = new Set<string>();
  return files.flatMap(({ kind, id }) => {
    // An address has no file that is known by an ID.
    if (id === undefined || isAddress(id) || known.has(id) || (kind === 'input' && used.has(id))) return [];
    known.add(id);
    return [{ kind, id }];
  });
}

/** Returns the batches that the service has of a row: one for each part. */
function batchesOf({ batch, job }: BatchRow): readonly Batch[] {
  const parts = job?.parts?.flatMap((part) => part.batch ?? []) ?? [];
  return parts.length > 0 ? parts : batch ? [batch] : [];
}

/** Returns the input files of batches that have not ended. */
function inputsInUse(batches: readonly Batch[], { batchJobs, batchList }: Services): ReadonlySet<string> {
  const own = new Set(batches.map(({ id }) => id));
  const ofJobs = batchJobs.jobs.filter(({ stage }) => stage !== 'ended' && stage !== 'refused');
  const listed = batchList.state.items.filter((batch) => !own.has(batch.id) && !isOver(batch));
  const ids = [...ofJobs, ...listed].flatMap(({ inputFileId }) => inputFileId ?? []);
  return new Set(ids);
}

/** Returns an error that says what was deleted before it, and what a service without deletion can't do. */
function failureOf(error: unknown, deleted: readonly Stored[]): unknown {
  if (!isApiError(error)) return error;
  const before = deleted.length === 0 ? '' : l10n.t('Deleted before the error: {0}.', namesOf(deleted));
  if (error.kind === 'notOffered') {
    const elsewhere = l10n.t("Delete the files in the service's console.");
    return new UserError(
      l10n.t("This service doesn't support deleting files"),
      [elsewhere, before].filter(Boolean).join(' '),
    );
  }
  if (before === '') return error;
  return new UserError(l10n.t("Couldn't delete all files"), `${foreign(error.message)} ${before}`);
}

function namesOf(stored: readonly Stored[]): string {
  const names = {
    input: l10n.t('input file'),
    output: l10n.t('results'),
    errors: l10n.t('errors'),
    batch: l10n.t('requests and results'),
  } as const;
  return listText([...new Set(stored.map(({ kind }) => names[kind]))], vscode.env.language);
}
