import * as l10n from '@vscode/l10n';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { isRetryOf, runOfRetry } from '../../../core/batch/results/retries';
import { readRunFolder } from '../../../core/batch/results/runFolder';
import { batchRowOf } from '../../../services/batches/batches';
import { UserError } from '../../../platform/errors/userError';
import type { Services } from '../../../services/services';
import { keyOf, readTarget, type ResultsTarget } from '../logic/resultsTarget';
import type { Runs } from '../logic/runs';

/**
 * Resolves a command's argument: a row of the Batches view, a job ID, a run's folder, or a result file (path or URI), or a target. A retry
 * resolves to the run it retries. Returns `undefined` without an argument. Throws `UserError` without results.
 */
export async function findTarget(services: Services, runs: Runs, of: unknown): Promise<ResultsTarget | undefined> {
  const found = await targetOf(services, of);
  return found && retriedRun(services, runs, found);
}

/**
 * Returns the original run of a retry, however often it was retried, because that run shows the results. Returns any other target
 * unchanged.
 */
async function retriedRun(services: Services, runs: Runs, target: ResultsTarget): Promise<ResultsTarget> {
  const seen = new Set<string>();
  let run = target;
  for (
    let next: ResultsTarget | undefined = target;
    next && !seen.has(keyOf(next));
    next = await before(services, runs, next)
  ) {
    seen.add(keyOf(next));
    run = next;
  }
  return run;
}

async function before({ batchJobs }: Services, runs: Runs, target: ResultsTarget): Promise<ResultsTarget | undefined> {
  if (target.kind === 'files') return undefined;
  const { jobs } = await batchJobs();
  const folder = target.kind === 'folder' ? await readRunFolder(target.folder) : undefined;
  const above = folder && runOfRetry(folder.path);
  if (above !== undefined && (await isRun(above))) return { kind: 'folder', folder: above };
  const id = target.kind === 'job' ? target.jobId : folder?.run.jobId;
  const of = jobs.find((job) => job.id === id)?.retryOf ?? folder?.run.retryOf;
  if (of !== undefined && path.isAbsolute(of)) return (await isRun(of)) ? { kind: 'folder', folder: of } : undefined;
  const inPlace = jobs.find((job) => job.id === of)?.folder;
  if (inPlace !== undefined && (await isRun(inPlace))) return { kind: 'folder', folder: inPlace };
  const all = of !== undefined || folder ? await runs.all() : [];
  const found = all.find((one) => (folder ? isRetryOf(folder, one) && one.path !== folder.path : one.run.jobId === of));
  return found && { kind: 'folder', folder: found.path };
}

async function isRun(folder: string): Promise<boolean> {
  return (await readRunFolder(folder))?.isGuessed === false;
}

async function targetOf(services: Services, of: unknown): Promise<ResultsTarget | undefined> {
  const known = readTarget(of);
  if (known) return known;
  const row = batchRowOf(of);
  if (row) return targetOfRow(services, row);
  if (of instanceof vscode.Uri) return targetOfPath(of.fsPath);
  if (typeof of !== 'string') return undefined;
  return path.isAbsolute(of) ? targetOfPath(of) : targetOfJob(services, of);
}

async function targetOfRow(
  { batchJobs }: Services,
  { job, batch }: NonNullable<ReturnType<typeof batchRowOf>>,
): Promise<ResultsTarget> {
  if (job) return targetOfKnown(job.id, job.folder);
  if (!batch) throw gone();
  // A batch that was not submitted here is tracked from now on, so that its results are downloaded.
  const followed = await (await batchJobs()).watch(batch);
  return targetOfKnown(followed.id, followed.folder);
}

async function targetOfJob({ batchJobs }: Services, id: string): Promise<ResultsTarget> {
  const job = (await batchJobs()).jobs.find((one) => one.id === id || one.batch?.id === id);
  if (!job) throw gone();
  return targetOfKnown(job.id, job.folder);
}

/** Uses the folder if there is one, because it does not depend on whether the job is still known. */
function targetOfKnown(jobId: string, folder: string | undefined): ResultsTarget {
  return folder === undefined ? { kind: 'job', jobId } : { kind: 'folder', folder };
}

async function targetOfPath(at: string): Promise<ResultsTarget> {
  const found = await stat(at).catch(() => undefined);
  if (!found) throw gone();
  if (found.isDirectory()) return { kind: 'folder', folder: at };
  const folder = path.dirname(at);
  const run = await readRunFolder(folder);
  return run && !run.isGuessed ? { kind: 'folder', folder } : { kind: 'files', results: [at] };
}

function gone(): UserError {
  return new UserError(
    l10n.t('These results no longer exist'),
    l10n.t('No results here. Find the batch in the Batches view.'),
  );
}
