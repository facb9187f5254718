import { parentPort, workerData } from 'node:worker_threads';
import type { CheckJob } from '../core/batch/job/checkJob';
import { runCheckJob } from '../core/batch/job/runCheckJob';
import { useTranslations } from '../core/batch/words/translate';

/** Runs in a worker thread: a job comes in with it, its news go out as messages, and cancelling ends the thread. */
const job = workerData as CheckJob;
useTranslations(job.translations);
await runCheckJob(job, (news) => parentPort?.postMessage(news));
