import { rm, stat } from 'node:fs/promises';
import { join, parse } from 'node:path';
import { errorKinds } from '../../api/errorKinds';
import { isApiError } from '../../api/errors';
import type { Batch, BatchRequest } from '../../api/batches/batches.schema';
import { withModel } from '../../batch/fixes/everyRequest';
import { isTaken } from '../../batch/rules/endpoint';
import { readLines } from '../../batch/transform/lines';
import { rulesOf } from '../../profiles/vendorRules';
import { RequestProblem } from '../requestProblem';
import { mayHaveBegun, StepFailure, toJobError } from '../job';
import type { JobError, JobErrorKind, JobStage } from '../job';
import type { JobBoard } from '../jobBoard';
import type { JobEngineOptions } from '../jobEngine';
import { isOfLostFile } from './newJob';
import { seen } from './askBatch';
import { jobKey } from './batchJob';
import type { BatchJob, JobInput } from './batchJob';
import { openAtomic } from '../../storage/atomicFile';
import { makeFolder } from '../../storage/privateFiles';
import type { BatchService, Connect } from './batchService';
import { writeInlineRequests } from './inlineRequests';
import type { InlineRequests } from './inlineRequests';
import { currentPart, settledBatch, tokenOf, writePart } from './parts';

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
   * Uploads the file if necessary, or writes its requests in the service's format, and creates the batch. Resolves to the resulting job:
   * `running`, `refused` if it certainly was not created, `unknown` if the response was lost. Rejects if the signal aborted before the paid
   * request was sent, or a record couldn't be written. The caller must hold the job.
   */
  async submit(job: BatchJob, progress: SubmitProgress): Promise<BatchJob> {
    const { signal } = progress;
    let inputFileId = job.inputFileId;
    let inline: InlineRequests | undefined;
    let service: BatchService;
    try {
      service = await this.connect(job);
      const { form } = service.batches;
      // An upload of the file itself has the models of its lines.
      if (isRewritten(job) && job.ownsUpload !== true) inputFileId = undefined;
      if (form === 'file') inputFileId ??= await this.send(service, job, progress);
      else inline = await this.prepare(job, form, progress);
    } catch (error) {
      signal?.throwIfAborted();
      return this.refuse(job, toSubmitError(error, 'upload'), job.stage);
    }
    signal?.throwIfAborted();
    const ownsUpload = isRewritten(job) || (job.ownsUpload ?? job.inputFileId === undefined);
    const how = inline ? preparedPatch(inline) : { inputFileId, ownsUpload };
    const sent = { stage: 'submitting', ...how, lastError: undefined, triedAt: this.now() } as const;
    let isOurs = false;
    const submitting = await this.board.update(job.id, (current) => {
      // Another window took the job over while this one slept, so its outcome is kept. The user might have canceled it in the meantime.
      isOurs = current.stage === job.stage && current.triedAt === job.triedAt && !current.isStopped;
      return isOurs ? sent : undefined;
    });
    if (!submitting || !isOurs) throw new RequestProblem('takenOver');
    progress.onStep?.('creating');
    const onProgress = (done: number, total: number) => progress.onStep?.('creating', done, total);
    const { batches } = service;
    // From here on the user can no longer stop it.
    const send = () =>
      inline ? batches.createInline({ ...inline, onProgress }, signal) : batches.create(requestOf(submitting), signal);
    // A queued job may have stopped while it waited for its file.
    const isUploaded = inputFileId !== undefined && (job.inputFileId === undefined || job.stage === 'queued');
    return this.create(submitting, job.stage, isUploaded ? () => this.untilSeen(submitting, send, signal) : send);
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
        if (delayMs !== undefined && (await this.wait(delayMs, signal))) continue;
        // The caller who stopped the wait did not give up the batch.
        const aborted = signal?.aborted ? { error: { kind: 'aborted', message } as const } : {};
        throw new StepFailure({ kind: 'fileUnseen', message, ...aborted }, { cause: error });
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

  /** `from`: the stage before. */
  private async create(job: BatchJob, from: JobStage, send: () => Promise<Batch>): Promise<BatchJob> {
    const { board, now } = this;
    try {
      const batch = await send();
      const patch = { ...seen(job, batch, now()), stage: 'running', triedAt: now(), changedAt: now() } as const;
      return (await board.update(job.id, () => patch)) ?? job;
    } catch (error) {
      if (error instanceof StepFailure) return this.refuse(job, error.jobError, from);
      if (!mayHaveBegun(error)) return this.refuse(job, toJobError(error, 'refused'), from);
      const lastError = { ...toJobError(error, 'answerLost'), at: now() };
      const unknown = { stage: 'unknown', lastError, triedAt: undefined, looks: 0, failures: undefined } as const;
      return (await board.update(job.id, () => unknown)) ?? job;
    }
  }

  /** Writes the requests of the input, or of its current part, as they are sent with the creation of the batch. */
  private prepare(
    job: BatchJob,
    form: 'anthropic' | 'openrouter',
    { signal, onStep }: SubmitProgress,
  ): Promise<InlineRequests> {
    return this.withFile(job, signal, async (source, bytes) => {
      const to = join(this.options.folder, 'sent', `${job.id}.requests`);
      const onProgress = (done: number) => onStep?.('reading', done, bytes);
      return writeInlineRequests(source, { form, model: job.options.replace?.model, to, signal, onProgress });
    });
  }

  /** Uploads the input, or its current part, and waits until the service has processed it. Resolves with the ID of the file. */
  private async send(service: BatchService, job: BatchJob, progress: SubmitProgress): Promise<string> {
    const { signal, onStep } = progress;
    const filename = uploadName(job);
    const onProgress = (done: number, total: number) => onStep?.('uploading', done, total);
    const upload = (path: string, bytes: number) => {
      onStep?.('uploading', 0, bytes);
      return service.files.upload({ path, filename, onProgress }, signal);
    };
    let file = await this.withFile(job, signal, (path, bytes) =>
      isRewritten(job) ? this.withModels(job, { path, bytes }, progress, upload) : upload(path, bytes),
    );
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

  /** Runs `work` with the file that is sent, which must not change in the meantime. A part is written to a temporary file. */
  private async withFile<T>(
    job: BatchJob,
    signal: AbortSignal | undefined,
    work: (path: string, bytes: number) => Promise<T>,
  ): Promise<T> {
    const folder = join(this.options.folder, 'sent');
    await makeFolder(folder);
    const part = currentPart(job);
    if (!part) {
      const known = await unchangedInput(job.input);
      const result = await work(known.path, known.bytes);
      await checkUnchanged(known);
      return result;
    }
    const path = join(folder, `${job.id}.part`);
    try {
      await writePart(job, path, signal);
      return await work(path, part.end - part.start);
    } finally {
      await rm(path, { force: true }).catch(() => undefined);
    }
  }

  /** Runs `work` with a copy of a file in which every request has the model that is chosen for all of them. */
  private async withModels<T>(
    { id, options }: BatchJob,
    { path, bytes }: { readonly path: string; readonly bytes: number },
    { signal, onStep }: SubmitProgress,
    work: (path: string, bytes: number) => Promise<T>,
  ): Promise<T> {
    const model = options.replace?.model ?? '';
    const to = join(this.options.folder, 'sent', `${id}.rewritten`);
    const onProgress = (done: number) => onStep?.('reading', done, bytes);
    const file = await openAtomic(to);
    try {
      for await (const lines of readLines(path, { onProgress, ...(signal && { signal }) })) {
        const texts = lines.map((line) => `${withModel(line.bytes.toString('utf8'), model)}\n`);
        if (texts.length > 0) await file.write(Buffer.from(texts.join('')));
      }
      await file.place();
    } catch (error) {
      await file.discard();
      throw error;
    }
    try {
      return await work(to, (await stat(to)).size);
    } finally {
      await rm(to, { force: true }).catch(() => undefined);
    }
  }

  /** A queued job keeps waiting if the reason is temporary. Otherwise the user has to act, and is notified. */
  private async refuse(job: BatchJob, why: Omit<JobError, 'at'>, from: JobStage): Promise<BatchJob> {
    const { board, now } = this;
    const isQueued = from === 'queued';
    // Only what is queued is submitted later.
    const jobError = why.kind === 'spendingCap' && !isQueued ? { ...why, isFinal: true } : why;
    const waits = isQueued && isPassing(jobError);
    const stage = waits ? 'queued' : 'refused';
    // Results from before it stay visible as such.
    const done = waits ? job.batch : settledBatch(job);
    const known = { ...jobError, at: now(), ...(isQueued && !waits && { isFinal: true }) };
    const retry = waits ? { failures: (job.failures ?? 0) + 1, restMs: jobError.error?.retryAfterMs } : {};
    return (
      (await board.update(job.id, () => ({ stage, lastError: known, triedAt: now(), batch: done, ...retry }))) ?? job
    );
  }
}

interface KnownInput {
  readonly path: string;
  readonly bytes: number;
  readonly mtimeMs: number;
}

/** Throws `StepFailure` of kind `input` unless the file is there as it was read. */
async function unchangedInput(input: JobInput | undefined): Promise<KnownInput> {
  if (!input) throw new StepFailure({ kind: 'input', message: 'The input file is unknown.' });
  const { path, bytes } = input;
  const { size, mtimeMs } = await stat(path).catch((error: Error) => {
    throw new StepFailure({ kind: 'input', message: error.message }, { cause: error });
  });
  if (size !== bytes)
    throw new StepFailure({ kind: 'input', message: `The file has ${size} bytes instead of ${bytes}.` });
  return { path, bytes, mtimeMs };
}

async function checkUnchanged({ path, mtimeMs }: KnownInput): Promise<void> {
  const after = await stat(path).catch(() => undefined);
  if (after?.mtimeMs === mtimeMs) return;
  throw new StepFailure({ kind: 'input', message: `The file changed at ${after?.mtimeMs ?? 'an unknown time'}.` });
}

function preparedPatch({ path, endpoint, model }: InlineRequests) {
  const inline = { ...(endpoint !== undefined && { endpoint }), ...(model !== undefined && { model }) };
  return { prepared: path, inline };
}

/** Services reject batch files under another name than `.jsonl`. The user knows a part by it in the list of files. */
function uploadName({ input, parts, part = 0 }: BatchJob): string {
  const { base, name, ext } = parse(input?.path ?? '');
  if (parts) return `${name}-${part + 1}.jsonl`;
  return ext.toLowerCase() === '.jsonl' ? base : `${name}.jsonl`;
}

/**
 * Whether a batch is for a model that the service cannot put in the place of those of the lines. A copy of the file with that model is
 * uploaded then, so the upload is not the file.
 */
export function isRewritten({ baseUrl, options }: BatchJob): boolean {
  const { form, replacementModels } = rulesOf(baseUrl).batch;
  const isInline = form === 'anthropic' || form === 'openrouter';
  return options.replace !== undefined && !isInline && !replacementModels.includes(options.replace.model);
}

function requestOf(job: BatchJob): BatchRequest {
  const { baseUrl, input, inputFileId = '', options } = job;
  const { completion_window, metadata } = options;
  const replace = isRewritten(job) ? undefined : options.replace;
  const rules = rulesOf(baseUrl).batch;
  const [chatEndpoint = ''] = rules.endpoints;
  const url = input?.url ?? chatEndpoint;
  return {
    input_file_id: inputFileId,
    endpoint: isTaken(url, rules) ? url : chatEndpoint,
    completion_window,
    metadata: { ...metadata, [jobKey]: tokenOf(job) },
    ...(replace && { replace: { model: replace.model } }),
  };
}

function isPassing({ kind, error }: Omit<JobError, 'at'>): boolean {
  if (['profileGone', 'signedOut', 'addressChanged', 'spendingCap'].includes(kind)) return true;
  return error !== undefined && (error.kind === 'aborted' || errorKinds[error.kind].retry !== undefined);
}

function toSubmitError(error: unknown, kind: JobErrorKind): Omit<JobError, 'at'> {
  return error instanceof StepFailure ? error.jobError : toJobError(error, kind);
}
