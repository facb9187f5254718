import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Batch } from '../../api/batches/batches.schema';
import type { JobStage, JobPatch } from '../job';
import type { JobDriver, StepTools } from '../jobDriver';
import type { JobBoard } from '../jobBoard';
import { JobEngine, type JobEngineOptions } from '../jobEngine';
import type { UnreadableJob } from '../jobStore';
import { batchPace } from '../schedule';
import { seen, retrieve } from './askBatch';
import { jobKey, readBatchJob, type BatchJob, type JobInput } from './batchJob';
import type { Connect, ResultsFolder } from './batchService';
import { findBatch } from './findBatch';
import { isUnused } from '../../batch/results/retries';
import { keepSent } from '../../batch/results/sentLines';
import { makeFolder } from '../../storage/privateFiles';
import { RequestProblem } from '../requestProblem';
import { adopted, newJob, readOrder, withoutLostUpload, type NewBatch } from './newJob';
import { readInput } from './readInput';
import { BatchSubmitter, type SubmitProgress } from './submitBatch';
import { expectsResults, hasEarlyResults, isOver, sourcesOf } from './batchState';
import { fetchResults } from './fetchResults';

const hasBatch: readonly JobStage[] = ['running', 'fetching', 'ended'];

/** The batch jobs of all windows of this machine. Methods on a job reject with `RequestProblem` if they do not apply to it. */
export class BatchEngine {
  private readonly driver: JobDriver<BatchJob>;
  private readonly engine: JobEngine<BatchJob>;
  private readonly submitter: BatchSubmitter;

  /** `place` is where the folders of runs are created. */
  constructor(
    readonly options: JobEngineOptions<BatchJob>,
    private readonly connect: Connect,
    place: ResultsFolder,
  ) {
    this.driver = createBatchDriver(connect, place, (batchId, { id }) =>
      this.jobs.some((other) => other.id !== id && other.batch?.id === batchId),
    );
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

  /** Resolves like `BatchSubmitter.submit`. Rejects before sending anything if the file is unreadable or is not the one reviewed. */
  async submit(order: NewBatch, progress: SubmitProgress = {}): Promise<BatchJob> {
    const { board, options } = this;
    progress.onStep?.('reading');
    const input = await readOrder(order, progress);
    const id = options.newId();
    const sent = input && (await this.keepSent(id, input));
    const { folder, ...elsewhere } = order;
    const placed = folder !== undefined && (await this.isFree(folder)) ? order : elsewhere;
    const job = newJob(placed, { id, createdAt: options.now(), input, sent });
    return this.engine.hold(job.id, async () => {
      await board.add(job);
      try {
        return await this.submitter.submit(job, progress);
      } catch (error) {
        // Nothing that costs money was sent: the user cancelled, or the record could not be written.
        if (board.get(job.id)?.stage === 'preparing') await this.forget(job.id);
        else if (!board.get(job.id)) await dropSent(job);
        throw error;
      }
    });
  }

  async watch(batch: Batch, from: Pick<BatchJob, 'profileId' | 'baseUrl' | 'resultsRoot'>): Promise<BatchJob> {
    const { board, options } = this;
    await board.refresh();
    const known = board.jobs.find((job) => job.batch?.id === batch.id || job.id === batch.metadata[jobKey]);
    if (known) return known;
    const token = batch.metadata[jobKey] ?? '';
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

  cancel(id: string): Promise<BatchJob> {
    const { now } = this.options;
    return this.engine.hold(id, async () => {
      const job = this.engine.get(id);
      if (job.stage !== 'running' || !job.batch) throw new RequestProblem('notRunning');
      const batch = await (await this.connect(job)).batches.cancel({ id: job.batch.id }, this.engine.closing);
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
      const { batch, stage } = this.engine.get(id);
      if (!batch || !hasBatch.includes(stage)) throw new RequestProblem('notRunning');
      const again = { stage: 'running', failures: undefined, trouble: undefined, triedAt: undefined } as const;
      await this.board.update(id, () => again);
    });
    return this.engine.step(id);
  }

  async linkInput(id: string, path: string): Promise<BatchJob> {
    const input = await readInput(path);
    await this.board.update(id, () => ({ input }));
    return this.engine.get(id);
  }

  /** For a batch that was certainly not created, or whose outcome is unknown and the user wants it anyway. */
  createAgain(id: string, progress: SubmitProgress = {}): Promise<BatchJob> {
    return this.engine.hold(id, async () => {
      await this.board.update(id, () => undefined);
      const job = withoutLostUpload(this.engine.get(id));
      if (job.stage !== 'refused' && job.stage !== 'unknown') throw new RequestProblem('notRefused');
      return (
        (job.stage === 'unknown' ? await this.findAfterAll(job) : undefined) ?? this.submitter.submit(job, progress)
      );
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
    if (patch.trouble?.kind === 'unconfirmed') throw new RequestProblem('maybeRunning');
    return patch.stage === 'running' ? this.board.update(job.id, () => patch) : undefined;
  }
}

async function dropSent({ sent, prepared }: BatchJob): Promise<void> {
  for (const path of [sent, prepared]) if (path !== undefined) await rm(path, { force: true }).catch(() => undefined);
}

/** Creates the driver that follows a batch until its results are saved. `isTaken`: whether another job than the one has the batch. */
function createBatchDriver(
  connect: Connect,
  place: ResultsFolder,
  isTaken: (batchId: string, by: BatchJob) => boolean,
): JobDriver<BatchJob> {
  return {
    pace: batchPace,
    readJob: readBatchJob,
    async find(job, tools) {
      return findBatch({ job, tools, service: await connect(job), isTaken: (id) => isTaken(id, job) });
    },

    async look(job, tools) {
      const service = await connect(job);
      const batch = await retrieve(service, job, tools.signal);
      return afterLook(job, batch, tools);
    },

    fetch: (job, tools) => fetchResults({ job, tools, connect, place }),
  };
}

/** How often to check for result names, which may appear a little after the end. */
const looksForResults = 12;

function afterLook(job: BatchJob, batch: Batch, tools: StepTools<BatchJob>): JobPatch<BatchJob> {
  const patch = seen(job, batch, tools.now());
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
