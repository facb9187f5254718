import { stat } from 'node:fs/promises';
import { isApiError } from '../../api/errors';
import type { BatchRequest } from '../../api/batches/batches.schema';
import { RequestProblem } from '../requestProblem';
import { StepFailure } from '../job';
import type { JobError, JobErrorKind } from '../job';
import type { JobBoard } from '../jobBoard';
import { toJobError } from '../jobError';
import { seen } from './askBatch';
import { jobKey } from './batchJob';
import type { BatchJob, JobInput } from './batchJob';
import type { BatchService, Connect } from './batchService';

export type SubmitStep = 'reading' | 'uploading' | 'creating';

export interface SubmitProgress {
  readonly signal?: AbortSignal;
  /** `done` of `total` bytes. */
  readonly onStep?: (step: SubmitStep, done?: number, total?: number) => void;
}

export interface SubmitParts {
  readonly board: JobBoard<BatchJob>;
  readonly connect: Connect;
  readonly now: () => number;
}

const endpoint = '/v1/chat/completions';

/**
 * Uploads the file if necessary, and creates the batch. Resolves with the resulting job: `running`, `refused` if it certainly was not
 * created, `unknown` if the response was lost. Rejects if the signal aborted before the request that costs money was sent, or a
 * record could not be written. The caller must hold the job.
 */
export async function submitBatch(job: BatchJob, parts: SubmitParts, progress: SubmitProgress): Promise<BatchJob> {
  const { signal } = progress;
  let inputFileId = job.inputFileId;
  let service: BatchService;
  try {
    service = await parts.connect(job);
    inputFileId ??= await upload(service, job.input, parts, progress);
  } catch (error) {
    signal?.throwIfAborted();
    return refuse(job, parts, toTroubleOf(error, 'upload'));
  }
  signal?.throwIfAborted();
  const ownsUpload = job.ownsUpload ?? job.inputFileId === undefined;
  const sent = { stage: 'submitting', inputFileId, ownsUpload, trouble: undefined, triedAt: parts.now() } as const;
  let isOurs = false;
  const submitting = await parts.board.update(job.id, (current) => {
    // Another window took the job over while this one slept: its outcome is kept.
    isOurs = current.stage === job.stage && current.triedAt === job.triedAt;
    return isOurs ? sent : undefined;
  });
  if (!submitting || !isOurs) throw new RequestProblem('takenOver');
  progress.onStep?.('creating');
  return create(service, submitting, parts, signal);
}

async function create(
  service: BatchService,
  job: BatchJob,
  parts: SubmitParts,
  signal: AbortSignal | undefined,
): Promise<BatchJob> {
  const { board, now } = parts;
  try {
    const batch = await service.batches.create(requestOf(job), signal);
    const patch = { ...seen(job, batch, { now }), stage: 'running', triedAt: now(), changedAt: now() } as const;
    return (await board.update(job.id, () => patch)) ?? job;
  } catch (error) {
    const isOpen = !isApiError(error) || error.details.maybeBilled === true;
    if (!isOpen) return refuse(job, parts, toJobError(error, 'refused'));
    const trouble = { ...toJobError(error, 'answerLost'), at: now() };
    const unknown = { stage: 'unknown', trouble, triedAt: undefined, looks: 0, failures: undefined } as const;
    return (await board.update(job.id, () => unknown)) ?? job;
  }
}

function requestOf({ id, inputFileId = '', order }: BatchJob): BatchRequest {
  const { completion_window, metadata, replace } = order;
  return {
    input_file_id: inputFileId,
    endpoint,
    completion_window,
    metadata: { ...metadata, [jobKey]: id },
    ...(replace && { replace: { model: replace.model } }),
  };
}

async function upload(
  service: BatchService,
  input: JobInput | undefined,
  { now }: SubmitParts,
  { signal, onStep }: SubmitProgress,
): Promise<string> {
  if (!input) throw new StepFailure({ kind: 'input', message: 'No input file is known.' });
  const found = await stat(input.path).catch((error: Error) => {
    throw new StepFailure({ kind: 'input', message: error.message }, { cause: error });
  });
  if (found.size !== input.bytes) {
    throw new StepFailure({ kind: 'input', message: `It has ${found.size} bytes now, it had ${input.bytes}.` });
  }
  onStep?.('uploading', 0, input.bytes);
  const onProgress = (done: number, total: number) => onStep?.('uploading', done, total);
  const { id } = await service.files.upload({ path: input.path, onProgress }, signal);
  const after = await stat(input.path).catch(() => undefined);
  if (after?.mtimeMs !== found.mtimeMs) {
    throw new StepFailure({ kind: 'input', message: `It was written to at ${after?.mtimeMs ?? now()}.` });
  }
  return id;
}

function toTroubleOf(error: unknown, kind: JobErrorKind): Omit<JobError, 'at'> {
  return error instanceof StepFailure ? error.trouble : toJobError(error, kind);
}

async function refuse(job: BatchJob, { board, now }: SubmitParts, trouble: Omit<JobError, 'at'>): Promise<BatchJob> {
  const patch = { stage: 'refused', trouble: { ...trouble, at: now() }, triedAt: now() } as const;
  return (await board.update(job.id, () => patch)) ?? job;
}
