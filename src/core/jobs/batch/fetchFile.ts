import { dirname } from 'node:path';
import { isApiError, type ApiErrorKind } from '../../api/errors';
import { reachOf } from '../../storage/privateFiles';
import { StepFailure, type JobErrorKind } from '../job';
import { toJobError } from '../jobError';
import type { BatchJob, FetchedFile } from './batchJob';
import type { BatchService } from './batchService';
import type { ResultSource } from './batchState';
import { checkResultFile } from './checkResultFile';
import { lstat, open, rm, stat, truncate } from 'node:fs/promises';
import { renameDurably } from '../../storage/atomicFile';

export interface FileToFetch {
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
export async function fetchFile(service: BatchService, file: FileToFetch): Promise<FetchedFile> {
  const { source, path, signal } = file;
  const partTo = `${path}.part`;
  const request = { file: source.file, toPath: path, maxBytes, partTo, ...(await reachOf(dirname(path))) };
  const { bytes } = await service.files.content(request, signal).catch(async (error: unknown) => {
    await keepWholeLines(partTo, path);
    throw toFailure(error, file);
  });
  const { lines, isTorn, isResults } = await checkResultFile(path, signal);
  if (!isResults) throw failure('notResults', 'Its first line is no result.', file);
  if (isTorn) throw failure('cutShort', `Its last line (${lines}) is not whole.`, file);
  return { from: source.name, bytes, lines };
}

function failure(kind: JobErrorKind, message: string, file: FileToFetch): StepFailure {
  return new StepFailure({ kind, message: `${file.source.kind}: ${message}`, ...finalOf(file) });
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
  unsafeUrl: 'fetch',
};

function toFailure(error: unknown, file: FileToFetch): unknown {
  if (!isApiError(error) || error.kind === 'aborted') return error;
  const kind = kinds[error.kind] ?? 'fetch';
  const trouble = toJobError(error, kind);
  const isFinal = error.kind === 'notOffered' || error.kind === 'unsafeUrl' ? { isFinal: true } : {};
  const isCounted = ['resultMissing', 'cutShort', 'notResults'].includes(kind) ? finalOf(file) : {};
  return new StepFailure(
    { ...trouble, ...isFinal, ...isCounted },
    { restMs: error.details.retryAfterMs, cause: error },
  );
}

const blockBytes = 64 * 1024;
const lineEnd = 10;

/** Replaces `path` with the complete lines of a partial file, unless it has more already. Always removes the partial file. */
async function keepWholeLines(part: string, path: string): Promise<void> {
  try {
    // The target of a link is not truncated.
    if (!(await lstat(part)).isFile()) return;
    const bytes = await wholeBytes(part);
    const had = (await stat(path).catch(() => undefined))?.size ?? 0;
    if (bytes <= had) return;
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
