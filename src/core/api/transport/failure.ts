import { errorKinds } from '../errorKinds';
import { ApiError, isApiError } from '../errors';
import type { ApiErrorInit } from '../errors';
import type { Redact } from '../redact';
import { redacted } from '../redact';
import type { ApiCall } from './transport';

/** What is known of the response to a call. */
export interface KnownResponse {
  readonly traceId?: string | undefined;
  readonly requestId?: string | undefined;
  /** Whether a successful response had begun. */
  readonly begun?: boolean | undefined;
}

export interface FailureContext extends KnownResponse {
  readonly call: ApiCall;
  readonly endpoint: string;
  /** Absent if nothing was sent. */
  readonly exchangeId: string | undefined;
  readonly redact: Redact;
  /** Whether the service has no prices. */
  readonly isFree?: boolean | undefined;
  readonly service?: string | undefined;
}

/** Converts any failure into the `ApiError` for the caller, with the details of its call and without the key. */
export function toCallError(error: unknown, context: FailureContext): ApiError {
  const known = isApiError(error) ? error : toUnforeseen(error);
  const { call, redact } = context;
  const { details } = known;
  const own: Partial<ApiErrorInit> = {
    traceId: details.traceId ?? context.traceId,
    requestId: details.requestId ?? context.requestId,
    endpoint: context.endpoint,
    model: call.model,
    exchangeId: context.exchangeId ?? details.exchangeId,
    maybeBilled: mayHaveWorked(known, context),
    ...(context.isFree && { isFree: true as const }),
    ...(context.service !== undefined && { service: context.service }),
  };
  return new ApiError({
    kind: known.kind,
    message: shortened(known.message, redact),
    // Only what came in the response can echo the key; each stack checks its own errors.
    cause: known.cause,
    ...redactDetails({ ...details, ...own }, redact),
  });
}

function toUnforeseen(error: unknown): ApiError {
  if (error instanceof Error && error.name === 'AbortError') {
    return new ApiError({ kind: 'aborted', message: 'The request was canceled.', sent: false, cause: error });
  }
  return new ApiError({
    kind: 'network',
    message: error instanceof Error ? `${error.name}: ${error.message}` : String(error),
    cause: error,
  });
}

const maxMessageChars = 2000;

/** Truncates a long message. Leaves a truncated one unchanged, because an error may pass here more than once. */
function shortened(message: string, redact: Redact): string {
  if (message.length <= maxMessageChars) return redact(message);
  return `${redact(message, maxMessageChars - redacted.length - 1)}…`;
}

function redactDetails(details: Partial<ApiErrorInit>, redact: Redact): Partial<ApiErrorInit> {
  return Object.fromEntries(
    Object.entries(details).map(([name, value]) => [name, typeof value === 'string' ? redact(value) : value]),
  );
}

/** Whether work may have been done, and billed, although no successful response arrived. */
function mayHaveWorked(error: ApiError, { call, begun }: FailureContext): boolean {
  if (call.work === 'read' || call.work === 'poll' || call.work === 'change') return false;
  // Some servers reject requests with status 200.
  const { billed } = errorKinds[error.kind];
  if (billed === 'never') return false;
  if (begun) return true;
  const { sent, hint } = error.details;
  return billed === 'always' || (billed === 'ifSent' && sent !== false && hint !== 'redirected');
}
