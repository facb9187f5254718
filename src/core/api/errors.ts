import type { ParameterIssue } from './parameters';

/**
 * What went wrong, as callers need to tell it apart: a kind of its own wherever the person's next step differs.
 * Branch on this, never on `message`.
 */
export type ApiErrorKind =
  /** No key, a malformed key, or one this service does not know (another region's, a revoked one). */
  | 'auth'
  /** The account may not do this; mostly its identity is not verified. */
  | 'permission'
  /** The account has no money left for this. */
  | 'balance'
  /** Refused before sending: a parameter is out of the specification's bounds. Nothing was billed. */
  | 'invalidParameter'
  /** The service refused a parameter or the shape of the request. */
  | 'badRequest'
  | 'unknownModel'
  /** The prompt (with `max_tokens`) does not fit the model's context. */
  | 'tooLong'
  /** One id does not exist. */
  | 'notFound'
  /** The service does not have this endpoint (405, 410, or the bare text `404 page not found`). */
  | 'notOffered'
  | 'rateLimit'
  | 'overloaded'
  | 'server'
  /** Name not found, refused, reset. */
  | 'network'
  | 'proxy'
  | 'certificate'
  | 'timeout'
  | 'aborted'
  /** A stream or download ended before its end mark, or an answer was ended because it grew too long; what came was delivered. */
  | 'truncated'
  /** The answer is not what the interface promises: HTML, wrong content type, a shape that does not fit. */
  | 'badResponse'
  /** A result address was refused: plain http, a local address named by a remote service, too large. */
  | 'unsafeUrl'
  /** A file on this machine could not be read or written, or changed while it was being sent. */
  | 'file';

/** Requests, tokens or images, per minute, hour or day. Another kind the service may name is kept as it is. */
export type LimitKind = 'RPM' | 'RPH' | 'RPD' | 'TPM' | 'TPD' | 'IPM' | 'IPD' | (string & {});

/** Which of the client's own timers ran out. */
export type TimeoutPhase = 'connect' | 'firstByte' | 'idle' | 'total';

export interface ApiErrorInit {
  readonly kind: ApiErrorKind;
  /** The service's own words where it had any, else a short English fact. Never holds the key. */
  readonly message: string;
  readonly status?: number | undefined;
  /** The service's own number, e.g. 20012. */
  readonly code?: number | string | undefined;
  readonly limit?: LimitKind | undefined;
  /** The parameter at fault, as sent on the wire, e.g. `top_p`. */
  readonly parameter?: string | undefined;
  /** With kind `invalidParameter`: the rule and the bound, as data. */
  readonly issue?: ParameterIssue | undefined;
  /** Whether `message` is in the service's own words. */
  readonly fromService?: boolean | undefined;
  /**
   * What most likely is wrong where the kind alone does not tell: the base URL lacks its version segment, or otherwise leads
   * to no such service; the service's answer forwards to another address; the key is absent or malformed; the key is well
   * formed but unknown to this service, such as one of another region; a good answer has no body, or is a web page; an answer
   * was ended here because it grew too long.
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
  /** Whether the service may have done (and billed) the work although no answer came. */
  readonly maybeBilled?: boolean | undefined;
  /** e.g. `POST /messages`. */
  readonly endpoint?: string | undefined;
  readonly model?: string | undefined;
  /** Identifies the logged exchange, for "show exchange". */
  readonly exchangeId?: string | undefined;
  readonly cause?: unknown;
}

/** The only error the client throws on purpose. */
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

/** Holds across bundles, where `instanceof` may not. */
export function isApiError(error: unknown): error is ApiError {
  return error instanceof Error && error.name === 'ApiError' && 'kind' in error;
}

/** Whether what failed so has to be counted as if it had been answered. */
export function mayBeBilled(error: unknown): boolean {
  return isApiError(error) && error.details.maybeBilled === true;
}
