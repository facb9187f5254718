import path from 'node:path';
import { isRetryOf, retriesOf, runOfRetry } from '../../../core/batch/results/retries';
import { listRunFolders, readRunFolder } from '../../../core/batch/results/runFolder';
import type { RunFolder } from '../../../core/batch/results/runFolder';
import type { Ordered } from '../../../services/batches/batches';
import { ownResultsRoot, resultsRoot } from '../../../services/batches/resultsRoot';
import type { Services } from '../../../services/services';
import { keyOf } from './resultsTarget';
import type { ResultsTarget } from './resultsTarget';

/** A retry of a run: its job, while known, and its folder, if there is one with results. */
export interface RunRetry extends Ordered {
  readonly folder?: RunFolder;
}

/** Lists the runs in the configured folder and in the fallback folder for when that cannot be written, newest first. */
export async function allRuns({ context, settings }: Services): Promise<readonly RunFolder[]> {
  const places = [...new Set([resultsRoot({ context, settings }), ownResultsRoot(context)])];
  const found = await Promise.all(places.map((place) => listRunFolders(place).catch((): readonly RunFolder[] => [])));
  return found.flat().toSorted((a, b) => b.run.createdAt - a.run.createdAt);
}

/** Oldest first. */
export async function retriesOfRun(services: Services, run: RunFolder): Promise<readonly RunRetry[]> {
  const { batchJobs } = services;
  await batchJobs.ready();
  const folders = await retriesOf(run, await allRuns(services));
  const family = new Set([run, ...folders].flatMap(({ path: at, run: { jobId } }) => [at, jobId]));
  const jobs = batchJobs.jobs.filter(({ retryOf }) => retryOf !== undefined && family.has(retryOf));
  const inFolders = folders.map((folder): RunRetry => {
    const job = jobs.find((one) => one.folder === folder.path || one.id === folder.run.jobId);
    return { folder, ...(job && { job }) };
  });
  const others = jobs.filter((job) => !inFolders.some((one) => one.job === job)).map((job): RunRetry => ({ job }));
  const createdAt = ({ job, folder }: RunRetry) => folder?.run.createdAt ?? job?.createdAt ?? 0;
  return [...inFolders, ...others].toSorted((a, b) => createdAt(a) - createdAt(b));
}

/**
 * Returns the original run of a retry, however often it was retried, because that run shows the results. Returns any other target
 * unchanged.
 */
export async function retriedRun(services: Services, target: ResultsTarget): Promise<ResultsTarget> {
  const seen = new Set<string>();
  let run = target;
  for (
    let next: ResultsTarget | undefined = target;
    next && !seen.has(keyOf(next));
    next = await before(next, services)
  ) {
    seen.add(keyOf(next));
    run = next;
  }
  return run;
}

async function before(target: ResultsTarget, services: Services): Promise<ResultsTarget | undefined> {
  if (target.kind === 'files') return undefined;
  const { batchJobs } = services;
  await batchJobs.ready();
  const folder = target.kind === 'folder' ? await readRunFolder(target.folder) : undefined;
  const above = folder && runOfRetry(folder.path);
  if (above !== undefined && (await isRun(above))) return { kind: 'folder', folder: above };
  const id = target.kind === 'job' ? target.jobId : folder?.run.jobId;
  const of = batchJobs.jobs.find((job) => job.id === id)?.retryOf ?? folder?.run.retryOf;
  if (of !== undefined && path.isAbsolute(of)) return (await isRun(of)) ? { kind: 'folder', folder: of } : undefined;
  const inPlace = batchJobs.jobs.find((job) => job.id === of)?.folder;
  if (inPlace !== undefined && (await isRun(inPlace))) return { kind: 'folder', folder: inPlace };
  const runs = of !== undefined || folder ? await allRuns(services) : [];
  const found = runs.find((one) =>
    folder ? isRetryOf(folder, one) && one.path !== folder.path : one.run.jobId === of,
  );
  return found && { kind: 'folder', folder: found.path };
}

async function isRun(folder: string): Promise<boolean> {
  return (await readRunFolder(folder))?.isGuessed === false;
}
