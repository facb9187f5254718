import { join } from 'node:path';
import type * as vscode from 'vscode';
import type { Batch } from '../../core/api/batches/batches.schema';
import type { BatchJob } from '../../core/jobs/batch/batchJob';
import type { SubmitStep } from '../../core/jobs/batch/submitBatch';
import type { UnreadableJob } from '../../core/jobs/jobStore';
import type { Disposable } from '../../platform/disposables';
import type { JobSources } from '../jobs/jobs';
import { createLazyRuntime } from '../../platform/lazyRuntime';

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
 * `ApiError`; a job's error message is localized.
 */
export interface BatchJobs extends Disposable {
  /** Resolves once `jobs` reflects what is on disk. */
  ready(): Promise<void>;
  /** Newest first; empty before `ready`. */
  readonly jobs: readonly BatchJob[];
  /** Records that are left unchanged because a newer version wrote them or they are damaged. */
  readonly unreadable: readonly UnreadableJob[];
  readonly onDidChange: vscode.Event<void>;
  /**
   * Resolves with the job as it is then: `running`, `refused` if it was certainly not created, `unknown` if the response was lost. Rejects
   * if nothing was sent that costs and nothing is saved: it was stopped, or the file is not acceptable.
   */
  submit(order: NewBatchJob, progress?: BatchJobProgress): Promise<BatchJob>;
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

/** Loads the engine on first use, or some time after activation if there are records. */
export function createBatchJobs(options: JobSources): BatchJobs {
  const folder = join(options.context.globalStorageUri.fsPath, 'jobs');
  const runtime = createLazyRuntime({
    open: async (onChange) => {
      const { openBatchJobs } = await import('./batchJobsRuntime');
      return openBatchJobs({ ...options, folder, onChange });
    },
    folder,
    firstLookMs,
    onTrouble: (error) => options.log.warn(`Batches: ${String(error)}`),
  });
  const load = () => runtime.load();

  return {
    ready: () => runtime.ready(),
    get jobs() {
      return runtime.now?.jobs ?? [];
    },
    get unreadable() {
      return runtime.now?.unreadable ?? [];
    },
    onDidChange: runtime.onDidChange,
    submit: async (order, progress) => (await load()).submit(order, progress),
    watch: async (batch) => (await load()).watch(batch),
    checkNow: async (id, heldMs) => (await load()).checkNow(id, heldMs),
    cancel: async (id) => (await load()).cancel(id),
    fetchResults: async (id) => (await load()).fetchResults(id),
    linkInput: async (id, path) => (await load()).linkInput(id, path),
    createAgain: async (id, progress) => (await load()).createAgain(id, progress),
    forget: async (id) => (await load()).forget(id),
    dispose: () => runtime.dispose(),
  };
}
