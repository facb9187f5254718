import path from 'node:path';
import { listOf, numberOf, objectOf, textOf } from '../scan/jsonValue';
import type { JsonObject } from '../scan/jsonValue';

export const runVersion = 1;

/** The facts about a run of a batch file, at the service or on this machine. */
export interface Run {
  readonly kind: 'batch' | 'local';
  /** The user's name for it. */
  readonly name: string;
  /** Unix milliseconds. */
  readonly createdAt: number;
  readonly profileId?: string;
  readonly baseUrl?: string;
  readonly batchId?: string;
  readonly jobId?: string;
  readonly model?: string;
  /** The batch file as it was sent. */
  readonly input?: RunInput;
  /** The folder or the job id of the run whose failed and missing lines this run retries. */
  readonly retryOf?: string;
  /** Batch files created from what failed or is missing here, the latest last. */
  readonly retries?: readonly RetryFile[];
  /** File names within the folder. */
  readonly files: {
    readonly output?: string;
    readonly errors?: string;
    /** For further parts of a run that was submitted in parts. */
    readonly more?: readonly string[];
  };
  /**
   * The number of results in its files when it was last written. `incomplete`: responses that are truncated, empty, or refused. Defaults to
   * 0.
   */
  readonly counts?: { readonly answered: number; readonly failed: number; readonly incomplete?: number };
  /** The service's word for the status of a batch. */
  readonly status?: string;
  /** The requests' cost as far as it is known, in the account's currency. */
  readonly cost?: number;
  /** The user removed it from the list of work. Its results stay. */
  readonly isUnlisted?: true;
  /** No more results will come. */
  readonly ended: boolean;
}

interface RunInput {
  readonly path: string;
  /** In hexadecimal. */
  readonly sha256: string;
  readonly bytes: number;
  readonly requests: number;
  /** The model of its first request. */
  readonly model?: string;
  /** The endpoint of its first request, as the path in its `url`. */
  readonly url?: string;
}

export interface RetryFile extends Omit<RunInput, 'bytes' | 'model' | 'url'> {
  /** Unix milliseconds. */
  readonly createdAt: number;
}

/** Returns `undefined` if a required member is missing. A member that cannot be read counts as missing. */
export function readRun(value: unknown): Run | undefined {
  const run = objectOf(value) ?? {};
  const { kind, ended } = run;
  const [name, createdAt] = [textOf(run['name']), countOf(run['createdAt'])];
  if ((kind !== 'batch' && kind !== 'local') || name === undefined || createdAt === undefined) return undefined;
  const input = readInput(objectOf(run['input']) ?? {});
  const counts = readCounts(objectOf(run['counts']) ?? {});
  const cost = countOf(run['cost']);
  const retries = listOf(run['retries']).flatMap((retry) => readRetry(objectOf(retry) ?? {}) ?? []);
  return {
    kind,
    name,
    createdAt,
    ...textsOf(run, ['profileId', 'baseUrl', 'batchId', 'jobId', 'model', 'retryOf', 'status']),
    ...(input && { input }),
    ...(retries.length > 0 && { retries }),
    files: readFiles(objectOf(run['files']) ?? {}),
    ...(counts && { counts }),
    ...(cost !== undefined && { cost }),
    ...(run['isUnlisted'] === true && { isUnlisted: true }),
    ended: typeof ended === 'boolean' ? ended : true,
  };
}

function textsOf<Name extends string>(object: JsonObject, names: readonly Name[]): { readonly [Key in Name]?: string } {
  const known = names.flatMap((name) => {
    const text = textOf(object[name]);
    return text === undefined ? [] : [[name, text] as const];
  });
  return Object.fromEntries(known) as { readonly [Key in Name]?: string };
}

function readInput(input: JsonObject): RunInput | undefined {
  const read = readFile(input);
  const bytes = countOf(input['bytes']);
  const [model, url] = [textOf(input['model']), textOf(input['url'])];
  if (!read || bytes === undefined) return undefined;
  return { ...read, bytes, ...(model !== undefined && { model }), ...(url !== undefined && { url }) };
}

function readCounts(counts: JsonObject): Run['counts'] {
  const [answered, failed] = [countOf(counts['answered']), countOf(counts['failed'])];
  const incomplete = countOf(counts['incomplete']);
  if (answered === undefined || failed === undefined) return undefined;
  return { answered, failed, ...(incomplete !== undefined && { incomplete }) };
}

function readRetry(retry: JsonObject): RetryFile | undefined {
  const read = readFile(retry);
  const createdAt = countOf(retry['createdAt']);
  return read && createdAt !== undefined ? { ...read, createdAt } : undefined;
}

function readFile(file: JsonObject): Omit<RunInput, 'bytes' | 'model' | 'url'> | undefined {
  const { path: at, sha256 } = file;
  const requests = countOf(file['requests']);
  const isWhole = typeof at === 'string' && typeof sha256 === 'string' && requests !== undefined;
  return isWhole ? { path: at, sha256, requests } : undefined;
}

/** Accepts only files of the folder itself: content written by someone else must not lead out of it. */
function readFiles(files: JsonObject): Run['files'] {
  const { output, errors } = textsOf(files, ['output', 'errors']);
  const more = listOf(files['more']).flatMap((name) => textOf(name) ?? []);
  const named = more.filter((name) => isFileName(name));
  return {
    ...(isFileName(output) && { output }),
    ...(isFileName(errors) && { errors }),
    ...(named.length > 0 && { more: named }),
  };
}

function isFileName(name: string | undefined): name is string {
  if (name === undefined || name === '' || name === '.' || name === '..' || name.includes(':')) return false;
  return path.posix.basename(path.win32.basename(name)) === name;
}

function countOf(value: unknown): number | undefined {
  const count = numberOf(value);
  return count !== undefined && count >= 0 ? count : undefined;
}
