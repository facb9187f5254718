import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Batch } from '../../api/batches/batches.schema';
import { isApiError } from '../../api/errors';
import { StepFailure, toJobError, type JobPatch, type JobStage, type JobOwner } from '../job';
import type { JobDriver, StepTools } from '../jobDriver';
import type { JobBoard } from '../jobBoard';
import { JobEngine, type JobEngineOptions } from '../jobEngine';
import type { UnreadableJob } from '../jobStore';
import { batchPace } from '../schedule';
import { seen, retrieve, findBatch } from './askBatch';
import { jobKey, readBatchJob, type BatchJob, type JobInput } from './batchJob';
import type { BatchService, Connect, ResultsFolder } from './batchService';
import {
  batchPatch,
  currentBatch,
  currentFetched,
  goesOn,
  hasFurtherPart,
  hasNextPart,
  isOfQueue,
  isOverQueue,
  jobOfToken,
  planParts,
  stoppedPatch,
} from './parts';
import { isBudgetRefusal } from '../../usage/dayTokens';
import { isUnused } from '../../batch/results/retries';
import { keepSent } from '../../batch/results/sentLines';
import { makeFolder } from '../../storage/privateFiles';
import { RequestProblem } from '../requestProblem';
import { adopted, newJob, readSubmission, withoutLostUpload, type NewBatch } from './newJob';
import { statedLimits } from '../../capabilities/statedLimits';
import { rulesOf } from '../../profiles/vendorRules';
import { readInput } from './readInput';
import { BatchSubmitter, type SubmitProgress } from './submitBatch';
import { batchIdsOf, expectsResults, hasEarlyResults, isOver, sourcesOf } from './batchState';
import { countedPatch } from './batchUsage';
import { fetchResults } from './fetchResults';

const hasBatch: readonly JobStage[] = ['running', 'fetching', 'ended'];
const isStoppable: readonly JobStage[] = ['queued', 'submitting', 'unknown', 'running', 'fetching'];
const isCreatable: readonly JobStage[] = ['refused', 'unknown'];

export interface BatchEngineOptions extends JobEngineOptions<BatchJob> {
  /** Called before a batch is submitted, with its job among the others: throws a refusal of the budget if it may not be paid for now. */
  readonly checkPaid: (job: BatchJob) => Promise<void>;
}

/** The batch jobs of all windows of this machine. Methods on a job reject with `RequestProblem` if they do not apply to it. */
export class BatchEngine {
  private readonly driver: JobDriver<BatchJob>;
  private readonly engine: JobEngine<BatchJob>;
  private readonly submitter: BatchSubmitter;

  /** `place` is where the folders of runs are created. */
  constructor(
    readonly options: BatchEngineOptions,
    private readonly connect: Connect,
    place: ResultsFolder,
  ) {
    const isTaken = (batchId: string, { id, parts = [], part }: BatchJob) =>
      this.jobs.some((other) => other.id !== id && batchIdsOf(other).includes(batchId)) ||
      parts.some((one, index) => index !== part && one.batch?.id === batchId);
    const submit = (job: BatchJob, signal: AbortSignal) => this.submitter.submit(job, { signal });
    this.driver = createBatchDriver({ connect, place, isTaken, submit, checkPaid: options.checkPaid });
    this.engine = new JobEngine(this.driver, options);
    this.submitter = new BatchSubmitter(this.engine.board, connect, options);
  }

  private get board(): JobBoard<BatchJob> {
    return this.engine.board;
  }

  /** Newest first. */
  get jobs(): readonly BatchJob[] {
    return this.board.jobs;
  }

  get unreadable(): readonly UnreadableJob[] {
    return this.board.unreadable;
  }

  get isPolling(): boolean {
    return this.engine.isPolling;
  }

  /** Reads what other windows wrote, and advances what is due. */
  refresh(): Promise<void> {
    return this.engine.refresh();
  }

  /** Immediately retries jobs whose last step failed. */
  wake(): Promise<void> {
    return this.engine.wake();
  }

  /**
   * Resolves like `BatchSubmitter.submit`. A file beyond the limits is submitted in parts, one after another: then the first one was
   * submitted. Rejects before sending anything if the file is unreadable or is not the one reviewed. */
  async submit(submission: NewBatch, progress: SubmitProgress = {}): Promise<BatchJob> {
    const { board, options } = this;
    progress.onStep?.('reading');
    const input = await readSubmission(submission, progress);
    const id = options.newId();
    const sent = input && (await this.keepSent(id, input));
    const { folder, ...elsewhere } = submission;
    const placed = folder !== undefined && (await this.isFree(folder)) ? submission : elsewhere;
    const parts = await partsOf(submission, input, progress.signal).catch(async (error: unknown) => {
      if (sent !== undefined) await rm(sent, { force: true }).catch(() => undefined);
      throw error;
    });
    const job = { ...newJob(placed, { id, createdAt: options.now(), input, sent }), ...parts };
    return this.engine.hold(job.id, async () => {
      try {
        await this.engine.addPaid(job, options.checkPaid);
        return await this.submitter.submit(job, progress);
      } catch (error) {
        // Nothing that costs money was sent: the user canceled, or the record could not be written.
        if (board.get(job.id)?.stage === 'preparing') await this.forget(job.id);
        else if (!board.get(job.id)) await dropSent(job);
        throw error;
      }
    });
  }

  async watch(batch: Batch, from: JobOwner & { readonly resultsRoot?: string }): Promise<BatchJob> {
    const { board, options } = this;
    await board.refresh();
    const token = batch.metadata[jobKey] ?? '';
    const known = board.jobs.find((job) => batchIdsOf(job).includes(batch.id) || job.id === jobOfToken(token));
    if (known) return known;
    const isFree = /^[\w-]{1,60}$/.test(token) && !board.unreadable.some(({ id }) => id === token);
    const job = adopted(batch, { ...from, id: isFree ? token : options.newId(), now: options.now });
    await board.add(job);
    await this.engine.refresh();
    return this.engine.get(job.id);
  }

  /** If another window has the job, waits for at most `heldMs`. */
  checkNow(id: string, heldMs?: number): Promise<BatchJob> {
    return this.engine.checkNow(id, heldMs);
  }

  /**
   * Cancels the batch at the service, and submits nothing more of the job, even if the service does not cancel its batch or rejects
   * that. A batch whose outcome is unknown is canceled once it is found.
   */
  async cancel(id: string): Promise<BatchJob> {
    const { now } = this.options;
    // First, and without waiting for whichever window has the job: what comes next costs money.
    await this.board.update(id, ({ stage }) => (isStoppable.includes(stage) ? { isStopped: true } : undefined));
    return this.engine.hold(id, async () => {
      await this.board.update(id, () => undefined);
      const job = this.engine.get(id);
      if (job.stage === 'queued') return (await this.board.update(id, stoppedPatch)) ?? job;
      if (job.stage === 'unknown' && job.isStopped) return job;
      const running = currentBatch(job);
      // Only further parts were left to cancel.
      if (running && isOver(running) && job.isStopped && hasFurtherPart(job)) return job;
      if (!running || (job.stage !== 'running' && job.stage !== 'fetching')) throw new RequestProblem('notRunning');
      if (job.stage === 'fetching' && isOver(running)) throw new RequestProblem('notRunning');
      const batch = await (await this.connect(job)).batches.cancel({ id: running.id }, this.engine.closing);
      const at = now();
      await this.board.update(id, (current) => ({
        ...seen(current, batch, at),
        triedAt: at,
        changedAt: at,
        looks: 0,
      }));
      return this.engine.get(id);
    });
  }

  async fetchResults(id: string): Promise<BatchJob> {
    await this.engine.hold(id, async () => {
      const { batch, stage, parts } = this.engine.get(id);
      if (!batch || !hasBatch.includes(stage)) throw new RequestProblem('notRunning');
      // The last part may have no results.
      const isOfParts = stage === 'ended' && parts?.some((part) => part.batch && sourcesOf(part.batch).length > 0);
      const next: JobStage = isOfParts ? 'fetching' : 'running';
      await this.board.update(id, () => ({
        stage: next,
        failures: undefined,
        lastError: undefined,
        triedAt: undefined,
      }));
    });
    return this.engine.step(id);
  }

  async linkInput(id: string, path: string): Promise<BatchJob> {
    const input = await readInput(path);
    // The digest stays that of what was sent, if known: the linked file may be another one.
    await this.board.update(id, ({ input: before }) => ({ input: { ...input, sha256: before?.sha256 ?? '' } }));
    return this.engine.get(id);
  }

  /** For a batch that was certainly not created, or whose outcome is unknown and the user wants it anyway. */
  createAgain(id: string, progress: SubmitProgress = {}): Promise<BatchJob> {
    return this.engine.hold(id, async () => {
      await this.board.update(id, ({ stage }) => (isCreatable.includes(stage) ? { isStopped: undefined } : undefined));
      const job = withoutLostUpload(this.engine.get(id));
      if (!isCreatable.includes(job.stage)) throw new RequestProblem('notRefused');
      const found = job.stage === 'unknown' ? await this.findAfterAll(job) : undefined;
      if (found) return found;
      const { lastError: _, ...again } = job;
      await this.options.checkPaid({ ...again, stage: 'preparing' });
      return this.submitter.submit(job, progress);
    });
  }

  async forget(id: string): Promise<void> {
    const job = this.board.get(id);
    await this.board.remove(id);
    if (job) await dropSent(job);
  }

  /** If two jobs retry the same run, only one has its results in that folder. */
  private async isFree(folder: string): Promise<boolean> {
    const isNamed = this.board.jobs.some((job) => job.folder === folder && job.stage !== 'refused');
    return !isNamed && isUnused(folder);
  }

  private async keepSent(id: string, input: JobInput): Promise<string | undefined> {
    const folder = join(this.options.folder, 'sent');
    const to = join(folder, `${id}.jsonl`);
    const isThere = await makeFolder(folder).then(
      () => true,
      () => false,
    );
    return isThere && (await keepSent(input, to)) ? to : undefined;
  }

  /** Resolves once nothing is being written any more. */
  dispose(): Promise<void> {
    return this.engine.dispose();
  }

  /** Searches again, whatever the user decided, so that an existing batch is not created twice. */
  private async findAfterAll(job: BatchJob): Promise<BatchJob | undefined> {
    const tools = { signal: this.engine.closing, now: this.options.now, save: () => Promise.resolve(job) };
    const patch = await this.driver.find(job, tools);
    if (patch.lastError?.kind === 'unconfirmed') throw new RequestProblem('maybeRunning');
    return patch.stage === 'running' ? this.board.update(job.id, () => patch) : undefined;
  }
}

async function dropSent({ sent, prepared }: BatchJob): Promise<void> {
  for (const path of [sent, prepared]) if (path !== undefined) await rm(path, { force: true }).catch(() => undefined);
}

/** The tokens of requests are estimated, and a part that is rejected delays all others. */
const estimateShare = 0.9;

function least(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? (one ?? other) : Math.min(one, other);
}

/** Requests in the form of an inline batch may be a little longer than in the file. */
const inlineShare = 0.95;

/** Returns the parts of a submission that is beyond the limits of its service or account. An upload that is used again is one batch. */
async function partsOf(
  { baseUrl, inputFileId, enqueuedTokens, stated, replace }: NewBatch,
  input: JobInput | undefined,
  signal: AbortSignal | undefined,
) {
  if (!input || inputFileId !== undefined) return {};
  const { form, enqueuedTokens: ofService, ...documented } = rulesOf(baseUrl).batch;
  const requests = least(documented.requests, stated?.requests);
  const fileBytes = least(documented.bytes, stated?.bytes);
  const bytes = fileBytes === undefined || form === 'file' ? fileBytes : fileBytes * inlineShare;
  const ofModel = stated?.enqueuedTokens(replace?.model ?? input.model ?? '');
  const tokens = Math.min(enqueuedTokens ?? Infinity, ofService ?? Infinity, (ofModel ?? Infinity) * estimateShare);
  // A token has at least a byte.
  const isWithin =
    input.requests <= (requests ?? Infinity) && input.bytes <= (bytes ?? Infinity) && input.bytes <= tokens;
  if (isWithin) return {};
  const limits = { requests, bytes, tokens: tokens === Infinity ? undefined : tokens };
  const parts = await planParts(input.path, limits, signal);
  return parts.length > 1 ? { parts, part: 0 } : {};
}

/** Creates the driver that follows a batch, and submits its further parts, until its results are saved. */
function createBatchDriver({
  connect,
  place,
  isTaken,
  submit,
  checkPaid,
}: {
  readonly connect: Connect;
  readonly place: ResultsFolder;
  /** Whether a batch belongs to another job, or to another part of this one. */
  readonly isTaken: (batchId: string, job: BatchJob) => boolean;
  readonly submit: (job: BatchJob, signal: AbortSignal) => Promise<BatchJob>;
  readonly checkPaid: BatchEngineOptions['checkPaid'];
}): JobDriver<BatchJob> {
  return {
    pace: batchPace,
    readJob: readBatchJob,
    countedPatch,
    async find(job, tools) {
      const service = await connect(job);
      const patch = await findBatch({ job, tools, service, isTaken: (id) => isTaken(id, job) });
      return patch.stage === 'running' && job.isStopped ? canceled(service, job, { patch, tools }) : patch;
    },

    async look(job, tools) {
      const service = await connect(job);
      const batch = await retrieve(service, job, tools.signal);
      const parts = await smallerParts(job, batch, tools.signal);
      return afterLook({ ...job, ...parts }, batch, tools, parts);
    },

    async fetch(job, tools) {
      const patch = await fetchResults({ job, tools, connect, place });
      if (patch.stage !== 'ended') return patch;
      const now: BatchJob = { ...(await tools.save({})), ...(patch as Partial<BatchJob>) };
      const batch = currentBatch(now);
      if (!batch) return patch;
      // Canceled while its results were fetched: what is done after the last part is due.
      if (now.isStopped && hasNextPart(job)) return { ...patch, ...batchPatch(now, batch), stage: 'fetching' };
      return { ...patch, ...afterPart(now, batch) };
    },

    async next(job, tools) {
      if (job.isStopped) return stoppedPatch(job);
      await checkPaid(job).catch((error: unknown) => {
        throw isBudgetRefusal(error) ? new StepFailure(toJobError(error, 'refused'), { cause: error }) : error;
      });
      const { lastError, triedAt, failures, restMs } = await submit(job, tools.signal);
      return { lastError, triedAt, failures, restMs };
    },
  };
}

interface Found {
  readonly patch: JobPatch<BatchJob>;
  readonly tools: StepTools<BatchJob>;
}

/** Cancels a batch that the user canceled before it was found. One that the service doesn't cancel ends by itself, and nothing follows it. */
async function canceled(service: BatchService, job: BatchJob, { patch, tools }: Found): Promise<JobPatch<BatchJob>> {
  const found = { ...job, ...patch } as BatchJob;
  const batch = currentBatch(found);
  if (!batch || isOver(batch)) return patch;
  try {
    const answer = await service.batches.cancel({ id: batch.id }, tools.signal);
    return { ...patch, ...seen(found, answer, tools.now()) };
  } catch (error) {
    if (!isApiError(error)) throw error;
    return patch;
  }
}

const queued = { stage: 'queued', failures: undefined } as const;

/** What follows once the current batch is over and done with: the next part, or the end. */
function afterPart(job: BatchJob, batch: Batch): JobPatch<BatchJob> {
  if (!hasNextPart(job) || !goesOn(batch)) return { ...batchPatch(job, batch), stage: 'ended' };
  return { ...queued, part: (job.part ?? 0) + 1, inputFileId: undefined, triedAt: undefined };
}

/** Whether this machine submitted the batch of a job, so that it may submit it again: one that is only watched is not ours to pay for. */
function isSubmittedHere({ ownsUpload, inline }: BatchJob): boolean {
  return ownsUpload !== undefined || inline !== undefined;
}

/** What was rejected because others wait is submitted again, each time later. Costs nothing: nothing of it was begun. */
function queuedAgain(job: BatchJob, batch: Batch, { now }: StepTools<BatchJob>): JobPatch<BatchJob> {
  const message = batch.errors.find(isOfQueue)?.message ?? '';
  const waiting = { ...batch, status: 'in_queue', errors: [] };
  return {
    ...queued,
    ...batchPatch(job, waiting),
    dropped: [...(job.dropped ?? []), batch.id],
    lastError: { kind: 'overQueue', message, at: now() },
    failures: (job.dropped?.length ?? 0) + 1,
    looks: 0,
    changedAt: now(),
  };
}

/** How often to check for result names, which may appear a little after the end. */
const looksForResults = 12;

/**
 * Returns the parts in which a job is submitted instead if its first batch alone is beyond the limit that the service states. Nothing of it
 * was begun then. An input that changed in the meantime is left to the submission, which reports it.
 */
async function smallerParts(job: BatchJob, batch: Batch, signal: AbortSignal): Promise<Partial<BatchJob>> {
  const { input, sent, part = 0, parts = [] } = job;
  if (!isOverQueue(batch) || !isSubmittedHere(job) || job.isStopped || !input || part > 0) return {};
  const { enqueuedTokens } = statedLimits(batch.errors.map(({ message }) => message).join('\n'));
  if (enqueuedTokens === undefined) return {};
  const { requests, bytes } = rulesOf(job.baseUrl).batch;
  const limits = { requests, bytes, tokens: enqueuedTokens * estimateShare };
  const smaller = await planParts(sent ?? input.path, limits, signal).catch(() => []);
  signal.throwIfAborted();
  return smaller.length > Math.max(1, parts.length) ? { parts: smaller, part: 0 } : {};
}

function afterLook(
  job: BatchJob,
  batch: Batch,
  tools: StepTools<BatchJob>,
  smaller: Partial<BatchJob>,
): JobPatch<BatchJob> {
  const patch = seen(job, batch, tools.now());
  if (isOverQueue(batch) && isSubmittedHere(job) && !job.isStopped)
    return { ...smaller, ...(smaller.parts && { inputFileId: undefined }), ...queuedAgain(job, batch, tools) };
  if (hasEarlyResults(batch) && !isOver(batch))
    return hasNewSources(job, batch) ? { ...patch, stage: 'fetching' } : patch;
  if (!isOver(batch)) return patch;
  if (sourcesOf(batch).length > 0) return { ...patch, stage: 'fetching' };
  if (!expectsResults(batch)) return { ...patch, ...afterPart(job, batch) };
  const lastError = {
    kind: 'noResults',
    message: 'No result file is named.',
    at: job.lastError?.at ?? tools.now(),
  } as const;
  return { ...patch, lastError, ...((patch.looks ?? 0) >= looksForResults && afterPart(job, batch)) };
}

function hasNewSources(job: BatchJob, batch: Batch): boolean {
  const fetched = currentFetched(job);
  return sourcesOf(batch).some(({ kind, name }) => fetched[kind]?.from !== name);
}
