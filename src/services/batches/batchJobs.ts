import { open } from 'node:fs/promises';
import path from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { releaseSourceRows } from '../../core/batch/results/sourceRows';
import type { PaidEnd } from '../../core/account/costs';
import type { Batch } from '../../core/api/batches/batches.schema';
import { parseObject } from '../../core/batch/scan/jsonValue';
import { statedBy } from '../../core/capabilities/statedLimits';
import { BatchEngine } from '../../core/jobs/batch/batchEngine';
import type { BatchJob } from '../../core/jobs/batch/batchJob';
import { isOver } from '../../core/jobs/batch/batchState';
import { paidBatch } from '../../core/prices/paidWork';
import type { JobEngineOptions } from '../../core/jobs/jobEngine';
import type { UnreadableJob } from '../../core/jobs/jobStore';
import { RequestProblem } from '../../core/jobs/requestProblem';
import { HeldElsewhere } from '../../core/storage/leases';
import { createBusyWork } from '../../platform/busyWork';
import type { DisposableStore } from '../../platform/disposables';
import { reportUnreadable } from '../../platform/errors/reportUnreadable';
import { withDisposables } from '../../platform/withDisposables';
import type { Profile } from '../account/account';
import {
  accountError,
  createJobConnection,
  followJobs,
  jobSurroundings,
  connectionFor,
  signedIn,
  whenJob,
} from '../jobs/jobs';
import type { JobSources } from '../jobs/jobs';
import type { BatchJobProgress, BatchJobs, NewBatchJob } from './batches';
import { busyError, requestProblemError } from './batchMessages';
import { showNotice } from './batchNotices';
import { ownResultsRoot, resultsRoot, sourceStoreOf } from './resultsRoot';

/**
 * Loads the records in `folder`, then continues with pending work until it is disposed. `onChange` is called whenever its jobs differ.
 */
export function openBatchJobs(sources: JobSources, folder: string, onChange: () => void): Promise<LoadedBatchJobs> {
  return withDisposables(async (store) => {
    const { log, profiles } = sources;
    const onError = (error: unknown) => log.warn(`Batches: ${String(error)}`);
    const jobs: LoadedBatchJobs = new LoadedBatchJobs(sources, store, {
      folder,
      onChange,
      onError,
      onNotice: (job, notice) => void showNotice(job, notice, jobs).catch(sources.report),
    });
    store.add(await followJobs(jobs.engine, profiles));
    reportUnreadable(jobs.unreadable, log, {
      record: 'A batch record',
      newer: l10n.t('Some batches come from a newer version. Update Inference Desk.'),
      torn: l10n.t('Some batch records are unreadable. See the log. The service still has the batches.'),
    });
    return jobs;
  });
}

/** The batch engine with the account that pays. */
class LoadedBatchJobs implements BatchJobs {
  readonly engine: BatchEngine;
  private readonly changed;
  private readonly learnedFrom = new Map<string, string>();

  constructor(
    private readonly sources: JobSources,
    private readonly store: DisposableStore,
    options: Pick<JobEngineOptions<BatchJob>, 'folder' | 'onChange' | 'onError' | 'onNotice'>,
  ) {
    const { context, settings, activity, costs } = sources;
    this.changed = store.add(new vscode.EventEmitter<void>());
    const fetching = store.add(createBusyWork(activity, l10n.t('Downloading results')));
    const onChange = () => {
      fetching.update(engine.jobs.some(({ stage, lastError }) => stage === 'fetching' && !lastError));
      options.onChange();
      this.changed.fire();
      this.learnFromEnded();
    };
    const place = { fallback: ownResultsRoot(context), root: () => resultsRoot({ context, settings }) };
    const engine: BatchEngine = new BatchEngine(
      {
        ...options,
        ...jobSurroundings,
        onChange,
        onPaid: (job) => costs.note(job.profileId, paidBatch(job)),
        checkPaid: (job) => costs.check(job.profileId, job),
      },
      createJobConnection(sources),
      place,
    );
    this.engine = engine;
    store.add({ dispose: () => void engine.dispose().catch(options.onError) });
  }

  get jobs(): readonly BatchJob[] {
    return this.engine.jobs;
  }

  get unreadable(): readonly UnreadableJob[] {
    return this.engine.unreadable;
  }

  refresh(): Promise<void> {
    return this.engine.refresh();
  }

  submit(submission: NewBatchJob, progress?: BatchJobProgress): Promise<BatchJob> {
    return this.sending(async () => {
      const from = senderOf(await connectionFor(submission.profileId, this.sources));
      const tokens = this.sources.settings.get('batch.enqueuedTokens');
      const learned = await this.sources.connections.learned(signedIn(this.sources.profiles.get(from.profileId)));
      const enqueuedTokens = (model: string) => learned.of(model).stated?.enqueuedTokens;
      const limit = { ...(tokens > 0 && { enqueuedTokens: tokens }), stated: { ...learned.batches, enqueuedTokens } };
      return this.paid(from.profileId, () => this.engine.submit({ ...submission, ...from, ...limit }, progress));
    });
  }

  createAgain(id: string, progress?: BatchJobProgress): Promise<BatchJob> {
    return this.sending(() => this.paid(this.find(id)?.profileId ?? '', () => this.engine.createAgain(id, progress)));
  }

  async watch(batch: Batch): Promise<BatchJob> {
    return worded(this.engine.watch(batch, senderOf(signedIn(this.sources.account.current.profile))));
  }

  checkNow(id: string, heldMs?: number): Promise<BatchJob> {
    return worded(this.engine.checkNow(id, heldMs));
  }

  cancel(id: string): Promise<BatchJob> {
    return worded(this.engine.cancel(id));
  }

  async fetchResults(id: string): Promise<BatchJob> {
    const job = this.find(id);
    if (job?.lastError?.kind === 'notOffered') await this.sources.connections.forgetOffers(job.profileId);
    return worded(this.engine.fetchResults(id));
  }

  linkInput(id: string, path: string): Promise<BatchJob> {
    return worded(this.engine.linkInput(id, path));
  }

  async forget(id: string): Promise<void> {
    const job = this.find(id);
    await worded(this.engine.forget(id));
    const { input, folder } = job ?? {};
    if (!input || this.engine.jobs.some((other) => other.input?.path === input.path)) return;
    const store = sourceStoreOf(this.sources.context);
    await releaseSourceRows({ store, ...(folder !== undefined && { run: folder }) }, { ...input, sent: job?.sent });
  }

  dispose(): void {
    this.store.dispose();
  }

  /** Looks at each outcome of a job once, because its files can be long. */
  private learnFromEnded(): void {
    for (const job of this.engine.jobs) {
      const { id, stage, batch, dropped = [] } = job;
      const outcome = `${stage} ${batch?.status ?? ''} ${dropped.length}`;
      const isOutcome = stage === 'ended' || stage === 'refused' || stage === 'queued';
      if (!isOutcome || this.learnedFrom.get(id) === outcome) continue;
      this.learnedFrom.set(id, outcome);
      learnLimits(job, this.sources).catch((error: unknown) => this.sources.log.debug(`Limits: ${String(error)}`));
    }
  }

  private find(id: string): BatchJob | undefined {
    return this.engine.jobs.find((job) => job.id === id);
  }

  private async sending(work: () => Promise<BatchJob>): Promise<BatchJob> {
    const running = this.sources.activity.start(l10n.t('Submitting a batch'), { kind: 'job' });
    return worded(work()).finally(() => running.dispose());
  }

  private paid(profileId: string, send: () => Promise<BatchJob>): Promise<BatchJob> {
    const onDidChange = this.changed.event;
    return this.sources.costs.around(profileId, send, async ({ id }) =>
      paidEnd(await whenJob(this.engine, id, { isOver: isWorkedOff, onDidChange })),
    );
  }
}

/** Settles like an action on a job, with its errors worded for the user. */
async function worded<T>(action: Promise<T>): Promise<T> {
  try {
    return await action;
  } catch (error) {
    if (error instanceof HeldElsewhere) throw busyError();
    throw error instanceof RequestProblem ? requestProblemError(error.kind) : accountError(error);
  }
}

/** Whether the service has finished with the job, whatever happens to its results. */
function isWorkedOff({ stage, batch }: BatchJob): boolean {
  return stage === 'refused' || stage === 'ended' || (batch !== undefined && isOver(batch));
}

function paidEnd({ id, stage, batch, input, options, parts = [], dropped = [] }: BatchJob): PaidEnd {
  const isBegun = parts.some((part) => part.batch && !dropped.includes(part.batch.id));
  if (stage === 'refused' && !isBegun) return 'nothing';
  const count = batch?.requestCounts?.completed ?? input?.requests;
  const model = options.replace?.model ?? input?.model;
  return model === undefined || !count ? 'unsure' : { kind: 'batch', model, count, of: id };
}

const senderOf = ({ id, baseUrl }: Profile) => ({ profileId: id, baseUrl });

/** Enough for some rejections of each kind: those of one batch mostly are about the same limits. */
const mostBytes = 200_000;
const mostLines = 200;

/** Remembers the limits that the service stated when it rejected a batch or requests of it, for the account and the model. */
async function learnLimits(job: BatchJob, { connections, profiles }: JobSources): Promise<void> {
  const { folder, input, options, profileId, baseUrl } = job;
  const profile = profiles.get(profileId);
  if (profile?.baseUrl !== baseUrl) return;
  const stated = statedBy(job, folder === undefined ? [] : await rejectionsIn(folder));
  const { requests, bytes, ...ofModel } = stated;
  if (Object.keys(stated).length === 0) return;
  const learned = await connections.learned(profile);
  learned.learnBatches({ ...(requests !== undefined && { requests }), ...(bytes !== undefined && { bytes }) });
  const model = options.replace?.model ?? input?.model;
  if (model !== undefined && Object.keys(ofModel).length > 0) learned.learn(model, { stated: ofModel });
}

/** Returns the texts of the first rejected requests of a run. */
async function rejectionsIn(folder: string): Promise<readonly string[]> {
  const file = await open(path.join(folder, 'errors.jsonl')).catch(() => undefined);
  if (!file) return [];
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(mostBytes), 0, mostBytes, 0);
    const lines = buffer.toString('utf8', 0, bytesRead).split('\n').slice(0, mostLines);
    return lines.flatMap((line) => {
      const { error, response } = parseObject(line) ?? {};
      return error == null && response == null ? [] : [JSON.stringify([error, response])];
    });
  } finally {
    await file.close();
  }
}
