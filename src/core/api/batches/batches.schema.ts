// https://docs.siliconflow.com/en/api-reference/batch/create-batch
// https://docs.siliconflow.com/en/api-reference/batch/get-batch-list
import '../jitless';
import * as z from 'zod/mini';
import type { Immutable } from '../immutable';

export const batchRequest = z.strictObject({
  input_file_id: z.string(),
  endpoint: z.string(),
  /** A number of hours, `24h`. The page states its bounds the wrong way round; its guide says 24 to 336 hours. */
  completion_window: z.string(),
  metadata: z.nullish(z.record(z.string(), z.string())),
  /** Wins over the model of every line. */
  replace: z.nullish(z.strictObject({ model: z.string() })),
});

/** Newer pages have both; the guide says paging is not supported. */
export const batchListRequest = z.strictObject({ limit: z.optional(z.number()), after: z.optional(z.string()) });
export const batchIdRequest = z.strictObject({ id: z.string() });

/** Absent is not sent, `null` is sent as null. */
export type BatchRequest = Immutable<z.infer<typeof batchRequest>>;

const time = z.nullish(z.number());

/** `object` is always `batch`: not read. */
export const batchResponse = z.looseObject({
  id: z.string(),
  endpoint: z.nullish(z.string()),
  /** A list of strings by the page; other servers send `{data: [{message, line, …}]}`. */
  errors: z.nullish(z.union([z.array(z.unknown()), z.looseObject({ data: z.nullish(z.array(z.unknown())) })])),
  input_file_id: z.nullish(z.string()),
  completion_window: z.nullish(z.string()),
  status: z.string(),
  output_file_id: z.nullish(z.string()),
  error_file_id: z.nullish(z.string()),
  created_at: time,
  in_progress_at: time,
  expires_at: time,
  finalizing_at: time,
  completed_at: time,
  failed_at: time,
  expired_at: time,
  cancelling_at: time,
  cancelled_at: time,
  request_counts: z.nullish(
    z.looseObject({ total: z.nullish(z.number()), completed: z.nullish(z.number()), failed: z.nullish(z.number()) }),
  ),
  metadata: z.nullish(z.record(z.string(), z.unknown())),
  /** List items only. */
  file_name: z.nullish(z.string()),
});

export type BatchOnTheWire = z.infer<typeof batchResponse>;

export const batchListResponse = z.looseObject({
  data: z.array(batchResponse),
  first_id: z.nullish(z.string()),
  last_id: z.nullish(z.string()),
  has_more: z.nullish(z.boolean()),
});

/** Times are Unix seconds; absent means "not yet". */
export interface Batch {
  readonly id: string;
  /** in_queue, in_progress, finalizing, completed, failed, expired, cancelling, cancelled, validating; or any other. */
  readonly status: string;
  readonly endpoint?: string;
  readonly inputFileId?: string;
  /** A file id, or an absolute address that needs no key. */
  readonly outputFileId?: string;
  readonly errorFileId?: string;
  readonly completionWindow?: string;
  /** The service's words, one per fault. */
  readonly errors: readonly string[];
  readonly createdAt?: number;
  readonly inProgressAt?: number;
  readonly expiresAt?: number;
  readonly finalizingAt?: number;
  readonly completedAt?: number;
  readonly failedAt?: number;
  readonly expiredAt?: number;
  readonly cancellingAt?: number;
  readonly cancelledAt?: number;
  readonly requestCounts?: { readonly total?: number; readonly completed?: number; readonly failed?: number };
  readonly metadata: Readonly<Record<string, string>>;
  readonly fileName?: string;
}

export interface BatchPage {
  /** In the service's order. */
  readonly batches: readonly Batch[];
  readonly firstId?: string;
  readonly lastId?: string;
  readonly hasMore: boolean;
}
