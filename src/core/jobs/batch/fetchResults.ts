import { rm, stat, open, truncate } from 'node:fs/promises';
import { basename, join, dirname } from 'node:path';
import type { Batch } from '../../api/batches/batches.schema';
import type { ApiErrorKind } from '../../api/errorKinds';
import { isApiError } from '../../api/errors';
import { createRunFolder, readRunFolder, updateRun } from '../../batch/results/runFolder';
import type { Run } from '../../batch/results/runFile';
import { sentPathIn } from '../../batch/results/sentLines';
import { copyAtomic, renameDurably } from '../../storage/atomicFile';
import { reachOf } from '../../storage/privateFiles';
import { hiddenBeside } from '../../storage/temporaryFiles';
import { isBelow } from '../../workspace/isBelow';
import { checkFolder, realLocation } from '../../workspace/realLocation';
import { StepFailure, type JobPatch, type JobError, type JobErrorKind, toJobError } from '../job';
import type { StepTools } from '../jobDriver';
import { retrieve, seen } from './askBatch';
import type { BatchJob, FetchedFile } from './batchJob';
import type { BatchService, Connect, ResultsFolder } from './batchService';
import { countsOf, isAddress, isOver, sourcesOf, type ResultSource } from './batchState';
import { batchPatch, currentBatch, currentFetched, fetchedPatch, goesOn, hasNextPart } from './parts';
import { checkResultFile } from './checkResultFile';

export interface Fetching {
  readonly job: BatchJob;
  readonly tools: StepTools<BatchJob>;
  readonly connect: Connect;
  readonly place: ResultsFolder;
}

const fileNames = { output: 'output.jsonl', errors: 'errors.jsonl' } as const;

/** The results of each part are in separate files. */
function fileName(kind: keyof typeof fileNames, part = 0): string {
  return part === 0 ? fileNames[kind] : `${kind}-${part + 1}.jsonl`;
}

/** Maximum age of an address or a batch's status, in milliseconds; an older one is requested again. */
const freshMs = 5 * 60_000;
/** A file might be incomplete when it is first named, and a service might also count lines that are in no file. */
const triesForAll = 2;

/**
 * Fetches the results named by a batch into the folder of its run, each file once. Saves what is available, whatever happens to the
 * rest; then throws the first `StepFailure`.
 */
export async function fetchResults(fetching: Fetching): Promise<JobPatch<BatchJob>> {
  const service = await fetching.connect(fetching.job);
  const job = await withFreshSources(service, fetching);
  const batch = currentBatch(job);
  if (!batch) return { stage: 'running' };
  const placed = { ...fetching, job, place: placeOf(fetching) };
  if (isOver(batch)) return { ...(await intoSomeFolder(service, placed, batch)), stage: 'ended' };
  // Early results of a batch that may continue must not keep it from being followed.
  return intoSomeFolder(service, placed, batch).then(
    (patch) => ({ ...patch, stage: 'running' }),
    (error: unknown) => ({ stage: 'running', lastError: { ...fetchErrorOf(error), at: fetching.tools.now() } }),
  );
}

/** The window that fetches the results may have another workspace than the one that submitted the batch. */
function placeOf({ job: { resultsRoot }, place }: Fetching): ResultsFolder {
  return resultsRoot === undefined ? place : { ...place, root: () => resultsRoot };
}

/** Saves results elsewhere if the user's folder is not writable, because they may be available only today. */
async function intoSomeFolder(service: BatchService, fetching: Fetching, batch: Batch): Promise<JobPatch<BatchJob>> {
  const { job, place, tools } = fetching;
  try {
    return await intoFolder(service, fetching, batch);
  } catch (error) {
    if (!isDiskError(error)) throw error;
    // The results of further parts stay with those of the first.
    const isPlaced = place.root() === place.fallback || (job.part ?? 0) > 0;
    if (isPlaced) throw new StepFailure(fetchErrorOf(error), { cause: error });
    const { folder: _, realFolder: __, ...others } = job;
    const without = { ...others, ...fetchedPatch(others, {}) };
    const elsewhere = { ...fetching, job: without, place: { root: () => place.fallback, fallback: place.fallback } };
    const saved = await intoFolder(service, elsewhere, batch).catch((second: unknown) => {
      throw isDiskError(second) ? new StepFailure(fetchErrorOf(second), { cause: second }) : second;
    });
    return { ...saved, lastError: { ...fetchErrorOf(error), kind: 'savedElsewhere', at: tools.now() } };
  }
}

/** An address that worked a while ago may have expired, and one that failed has. */
async function withFreshSources(service: BatchService, { job, tools }: Fetching): Promise<BatchJob> {
  const { failures = 0, checkedAt = 0 } = job;
  const batch = currentBatch(job);
  const hasAddress = batch !== undefined && sourcesOf(batch).some(({ file }) => isAddress(file));
  const isFresh = Math.abs(tools.now() - checkedAt) < freshMs;
  if (!hasAddress || (isFresh && failures === 0)) return job;
  return tools.save(seen(job, await retrieve(service, job, tools.signal), tools.now()));
}

async function intoFolder(service: BatchService, fetching: Fetching, batch: Batch): Promise<JobPatch<BatchJob>> {
  const { job: provided, tools } = fetching;
  const { folder, realFolder } = await openFolder(fetching, batch);
  const isLast = !hasNextPart(provided) || !goesOn(batch);
  let job = await tools.save({ folder, realFolder, ...fetchedPatch(provided, currentFetched(provided)) });
  const failures: unknown[] = [];
  // Files of earlier parts may have been deleted since.
  const parts =
    provided.parts && isLast ? [...provided.parts.keys()].slice(0, (provided.part ?? 0) + 1) : [provided.part];
  for (const part of parts) {
    const of = () => (part === undefined ? job : { ...job, part });
    for (const source of await currentSources(service, of(), provided, tools)) {
      const path = join(folder, fileName(source.kind, part));
      if (await isHad(path, currentFetched(of())[source.kind], source)) continue;
      checkFolder(folder, realFolder);
      try {
        const file = await fetchFile(service, { source, path, job: provided, signal: tools.signal });
        job = await tools.save(fetchedPatch(of(), { ...currentFetched(of()), [source.kind]: file }));
      } catch (error) {
        if (tools.signal.aborted) throw error;
        failures.push(error);
      }
    }
  }
  const fetched = currentFetched(job);
  checkFolder(folder, realFolder);
  // Last, because remaining disk space is for the results. The next parts are read from it.
  if (isLast && job.sent !== undefined && (await isMoved(job.sent, folder))) await tools.save({ sent: undefined });
  if (job.prepared !== undefined) {
    await rm(job.prepared, { force: true }).catch(() => undefined);
    await tools.save({ prepared: undefined });
  }
  const { answered, incomplete, failed } = countsOf(fetchedPatch(job, fetched).fetched);
  const counts = { answered, failed, ...(incomplete > 0 && { incomplete }) };
  const status = batchPatch(job, batch).batch?.status ?? batch.status;
  await noteRun(folder, { ended: isLast && isOver(batch) && failures.length === 0, counts, status }, job.part);
  if (failures.length > 0) throw failures[0];
  const shortage = shortageOf(fetched, batch);
  if (shortage === undefined) return { folder, ...fetchedPatch(job, fetched) };
  if ((job.failures ?? 0) < triesForAll) {
    await tools.save(fetchedPatch(job, {}));
    throw new StepFailure({ kind: 'cutShort', message: shortage });
  }
  return { folder, ...fetchedPatch(job, fetched), lastError: { kind: 'cutShort', message: shortage, at: tools.now() } };
}

/** Returns the results of a job's current part. The addresses of an earlier one may have expired. */
async function currentSources(
  service: BatchService,
  job: BatchJob,
  { part }: BatchJob,
  { signal }: StepTools<BatchJob>,
): Promise<readonly ResultSource[]> {
  const batch = currentBatch(job);
  const sources = batch ? sourcesOf(batch) : [];
  const isStale = job.part !== part && sources.some(({ file }) => isAddress(file));
  return isStale ? sourcesOf(await retrieve(service, job, signal)) : sources;
}

/** Returns a message if fewer results were received than the service counted. Which file has which differs between services. */
function shortageOf(fetched: NonNullable<BatchJob['fetched']>, { requestCounts }: Batch): string | undefined {
  const counted = (requestCounts?.completed ?? 0) + (requestCounts?.failed ?? 0);
  const came = (fetched.output?.lines ?? 0) + (fetched.errors?.lines ?? 0);
  return came < counted ? `${came} of ${counted} results came.` : undefined;
}

async function isHad(
  path: string,
  file: { readonly from: string; readonly bytes: number } | undefined,
  { name }: ResultSource,
) {
  if (file?.from !== name) return false;
  return (await stat(path).catch(() => undefined))?.size === file.bytes;
}

interface OpenFolder {
  readonly folder: string;
  /** Absent if nobody else writes there. */
  readonly realFolder: string | undefined;
}

/**
 * Returns the job's existing folder, else a new one; the same one if only its name was lost. Throws if a link has replaced a folder
 * since the batch was submitted, perhaps hours ago.
 */
async function openFolder({ job, place }: Fetching, batch: Batch): Promise<OpenFolder> {
  const { profileId, baseUrl, createdAt, input, retryOf, id } = job;
  const model = job.options.replace?.model;
  const run = {
    kind: 'batch' as const,
    name: nameOf(job, batch),
    createdAt,
    profileId,
    baseUrl,
    batchId: batch.id,
    jobId: id,
    ...(model !== undefined && { model }),
    ...(input && { input }),
    ...(retryOf !== undefined && { retryOf }),
    files: {},
    ended: false,
  };
  const there = job.folder === undefined ? undefined : await readRunFolder(job.folder).catch(() => undefined);
  if (there) {
    const realFolder = isBelow(place.fallback, there.path) ? undefined : job.realFolder;
    checkFolder(there.path, realFolder);
    // The folder of a retry is created before there is a batch.
    if (there.isGuessed) await updateRun(there.path, { ...run, files: there.run.files });
    return { folder: there.path, realFolder };
  }
  const root = place.root();
  const isOwn = root === place.fallback;
  if (!isOwn && root === job.resultsRoot) checkFolder(root, job.realRoot);
  const realRoot = realLocation(root);
  const { path: folder } = await createRunFolder(root, run, { isPrivate: isOwn });
  return { folder, realFolder: isOwn ? undefined : join(realRoot, basename(folder)) };
}

function nameOf({ options, input }: BatchJob, batch: Batch): string {
  const provided = options.metadata?.['name'] || batch.metadata['name'];
  return provided || (input ? basename(input.path, '.jsonl') : '') || batch.fileName || batch.id;
}

/** Moves the input next to its results; resolves with false, leaving it in place, if that cannot be written. */
async function isMoved(sent: string, folder: string): Promise<boolean> {
  const to = sentPathIn(folder);
  try {
    await copyAtomic(sent, to, await reachOf(folder));
  } catch {
    await rm(to, { force: true }).catch(() => undefined);
    return false;
  }
  await rm(sent, { force: true }).catch(() => undefined);
  return true;
}

async function noteRun(folder: string, known: Pick<Run, 'ended' | 'counts' | 'status'>, lastPart = 0): Promise<void> {
  const has = async (name: string) => (await stat(join(folder, name)).catch(() => undefined)) !== undefined;
  const { output, errors } = fileNames;
  const more: string[] = [];
  for (let part = 1; part <= lastPart; part++) {
    for (const kind of ['output', 'errors'] as const)
      if (await has(fileName(kind, part))) more.push(fileName(kind, part));
  }
  const files = {
    ...((await has(output)) && { output }),
    ...((await has(errors)) && { errors }),
    ...(more.length > 0 && { more }),
  };
  await updateRun(folder, { ...known, files });
}

function isDiskError(error: unknown): boolean {
  if (error instanceof StepFailure) return error.jobError.kind === 'disk';
  return !isApiError(error) && error instanceof Error && 'syscall' in error;
}

function fetchErrorOf(error: unknown): Omit<JobError, 'at'> {
  return error instanceof StepFailure ? error.jobError : toJobError(error, 'disk');
}

interface FileToFetch {
  readonly source: ResultSource;
  readonly path: string;
  readonly job: BatchJob;
  readonly signal: AbortSignal;
}

/** Even long responses to 5,000 requests stay far below this. */
const maxBytes = 16 * 1024 ** 3;
/** A missing or incomplete result may appear later; after this many attempts, the user has to ask for it. */
const triesForGood = 5;

/** Saves one result file and validates it. Throws `StepFailure`; retains a partial file if it is of use. */
async function fetchFile(service: BatchService, file: FileToFetch): Promise<FetchedFile> {
  const { source, path, signal } = file;
  const partTo = hiddenBeside(path);
  const request = { file: source.file, toPath: path, maxBytes, partTo, ...(await reachOf(dirname(path))) };
  const saving = source.isOfBatch
    ? service.batches.results({ ...request, id: source.file }, signal)
    : service.files.content(request, signal);
  const { bytes } = await saving.catch(async (error: unknown) => {
    await keepWholeLines(partTo, path);
    throw toFailure(error, file);
  });
  const { lines, counts, usage, failure: first, ...facts } = await checkResultFile(path, signal);
  const { isTorn, isResults, serviceError: said } = facts;
  if (!isResults) throw notResults(said, file);
  if (isTorn) throw failure('cutShort', `The last line (${lines}) is incomplete.`, file);
  const rest = { ...(usage.length > 0 && { usage }), ...(first && { failure: first }) };
  return { from: source.name, bytes, lines, counts, ...rest };
}

function failure(kind: JobErrorKind, message: string, file: FileToFetch): StepFailure {
  return new StepFailure({ kind, message: `${file.source.kind}: ${message}`, ...finalOf(file) });
}

/** With the service's own words if it sent an error with a status of success. */
function notResults(said: string | undefined, file: FileToFetch): StepFailure {
  if (said === undefined) return failure('notResults', 'The line has no result.', file);
  return new StepFailure({ kind: 'resultsRefused', message: said, ...finalOf(file) });
}

function finalOf({ job }: FileToFetch): { readonly isFinal?: true } {
  return (job.failures ?? 0) + 1 >= triesForGood ? { isFinal: true } : {};
}

const kinds: Readonly<Partial<Record<ApiErrorKind, JobErrorKind>>> = {
  file: 'disk',
  notFound: 'resultMissing',
  badRequest: 'resultMissing',
  notOffered: 'notOffered',
  truncated: 'cutShort',
  badResponse: 'notResults',
};

function toFailure(error: unknown, file: FileToFetch): unknown {
  if (!isApiError(error) || error.kind === 'aborted') return error;
  const kind = kinds[error.kind] ?? 'fetch';
  const jobError = toJobError(error, kind);
  const isFinal = ['notOffered', 'unsafeUrl', 'tooLarge'].includes(error.kind) ? { isFinal: true } : {};
  const isCounted = ['resultMissing', 'cutShort', 'notResults'].includes(kind) ? finalOf(file) : {};
  return new StepFailure(
    { ...jobError, ...isFinal, ...isCounted },
    { restMs: error.details.retryAfterMs, cause: error },
  );
}

const blockBytes = 64 * 1024;
const lineEnd = 10;

/** Replaces `path` with the complete lines of a partial file, unless it has more already. Always removes the partial file. */
async function keepWholeLines(part: string, path: string): Promise<void> {
  try {
    const bytes = await wholeBytes(part);
    const savedBytes = (await stat(path).catch(() => undefined))?.size ?? 0;
    if (bytes <= savedBytes) return;
    await truncate(part, bytes);
    await renameDurably(part, path);
  } catch {
    // The partial file is missing or cannot be moved: the existing file stays.
  } finally {
    await rm(part, { force: true }).catch(() => undefined);
  }
}

/** Returns the number of bytes up to and including the last line break. */
async function wholeBytes(path: string): Promise<number> {
  const handle = await open(path, 'r');
  try {
    const block = Buffer.alloc(blockBytes);
    for (let end = (await handle.stat()).size; end > 0;) {
      const start = Math.max(0, end - blockBytes);
      const { bytesRead } = await handle.read(block, 0, end - start, start);
      const at = block.subarray(0, bytesRead).lastIndexOf(lineEnd);
      if (at >= 0) return start + at + 1;
      end = start;
    }
    return 0;
  } finally {
    await handle.close();
  }
}
