import { dirname } from 'node:path';
import { isApiError } from '../../api/errors';
import type { ApiErrorKind } from '../../api/errors';
import { reachOf } from '../../storage/privateFiles';
import { StepFailure } from '../job';
import type { JobErrorKind } from '../job';
import { toJobError } from '../jobError';
import type { BatchJob, FetchedFile } from './batchJob';
import type { BatchService } from './batchService';
import type { ResultSource } from './batchState';
import { checkResultFile } from './checkResultFile';
import { keepWholeLines } from './truncateToWholeLines';

export interface FileToFetch {
  readonly source: ResultSource;
  readonly path: string;
  readonly job: Pick<BatchJob, 'failures'>;
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
