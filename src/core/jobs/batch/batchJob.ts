import '../../../schema/jitless';
import * as z from 'zod/mini';
import { faultOf } from '../../api/batches/batches.schema';
import type { Batch } from '../../api/batches/batches.schema';
import { renamed } from '../../storage/storedFile';
import type { Failure } from '../../batch/results/resultLine';
import type { Job } from '../job';
import type { ModelUsage } from './batchUsage';
import type { OutcomeCounts } from './checkResultFile';
import { jobMembers } from '../jobMembers';

/** A batch file as it was when sent. */
export interface JobInput {
  /** Absolute. */
  readonly path: string;
  readonly sha256: string;
  readonly bytes: number;
  readonly requests: number;
  /** The model of its first request; the service accepts one model per batch. */
  readonly model?: string;
  /** The endpoint of its first request, as the path in its `url`. */
  readonly url?: string;
  /** Estimated, of all requests. Absent for jobs of an earlier version. */
  readonly inputTokens?: number;
  /** The most tokens of all responses; absent if a request sets no limit. */
  readonly outputLimit?: number;
}

export interface BatchJobRequest {
  readonly completion_window: string;
  /** As the user wrote it, without the job's id. */
  readonly metadata?: Readonly<Record<string, string>>;
  readonly replace?: { readonly model: string };
}

/** A downloaded result file. */
export interface FetchedFile {
  /** The name in the batch: a file id, or an address without its signature. */
  readonly from: string;
  readonly bytes: number;
  /** Number of results. */
  readonly lines: number;
  /** Number of results by outcome; absent in records of earlier versions. */
  readonly counts?: OutcomeCounts;
  /** The first error, if no request was answered. */
  readonly failure?: Failure;
  /** The usage of its results, by model. */
  readonly usage?: readonly ModelUsage[];
}

/** A part of an input that is too large for one batch. */
export interface BatchPart {
  /** Its position in the input, in bytes. `end` is exclusive. */
  readonly start: number;
  readonly end: number;
  readonly requests: number;
  /** Estimated; absent if no limit asks for it. */
  readonly tokens?: number;
  /** As last seen. */
  readonly batch?: Batch;
  readonly fetched?: { readonly output?: FetchedFile; readonly errors?: FetchedFile };
}

export interface BatchJob extends Job {
  /** Absent for a batch created elsewhere. */
  readonly input?: JobInput;
  /** Absolute path of the input as sent, until it is moved to the results folder. */
  readonly sent?: string;
  /** Absolute path of the requests in the form in which they were sent with the creation of the batch, until it is over. */
  readonly prepared?: string;
  /** The endpoint and model of all its requests, if the service requires them at the batch's creation. */
  readonly inline?: { readonly endpoint?: string; readonly model?: string };
  readonly inputFileId?: string;
  /** The input was uploaded for this job alone, so a batch with that file is this job's. */
  readonly ownsUpload?: boolean;
  readonly options: BatchJobRequest;
  /** If the input is submitted in parts, one after another: the parts, and the index of the current one. */
  readonly parts?: readonly BatchPart[];
  readonly part?: number;
  /** Set once the user canceled it: nothing more is submitted. */
  readonly isStopped?: true;
  /** IDs of batches that were rejected because too much was waiting, and were submitted again. */
  readonly dropped?: readonly string[];
  /** As last seen; the batches of all parts as one. */
  readonly batch?: Batch;
  /** Absolute: where any window creates its results folder; absent: in the user's current location. */
  readonly resultsRoot?: string;
  /** The real path of `resultsRoot` when the batch was submitted, with links resolved. */
  readonly realRoot?: string;
  /** Absolute path of its results folder. */
  readonly folder?: string;
  /** The real path of `folder` when it was created. */
  readonly realFolder?: string;
  readonly fetched?: { readonly output?: FetchedFile; readonly errors?: FetchedFile };
  /** The usage whose price has been counted in what was spent on a day: once, by one window. */
  readonly counted?: readonly ModelUsage[];
  /** The id of the job whose failed and missing lines this one retries. */
  readonly retryOf?: string;
}

/** Whether a row's job is recorded here and still in progress. */
export function isAwaited({ job }: { readonly job?: BatchJob }): boolean {
  return job !== undefined && job.stage !== 'ended' && job.stage !== 'refused';
}

/** The metadata key for the job's id. */
export const jobKey = 'inference_desk_job';

const count = z.number().check(z.nonnegative());
const usage = z.optional(
  z.array(
    z.looseObject({
      model: z.string(),
      requests: count,
      inputTokens: count,
      outputTokens: count,
      cost: z.optional(count),
    }),
  ),
);
const fetchedFile = z.optional(
  z.looseObject({
    from: z.string(),
    bytes: count,
    lines: count,
    counts: z.optional(z.record(z.string(), count)),
    failure: z.optional(z.looseObject({ code: z.string(), message: z.string() })),
    usage,
  }),
);
const fetched = z.optional(z.looseObject({ output: fetchedFile, errors: fetchedFile }));
const batch = z.optional(
  z.looseObject({
    id: z.string(),
    status: z.string(),
    errors: z.array(z.unknown()),
    metadata: z.record(z.string(), z.string()),
  }),
);
const part = z.looseObject({ start: count, end: count, requests: count, tokens: z.optional(count), batch, fetched });

/** Retains members of later versions. */
const schema = z.looseObject({
  ...jobMembers,
  input: z.optional(
    z.looseObject({
      path: z.string(),
      sha256: z.string(),
      bytes: count,
      requests: count,
      model: z.optional(z.string()),
      url: z.optional(z.string()),
      inputTokens: z.optional(count),
      outputLimit: z.optional(count),
    }),
  ),
  sent: z.optional(z.string()),
  prepared: z.optional(z.string()),
  inline: z.optional(z.looseObject({ endpoint: z.optional(z.string()), model: z.optional(z.string()) })),
  inputFileId: z.optional(z.string()),
  ownsUpload: z.optional(z.boolean()),
  options: z.looseObject({
    completion_window: z.string(),
    metadata: z.optional(z.record(z.string(), z.string())),
    replace: z.optional(z.looseObject({ model: z.string() })),
  }),
  parts: z.optional(z.array(part)),
  part: z.optional(count),
  isStopped: z.optional(z.literal(true)),
  dropped: z.optional(z.array(z.string())),
  batch,
  resultsRoot: z.optional(z.string()),
  realRoot: z.optional(z.string()),
  folder: z.optional(z.string()),
  realFolder: z.optional(z.string()),
  fetched,
  counted: usage,
  retryOf: z.optional(z.string()),
});

/** Returns `undefined` for an incomplete record. Also reads the names of version 0.1.0, `trouble` and `order`. */
export function readBatchJob(raw: unknown): BatchJob | undefined {
  const read = schema.safeParse(renamed(renamed(raw, 'trouble', 'lastError'), 'order', 'options'));
  if (!read.success) return undefined;
  const job = read.data as unknown as BatchJob;
  // Earlier versions stored sentences.
  return job.batch ? { ...job, batch: { ...job.batch, errors: job.batch.errors.map(faultOf) } } : job;
}
