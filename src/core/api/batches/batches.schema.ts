// https://docs.siliconflow.com/en/api-reference/batch/create-batch
// https://docs.siliconflow.com/en/api-reference/batch/get-batch-list
import '../../../schema/jitless';
import * as z from 'zod/mini';
import type { Immutable } from '../../../schema/immutable';
import { listIn } from '../envelope';
import { asReference } from './batchForms';
import { isObject } from '../isObject';
import {
  entriesOf,
  lenient,
  lenientFlag,
  lenientNumber,
  lenientText,
  lenientTime,
  requiredText,
  toNumber,
  toText,
} from '../tolerant';

export const batchRequest = z.strictObject({
  input_file_id: z.string(),
  endpoint: z.string(),
  /** A number of hours, e.g. `24h`. */
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

/** `object` is always `batch`, so it is not read. */
const members = z.looseObject({
  id: requiredText,
  endpoint: lenientText,
  /** A list of strings according to the reference; other servers send `{data: [{message, line, …}]}`, or one string. */
  errors: z.optional(z.unknown()),
  input_file_id: lenientText,
  completion_window: lenientText,
  status: lenientText,
  output_file_id: lenientText,
  error_file_id: lenientText,
  created_at: lenientTime,
  in_progress_at: lenientTime,
  expires_at: lenientTime,
  finalizing_at: lenientTime,
  completed_at: lenientTime,
  failed_at: lenientTime,
  expired_at: lenientTime,
  cancelling_at: lenientTime,
  cancelled_at: lenientTime,
  request_counts: lenient(z.looseObject({ total: lenientNumber, completed: lenientNumber, failed: lenientNumber })),
  metadata: lenient(z.record(z.string(), z.unknown())),
  /** List items only. */
  file_name: lenientText,
  /** Its results are not in files. */
  has_own_results: lenientFlag,
});

const batch = z.pipe(z.transform(asReference), members);

export type BatchOnTheWire = z.infer<typeof batch>;

/** The requested batch ID replaces a missing one. */
export function batchResponse(requestedId?: string) {
  return z.pipe(
    z.transform((json: unknown) => {
      const content = asReference(json);
      const isNameless = isObject(content) && !toText(content['id']) && toText(content['status']) !== undefined;
      return isNameless && requestedId !== undefined ? { ...content, id: requestedId } : content;
    }),
    batch,
  );
}

export const batchListResponse = listIn(
  [
    'batches',
    'jobs',
    'items',
    'operations',
    'batchPredictionJobs',
    'batchInferenceJobs',
    'invocationJobSummaries',
    'results',
    'Items',
  ],
  z.looseObject({ list: entriesOf(batch), first_id: lenientText, last_id: lenientText, has_more: lenientFlag }),
);

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
  /**
   * in_queue, in_progress, finalizing, completed, failed, expired, cancelling, cancelled, validating, or any other. `unknown` if it is
   * missing.
   */
  readonly status: string;
  readonly endpoint?: string;
  readonly inputFileId?: string;
  /** A file id, or an absolute address that needs no key. */
  readonly outputFileId?: string;
  readonly errorFileId?: string;
  /** Its results are not in files: they are requested by its own ID. */
  readonly hasOwnResults?: true;
  /** The model of all its requests, if the service takes one for the batch. */
  readonly model?: string;
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

const isNothing = (value: unknown): boolean => value === undefined || value === null || value === '';

/** A line within a message: `Error parsing input file: line 3 has no custom_id`, `第3行`. */
const lineWithin = /(?:\b(?:on |at |in )?line(?: number)? #?|第\s*)(\d{1,9})\b/i;
const mostSearched = 500;

/** Reads an error in either of its shapes, a sentence or `{message, code, line}`. Anything else becomes JSON text. */
export function faultOf(raw: unknown): BatchFault {
  if (typeof raw === 'string') return textFault(raw);
  if (!isObject(raw)) return { message: JSON.stringify(raw) };
  const words = [raw['message'], raw['error'], raw['detail'], raw['msg']].find((value) => !isNothing(value));
  if (words === undefined) return { message: JSON.stringify(raw) };
  if (isObject(words) && 'message' in words) return { ...faultOf(words), ...lineIn(raw) };
  const message = sentenceOf(typeof words === 'string' ? words : JSON.stringify(words));
  const { code = raw['type'] } = raw;
  const isCode = (typeof code === 'string' && code !== '') || typeof code === 'number';
  return { ...message, ...lineIn(raw), ...(isCode && { code: String(code) }) };
}

/** Reads an error that is a sentence, or JSON written as text. */
function textFault(text: string): BatchFault {
  if (!/^\s*[[{]/.test(text)) return sentenceOf(text);
  try {
    const json: unknown = JSON.parse(text);
    const first: unknown = Array.isArray(json) ? json[0] : json;
    return isObject(first) ? faultOf(first) : sentenceOf(text);
  } catch {
    return sentenceOf(text);
  }
}

/** The line may be written as text. */
function lineIn(raw: Readonly<Record<string, unknown>>): { readonly line?: number } {
  const source = ['line', 'line_number', 'lineNumber', 'row', 'row_number'].map((name) => raw[name]).find(Boolean);
  const [, digits] = (typeof source === 'string' && lineWithin.exec(source)) || [];
  const line = toNumber(digits ?? source);
  return isLine(line) ? { line } : {};
}

function sentenceOf(text: string): BatchFault {
  const found = lineStart.exec(text);
  const line = Number(found?.[1] ?? found?.[2]);
  if (found && isLine(line)) return { message: text.slice(found[0].length), line };
  const [, digits] = lineWithin.exec(text.slice(0, mostSearched)) ?? [];
  return isLine(Number(digits)) ? { message: text, line: Number(digits) } : { message: text };
}

function isLine(line: unknown): line is number {
  return typeof line === 'number' && Number.isInteger(line) && line > 0;
}
