import { rm } from 'node:fs/promises';
import type { Batch } from '../../api/batches/batches.schema';
import { isApiError } from '../../api/errors';
import { parseObject } from '../../batch/scan/jsonValue';
import { readLines } from '../../batch/transform/lines';
import { StepFailure, toJobError } from '../job';
import type { JobPatch } from '../job';
import type { StepTools } from '../jobDriver';
import type { BatchJob } from './batchJob';
import { eachBatch } from './batchService';
import type { BatchService } from './batchService';
import { isOver, sourcesOf } from './batchState';
import { batchPatch, currentBatch, currentPart, tokenOf } from './parts';
import { jobKey } from './batchJob';

/** Retrieves a batch; if the service does not offer that, finds it in the list. */
export async function retrieve(service: BatchService, job: BatchJob, signal?: AbortSignal): Promise<Batch> {
  const id = currentBatch(job)?.id ?? '';
  try {
    return await service.batches.retrieve({ id }, signal);
  } catch (error) {
    if (!isApiError(error)) throw error;
    if (error.kind === 'notFound') throw new StepFailure(toJobError(error, 'gone'), { cause: error });
    if (error.kind !== 'notOffered') throw error;
  }
  for await (const listed of eachBatch(service, signal)) if (listed.id === id) return listed;
  throw new StepFailure({ kind: 'gone', message: `${id} is not listed.` });
}

/** Returns the changes to record whenever the batch was retrieved, whatever its status. */
export function seen(job: BatchJob, batch: Batch, now: number): JobPatch<BatchJob> {
  const isNews = currentBatch(job)?.status !== batch.status;
  return {
    ...batchPatch(job, batch),
    checkedAt: now,
    ...(isNews ? { changedAt: now, looks: 0 } : { looks: (job.looks ?? 0) + 1 }),
    ...(batch.expiresAt !== undefined && { expiresAt: batch.expiresAt * 1000 }),
  };
}

/** How far the clock of a service may be behind this machine's. */
const clockSkewMs = 10 * 60_000;
/** Results are larger than requests, but not by more. */
const maxBytes = 16 * 1024 ** 3;

interface Search {
  readonly job: BatchJob;
  readonly tools: StepTools<BatchJob>;
  readonly service: BatchService;
  /** Whether another job has the batch. */
  readonly isTaken: (batchId: string) => boolean;
}

/** Searches the service for the batch of a job whose response was lost. */
export async function findBatch(search: Search): Promise<JobPatch<BatchJob>> {
  const { job, tools, service } = search;
  const { found, isOpen } = service.batches.form === 'file' ? await findMarked(search) : await findByIds(search);
  const [batch] = found;
  if (!batch) return stillUnknown(job, tools, isOpen);
  const patch = { ...seen(job, batch, tools.now()), stage: 'running' } as const;
  if (found.length === 1) return patch;
  const message = found.map(({ id }) => id).join(', ');
  return { ...patch, lastError: { kind: 'startedTwice', message, at: tools.now() } };
}

interface Found {
  readonly found: readonly Batch[];
  /** Whether a batch in progress may be the one, too. */
  readonly isOpen: boolean;
}

async function findMarked({ job, tools, service }: Search): Promise<Found> {
  const found: Batch[] = [];
  for await (const batch of eachBatch(service, tools.signal)) if (isOf(batch, job)) found.push(batch);
  return { found, isOpen: false };
}

/** A batch listed without metadata is recognized by its file, which no other batch has if it was uploaded for this job. */
function isOf(batch: Batch, job: BatchJob): boolean {
  const token = batch.metadata[jobKey];
  if (job.dropped?.includes(batch.id)) return false;
  if (token !== undefined) return token === tokenOf(job);
  return job.ownsUpload === true && job.inputFileId !== undefined && batch.inputFileId === job.inputFileId;
}

/**
 * If batches support no metadata, only the results identify the job, by the IDs of its requests. A batch of the same size that has not
 * ended might be the one, but another program might also have created it.
 */
async function findByIds({ job, tools, service, isTaken }: Search): Promise<Found> {
  const candidates: Batch[] = [];
  for await (const batch of eachBatch(service, tools.signal))
    if (isLike(batch, job) && !isTaken(batch.id)) candidates.push(batch);
  if (candidates.length === 0 || job.prepared === undefined) return { found: [], isOpen: candidates.length > 0 };
  const ids = await idsIn(job.prepared);
  const found: Batch[] = [];
  let isOpen = false;
  for (const candidate of candidates) {
    const { parts: _, ...alone } = job;
    const batch = await retrieve(service, { ...alone, batch: candidate }, tools.signal);
    if (!isOver(batch)) isOpen = true;
    else if (await hasResultsOf(batch, ids, { job, tools, service })) found.push(batch);
  }
  return { found, isOpen };
}

/**
 * Whether a batch was created at the time of a job, with the same number of requests and endpoint. Values missing from a list count as the
 * same.
 */
function isLike({ createdAt, requestCounts, model, endpoint }: Batch, job: BatchJob): boolean {
  const isOld = createdAt !== undefined && createdAt * 1000 < job.createdAt - clockSkewMs;
  const { total } = requestCounts ?? {};
  const isOther = total !== undefined && total > 0 && total !== (currentPart(job)?.requests ?? job.input?.requests);
  const { inline } = job;
  const isOfOther = (known: string | undefined, sent: string | undefined) =>
    known !== undefined && sent !== undefined && known !== sent;
  return !isOld && !isOther && !isOfOther(model, inline?.model) && !isOfOther(endpoint, inline?.endpoint);
}

async function hasResultsOf(
  batch: Batch,
  ids: ReadonlySet<string>,
  { job, tools, service }: Omit<Search, 'isTaken'>,
): Promise<boolean> {
  if (sourcesOf(batch).length === 0) return false;
  const toPath = `${job.prepared}.results`;
  try {
    const target = { id: batch.id, toPath, partTo: `${toPath}.part`, maxBytes, isPrivate: true };
    await service.batches.results(target, tools.signal);
    const results = await idsIn(toPath);
    return results.size === ids.size && [...results].every((id) => ids.has(id));
  } finally {
    await rm(toPath, { force: true }).catch(() => undefined);
    await rm(`${toPath}.part`, { force: true }).catch(() => undefined);
  }
}

async function idsIn(path: string): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  for await (const lines of readLines(path)) {
    for (const { bytes } of lines) {
      const id = parseObject(bytes.toString('utf8'))?.['custom_id'];
      if (typeof id === 'string') ids.add(id);
    }
  }
  return ids;
}

function stillUnknown(
  { looks = 0, lastError }: BatchJob,
  { now }: StepTools<BatchJob>,
  isOpen: boolean,
): JobPatch<BatchJob> {
  const at = lastError?.at ?? now();
  const kind = isOpen ? 'unconfirmed' : 'answerLost';
  return {
    looks: looks + 1,
    checkedAt: now(),
    lastError: { message: 'No batch with this ID is listed.', ...lastError, kind, at },
  };
}
