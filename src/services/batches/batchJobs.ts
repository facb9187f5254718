import { join } from 'node:path';
import type * as vscode from 'vscode';
import type { Batch } from '../../core/api/batches/batches.schema';
import type { BatchJob } from '../../core/jobs/batch/batchJob';
import type { SubmitStep } from '../../core/jobs/batch/submitBatch';
import type { UnreadableJob } from '../../core/jobs/jobStore';
import type { Disposable } from '../../platform/disposables';
import type { JobSources } from '../jobs/jobSources';
import { createLazyRuntime } from '../../platform/lazyRuntime';

export type { BatchJob } from '../../core/jobs/batch/batchJob';

export interface NewBatchJob {
  /** Absolute. Left out only where `inputFileId` names what is not on this machine. */
  readonly path?: string;
  /** The active profile where absent. */
  readonly profileId?: string;
  /** An earlier upload of the same content, used again. */
  readonly inputFileId?: string;
  readonly completion_window: string;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly replace?: { readonly model: string };
  /** The id of the job whose failed and missing lines this one asks again. */
  readonly retryOf?: string;
  /** The folder of a retry, which gets its results. */
  readonly folder?: string;
  /** What was reviewed: where the file is another by now, nothing is sent. */
  readonly sha256?: string;
}

export interface BatchJobProgress {
  readonly signal?: AbortSignal;
  /** `done` of `total` bytes. */
  readonly onStep?: (step: SubmitStep, done?: number, total?: number) => void;
}

/**
 * The batches this machine follows, of all profiles and windows. What acts on a job throws `UserError` where it does not
 * apply, and `ApiError`; the words of a job's trouble are for the person.
 */
export interface BatchJobs extends Disposable {
  /** Resolves when `jobs` holds what is on disk. */
  ready(): Promise<void>;
  /** Newest first; empty before `ready`. */
  readonly jobs: readonly BatchJob[];
  /** Records that are left as they are: a newer version wrote them, or they are torn. */
  readonly unreadable: readonly UnreadableJob[];
  readonly onDidChange: vscode.Event<void>;
  /**
   * Resolves to the job as it stands then: `running`, `refused` where it certainly was not created, `unknown` where the
   * answer was lost. Rejects where nothing was sent that costs and nothing is kept: stopped, or the file cannot be taken.
   */
  submit(order: NewBatchJob, progress?: BatchJobProgress): Promise<BatchJob>;
  /** Follows one of the active profile that was not submitted here. */
  watch(batch: Batch): Promise<BatchJob>;
  /** Where another window is at it, waits for that at most `heldMs`. */
  checkNow(id: string, heldMs?: number): Promise<BatchJob>;
  cancel(id: string): Promise<BatchJob>;
  /** Again, or after a trouble. */
  fetchResults(id: string): Promise<BatchJob>;
  linkInput(id: string, path: string): Promise<BatchJob>;
  /** Only where it is `refused`, or `unknown` and the person decided. */
  createAgain(id: string, progress?: BatchJobProgress): Promise<BatchJob>;
  /** Its results stay where they are. */
  forget(id: string): Promise<void>;
}

/** After the start, which has other things to do. */
const firstLookMs = 5000;

/** Loads the engine at first use, or a while after the start where there are records. */
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
