import type { Batch } from '../../api/batches/batches.schema';
import { seen } from './askBatch';
import { jobKey } from './batchJob';
import type { BatchJob, BatchJobRequest, JobInput } from './batchJob';
import { isOver } from './batchState';
import { realLocation } from '../../workspace/realLocation';
import { RequestProblem } from '../requestProblem';
import { readInput } from './readInput';
import type { SubmitProgress } from './submitBatch';

export interface NewBatch extends BatchJobRequest {
  /** Absolute. Left out only where `inputFileId` names what is not on this machine. */
  readonly path?: string;
  readonly profileId: string;
  readonly baseUrl: string;
  /** An earlier upload of the same content. */
  readonly inputFileId?: string;
  readonly retryOf?: string;
  /** Absolute: the folder of a retry, which gets its results unless it has others by now. */
  readonly folder?: string;
  /** As of `BatchJob`. */
  readonly resultsRoot?: string;
  /** What was reviewed: where the file is another by now, nothing is sent. */
  readonly sha256?: string;
}

/** The file as it is, which is what was reviewed. `undefined` where it is not on this machine. */
export async function readOrder(
  { path, sha256 }: NewBatch,
  { signal, onStep }: SubmitProgress,
): Promise<JobInput | undefined> {
  if (path === undefined) return undefined;
  const input = await readInput(path, {
    ...(signal && { signal }),
    onProgress: (done, total) => onStep?.('reading', done, total),
  });
  if (sha256 !== undefined && sha256 !== input.sha256) throw new RequestProblem('inputChanged');
  return input;
}

/** The record of a batch that was ordered elsewhere. */
export function adopted(
  batch: Batch,
  { id, now, ...from }: Pick<BatchJob, 'id' | 'profileId' | 'baseUrl' | 'resultsRoot'> & { readonly now: () => number },
): BatchJob {
  const { [jobKey]: _, ...metadata } = batch.metadata;
  const { resultsRoot } = from;
  const job: BatchJob = {
    ...from,
    ...(resultsRoot !== undefined && { realRoot: realLocation(resultsRoot) }),
    id,
    createdAt: batch.createdAt === undefined ? now() : batch.createdAt * 1000,
    stage: 'running',
    order: { completion_window: batch.completionWindow ?? '', metadata },
    ...(batch.inputFileId !== undefined && { inputFileId: batch.inputFileId }),
    // Of what was over already there is no news.
    ...(isOver(batch) && { toldEndAt: now() }),
  };
  return { ...job, ...(seen(job, batch, { now }) as Partial<BatchJob>) };
}

/** The record of an order of which nothing was sent yet. */
export function newJob(
  order: NewBatch,
  {
    input,
    sent,
    ...known
  }: Pick<BatchJob, 'id' | 'createdAt'> & { readonly input: JobInput | undefined; readonly sent: string | undefined },
): BatchJob {
  const { profileId, baseUrl, completion_window, metadata, replace, inputFileId, retryOf, folder, resultsRoot } = order;
  return {
    ...known,
    ...(input && { input }),
    ...(sent !== undefined && { sent }),
    profileId,
    baseUrl,
    stage: 'preparing',
    order: { completion_window, ...(metadata && { metadata }), ...(replace && { replace }) },
    ...(inputFileId !== undefined && { inputFileId, ownsUpload: false }),
    ...(retryOf !== undefined && { retryOf }),
    ...(folder !== undefined && { folder, realFolder: realLocation(folder) }),
    ...(resultsRoot !== undefined && { resultsRoot, realRoot: realLocation(resultsRoot) }),
  };
}

/** Where the service said that it does not have the uploaded file any more, the job needs another upload. */
export function withoutLostUpload(job: BatchJob): BatchJob {
  const { parameter, message = '' } = job.trouble?.error ?? {};
  if (!job.input || (parameter !== 'input_file_id' && !/no such file/i.test(message))) return job;
  const { inputFileId: _, ownsUpload: __, ...rest } = job;
  return rest;
}
