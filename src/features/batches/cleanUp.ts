import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Batch } from '../../core/api/batches/batches.schema';
import type { Client } from '../../core/api/client';
import { isApiError } from '../../core/api/errors';
import { hasResults } from '../../core/batch/results/runFolder';
import type { BatchJob } from '../../core/jobs/batch/batchJob';
import { isAddress, isOver, sourcesOf } from '../../core/jobs/batch/batchState';
import { foreign } from '../../core/text/foreignText';
import { UserError } from '../../platform/errors/userError';
import { showMessage } from '../../platform/notify';
import { listText } from '../../protocol/formats';
import type { BatchRow } from '../../services/batches/batches';
import { accountError, createJobConnection } from '../../services/jobs/jobs';
import type { Services } from '../../services/services';
import { nameWords } from './rowWords';

/** Something of a batch at the service that can be deleted. */
interface Stored {
  readonly kind: 'input' | 'output' | 'errors' | 'batch';
  readonly id: string;
}

/** What the user is asked before anything is deleted. */
export interface CleanUpQuestion {
  readonly row: BatchRow;
  readonly files: string;
  /** Whether all results are on this machine. */
  readonly isSaved: boolean;
}

/**
 * Deletes what the service stores of a batch that has ended, after one question, and says what was deleted. Results on this machine stay.
 * An input file that a batch in progress still uses stays too.
 */
export async function cleanUp(
  row: BatchRow,
  services: Services,
  ask: (question: CleanUpQuestion) => Promise<boolean>,
): Promise<void> {
  const { batch, job } = row;
  if (!batch || !isOver(batch)) return;
  const client = await clientOf(row, services);
  const stored = storedOf(row, client, services);
  if (stored.length === 0) {
    throw new UserError(l10n.t('No files to delete'), l10n.t('No files of "{0}" to delete.', foreign(nameWords(row))));
  }
  const isSaved = job !== undefined && (await isAllSaved(job));
  if (!(await ask({ row, files: namesOf(stored), isSaved }))) return;
  const deleted: Stored[] = [];
  const gone: Stored[] = [];
  for (const one of stored) {
    try {
      await (one.kind === 'batch' ? client.batches.delete({ id: one.id }) : client.files.delete({ id: one.id }));
      deleted.push(one);
    } catch (error) {
      if (isApiError(error) && error.kind === 'notFound') gone.push(one);
      else throw failureOf(error, deleted);
    }
  }
  await services.batchList.refresh().catch(() => undefined);
  const lines = [
    deleted.length > 0 && l10n.t('Deleted from the service: {0}.', namesOf(deleted)),
    gone.length > 0 && l10n.t('Already deleted: {0}.', namesOf(gone)),
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

/** Whether everything that was fetched is still on this machine, as it was fetched. */
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

/** Says what was deleted before the error, and what a service that deletes nothing cannot do. */
function failureOf(error: unknown, deleted: readonly Stored[]): unknown {
  if (!isApiError(error)) return error;
  const before = deleted.length === 0 ? '' : l10n.t('Deleted before that: {0}.', namesOf(deleted));
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
