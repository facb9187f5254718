import type * as vscode from 'vscode';
import { HeldElsewhere } from '../../core/files/leases';
import type { Job, JobError } from '../../core/jobs/job';
import { RequestProblem } from '../../core/jobs/requestProblem';
import type { RequestProblemKind } from '../../core/jobs/requestProblem';
import { DisposableStore } from '../../platform/disposables';
import type { UserError } from '../../platform/errors/userError';

export interface JobMessages<J extends Job> {
  readonly troubleText: (trouble: JobError, job: J) => string;
  /** The job was held by another window longer than the maximum wait. */
  readonly busyError: () => UserError;
  readonly problemError: (kind: RequestProblemKind) => UserError;
}

/** Jobs and operations on them, with localized errors. */
export interface LocalizedJobs<J extends Job> {
  /** Returns the same array for the same list. */
  readonly all: (jobs: readonly J[]) => readonly J[];
  readonly run: (work: () => Promise<J>) => Promise<J>;
}

export function createLocalizedJobs<J extends Job>({
  troubleText,
  busyError,
  problemError,
}: JobMessages<J>): LocalizedJobs<J> {
  const known = new WeakMap<J, J>();
  const lists = new WeakMap<readonly J[], readonly J[]>();
  const words = (job: J): J => {
    const { trouble } = job;
    if (!trouble) return job;
    const worded = known.get(job) ?? { ...job, trouble: { ...trouble, message: troubleText(trouble, job) } };
    known.set(job, worded);
    return worded;
  };
  return {
    all(jobs) {
      const worded = lists.get(jobs) ?? jobs.map(words);
      lists.set(jobs, worded);
      return worded;
    },
    async run(work) {
      try {
        return words(await work());
      } catch (error) {
        if (error instanceof HeldElsewhere) throw busyError();
        throw error instanceof RequestProblem ? problemError(error.kind) : error;
      }
    },
  };
}

/** Resolves with the job once `isOver` returns true. Rejects if the job no longer exists. */
export async function whenJob<J extends Job>(
  engine: { readonly jobs: readonly J[] },
  id: string,
  {
    isOver,
    onDidChange,
    signal,
  }: {
    readonly isOver: (job: J) => boolean;
    readonly onDidChange: vscode.Event<void>;
    readonly signal?: AbortSignal | undefined;
  },
): Promise<J> {
  const store = new DisposableStore();
  try {
    return await new Promise<J>((resolve, reject) => {
      const look = () => {
        const job = engine.jobs.find((one) => one.id === id);
        if (!job) reject(new RequestProblem('noSuchJob'));
        else if (isOver(job)) resolve(job);
      };
      const stop = () => reject(signal?.reason);
      store.add(onDidChange(look));
      if (signal?.aborted) stop();
      signal?.addEventListener('abort', stop);
      store.add({ dispose: () => signal?.removeEventListener('abort', stop) });
      look();
    });
  } finally {
    store.dispose();
  }
}
