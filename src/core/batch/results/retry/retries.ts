import { lstat } from 'node:fs/promises';
import path from 'node:path';
import { makeFolder, makeNewFolder, reachOf } from '../../../files/privateFiles';
import type { ResultsRetry } from '../resultsSource';
import { listRunFolders, readRunFolder, resultPaths } from '../runFolder';
import type { RunFolder } from '../runFolder';
import { findSent } from '../sentCopy';

/** Within the folder of a run: a folder for each retry of it, by its number. */
const retriesName = 'retries';

/**
 * Makes the folder of the next retry of a run, in which its requests are kept and its results will be. One that was made before and never
 * sent is given again; `isSent` tells of one whether an order names it. Throws what the file system throws.
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

/** Nothing was done with it that `run.json` would tell. */
export async function isUnused(folder: string): Promise<boolean> {
  return (await isFolder(folder)) && (await readRunFolder(folder))?.isGuessed === true;
}

/** The folder of the run that the folder of a retry is in; `undefined` for another folder. */
export function runOfRetry(folder: string): string | undefined {
  const all = path.dirname(folder);
  return path.basename(all) === retriesName ? path.dirname(all) : undefined;
}

/** The retries of a run that have results or began to, oldest first. `others`: where those may be that have no place within it. */
export async function retriesOf(run: RunFolder, others: readonly RunFolder[]): Promise<readonly RunFolder[]> {
  const all = path.join(run.path, retriesName);
  const retries = (await isFolder(all)) ? [...(await listRunFolders(all))] : [];
  const family = [run, ...retries];
  for (const one of family) {
    const known = new Set(family.map(({ path: at }) => at));
    family.push(...others.filter((other) => !known.has(other.path) && isRetryOf(other, one)));
  }
  return family.slice(1).toSorted((a, b) => a.run.createdAt - b.run.createdAt);
}

/** As it says itself, or as the one that it retries says of the file that it asked. */
export function isRetryOf({ run }: RunFolder, other: RunFolder): boolean {
  const { jobId, retries = [] } = other.run;
  if (run.retryOf !== undefined) return run.retryOf === other.path || run.retryOf === jobId;
  const { sha256 = '' } = run.input ?? {};
  return sha256 !== '' && retries.some((retry) => retry.sha256 === sha256 && retry.createdAt <= run.createdAt);
}

/** Those that are no retry of another: a retry is shown with the run that it retries. */
export function withoutRetries(runs: readonly RunFolder[]): readonly RunFolder[] {
  return runs.filter((one) => !runs.some((other) => other !== one && isRetryOf(one, other)));
}

/** The files of a retry, as they are read beside those of its run. */
export async function retrySource(retry: RunFolder): Promise<ResultsRetry> {
  const { outputs, errors } = await resultPaths(retry);
  const input = await findSent(retry.path);
  return { at: retry.run.createdAt, outputs, errors, ...(input !== undefined && { input }) };
}

/** A link may lead to anybody's files. */
async function isFolder(at: string): Promise<boolean> {
  return (await lstat(at).catch(() => undefined))?.isDirectory() ?? false;
}
