import { rm } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import type { CheckJob, CheckProgress } from './checkJob';

export interface WorkerRun {
  /** The program that runs in the thread. */
  readonly program: string;
  readonly job: CheckJob;
  readonly onNews: (news: CheckProgress) => void;
  readonly signal: AbortSignal;
}

/**
 * Runs a job in a thread of its own. Resolves when it ended; then, and when it rejects, nothing of it runs any more.
 * Rejects with the signal's reason when cancelled, wherever it is, and with what broke it where the thread did not
 * come to its end; no part of a report is left then.
 */
export async function checkInWorker({ program, job, onNews, signal }: WorkerRun): Promise<void> {
  signal.throwIfAborted();
  // The host's own arguments, such as those of a debugger, are not for it.
  const worker = new Worker(program, { workerData: job, execArgv: [] });
  let cancel = () => {};
  const ended = new Promise<void>((resolve, reject) => {
    cancel = () => reject(signal.reason);
    worker.on('message', (news: CheckProgress) => {
      if (signal.aborted) return;
      onNews(news);
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
