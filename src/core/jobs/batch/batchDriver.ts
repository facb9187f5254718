import type { Batch } from '../../api/batches/batches.schema';
import type { JobPatch } from '../job';
import type { JobDriver, StepTools } from '../jobDriver';
import { retrieve, seen } from './askBatch';
import { jobKey } from './batchJob';
import type { BatchJob } from './batchJob';
import { eachBatch } from './batchService';
import type { Connect } from './batchService';
import { expectsResults, hasEarlyResults, isOver, sourcesOf } from './batchState';
import { fetchResults } from './fetchResults';
import type { ResultsFolder } from './resultsFolder';

/** Creates the driver that follows a batch until its results are saved. */
export function createBatchDriver(connect: Connect, place: ResultsFolder): JobDriver<BatchJob> {
  return {
    async find(job, tools) {
      const service = await connect(job);
      const found: Batch[] = [];
      for await (const batch of eachBatch(service, tools.signal)) if (isOf(batch, job)) found.push(batch);
      const [batch] = found;
      if (!batch) return stillUnknown(job, tools);
      const patch = { ...seen(job, batch, tools), stage: 'running' } as const;
      if (found.length === 1) return patch;
      const message = found.map(({ id }) => id).join(', ');
      return { ...patch, trouble: { kind: 'startedTwice', message, at: tools.now() } };
    },

    async look(job, tools) {
      const service = await connect(job);
      const batch = await retrieve(service, job, tools.signal);
      return afterLook(job, batch, tools);
    },

    fetch: (job, tools) => fetchResults({ job, tools, connect, place }),
  };
}

/** A batch listed without metadata is recognized by its file, which no other batch has if it was uploaded for this job. */
function isOf(batch: Batch, job: BatchJob): boolean {
  const token = batch.metadata[jobKey];
  if (token !== undefined) return token === job.id;
  return job.ownsUpload === true && job.inputFileId !== undefined && batch.inputFileId === job.inputFileId;
}

function stillUnknown({ looks = 0, trouble }: BatchJob, { now }: StepTools<BatchJob>): JobPatch<BatchJob> {
  const at = trouble?.at ?? now();
  return {
    looks: looks + 1,
    checkedAt: now(),
    trouble: { message: 'No batch with its id is listed.', ...trouble, kind: 'answerLost', at },
  };
}

/** How often to check for result names, which may appear a little after the end. */
const looksForResults = 12;

function afterLook(job: BatchJob, batch: Batch, tools: StepTools<BatchJob>): JobPatch<BatchJob> {
  const patch = seen(job, batch, tools);
  if (hasEarlyResults(batch) && !isOver(batch))
    return hasNewSources(job, batch) ? { ...patch, stage: 'fetching' } : patch;
  if (!isOver(batch)) return patch;
  if (sourcesOf(batch).length > 0) return { ...patch, stage: 'fetching' };
  if (!expectsResults(batch)) return { ...patch, stage: 'ended' };
  const trouble = {
    kind: 'noResults',
    message: 'No result file is named.',
    at: job.trouble?.at ?? tools.now(),
  } as const;
  return (patch.looks ?? 0) < looksForResults ? { ...patch, trouble } : { ...patch, trouble, stage: 'ended' };
}

function hasNewSources({ fetched }: BatchJob, batch: Batch): boolean {
  return sourcesOf(batch).some(({ kind, name }) => fetched?.[kind]?.from !== name);
}
