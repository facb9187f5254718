// https://docs.siliconflow.com/en/api-reference/batch/create-batch
// https://docs.siliconflow.com/en/api-reference/batch/get-batch-list
import '../../../schema/jitless';
import * as z from 'zod/mini';
import type { Immutable } from '../../../schema/immutable';
import { lenientFlag } from '../tolerant';

export const batchRequest = z.strictObject({
  input_file_id: z.string(),
  endpoint: z.string(),
  /** A number of hours, e.g. `24h`, within `windowBounds`. */
  completion_window: z.string(),
  metadata: z.nullish(z.record(z.string(), z.string())),
  /** Overrides the model of every line. */
  replace: z.nullish(z.strictObject({ model: z.string() })),
});

/** Newer reference pages have both; the guide says paging is not supported. */
export const batchListRequest = z.strictObject({ limit: z.optional(z.number()), after: z.optional(z.string()) });
export const batchIdRequest = z.strictObject({ id: z.string() });

/** Absent fields are not sent; `null` is sent as null. */
export type BatchRequest = Immutable<z.infer<typeof batchRequest>>;

const time = z.nullish(z.number());

/** `object` is always `batch`, so it is not read. */
export const batchResponse = z.looseObject({
  id: z.string(),
  endpoint: z.nullish(z.string()),
  /** A list of strings according to the reference; other servers send `{data: [{message, line, …}]}`. */
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
  has_more: lenientFlag,
});

/** An error the service found in a batch. */
export interface BatchFault {
  /** Without the line number. */
  readonly message: string;
  readonly code?: string;
  /** Line of the input file, from 1. */
  readonly line?: number;
}

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
  /** Why the batch failed, in the service's words. */
  readonly errors: readonly BatchFault[];
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

/** The forms in which services begin a message about a line: `line 3: …`, `Line 3 - …`, `第 3 行：…`. */
const lineStart = /^\s*(?:line\s+(\d+)|第\s*(\d+)\s*行)\s*[:：,，-]?\s*(?=\S)/i;

/** Reads an error in either of its shapes, a sentence or `{message, code, line}`. Anything else becomes JSON text. */
export function faultOf(raw: unknown): BatchFault {
  if (typeof raw === 'string') return sentenceOf(raw);
  if (typeof raw !== 'object' || raw === null || !('message' in raw)) return { message: JSON.stringify(raw) };
  const { message, code, line } = raw as {
    readonly message: unknown;
    readonly code?: unknown;
    readonly line?: unknown;
  };
  const told = sentenceOf(typeof message === 'string' ? message : JSON.stringify(message));
  const isCode = (typeof code === 'string' && code !== '') || typeof code === 'number';
  return { ...(isLine(line) ? { message: told.message, line } : told), ...(isCode && { code: String(code) }) };
}

function sentenceOf(text: string): BatchFault {
  const found = lineStart.exec(text);
  const line = Number(found?.[1] ?? found?.[2]);
  return found && isLine(line) ? { message: text.slice(found[0].length), line } : { message: text };
}

function isLine(line: unknown): line is number {
  return typeof line === 'number' && Number.isInteger(line) && line > 0;
}
