import type { ApiError, ApiErrorKind } from '../../api/errors';
import type { Failed } from './resultLine';

/** What becomes of a line whose request failed. */
export type Outcome =
  /** It is told among the errors. */
  | {
      readonly kind: 'failed';
      readonly failed: Failed;
      /** Set where the cause lies not in the request: another may fail in the same way. */
      readonly error?: ApiError;
    }
  /** The service certainly did not begin: it is sent again, not before so many milliseconds where that is known. */
  | { readonly kind: 'later'; readonly error: ApiError; readonly waitMs?: number | undefined }
  /** Nothing more can be sent, for hours or until the person did something; the line has not begun. */
  | { readonly kind: 'stop'; readonly reason: 'dailyLimit' | 'refused'; readonly error: ApiError }
  /** It was broken off here. */
  | { readonly kind: 'aborted' };

/** A wait that is longer than this is no wait but a stop. */
const longestWaitMs = 3 * 60 * 60 * 1000;
/** Where a limit of the hour does not say when it passes. */
const hourlyWaitMs = 5 * 60 * 1000;

/** Codes of failures after which a request may have been done, and billed. */
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
  // Sent, and perhaps done and billed: never again without being asked.
  if (details.hint === 'tooMuch') return failed(error, { code: 'answer_too_long' });
  if (details.maybeBilled) return failed(error, { code: unknownOutcome[kind] ?? 'outcome_unknown' });
  switch (kind) {
    case 'rateLimit':
      return limited(error);
    case 'overloaded':
      return { kind: 'later', error, waitMs: details.retryAfterMs };
    case 'network':
    case 'timeout':
      return { kind: 'later', error };
    case 'auth':
    case 'balance':
    case 'notOffered':
    case 'proxy':
    case 'certificate':
    case 'badResponse':
      return { kind: 'stop', reason: 'refused', error };
    case 'permission':
    case 'invalidParameter':
    case 'badRequest':
    case 'unknownModel':
    case 'tooLong':
    case 'notFound':
    case 'server':
    case 'truncated':
    case 'unsafeUrl':
    case 'file':
      return failed(error, { code: String(details.code ?? kind) });
  }
}

function limited(error: ApiError): Outcome {
  const { limit = '', retryAfterMs } = error.details;
  const waitMs = retryAfterMs ?? (limit.endsWith('H') ? hourlyWaitMs : undefined);
  if (limit.endsWith('D') || (waitMs ?? 0) > longestWaitMs) return { kind: 'stop', reason: 'dailyLimit', error };
  return { kind: 'later', error, waitMs };
}

function failed(error: ApiError, { code }: { readonly code: string }): Outcome {
  const { status, requestId, traceId, maybeBilled } = error.details;
  const refusal = status !== undefined && status >= 400 ? { status, requestId: requestId ?? traceId } : {};
  const isOfAll = maybeBilled || error.kind === 'permission';
  return { kind: 'failed', failed: { code, message: error.message, ...refusal }, ...(isOfAll && { error }) };
}
