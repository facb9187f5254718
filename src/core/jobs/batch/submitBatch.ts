import { stat } from 'node:fs/promises';
import { isApiError } from '../../api/errors';
import type { BatchRequest } from '../../api/batches/batches.schema';
import { rulesOf } from '../../profiles/vendorRules';
import { RequestProblem } from '../requestProblem';
import { StepFailure, toJobError } from '../job';
import type { JobError, JobErrorKind } from '../job';
import type { JobBoard } from '../jobBoard';
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

/** Sends the batches of an engine to their service. */
export class BatchSubmitter {
  constructor(
    private readonly board: JobBoard<BatchJob>,
    private readonly connect: Connect,
    private readonly now: () => number,
  ) {}

  /**
   * Uploads the file if necessary, and creates the batch. Resolves with the resulting job: `running`, `refused` if it certainly was
   * not created, `unknown` if the response was lost. Rejects if the signal aborted before the request that costs money was sent, or a
   * record could not be written. The caller must hold the job.
   */
  async submit(job: BatchJob, progress: SubmitProgress): Promise<BatchJob> {
    const { signal } = progress;
    let inputFileId = job.inputFileId;
    let service: BatchService;
    try {
      service = await this.connect(job);
      inputFileId ??= await this.upload(service, job.input, progress);
    } catch (error) {
      signal?.throwIfAborted();
      return this.refuse(job, toTroubleOf(error, 'upload'));
    }
    signal?.throwIfAborted();
    const ownsUpload = job.ownsUpload ?? job.inputFileId === undefined;
    const sent = { stage: 'submitting', inputFileId, ownsUpload, trouble: undefined, triedAt: this.now() } as const;
    let isOurs = false;
    const submitting = await this.board.update(job.id, (current) => {
      // Another window took the job over while this one slept: its outcome is kept.
      isOurs = current.stage === job.stage && current.triedAt === job.triedAt;
      return isOurs ? sent : undefined;
    });
    if (!submitting || !isOurs) throw new RequestProblem('takenOver');
    progress.onStep?.('creating');
    return this.create(service, submitting, signal);
  }

  private async create(service: BatchService, job: BatchJob, signal: AbortSignal | undefined): Promise<BatchJob> {
    const { board, now } = this;
    try {
      const batch = await service.batches.create(requestOf(job), signal);
      const patch = { ...seen(job, batch, now()), stage: 'running', triedAt: now(), changedAt: now() } as const;
      return (await board.update(job.id, () => patch)) ?? job;
    } catch (error) {
      const isOpen = !isApiError(error) || error.details.maybeBilled === true;
      if (!isOpen) return this.refuse(job, toJobError(error, 'refused'));
      const trouble = { ...toJobError(error, 'answerLost'), at: now() };
      const unknown = { stage: 'unknown', trouble, triedAt: undefined, looks: 0, failures: undefined } as const;
      return (await board.update(job.id, () => unknown)) ?? job;
    }
  }

  private async upload(
    service: BatchService,
    input: JobInput | undefined,
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
      throw new StepFailure({ kind: 'input', message: `It was written to at ${after?.mtimeMs ?? this.now()}.` });
    }
    return id;
  }

  private async refuse(job: BatchJob, trouble: Omit<JobError, 'at'>): Promise<BatchJob> {
    const { board, now } = this;
    const patch = { stage: 'refused', trouble: { ...trouble, at: now() }, triedAt: now() } as const;
    return (await board.update(job.id, () => patch)) ?? job;
  }
}

function requestOf({ id, baseUrl, input, inputFileId = '', order }: BatchJob): BatchRequest {
  const { completion_window, metadata, replace } = order;
  const { severities, endpoints } = rulesOf(baseUrl).batch;
  const [chatEndpoint = ''] = endpoints;
  const url = input?.url ?? chatEndpoint;
  return {
    input_file_id: inputFileId,
    // Where not all endpoints are known, what the file asks for is no mistake.
    endpoint: endpoints.includes(url) || severities['url.unknown'] === 'warning' ? url : chatEndpoint,
    completion_window,
    metadata: { ...metadata, [jobKey]: id },
    ...(replace && { replace: { model: replace.model } }),
  };
}

function toTroubleOf(error: unknown, kind: JobErrorKind): Omit<JobError, 'at'> {
  return error instanceof StepFailure ? error.trouble : toJobError(error, kind);
}
