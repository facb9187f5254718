import { rm } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import type { CheckJob, CheckProgress } from './checkJob';

export interface WorkerRun {
  /** The script that the thread runs. */
  readonly program: string;
  readonly job: CheckJob;
  readonly onEvent: (news: CheckProgress) => void;
  readonly signal: AbortSignal;
}

/**
 * Runs a job in a worker thread. Resolves once the job has ended. Rejects with the signal's reason if canceled at any point, or
 * with the cause if the thread fails; both parts of the report are then deleted. Either way, the thread no longer runs.
 */
export async function checkInWorker({ program, job, onEvent, signal }: WorkerRun): Promise<void> {
  signal.throwIfAborted();
  // Without the host's own arguments, such as a debugger's.
  const worker = new Worker(program, { workerData: job, execArgv: [] });
  let cancel = () => {};
  const ended = new Promise<void>((resolve, reject) => {
    cancel = () => reject(signal.reason);
    worker.on('message', (news: CheckProgress) => {
      if (signal.aborted) return;
      onEvent(news);
      if (news.kind === 'end') resolve();
    });
    worker.on('error', reject);
    worker.on('exit', (code) => reject(new Error(`The thread ended with code ${code} before its work was done.`)));
  });
  signal.addEventListener('abort', cancel);
  try {
    await ended;
  } catch (error) {
    await worker.terminate();
    for (const file of [job.report, `${job.report}.part`]) await rm(file, { force: true });
    throw error;
  } finally {
    signal.removeEventListener('abort', cancel);
    await worker.terminate();
  }
}
