import '../../api/jitless';
import * as z from 'zod/mini';
import { faultOf } from '../../api/batches/batches.schema';
import type { Batch } from '../../api/batches/batches.schema';
import type { Job } from '../job';
import { jobMembers } from '../jobMembers';

/** A batch file as it was when it was sent. */
export interface JobInput {
  /** Absolute. */
  readonly path: string;
  readonly sha256: string;
  readonly bytes: number;
  readonly requests: number;
  /** What its first request asks; the service takes one model for a batch. */
  readonly model?: string;
}

export interface BatchJobRequest {
  readonly completion_window: string;
  /** As the person wrote it, without the job's id. */
  readonly metadata?: Readonly<Record<string, string>>;
  readonly replace?: { readonly model: string };
}

/** A result file that was got. */
export interface FetchedFile {
  /** What the batch named: a file's id, or an address without its signature. */
  readonly from: string;
  readonly bytes: number;
  /** Those that hold something. */
  readonly lines: number;
}

export interface BatchJob extends Job {
  /** Absent of one that was ordered elsewhere. */
  readonly input?: JobInput;
  /** Absolute: the input as it was sent, until the folder of its results has it. */
  readonly sent?: string;
  readonly inputFileId?: string;
  /** The input was uploaded for this job alone: a batch that has it is this one. */
  readonly ownsUpload?: boolean;
  readonly order: BatchJobRequest;
  /** As last seen. */
  readonly batch?: Batch;
  /** Absolute: where the folder of its results is made, whoever makes it; absent where that is as the person has it then. */
  readonly resultsRoot?: string;
  /** Where that really was when the batch was ordered: links resolved. */
  readonly realRoot?: string;
  /** Absolute: where its results are. */
  readonly folder?: string;
  /** Where that really was when it was made. */
  readonly realFolder?: string;
  readonly fetched?: { readonly output?: FetchedFile; readonly errors?: FetchedFile };
  /** The id of the job whose failed and missing lines this one asks again. */
  readonly retryOf?: string;
}

/** The key of the metadata's pair that holds the job's id. */
export const jobKey = 'inference_desk_job';

const count = z.number().check(z.nonnegative());
const fetchedFile = z.optional(z.looseObject({ from: z.string(), bytes: count, lines: count }));

/** Members of a later version stay. */
const schema = z.looseObject({
  ...jobMembers,
  input: z.optional(
    z.looseObject({
      path: z.string(),
      sha256: z.string(),
      bytes: count,
      requests: count,
      model: z.optional(z.string()),
    }),
  ),
  sent: z.optional(z.string()),
  inputFileId: z.optional(z.string()),
  ownsUpload: z.optional(z.boolean()),
  order: z.looseObject({
    completion_window: z.string(),
    metadata: z.optional(z.record(z.string(), z.string())),
    replace: z.optional(z.looseObject({ model: z.string() })),
  }),
  batch: z.optional(
    z.looseObject({
      id: z.string(),
      status: z.string(),
      errors: z.array(z.unknown()),
      metadata: z.record(z.string(), z.string()),
    }),
  ),
  resultsRoot: z.optional(z.string()),
  realRoot: z.optional(z.string()),
  folder: z.optional(z.string()),
  realFolder: z.optional(z.string()),
  fetched: z.optional(z.looseObject({ output: fetchedFile, errors: fetchedFile })),
  retryOf: z.optional(z.string()),
});

/** `undefined` for what is not a whole record. */
export function readBatchJob(raw: unknown): BatchJob | undefined {
  const read = schema.safeParse(raw);
  if (!read.success) return undefined;
  const job = read.data as unknown as BatchJob;
  // Earlier versions kept sentences.
  return job.batch ? { ...job, batch: { ...job.batch, errors: job.batch.errors.map(faultOf) } } : job;
}
