import { join } from 'node:path';
import { abortable } from '../../core/async/abortable';
import { isBatchOver, joinBatches, toAgentBatch, askUntilOver } from '../../core/agentTools/agentBatch';
import type {
  AgentBatch,
  AgentBatchRequest,
  AgentBatchResults,
  BatchResultsRequest,
} from '../../core/agentTools/toolHost';
import { AgentProblem } from '../../core/agentTools/agentTool';
import { readResultRows } from '../../core/agentTools/resultRows';
import type { Batch } from '../../core/api/batches/batches.schema';
import type { BatchRules } from '../../core/batch/services/batchRules';
import { withParts } from '../../core/batch/services/batchServiceOf';
import { rulesOf } from '../../core/profiles/vendorRules';
import { isApiError } from '../../core/api/errors';
import type { StatedOfBatches } from '../../core/api/learned';
import { statedBy, type StatedLimits } from '../../core/capabilities/statedLimits';
import { forgetOld } from '../../core/jobs/forgetOld';
import { BatchEngine } from '../../core/jobs/batch/batchEngine';
import type { BatchJob } from '../../core/jobs/batch/batchJob';
import { batchIdsOf } from '../../core/jobs/batch/batchState';
import { eachBatch } from '../../core/jobs/batch/batchService';
import type { EvalJobs } from '../../core/evals/run/evalJobs';
import { generatedFolder } from '../../core/assets/assetName';
import { paidBatch } from '../../core/prices/paidWork';
import type { Connection } from './connection';
import type { MediaCall } from './mediaRequests';
import { openFolder } from './openFolder';
import type { OpenedFolder } from './openFolder';
import { countDown, createWatch, keepFresh, surroundings } from './requests';

/** Tracks the batches submitted from this server and downloads their results once they have ended. */
export interface BatchRequests {
  /** `sha256` is the digest of the file as it was checked. */
  submit(request: AgentBatchRequest & { readonly sha256?: string | undefined }, call: MediaCall): Promise<AgentBatch>;
  list(signal: AbortSignal): Promise<readonly AgentBatch[]>;
  batch(id: string, waitMs: number, signal: AbortSignal): Promise<AgentBatch>;
  results(request: BatchResultsRequest, call: MediaCall): Promise<AgentBatchResults>;
  /** How evals submit and follow their batches. `resultsRoot`: the absolute path of the folder for results. */
  ofEvals(resultsRoot: string): EvalJobs;
  /** Returns the rules of batches, with the limits that the service stated when it rejected earlier ones. */
  rules(): Promise<BatchRules>;
  /** Resolves once all writes have finished. */
  dispose(): Promise<void>;
}

const mostListed = 100;
/** A check of a batch asks the service, which may take its time. */
const checkMs = 60_000;

/**
 * Resolves once the jobs on disk are loaded, and resumes those that are due. `state` is the absolute path of the job records and of
 * results that have no other folder; `worksIn` is the folder for results until a call names one.
 */
export async function openBatchRequests(
  state: string,
  connection: Connection,
  worksIn: string | undefined,
): Promise<BatchRequests> {
  const batches = new FollowedBatches(state, connection, worksIn);
  await batches.open();
  return batches;
}

class FollowedBatches implements BatchRequests {
  private readonly engine: BatchEngine;
  private readonly watch = createWatch<BatchJob>(() => this.engine.jobs);
  private readonly from: Connection['jobs']['from'];
  private root: string;
  private stop: (() => void) | undefined;

  constructor(
    private readonly state: string,
    private readonly connection: Connection,
    worksIn: string | undefined,
  ) {
    const { jobs, spending, onError } = connection;
    const { own, storage } = jobs;
    const fallback = this.fallback;
    this.root = worksIn === undefined ? fallback : resultsIn(worksIn);
    this.from = jobs.from;
    const engine = {
      ...surroundings,
      folder: storage === undefined ? join(state, 'batches') : join(storage, 'jobs'),
      own,
      onChange: this.watch.changed,
      onNotice: () => undefined,
      onError,
      onPaid: spending.isCountedHere ? (job: BatchJob) => spending.note(paidBatch(job)) : undefined,
      checkPaid: (job: BatchJob) => spending.check(job),
    };
    this.engine = new BatchEngine(engine, connection.connect, { root: () => this.root, fallback });
    spending.consider(this.engine);
  }

  async open(): Promise<void> {
    this.stop = keepFresh(this.engine, this.connection.onError);
    await this.engine.refresh();
    const followed = { jobs: this.jobs, forget: (id: string) => this.engine.forget(id) };
    void forgetOld(followed, Date.now()).catch(this.connection.onError);
  }

  async submit(
    { file, completionWindow, model, sha256 }: Parameters<BatchRequests['submit']>[0],
    call: MediaCall,
  ): Promise<AgentBatch> {
    const { folder: resultsRoot, problem } = await this.placeFor(call);
    const path = await call.folders.file(file);
    const submission = {
      ...this.from,
      path,
      resultsRoot,
      completion_window: completionWindow,
      ...(model !== undefined && { replace: { model } }),
      ...(sha256 !== undefined && { sha256 }),
      stated: { ...(await this.stated()), enqueuedTokens: (ofModel: string) => this.enqueuedTokens(ofModel) },
    };
    const job = await this.connection.daily.within(() => this.engine.submit(submission, { signal: call.signal }));
    return { ...(problem && { problem }), ...toAgentBatch(job) };
  }

  async list(signal: AbortSignal): Promise<readonly AgentBatch[]> {
    await this.engine.refresh();
    const { jobs } = this;
    const listed = await listBatches(this.connection, signal).catch((error: unknown) => {
      if (isApiError(error) && error.kind === 'notOffered' && jobs.length > 0) return [];
      throw error;
    });
    return joinBatches(jobs, listed);
  }

  async batch(id: string, waitMs: number, signal: AbortSignal): Promise<AgentBatch> {
    const job = await this.find(id);
    if (!job) return askUntilOver((ending) => this.retrieve(id, ending), waitMs, signal);
    const left = countDown(waitMs);
    const now = isBatchOver(job) ? job : await abortable(this.engine.checkNow(job.id, waitMs), signal);
    if (isBatchOver(now)) return toAgentBatch(now);
    return toAgentBatch(await this.watch.until(job.id, isBatchOver, { ms: left(), signal }));
  }

  async results({ id, ...rows }: BatchResultsRequest, call: MediaCall): Promise<AgentBatchResults> {
    const { folder: resultsRoot, problem } = await this.placeFor(call);
    const from = { ...this.from, resultsRoot };
    const known = (await this.find(id)) ?? (await this.engine.watch(await this.retrieve(id, call.signal), from));
    if (!known.batch) throw new AgentProblem(`The batch ${id} was not started, so it has no results.`);
    const isHere = known.stage === 'ended' && toAgentBatch(known).folder !== undefined;
    const job = isHere ? known : await abortable(this.engine.fetchResults(known.id), call.signal);
    const report = { ...(problem && job.resultsRoot === resultsRoot && { problem }), ...toAgentBatch(job) };
    if (report.folder !== undefined) {
      const { realFolder, input } = job;
      const run = { folder: report.folder, realFolder, input, guard: (path: string) => call.folders.file(path) };
      return { batch: report, ...(await readResultRows(run, rows, call.signal)) };
    }
    if (report.isOver && report.problem !== undefined) throw new AgentProblem(report.problem);
    const { completed: answered = 0, failed = 0 } = report.requests ?? {};
    return { batch: report, rows: [], total: 0, counts: { answered, failed } };
  }

  ofEvals(resultsRoot: string): EvalJobs {
    return {
      jobs: () => this.engine.jobs,
      submit: async (submission, signal) => {
        const stated = { ...(await this.stated()), enqueuedTokens: (ofModel: string) => this.enqueuedTokens(ofModel) };
        const task = { ...this.from, ...submission, resultsRoot, stated };
        return this.connection.daily.within(() => this.engine.submit(task, { signal }));
      },
      check: (id) => this.engine.checkNow(id, checkMs),
    };
  }

  async rules(): Promise<BatchRules> {
    return withParts(rulesOf(this.connection.baseUrl).batch, await this.stated());
  }

  private async stated(): Promise<StatedOfBatches> {
    await this.engine.refresh();
    const { requests, bytes } = Object.assign({}, ...this.rejected.map((job) => statedBy(job))) as StatedLimits;
    return { ...(requests !== undefined && { requests }), ...(bytes !== undefined && { bytes }) };
  }

  private enqueuedTokens(model: string): number | undefined {
    const ofModel = this.rejected.filter(({ options, input }) => (options.replace?.model ?? input?.model) === model);
    return ofModel.map((job) => statedBy(job).enqueuedTokens).findLast((tokens) => tokens !== undefined);
  }

  /** The jobs of the account that have an error, those of windows too; the latest come last. */
  private get rejected(): readonly BatchJob[] {
    const { profileId, baseUrl } = this.from;
    return this.engine.jobs
      .filter((job) => job.profileId === profileId && job.baseUrl === baseUrl)
      .filter(({ batch, lastError }) => lastError !== undefined || (batch?.errors.length ?? 0) > 0)
      .toSorted((a, b) => a.createdAt - b.createdAt);
  }

  async dispose(): Promise<void> {
    this.stop?.();
    await this.engine.dispose();
  }

  private async placeFor({ folders }: MediaCall): Promise<OpenedFolder> {
    if (folders.list.length === 0) return { folder: this.root };
    const place = await openFolder(folders, {
      names: [generatedFolder, 'batches'],
      fallback: this.fallback,
    });
    this.root = place.folder;
    return place;
  }

  private async find(id: string): Promise<BatchJob | undefined> {
    await this.engine.refresh();
    return this.engine.jobs.find(
      (job) => job.profileId === this.from.profileId && (job.id === id || batchIdsOf(job).includes(id)),
    );
  }

  /** Where results go without a working folder. */
  private get fallback(): string {
    return join(this.connection.jobs.storage ?? this.state, 'results');
  }

  /** The jobs of this server, without those of windows. */
  private get jobs(): readonly BatchJob[] {
    return this.connection.jobs.ownOf(this.engine.jobs);
  }

  private retrieve(id: string, signal: AbortSignal): Promise<Batch> {
    return this.connection.client.batches.retrieve({ id }, signal);
  }
}

function resultsIn(folder: string): string {
  return join(folder, generatedFolder, 'batches');
}

async function listBatches({ client }: Connection, signal: AbortSignal): Promise<readonly Batch[]> {
  const listed: Batch[] = [];
  for await (const batch of eachBatch(client, signal)) {
    listed.push(batch);
    if (listed.length >= mostListed) break;
  }
  return listed;
}
