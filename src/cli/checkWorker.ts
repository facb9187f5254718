import { parentPort, workerData } from 'node:worker_threads';
import type { CheckJob } from '../core/batch/job/checkJob';
import { runCheckJob } from '../core/batch/job/runCheckJob';
import { useTranslations } from '../core/text/useTranslations';

/** Runs in a worker thread: takes its job from `workerData` and posts its events as messages. To cancel it, terminate the thread. */
const job = workerData as CheckJob;
useTranslations(job.translations);
await runCheckJob(job, (news) => parentPort?.postMessage(news));
