import { retriesOf } from '../../../core/batch/results/retries';
import { listRunFolders, type KnownRuns, type RunFolder } from '../../../core/batch/results/runFolder';
import type { SubmissionSource } from '../../../services/batches/batches';
import { ownResultsRoot, resultsRoot } from '../../../services/batches/resultsRoot';
import type { Services } from '../../../services/services';

/** A retry of a run: its job, while known, and its folder, if there is one with results. */
export interface RunRetry extends SubmissionSource {
  readonly folder?: RunFolder;
}

/** The runs on this machine. Listed at each change of a job, so only those that changed are read again. */
export class Runs {
  private readonly known: KnownRuns = new Map();

  constructor(private readonly services: Services) {}

  /** Lists the runs in the configured folder and in the fallback folder for when that cannot be written, newest first. */
  async all(): Promise<readonly RunFolder[]> {
    const { context, settings } = this.services;
    const places = [...new Set([resultsRoot({ context, settings }), ownResultsRoot(context)])];
    const none = (): readonly RunFolder[] => [];
    const found = await Promise.all(places.map((place) => listRunFolders(place, this.known).catch(none)));
    return found.flat().toSorted((a, b) => b.run.createdAt - a.run.createdAt);
  }

  /** Oldest first. */
  async retriesOf(run: RunFolder): Promise<readonly RunRetry[]> {
    const { batchJobs } = this.services;
    await batchJobs();
    const folders = await retriesOf(run, await this.all());
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
}
