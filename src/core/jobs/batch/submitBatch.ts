import { stat } from 'node:fs/promises';
import { dirname, join, parse } from 'node:path';
import { isApiError } from '../../api/errors';
import type { Batch, BatchRequest } from '../../api/batches/batches.schema';
import { isTaken } from '../../batch/rules/endpoint';
import { rulesOf } from '../../profiles/vendorRules';
import { RequestProblem } from '../requestProblem';
import { StepFailure, toJobError } from '../job';
import type { JobError, JobErrorKind } from '../job';
import type { JobBoard } from '../jobBoard';
import type { JobEngineOptions } from '../jobEngine';
import { isOfLostFile } from './newJob';
import { seen } from './askBatch';
import { jobKey } from './batchJob';
import type { BatchJob, JobInput } from './batchJob';
import { makeFolder } from '../../storage/privateFiles';
import type { BatchService, Connect } from './batchService';
import { writeInlineRequests } from './inlineRequests';
import type { InlineRequests } from './inlineRequests';

/** `waiting`: for the service to process the uploaded file. */
export type SubmitStep = 'reading' | 'uploading' | 'waiting' | 'creating';

/** How long to wait before each check of a file that the service is still processing. */
const checkDelaysMs = [1, 2, 3, 5, ...Array.from({ length: 58 }, () => 10)].map((seconds) => seconds * 1000);
/** How long to wait before a batch is created again if the service does not see its file yet. */
const unseenDelaysMs: readonly number[] = [1000, 2000, 4000, 8000, 15_000, 30_000];

export interface SubmitProgress {
  readonly signal?: AbortSignal;
  /** `done` of `total` bytes. */
  readonly onStep?: (step: SubmitStep, done?: number, total?: number) => void;
}

/** Sends the batches of an engine to their service. */
export class BatchSubmitter {
  private readonly now: () => number;

  constructor(
    private readonly board: JobBoard<BatchJob>,
    private readonly connect: Connect,
    private readonly options: Pick<JobEngineOptions<BatchJob>, 'folder' | 'now' | 'setTimer'>,
  ) {
    this.now = options.now;
  }

  /**
   * Uploads the file if necessary, or writes its requests as the service takes them, and creates the batch. Resolves with the resulting job: `running`, `refused` if it certainly was
   * not created, `unknown` if the response was lost. Rejects if the signal aborted before the request that costs money was sent, or a
   * record could not be written. The caller must hold the job.
   */
  async submit(job: BatchJob, progress: SubmitProgress): Promise<BatchJob> {
    const { signal } = progress;
    let inputFileId = job.inputFileId;
    let inline: InlineRequests | undefined;
    let service: BatchService;
    try {
      service = await this.connect(job);
      const { form } = service.batches;
      if (form === 'file') inputFileId ??= await this.upload(service, job.input, progress);
      else inline = await this.prepare(job, form, progress);
    } catch (error) {
      signal?.throwIfAborted();
      return this.refuse(job, toTroubleOf(error, 'upload'));
    }
    signal?.throwIfAborted();
    const ownsUpload = job.ownsUpload ?? job.inputFileId === undefined;
    const how = inline ? preparedPatch(inline) : { inputFileId, ownsUpload };
    const sent = { stage: 'submitting', ...how, trouble: undefined, triedAt: this.now() } as const;
    let isOurs = false;
    const submitting = await this.board.update(job.id, (current) => {
      // Another window took the job over while this one slept: its outcome is kept.
      isOurs = current.stage === job.stage && current.triedAt === job.triedAt;
      return isOurs ? sent : undefined;
    });
    if (!submitting || !isOurs) throw new RequestProblem('takenOver');
    progress.onStep?.('creating');
    const onProgress = (done: number, total: number) => progress.onStep?.('creating', done, total);
    const { batches } = service;
    // From here on the person can no longer stop it.
    const send = () =>
      inline ? batches.createInline({ ...inline, onProgress }, signal) : batches.create(requestOf(submitting), signal);
    const isUploaded = job.inputFileId === undefined && inputFileId !== undefined;
    return this.create(submitting, isUploaded ? () => this.untilSeen(submitting, send, signal) : send);
  }

  /** Sends again if the service does not see the file that was just uploaded, which some do only after a while. */
  private async untilSeen(
    { inputFileId }: BatchJob,
    send: () => Promise<Batch>,
    signal: AbortSignal | undefined,
  ): Promise<Batch> {
    for (let attempt = 0; ; attempt++) {
      try {
        return await send();
      } catch (error) {
        const { error: rejection, message } = toJobError(error, 'refused');
        if (!rejection || !isOfLostFile(rejection, inputFileId)) throw error;
        const delayMs = unseenDelaysMs[attempt];
        const isOver = delayMs === undefined || !(await this.wait(delayMs, signal));
        if (isOver) throw new StepFailure({ kind: 'fileUnseen', message }, { cause: error });
      }
    }
  }

  /** Resolves with `false` if it is aborted. */
  private wait(ms: number, signal: AbortSignal | undefined): Promise<boolean> {
    return new Promise((resolve) => {
      if (signal?.aborted) return resolve(false);
      const stop = this.options.setTimer(ms, () => {
        signal?.removeEventListener('abort', onAbort);
        resolve(true);
      });
      const onAbort = () => {
        stop();
        resolve(false);
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      return undefined;
    });
  }

  private async create(job: BatchJob, send: () => Promise<Batch>): Promise<BatchJob> {
    const { board, now } = this;
    try {
      const batch = await send();
      const patch = { ...seen(job, batch, now()), stage: 'running', triedAt: now(), changedAt: now() } as const;
      return (await board.update(job.id, () => patch)) ?? job;
    } catch (error) {
      if (error instanceof StepFailure) return this.refuse(job, error.trouble);
      const isOpen = !isApiError(error) || error.details.maybeBilled === true;
      if (!isOpen) return this.refuse(job, toJobError(error, 'refused'));
      const trouble = { ...toJobError(error, 'answerLost'), at: now() };
      const unknown = { stage: 'unknown', trouble, triedAt: undefined, looks: 0, failures: undefined } as const;
      return (await board.update(job.id, () => unknown)) ?? job;
    }
  }

  /** Writes the requests of the input as they are sent with the creation of the batch. */
  private async prepare(
    { id, input, sent, order }: BatchJob,
    form: 'anthropic' | 'openrouter',
    { signal, onStep }: SubmitProgress,
  ): Promise<InlineRequests> {
    const known = await unchangedInput(input);
    const to = join(this.options.folder, 'sent', `${id}.requests`);
    await makeFolder(dirname(to));
    const onProgress = (done: number) => onStep?.('reading', done, known.bytes);
    const requests = await writeInlineRequests(sent ?? known.path, {
      form,
      model: order.replace?.model,
      to,
      signal,
      onProgress,
    });
    await checkUnchanged(known);
    return requests;
  }

  private async upload(
    service: BatchService,
    input: JobInput | undefined,
    { signal, onStep }: SubmitProgress,
  ): Promise<string> {
    const known = await unchangedInput(input);
    onStep?.('uploading', 0, known.bytes);
    const onProgress = (done: number, total: number) => onStep?.('uploading', done, total);
    const filename = uploadName(known.path);
    let file = await service.files.upload({ path: known.path, filename, onProgress }, signal);
    await checkUnchanged(known);
    for (const delayMs of checkDelaysMs) {
      if (file.state !== 'pending') break;
      onStep?.('waiting');
      if (!(await this.wait(delayMs, signal))) signal?.throwIfAborted();
      const { id } = file;
      // A service that does not report on single files finds out when the batch is created.
      file = await service.files.retrieve({ id }, signal).catch((error: unknown) => {
        if (!isApiError(error) || error.kind === 'aborted') throw error;
        return error.kind === 'notFound' || error.kind === 'notOffered' ? { id } : file;
      });
    }
    if (file.state !== 'error') return file.id;
    const message = file.stateReason ?? 'The service does not say why.';
    throw new StepFailure({ kind: 'fileRejected', message });
  }

  private async refuse(job: BatchJob, trouble: Omit<JobError, 'at'>): Promise<BatchJob> {
    const { board, now } = this;
    const patch = { stage: 'refused', trouble: { ...trouble, at: now() }, triedAt: now() } as const;
    return (await board.update(job.id, () => patch)) ?? job;
  }
}

interface KnownInput {
  readonly path: string;
  readonly bytes: number;
  readonly mtimeMs: number;
}

/** Throws `StepFailure` of kind `input` unless the file is there as it was read. */
async function unchangedInput(input: JobInput | undefined): Promise<KnownInput> {
  if (!input) throw new StepFailure({ kind: 'input', message: 'No input file is known.' });
  const { path, bytes } = input;
  const { size, mtimeMs } = await stat(path).catch((error: Error) => {
    throw new StepFailure({ kind: 'input', message: error.message }, { cause: error });
  });
  if (size !== bytes) throw new StepFailure({ kind: 'input', message: `It has ${size} bytes now, it had ${bytes}.` });
  return { path, bytes, mtimeMs };
}

async function checkUnchanged({ path, mtimeMs }: KnownInput): Promise<void> {
  const after = await stat(path).catch(() => undefined);
  if (after?.mtimeMs === mtimeMs) return;
  throw new StepFailure({ kind: 'input', message: `It was written to at ${after?.mtimeMs ?? 'an unknown time'}.` });
}

function preparedPatch({ path, endpoint, model }: InlineRequests) {
  const inline = { ...(endpoint !== undefined && { endpoint }), ...(model !== undefined && { model }) };
  return { prepared: path, inline };
}

/** Services reject batch files under another name than this. */
function uploadName(path: string): string {
  const { base, name } = parse(path);
  return /\.jsonl$/i.test(base) ? base : `${name}.jsonl`;
}

function requestOf({ id, baseUrl, input, inputFileId = '', order }: BatchJob): BatchRequest {
  const { completion_window, metadata, replace } = order;
  const rules = rulesOf(baseUrl).batch;
  const [chatEndpoint = ''] = rules.endpoints;
  const url = input?.url ?? chatEndpoint;
  return {
    input_file_id: inputFileId,
    endpoint: isTaken(url, rules) ? url : chatEndpoint,
    completion_window,
    metadata: { ...metadata, [jobKey]: id },
    ...(replace && { replace: { model: replace.model } }),
  };
}

function toTroubleOf(error: unknown, kind: JobErrorKind): Omit<JobError, 'at'> {
  return error instanceof StepFailure ? error.trouble : toJobError(error, kind);
}
