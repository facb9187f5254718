import type { Batch } from '../../api/batches/batches.schema';
import { seen } from './askBatch';
import { jobKey } from './batchJob';
import type { BatchJob, BatchJobRequest, JobInput } from './batchJob';
import { isOver } from './batchState';
import type { JobError, JobOwner } from '../job';
import { realLocation } from '../../workspace/realLocation';
import { RequestProblem } from '../requestProblem';
import { readInput } from './readInput';
import type { SubmitProgress } from './submitBatch';

export interface NewBatch extends BatchJobRequest, JobOwner {
  /** Absolute. Omitted only if `inputFileId` names a file that is not on this machine. */
  readonly path?: string;
  /** An earlier upload of the same content. */
  readonly inputFileId?: string;
  readonly retryOf?: string;
  /** Absolute: the folder of a retry, which receives its results unless it has others by then. */
  readonly folder?: string;
  /** As in `BatchJob`. */
  readonly resultsRoot?: string;
  /** The most tokens of requests that the account may have waiting at the service, if the user set it. */
  readonly enqueuedTokens?: number;
  /** The limits that the service stated for batches of the account, and tokens by model. */
  readonly stated?: {
    readonly requests?: number;
    readonly bytes?: number;
    readonly enqueuedTokens: (model: string) => number | undefined;
  };
  /** Hash of the reviewed file: if the file has changed, nothing is sent. */
  readonly sha256?: string;
}

/** Reads the file, which must be the reviewed one. Resolves with `undefined` if it is not on this machine. */
export async function readSubmission(
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

/** Returns the record of a batch created elsewhere. */
export function adopted(
  batch: Batch,
  { id, now, ...from }: JobOwner & { readonly id: string; readonly resultsRoot?: string; readonly now: () => number },
): BatchJob {
  const { [jobKey]: _, ...metadata } = batch.metadata;
  const { resultsRoot } = from;
  const job: BatchJob = {
    ...from,
    ...(resultsRoot !== undefined && { realRoot: realLocation(resultsRoot) }),
    id,
    createdAt: batch.createdAt === undefined ? now() : batch.createdAt * 1000,
    stage: 'running',
    options: { completion_window: batch.completionWindow ?? '', metadata },
    ...(batch.inputFileId !== undefined && { inputFileId: batch.inputFileId }),
    // No notice for a batch that had already ended.
    ...(isOver(batch) && { toldEndAt: now() }),
  };
  return { ...job, ...(seen(job, batch, now()) as Partial<BatchJob>) };
}

/** Returns the record of a job of which nothing was sent yet. */
export function newJob(
  submission: NewBatch,
  {
    input,
    sent,
    ...known
  }: {
    readonly id: string;
    readonly createdAt: number;
    readonly input: JobInput | undefined;
    readonly sent: string | undefined;
  },
): BatchJob {
  const { profileId, baseUrl, completion_window, metadata, replace, inputFileId, retryOf, folder, resultsRoot } =
    submission;
  const { client } = submission;
  return {
    ...known,
    ...(input && { input }),
    ...(sent !== undefined && { sent }),
    profileId,
    baseUrl,
    ...(client && { client }),
    stage: 'preparing',
    options: { completion_window, ...(metadata && { metadata }), ...(replace && { replace }) },
    ...(inputFileId !== undefined && { inputFileId, ownsUpload: false }),
    ...(retryOf !== undefined && { retryOf }),
    ...(folder !== undefined && { folder, realFolder: realLocation(folder) }),
    ...(resultsRoot !== undefined && { resultsRoot, realRoot: realLocation(resultsRoot) }),
  };
}

/** Removes the upload from a job if the service reported that it no longer has the file, so that it is uploaded again. */
export function withoutLostUpload(job: BatchJob): BatchJob {
  const { inputFileId, ownsUpload: _, ...rest } = job;
  const { kind, error } = job.lastError ?? {};
  const isLost = kind === 'fileUnseen' || (error !== undefined && isOfLostFile(error, inputFileId));
  return job.input && isLost ? rest : job;
}

/** How services say that they do not have a file. */
const lostFileWords = new RegExp(
  [
    // The public service and OpenAI; VoyageAI, LiteLLM and other gateways
    String.raw`\bno such (input )?file\b`,
    String.raw`(\bfile|file_id)\b.{0,120}(\bnot (be )?(found|exist)|n['’]t exist|\bno longer|\bdeleted|\bexpired)`,
    String.raw`(\bnot|n['’]t|\bunable to|\bfailed to) (find|locate|retrieve) .{0,40}(\bfile|file_id)\b`,
    String.raw`\binvalid .{0,20}\bfile.?id\b`,
    // Still being processed
    String.raw`\bfile\b.{0,80}\b(not (yet )?(ready|processed|available)|(still|being) process)`,
  ].join('|'),
  'i',
);

/** Whether a service rejected a batch because it does not have its file, or not yet. */
export function isOfLostFile({ kind, parameter, message }: JobRefusal, fileId: string | undefined): boolean {
  if (kind !== 'badRequest' && kind !== 'notFound') return false;
  const isNamed = parameter === 'input_file_id' || (fileId !== undefined && message.includes(fileId));
  return isNamed || lostFileWords.test(message);
}

type JobRefusal = NonNullable<JobError['error']>;
