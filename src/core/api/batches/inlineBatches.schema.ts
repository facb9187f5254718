// https://platform.claude.com/docs/en/api/messages/batches
// https://openrouter.ai/docs/batch-quickstart
import '../../../schema/jitless';
import * as z from 'zod/mini';
import type { Immutable } from '../../../schema/immutable';
import { listIn } from '../envelope';
import { entriesOf, lenient, lenientFlag, lenientNumber, lenientText, lenientTime, requiredText } from '../tolerant';

/** `endpoint` and `model` are of all requests; OpenRouter's form needs them, and Anthropic's has them in each request. */
export const inlineBatchRequest = z.strictObject({
  path: z.string(),
  endpoint: z.optional(z.string()),
  model: z.optional(z.string()),
});

export type InlineBatchRequest = Immutable<z.infer<typeof inlineBatchRequest>>;

const counts = z.looseObject({
  processing: lenientNumber,
  succeeded: lenientNumber,
  errored: lenientNumber,
  canceled: lenientNumber,
  expired: lenientNumber,
});

export const messageBatch = z.looseObject({
  id: requiredText,
  /** in_progress, canceling, ended. */
  processing_status: lenientText,
  request_counts: lenient(counts),
  created_at: lenientTime,
  expires_at: lenientTime,
  ended_at: lenientTime,
  cancel_initiated_at: lenientTime,
});

export type MessageBatchOnTheWire = z.infer<typeof messageBatch>;

export const messageBatchList = listIn(
  [],
  z.looseObject({ list: entriesOf(messageBatch), first_id: lenientText, last_id: lenientText, has_more: lenientFlag }),
);

export const openRouterBatch = z.looseObject({
  id: requiredText,
  endpoint: lenientText,
  model: lenientText,
  status: lenientText,
  completion_window: lenientText,
  request_counts: lenient(z.looseObject({ total: lenientNumber, completed: lenientNumber, failed: lenientNumber })),
  created_at: lenientTime,
  finalized_at: lenientTime,
  error: z.optional(z.unknown()),
  /** Null until the batch has ended, and in lists. */
  results: z.optional(z.unknown()),
});

export type OpenRouterBatchOnTheWire = z.infer<typeof openRouterBatch>;

export const openRouterBatchList = listIn(
  [],
  z.looseObject({
    list: entriesOf(openRouterBatch),
    first_id: lenientText,
    last_id: lenientText,
    has_more: lenientFlag,
  }),
);

/** The answer to a deletion, or a page of results. */
export const anyJson = z.unknown();
