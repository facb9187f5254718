import { lstat } from 'node:fs/promises';
import path from 'node:path';
import { makeFolder, makeNewFolder, reachOf } from '../../storage/privateFiles';
import type { ResultsRetry } from './resultsSource';
import { listRunFolders, readRunFolder, resultPaths } from './runFolder';
import type { KnownRuns, RunFolder } from './runFolder';
import { findSent } from './sentLines';

/** The folder in a run's folder that has a numbered folder for each of its retries. */
const retriesName = 'retries';

/**
 * Creates the folder of a run's next retry, for its requests and its results. Returns an earlier one if that was never sent. `isSent` says
 * whether a job refers to a folder. Throws file system errors.
 */
export async function makeRetryFolder(run: string, isSent: (folder: string) => boolean): Promise<string> {
  const reach = await reachOf(run);
  const all = path.join(run, retriesName);
  await makeFolder(all, reach);
  if (!(await isFolder(all))) throw Object.assign(new Error(`ELOOP: it is a link, mkdir '${all}'`), { code: 'ELOOP' });
  for (let number = 1; ; number++) {
    const folder = path.join(all, String(number));
    if ((await makeNewFolder(folder, reach)) || (!isSent(folder) && (await isUnused(folder)))) return folder;
  }
}

/** Whether a folder exists without a readable `run.json`, so that it hasn't been used. */
export async function isUnused(folder: string): Promise<boolean> {
  return (await isFolder(folder)) && (await readRunFolder(folder))?.isGuessed === true;
}

/** Returns the folder of the run that a retry's folder is in; `undefined` for other folders. */
export function runOfRetry(folder: string): string | undefined {
  const all = path.dirname(folder);
  return path.basename(all) === retriesName ? path.dirname(all) : undefined;
}

/**
 * Returns the retries of a run that have results or were started, oldest first. `others` are runs that may be retries but are not
 * in its folder.
 */
export async function retriesOf(run: RunFolder, others: readonly RunFolder[]): Promise<readonly RunFolder[]> {
  const family = [run, ...(await retryFoldersOf(run))];
  for (const one of family) {
    const known = new Set(family.map(({ path: at }) => at));
    for (const other of others) if (!known.has(other.path) && isRetryOf(other, one)) family.push(other);
  }
  return family.slice(1).toSorted((a, b) => a.run.createdAt - b.run.createdAt);
}

/** Returns the retries in the folder of a run. `known`: see `listRunFolders`. */
export async function retryFoldersOf(run: RunFolder, known?: KnownRuns): Promise<readonly RunFolder[]> {
  const all = path.join(run.path, retriesName);
  return (await isFolder(all)) ? listRunFolders(all, known) : [];
}

/** Whether a run is a retry of another: by its own `retryOf`, else by the retry files that the other one recorded. */
export function isRetryOf({ run }: RunFolder, other: RunFolder): boolean {
  const { jobId, retries = [] } = other.run;
  if (run.retryOf !== undefined) return run.retryOf === other.path || run.retryOf === jobId;
  const { sha256 = '' } = run.input ?? {};
  return sha256 !== '' && retries.some((retry) => retry.sha256 === sha256 && retry.createdAt <= run.createdAt);
}

/** Returns the runs that are not a retry of another: a retry is shown with the run that it retries. */
export function withoutRetries(runs: readonly RunFolder[]): readonly RunFolder[] {
  return runs.filter((one) => !runs.some((other) => other !== one && isRetryOf(one, other)));
}

/** Returns the files of a retry, to be read with those of its run. */
export async function retrySource(retry: RunFolder): Promise<ResultsRetry> {
  const { outputs, errors } = await resultPaths(retry);
  const input = await findSent(retry.path);
  return { at: retry.run.createdAt, outputs, errors, ...(input !== undefined && { input }) };
}

/** A link may point to anyone's files. */
async function isFolder(at: string): Promise<boolean> {
  return (await lstat(at).catch(() => undefined))?.isDirectory() ?? false;
}
