import { errorKinds } from '../../api/errorKinds';
import type { ApiErrorKind } from '../../api/errorKinds';
import { isOfPlan, type ApiError } from '../../api/errors';
import type { Failed } from './resultLine';

/** What happens to a line whose request failed. */
export type Outcome =
  /** It is written to the errors. */
  | {
      readonly kind: 'failed';
      readonly failed: Failed;
      /** Set if the cause is not the request: others may fail in the same way. */
      readonly error?: ApiError;
    }
  /** The service certainly did not start it: it is sent again, after at least `waitMs` if that is known. */
  | { readonly kind: 'later'; readonly error: ApiError; readonly waitMs?: number | undefined }
  /** Nothing more can be sent, for hours or until the user fixes something; the line was not started. */
  | { readonly kind: 'stop'; readonly reason: 'dailyLimit' | 'refused'; readonly error: ApiError }
  /** It was aborted on this side. */
  | { readonly kind: 'aborted' };

/** A longer wait ends the run instead. */
const longestWaitMs = 3 * 60 * 60 * 1000;
/** The wait if an hourly limit does not say when it ends. */
const hourlyWaitMs = 5 * 60 * 1000;

/** Codes of failures after which a request may have been processed, and billed. */
const unknownOutcome: Readonly<Partial<Record<ApiErrorKind, string>>> = {
  server: 'server_error',
  network: 'connection_lost_outcome_unknown',
  truncated: 'connection_lost_outcome_unknown',
  timeout: 'timeout_outcome_unknown',
};

/** `error` is what the call threw. */
export function outcomeOf(error: ApiError): Outcome {
  const { kind, details } = error;
  if (kind === 'aborted') return { kind: 'aborted' };
  // Sent, and perhaps processed and billed: never sent again unless the user asks for it.
  if (details.hint === 'tooMuch') return failed(error, { code: 'answer_too_long' });
  if (details.maybeBilled) return failed(error, { code: unknownOutcome[kind] ?? 'outcome_unknown' });
  if (kind === 'rateLimit') return limited(error);
  switch (errorKinds[kind].batchRun) {
    case 'waits':
      return { kind: 'later', error, waitMs: details.retryAfterMs };
    case 'ends':
      return { kind: 'stop', reason: 'refused', error };
    case 'fails':
      return failed(error, { code: String(details.code ?? kind) });
  }
}

function limited(error: ApiError): Outcome {
  const { limit = '', retryAfterMs } = error.details;
  if (isOfPlan(limit)) return { kind: 'stop', reason: 'refused', error };
  const waitMs = retryAfterMs || (limit.endsWith('H') ? hourlyWaitMs : undefined);
  if (limit.endsWith('D') || (waitMs ?? 0) > longestWaitMs) return { kind: 'stop', reason: 'dailyLimit', error };
  return { kind: 'later', error, waitMs };
}

function failed(error: ApiError, { code }: { readonly code: string }): Outcome {
  const { status, requestId, traceId, maybeBilled } = error.details;
  const refusal = status !== undefined && status >= 400 ? { status, requestId: requestId ?? traceId } : {};
  const isOfAll = maybeBilled || error.kind === 'permission';
  return { kind: 'failed', failed: { code, message: error.message, ...refusal }, ...(isOfAll && { error }) };
}
