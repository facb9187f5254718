import { join } from 'node:path';
import type { Batch } from '../../core/api/batches/batches.schema';
import { batchEndpoints } from '../../core/api/errors';
import type { BatchJob } from '../../core/jobs/batch/batchJob';
import type { SubmitStep } from '../../core/jobs/batch/submitBatch';
import type { Disposable, DisposableStore } from '../../platform/disposables';
import type { JobSources } from '../jobs/jobs';
import { createLazyJobs } from '../jobs/lazyJobs';
import type { KnownJobs, LazyJobs } from '../jobs/lazyJobs';
import type { Connections, CurrentAccount, Profiles } from '../account/account';
import { createRemoteList } from '../lists/remoteList';
import type { RemoteList } from '../lists/remoteList';
import * as vscode from 'vscode';
import type { LearnedCost, UnmeasuredCost } from '../../core/account/costs';
import { itemOfRow } from '../../platform/listRow';

/** Whether the account's service was found not to offer batches. Without files there are none. */
export function lacksBatches(account: CurrentAccount): boolean {
  return account.lacks(...batchEndpoints);
}

export type { BatchJob } from '../../core/jobs/batch/batchJob';

export interface NewBatchJob {
  /** Absolute. Absent only if `inputFileId` names a file that is not on this machine. */
  readonly path?: string;
  /** The active profile if absent. */
  readonly profileId?: string;
  /** An earlier upload of the same content, to reuse. */
  readonly inputFileId?: string;
  readonly completion_window: string;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly replace?: { readonly model: string };
  /** Id of the job whose failed and missing lines this one retries. */
  readonly retryOf?: string;
  /** The folder of a retry, which receives its results. */
  readonly folder?: string;
  /** Hash of the reviewed file: if the file has changed since, nothing is sent. */
  readonly sha256?: string;
}

export interface BatchJobProgress {
  readonly signal?: AbortSignal;
  /** `done` of `total` bytes. */
  readonly onStep?: (step: SubmitStep, done?: number, total?: number) => void;
}

/**
 * The batches followed on this machine, of all profiles and windows. Operations on a job throw `UserError` if they do not apply, and
 * `ApiError`.
 */
export interface BatchJobs extends KnownJobs<BatchJob>, Disposable {
  /** Reads what other windows wrote. */
  refresh(): Promise<void>;
  /**
   * Resolves to the job in its new state: `running`, `refused` if it was certainly not created, `unknown` if the response was lost. Rejects
   * if no paid request was sent and nothing is saved: it was stopped, or the file isn't acceptable.
   */
  submit(submission: NewBatchJob, progress?: BatchJobProgress): Promise<BatchJob>;
  /** Follows a batch of the active profile that was not submitted here. */
  watch(batch: Batch): Promise<BatchJob>;
  /** If another window holds the job, waits for it for at most `heldMs`. */
  checkNow(id: string, heldMs?: number): Promise<BatchJob>;
  cancel(id: string): Promise<BatchJob>;
  /** Fetches the results again, or after an error. */
  fetchResults(id: string): Promise<BatchJob>;
  linkInput(id: string, path: string): Promise<BatchJob>;
  /** Only if it is `refused`, or `unknown` and the user decided to. */
  createAgain(id: string, progress?: BatchJobProgress): Promise<BatchJob>;
  /** Its results are not deleted. */
  forget(id: string): Promise<void>;
}

/** Delay after activation, which has other work to do. */
const firstLookMs = 5000;

/** The batch jobs, loaded on first use. */
export type LazyBatchJobs = LazyJobs<BatchJob, BatchJobs>;

export function createBatchJobs(sources: JobSources, store: DisposableStore): LazyBatchJobs {
  const folder = join(sources.context.globalStorageUri.fsPath, 'jobs');
  const batchJobs = createLazyJobs<BatchJob, BatchJobs>(store, {
    open: async (onChange) => (await import('./batchJobs')).openBatchJobs(sources, folder, onChange),
    folder,
    firstLookMs,
    onError: (error) => sources.log.warn(`Batches: ${String(error)}`),
  });
  sources.costs.consider(batchJobs);
  return batchJobs;
}

/** The batches of the active profile as listed by the service: one list shared by all consumers. */
export type BatchList = RemoteList<Batch>;

export function createBatchList(services: {
  readonly profiles: Profiles;
  readonly connections: Connections;
}): BatchList {
  const { profiles, connections } = services;
  return createRemoteList<Batch>({
    profiles,
    async load(rounds, signal) {
      const { listBatches } = await import('../../core/api/batches/listBatches');
      return listBatches((await connections.client()).batches, rounds, signal);
    },
  });
}

/** A run whose answers the lines of a batch file show. The counts are set once its results have been read. */
export interface ShownRunFacts {
  readonly folder: string;
  readonly answered?: number;
  readonly requests?: number;
  /** Requests without a response that can be sent again. */
  readonly open?: number;
}

/** The runs whose answers are shown at the lines of batch files: set where runs are read, read where files are shown. */
export class ShownRuns implements Disposable {
  private runs: ReadonlyMap<string, ShownRunFacts> = new Map();
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.changed.event;

  of({ scheme, fsPath }: vscode.Uri): ShownRunFacts | undefined {
    return scheme === 'file' ? this.runs.get(fsPath) : undefined;
  }

  /** Replaces the runs shown so far. By path of the batch file. */
  show(runs: ReadonlyMap<string, ShownRunFacts>): void {
    this.runs = runs;
    this.changed.fire();
  }

  dispose(): void {
    this.changed.dispose();
  }
}

/** A row of the Batches view: a batch at the service, a job recorded here, or both. */
export interface BatchRow extends SubmissionSource {
  /** Id of the job, else of the batch. */
  readonly key: string;
  readonly batch?: Batch;
  /** The service of a batch that has no job here. */
  readonly baseUrl?: string;
  /** Retries of its failed and missing requests, oldest first. */
  readonly retries?: readonly BatchRow[];
  readonly cost?: LearnedCost | UnmeasuredCost;
}

/** Something with its job, if that is recorded here. */
export interface SubmissionSource {
  readonly job?: BatchJob;
}

/** Returns the row that a menu of the Batches view passed, or `undefined` for anything else. */
export function batchRowOf(row: unknown): BatchRow | undefined {
  const item = itemOfRow(row);
  return typeof item === 'object' && item !== null && 'key' in item ? (item as BatchRow) : undefined;
}
