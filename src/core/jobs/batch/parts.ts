import { createReadStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import type { Batch } from '../../api/batches/batches.schema';
import { isCancellable } from '../../batch/state/batchState';
import { rulesOf } from '../../profiles/vendorRules';
import { objectOf, parseObject } from '../../batch/scan/jsonValue';
import { digestOf } from '../../batch/results/sentLines';
import { readLines } from '../../batch/transform/lines';
import { countInputTokens } from '../../tokens/countTokens';
import { openFile } from '../../storage/privateFiles';
import { StepFailure } from '../job';
import type { JobPatch } from '../job';
import type { BatchJob, BatchPart, FetchedFile } from './batchJob';
import { isOver, sourcesOf } from './batchState';
import { sumOfUsage } from './batchUsage';

/** The limits of one batch. Missing if there is no limit, or none is known. */
export interface BatchLimits {
  readonly requests?: number | undefined;
  readonly bytes?: number | undefined;
  /** The most tokens of requests that may wait at the service. */
  readonly tokens?: number | undefined;
}

/**
 * Returns the parts in which a file is submitted under limits, or one part if it is within them. Tokens are estimated. A request that
 * exceeds a limit by itself gets its own part. Throws file system errors.
 */
export async function planParts(
  path: string,
  limits: BatchLimits,
  signal?: AbortSignal,
): Promise<readonly BatchPart[]> {
  const { requests: mostRequests = Infinity, bytes: mostBytes = Infinity, tokens: mostTokens = Infinity } = limits;
  const parts: { start: number; requests: number; tokens: number }[] = [];
  for await (const lines of readLines(path, { ...(signal && { signal }) })) {
    for (const { bytes, offset } of lines) {
      const tokens = mostTokens === Infinity ? 0 : tokensIn(bytes);
      const part = parts.at(-1);
      const isFull =
        !part ||
        part.requests >= mostRequests ||
        offset + bytes.length + lineBreakBytes - part.start > mostBytes ||
        part.tokens + tokens > mostTokens;
      if (isFull) parts.push({ start: offset, requests: 1, tokens });
      else Object.assign(part, { requests: part.requests + 1, tokens: part.tokens + tokens });
    }
  }
  const { size } = await stat(path);
  return parts.map(({ start, requests, tokens }, index) => ({
    start,
    end: parts[index + 1]?.start ?? size,
    requests,
    ...(mostTokens !== Infinity && { tokens }),
  }));
}

const lineBreakBytes = 2;

/** Estimates the tokens of the input of a request. */
function tokensIn(line: Buffer): number {
  const request = parseObject(line.toString('utf8')) ?? {};
  return countInputTokens(objectOf(request['body']) ?? objectOf(request['params']));
}

/** Writes the requests of a job's current part to a file. Throws `StepFailure` of kind `input` if the input has changed since it was read. */
export async function writePart(job: BatchJob, to: string, signal?: AbortSignal): Promise<void> {
  const { input, sent } = job;
  const part = currentPart(job);
  if (!part || !input) throw new StepFailure({ kind: 'input', message: 'The input file is unknown.' });
  const source = sent ?? input.path;
  try {
    // The copy is private; another file may have been written to between two parts, hours apart.
    if (sent === undefined && (await digestOf(source)) !== input.sha256) {
      throw new StepFailure({ kind: 'input', message: 'The file has changed since its first part.' });
    }
    const reading = createReadStream(source, { start: part.start, end: part.end - 1 });
    const writing = (await openFile(to, 'w')).createWriteStream();
    await pipeline(reading, writing, signal ? { signal } : {});
  } catch (error) {
    await rm(to, { force: true }).catch(() => undefined);
    throw error;
  }
}

export function currentPart({ parts, part = 0 }: BatchJob): BatchPart | undefined {
  return parts?.[part];
}

/** Returns the current batch: that of the current part, if the job has parts. */
export function currentBatch(job: BatchJob): Batch | undefined {
  return job.parts ? currentPart(job)?.batch : job.batch;
}

/** Returns the downloaded results of the current batch. */
export function currentFetched(job: BatchJob): NonNullable<BatchJob['fetched']> {
  return (job.parts ? currentPart(job)?.fetched : job.fetched) ?? {};
}

/** Whether another part is submitted once the current one is done: not after the user canceled the job. */
export function hasNextPart(job: BatchJob): boolean {
  return !job.isStopped && hasFurtherPart(job);
}

/** Whether parts of the input were not submitted yet. */
export function hasFurtherPart({ parts = [], part = 0 }: BatchJob): boolean {
  return part + 1 < parts.length;
}

/**
 * Returns what canceling a batch does: at a service that doesn't cancel batches, only further parts are stopped. `undefined` if it has no
 * effect.
 */
export function cancelEffect(
  { batch, job }: { readonly batch?: Batch; readonly job?: BatchJob },
  baseUrl: string | undefined,
): 'batch' | 'laterParts' | undefined {
  if (!batch || !isCancellable(batch)) return undefined;
  if (job?.stage === 'queued') return 'batch';
  if (baseUrl !== undefined && rulesOf(baseUrl).batch.form === 'openrouter')
    return job && hasNextPart(job) ? 'laterParts' : undefined;
  // It is canceled once it is found.
  return job?.stage === 'unknown' && job.isStopped ? undefined : 'batch';
}

/** Returns the index of the last part whose batch was not rejected because of queued ones, or `undefined`. */
function lastBegun({ parts = [], dropped = [] }: BatchJob): number | undefined {
  const index = parts.findLastIndex(({ batch }) => batch !== undefined && !dropped.includes(batch.id));
  return index < 0 ? undefined : index;
}

/** Returns the batch of a job of which nothing follows, as the service left it. */
export function settledBatch(job: BatchJob): Batch | undefined {
  const { batch, parts = [], dropped = [] } = job;
  if (!batch) return undefined;
  const last = parts[lastBegun(job) ?? -1]?.batch;
  if (last) return { ...batch, status: last.status };
  return dropped.length > 0 ? { ...batch, status: 'failed' } : batch;
}

/** Returns a queued job's changes when it isn't submitted any further. Completed parts keep their results. */
export function stoppedPatch(job: BatchJob): JobPatch<BatchJob> {
  const stopped = { isStopped: true, lastError: undefined, failures: undefined, triedAt: undefined } as const;
  const part = lastBegun(job);
  const batch = job.parts?.[part ?? -1]?.batch;
  if (part === undefined || !batch) {
    const none = job.batch && { ...job.batch, status: 'cancelled' };
    return { ...stopped, stage: none ? 'ended' : 'refused', batch: none };
  }
  // The final steps of its last part are repeated, as for the last one of all.
  const stage = sourcesOf(batch).length > 0 ? 'fetching' : 'ended';
  return { ...stopped, part, ...batchPatch({ ...job, part, isStopped: true }, batch), stage };
}

/** Returns the token by which the service identifies the job, and its part, of a batch. */
export function tokenOf({ id, part = 0 }: BatchJob): string {
  return part === 0 ? id : `${id}-p${part + 1}`;
}

/** Returns the id of the job in a token. */
export const jobOfToken = (token: string): string => token.replace(/-p\d+$/, '');

/** Returns a job's changes after its current batch was seen: as the user sees it, one batch has all its parts. */
export function batchPatch(job: BatchJob, batch: Batch): Partial<BatchJob> {
  if (!job.parts) return { batch };
  const parts = withCurrent(job, { batch });
  return { parts, batch: wholeOf(parts, job) ?? batch };
}

export function fetchedPatch(job: BatchJob, fetched: NonNullable<BatchJob['fetched']>) {
  if (!job.parts) return { fetched };
  const parts = withCurrent(job, { fetched });
  const sum = (kind: 'output' | 'errors') => {
    const files = parts.flatMap((part) => part.fetched?.[kind] ?? []);
    return files.length === 0 ? {} : { [kind]: summed(files) };
  };
  return { parts, fetched: { ...sum('output'), ...sum('errors') } };
}

function withCurrent({ parts = [], part = 0 }: BatchJob, change: Partial<BatchPart>): readonly BatchPart[] {
  return parts.map((one, index) => (index === part ? { ...one, ...change } : one));
}

function summed(files: readonly FetchedFile[]): FetchedFile {
  const counts: Record<string, number> = {};
  for (const file of files)
    for (const [outcome, count] of Object.entries(file.counts ?? {})) counts[outcome] = (counts[outcome] ?? 0) + count;
  const usage = sumOfUsage(files.flatMap((file) => file.usage ?? []));
  return {
    from: files.map(({ from }) => from).join(' '),
    bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
    lines: files.reduce((sum, { lines }) => sum + lines, 0),
    ...(Object.keys(counts).length > 0 && { counts }),
    ...(usage.length > 0 && { usage }),
  };
}

/**
 * Returns the batches of all parts as one. It is in progress until the last part is over, or one failed. If the user canceled it before
 * its last part, it is canceled.
 */
function wholeOf(parts: readonly BatchPart[], job: BatchJob): Batch | undefined {
  const { part = 0, input } = job;
  const batches = parts.slice(0, part + 1).flatMap(({ batch }) => batch ?? []);
  const [first, last] = [batches[0], batches.at(-1)];
  if (!first || !last) return undefined;
  const { completedAt: _, ...open } = last;
  const sum = (count: 'completed' | 'failed') =>
    batches.reduce((all, { requestCounts }) => all + (requestCounts?.[count] ?? 0), 0);
  const isBetween = (isOver(last) || last.status === 'finalizing') && hasNextPart(job) && goesOn(last);
  const isCut = last.status === 'completed' && job.isStopped && hasFurtherPart(job);
  // Some of it has been done.
  const isWaiting = isBetween || (part > 0 && ['validating', 'in_queue'].includes(last.status));
  const { createdAt, inProgressAt, metadata, id } = first;
  return {
    ...(isWaiting ? { ...open, status: 'in_progress' } : isCut ? { ...open, status: 'cancelled' } : last),
    id,
    metadata,
    ...(createdAt !== undefined && { createdAt }),
    ...(inProgressAt !== undefined && { inProgressAt }),
    requestCounts: {
      total: input?.requests ?? parts.reduce((all, { requests }) => all + requests, 0),
      completed: sum('completed'),
      failed: sum('failed'),
    },
  };
}

/** Whether the next part is submitted after a batch: not after one that the service rejected, or that was canceled. */
export function goesOn({ status }: Batch): boolean {
  return status !== 'failed' && status !== 'cancelled' && status !== 'cancelling';
}

/** Whether a batch failed because others of the account wait at the service, so that the same one can be submitted later. */
export function isOverQueue({ status, errors }: Batch): boolean {
  return status === 'failed' && errors.some(isOfQueue);
}

/** Whether a fault of a batch says that too much waits at the service. */
export function isOfQueue({ code, message }: Batch['errors'][number]): boolean {
  return code === 'token_limit_exceeded' || /enqueued token limit/i.test(message);
}
