import type { ParameterIssue } from './parameters';

/**
 * The kinds of error callers need to distinguish: one for each different next step of the user.
 * Branch on this, never on `message`.
 */
export type ApiErrorKind =
  /** No key, a malformed key, or one this service does not know (another region's, a revoked one). */
  | 'auth'
  /** The account may not do this; usually its identity is not verified. */
  | 'permission'
  /** The account has too little money left for this. */
  | 'balance'
  /** Rejected before sending: a parameter is outside the specification's bounds. Nothing was billed. */
  | 'invalidParameter'
  /** The service rejected a parameter or the shape of the request. */
  | 'badRequest'
  | 'unknownModel'
  /** The prompt (with `max_tokens`) does not fit the model's context. */
  | 'tooLong'
  /** An id does not exist. */
  | 'notFound'
  /** The service does not have this endpoint (405, 410, or the bare text `404 page not found`). */
  | 'notOffered'
  | 'rateLimit'
  | 'overloaded'
  | 'server'
  /** Host name not found, or connection refused or reset. */
  | 'network'
  | 'proxy'
  | 'certificate'
  | 'timeout'
  | 'aborted'
  /** A stream or download stopped before its end mark, or a response was cut off for its length; what arrived before was delivered. */
  | 'truncated'
  /** The response is not what the API promises: HTML, a wrong content type, or an unexpected shape. */
  | 'badResponse'
  /** A result address was rejected: plain http, or a local address named by a remote service. */
  | 'unsafeUrl'
  /** A file to download has more bytes than the caller accepts. */
  | 'tooLarge'
  /** A file on this machine could not be read or written, or changed while it was being sent. */
  | 'file';

/** Requests, tokens or images, per minute, hour or day. Any other kind named by the service is passed on unchanged. */
export type LimitKind = 'RPM' | 'RPH' | 'RPD' | 'TPM' | 'TPD' | 'IPM' | 'IPD' | (string & {});

/** Which of the client's own timers ran out. */
export type TimeoutPhase = 'connect' | 'firstByte' | 'idle' | 'total';

export interface ApiErrorInit {
  readonly kind: ApiErrorKind;
  /** The service's own message if it sent one, else a short English fact. Never contains the key. */
  readonly message: string;
  readonly status?: number | undefined;
  /** The service's own error code, e.g. 20012. */
  readonly code?: number | string | undefined;
  readonly limit?: LimitKind | undefined;
  /** The parameter at fault, as sent on the wire, e.g. `top_p`. */
  readonly parameter?: string | undefined;
  /** With kind `invalidParameter`: the rule and the bound, as data. */
  readonly issue?: ParameterIssue | undefined;
  /** Whether `message` is the service's own. */
  readonly fromService?: boolean | undefined;
  /**
   * The most likely cause where the kind alone does not say it: the base URL lacks its version segment, or otherwise leads to no
   * such service; the response redirects to another address; the key is missing or malformed; the key is well formed but unknown
   * to this service, such as one from another region; a successful response has no body, or is a web page; this client cut the
   * response off because it grew too long.
   */
  readonly hint?:
    | 'missingVersion'
    | 'wrongBaseUrl'
    | 'redirected'
    | 'malformedKey'
    | 'unknownKey'
    | 'empty'
    | 'webPage'
    | 'tooMuch'
    | undefined;
  readonly traceId?: string | undefined;
  readonly requestId?: string | undefined;
  readonly retryAfterMs?: number | undefined;
  readonly phase?: TimeoutPhase | undefined;
  /** Whether bytes of the request may have reached the service. */
  readonly sent?: boolean | undefined;
  /** Whether the service may have done (and billed) the work although no response arrived. */
  readonly maybeBilled?: boolean | undefined;
  /** e.g. `POST /messages`. */
  readonly endpoint?: string | undefined;
  readonly model?: string | undefined;
  /** Identifies the logged exchange, for "show exchange". */
  readonly exchangeId?: string | undefined;
  readonly cause?: unknown;
}

/** The only error the client throws deliberately. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly kind: ApiErrorKind;
  readonly details: Omit<ApiErrorInit, 'kind' | 'message' | 'cause'>;

  constructor({ kind, message, cause, ...details }: ApiErrorInit) {
    super(message, { cause });
    this.kind = kind;
    this.details = details;
  }
}

/** Also works across bundles, where `instanceof` may not. */
export function isApiError(error: unknown): error is ApiError {
  return error instanceof Error && error.name === 'ApiError' && 'kind' in error;
}

/** Whether the failed call must be counted as if it had succeeded. */
export function mayBeBilled(error: unknown): boolean {
  return isApiError(error) && error.details.maybeBilled === true;
}
