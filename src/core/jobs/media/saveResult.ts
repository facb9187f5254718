import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isApiError } from '../../api/errors';
import { readFileFacts } from '../../assets/fileFacts';
import type { FileFault } from '../../assets/fileFacts';
import { storeAsset } from '../../assets/storeAsset';
import type { StoreOptions, Making } from '../../assets/storeAsset';
import { writeAtomic } from '../../storage/atomicFile';
import { makeFolder } from '../../storage/privateFiles';
import { checkFolder } from '../../workspace/realLocation';
import { StepFailure, toJobError } from '../job';
import type { JobError, JobErrorKind } from '../job';
import type { MediaJob } from './mediaJob';
import type { MediaService } from './mediaService';
import { wholeName } from './resultParts';

/** Where to save files if the user's folder is not writable, and the lock that keeps windows apart there. */
export interface SaveTarget {
  readonly lock: StoreOptions['lock'];
  /** Absolute. */
  readonly fallback: string;
}

interface NumberedResult {
  readonly job: MediaJob;
  readonly index: number;
}

export interface ResultToSave extends NumberedResult {
  readonly place: SaveTarget;
  readonly signal: AbortSignal;
}

export interface PlacedResult extends NumberedResult {
  readonly fallback: string;
}

export interface SavedResult {
  /** Absolute. */
  readonly path: string;
  /** Why it was saved elsewhere. */
  readonly elsewhere?: Omit<JobError, 'at'>;
}

const megabyte = 1024 ** 2;
/** Images have a few megabytes, videos of some seconds tens: larger files need the user's confirmation. */
export const largest = { image: 64 * megabyte, video: 512 * megabyte } as const;
const largestAtAll = 16 * 1024 ** 3;
/** The content may be different a moment later: an error page in place of a result is temporary. */
const triesForGood = 3;

/** Saves one result with its metadata; elsewhere if its folder is not writable or now leads elsewhere. Throws `StepFailure`. */
export async function saveResult(service: MediaService, result: ResultToSave): Promise<SavedResult> {
  const { job, place } = result;
  if (cameWithAnswer(result) && job.folder !== place.fallback && (await isPlaced(place.fallback, result))) {
    return { path: await saveIn(place.fallback, service, result), elsewhere: { kind: 'savedElsewhere', message: '' } };
  }
  try {
    return { path: await saveIn(job.folder, service, result) };
  } catch (error) {
    if (!isDiskError(error)) throw error;
    const jobError = toJobError(error, 'disk');
    if (job.folder === place.fallback) throw new StepFailure(jobError, { cause: error });
    const path = await saveIn(place.fallback, service, result).catch((second: unknown) => {
      throw isDiskError(second) ? new StepFailure(jobError, { cause: second }) : second;
    });
    return { path, elsewhere: { ...jobError, kind: 'savedElsewhere' } };
  }
}

/**
 * Writes a result that came in the response itself where its download would lie: in its folder, or in `fallback` if that is not writable.
 * Throws if neither is.
 */
export async function placeResult(bytes: Uint8Array, { job, index, fallback }: PlacedResult): Promise<void> {
  const placeIn = async (folder: string) => {
    const isPrivate = folder === fallback;
    if (!isPrivate) checkFolder(folder, job.realFolder);
    await makeFolder(folder, { isPrivate });
    await writeAtomic(join(folder, wholeName(job, index)), bytes, { isPrivate });
  };
  await placeIn(job.folder).catch((error: unknown) => {
    if (job.folder === fallback) throw error;
    return placeIn(fallback);
  });
}

async function saveIn(folder: string, service: MediaService, result: ResultToSave): Promise<string> {
  const { job, index, place } = result;
  const isPrivate = folder === place.fallback;
  // A link may have been placed there since the job was submitted, perhaps hours ago.
  const check = () => isPrivate || checkFolder(folder, job.realFolder);
  check();
  await makeFolder(folder, { isPrivate });
  const whole = join(folder, wholeName(job, index));
  // A file that was complete before a crash isn't downloaded again, because its URL might have expired.
  if (!(await exists(whole))) await download(whole, service, result, isPrivate);
  const facts = await readFileFacts(whole);
  if (typeof facts === 'string') {
    await rm(whole, { force: true });
    throw fault(facts, result);
  }
  check();
  return (await storeAsset(whole, { folder, facts, made: makingOf(result), lock: place.lock, isPrivate })).path;
}

async function download(whole: string, service: MediaService, result: ResultToSave, isPrivate: boolean): Promise<void> {
  const { job, index, signal } = result;
  if (cameWithAnswer(result)) {
    throw new StepFailure({
      kind: 'expired',
      message: 'The file arrived with the response and no longer exists.',
      isFinal: true,
    });
  }
  const url = job.results?.[index]?.url ?? '';
  const maxBytes = job.evenIfLarge ? largestAtAll : largest[job.task.kind];
  await service.download({ url, toPath: whole, maxBytes, isPrivate }, signal).catch((error: unknown) => {
    throw toFailure(error, result);
  });
}

function makingOf({ job, index }: ResultToSave): Making {
  const { task, baseUrl, answeredAt, createdAt, seed, inferenceSeconds, traceId, requestId } = job;
  return {
    ...task,
    createdAt: new Date(answeredAt ?? createdAt).toISOString(),
    service: baseUrl,
    index,
    ...(seed !== undefined && { seed }),
    ...(inferenceSeconds !== undefined && { inferenceSeconds }),
    ...(traceId !== undefined && { traceId }),
    ...(requestId !== undefined && { requestId }),
  };
}

const faultKinds: Readonly<Record<FileFault, JobErrorKind>> = { empty: 'empty', markup: 'markup', other: 'notMedia' };

function fault(found: FileFault, result: ResultToSave): StepFailure {
  const isFinal = cameWithAnswer(result) ? { isFinal: true } : finalAfter(triesForGood, result.job);
  return new StepFailure({ kind: faultKinds[found], message: found, ...isFinal });
}

function cameWithAnswer({ job, index }: ResultToSave): boolean {
  return job.results?.[index]?.url === '';
}

function finalAfter(tries: number, { failures = 0 }: MediaJob): { readonly isFinal?: true } {
  return failures + 1 >= tries ? { isFinal: true } : {};
}

function toFailure(error: unknown, { job }: ResultToSave): unknown {
  if (!isApiError(error) || error.kind === 'aborted' || error.kind === 'file') return error;
  const { details } = error;
  if (error.kind === 'notFound') {
    return new StepFailure({ ...toJobError(error, 'expired'), ...finalAfter(triesForGood, job) }, { cause: error });
  }
  const isLarge = error.kind === 'tooLarge';
  const jobError = toJobError(error, isLarge ? 'tooLarge' : 'fetch');
  return new StepFailure(
    { ...jobError, ...((isLarge || error.kind === 'unsafeUrl') && { isFinal: true }) },
    { restMs: details.retryAfterMs, cause: error },
  );
}

function isDiskError(error: unknown): boolean {
  if (isApiError(error)) return error.kind === 'file';
  return !(error instanceof StepFailure) && error instanceof Error && 'syscall' in error;
}

function isPlaced(folder: string, { job, index }: ResultToSave): Promise<boolean> {
  return exists(join(folder, wholeName(job, index)));
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isFile() === true;
}
