import type { ApiErrorKind } from './errorKinds';
import type { ParameterIssue } from './parameters';

/**
 * Requests, tokens or images, per minute, hour or day, or the usage that a plan includes. Any other kind named by the service is passed on
 * unchanged.
 */
export type LimitKind = 'RPM' | 'RPH' | 'RPD' | 'TPM' | 'TPD' | 'IPM' | 'IPD' | PlanLimit | (string & {});

/** The period after which a plan includes new usage; `usageOfPlan` if the service doesn't say it. */
export type PlanLimit = 'usagePerHours' | 'usagePerDay' | 'usagePerWeek' | 'usagePerMonth' | 'usageOfPlan';

/** Whether a limit is one of the usage that a plan includes. */
export function isOfPlan(limit: LimitKind | undefined): boolean {
  return limit?.startsWith('usage') ?? false;
}

/** Whether a limit doesn't pass while a call waits. An unnamed one is assumed to be per minute. */
export function isLongLimit(limit: LimitKind | undefined): boolean {
  return limit !== undefined && (isOfPlan(limit) || /[HD]$/.test(limit));
}

/** Which of the client's own timers ran out. */
export type TimeoutPhase = 'connect' | 'firstByte' | 'idle' | 'total';

/** Causes within a kind of error. `errorKinds.ts` lists those that a message or status reveals; the transport finds the others. */
export type ErrorHint =
  /** The base URL lacks its version segment. */
  | 'missingVersion'
  /** The base URL leads to no such service for another reason. */
  | 'wrongBaseUrl'
  /** The response redirects to another URL. */
  | 'redirected'
  /** The service ranks at another host, whose account is a separate one here. */
  | 'ranksElsewhere'
  | 'malformedKey'
  /** The request was sent without a key. */
  | 'noKey'
  /** The key is well formed but unknown to this service, such as one from another region. */
  | 'unknownKey'
  /** A successful response has no body. */
  | 'empty'
  /** The response is a web page. */
  | 'webPage'
  /** This client stopped reading because the response grew too long. */
  | 'tooMuch'
  /** The identity of the account or organization isn't verified. */
  | 'verification'
  /** The model's chat template rejects the roles or their order. */
  | 'template'
  | 'noImages'
  | 'noTools'
  /** The server was started without the option for tools. */
  | 'noToolParser'
  /** The model wrote a tool call that cannot be used. */
  | 'badCall'
  /** The model does not answer chats at this endpoint. */
  | 'otherEndpoint'
  /** The service rejects the schema of a tool's input. */
  | 'toolSchema'
  /** The model does not fit into the memory of the server. */
  | 'noMemory'
  /** A limit that the owner of the key or account set is reached. */
  | 'spendingLimit'
  /** No model is loaded on the server. */
  | 'notLoaded'
  /** The server is still loading the model. */
  | 'loading'
  /** A gateway in front of the service stopped waiting for its response. */
  | 'gatewayTimeout'
  /** A gateway in front of the service got no usable response from it. */
  | 'gateway';

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
  /** The most likely cause, if the kind alone doesn't determine the user's next step. */
  readonly hint?: ErrorHint | undefined;
  /** With kind `balance`: the longest answer that the balance covers, in tokens. */
  readonly affordableTokens?: number | undefined;
  /** If a request lists too many texts to rank or to embed: the most that the service accepts. */
  readonly itemsAtOnce?: number | undefined;
  /** The model's text before the service rejected it. */
  readonly generated?: string | undefined;
  /** Set if the service has no prices: it runs on this machine or in a private network. */
  readonly isFree?: true | undefined;
  /** Id of the known service, which has a console. */
  readonly service?: string | undefined;
  /** For kind `auth`, the name of the account without a key on this machine. */
  readonly account?: string | undefined;
  /** Set if the request could run in a batch, outside the limit that was reached. */
  readonly canBatch?: true | undefined;
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

/** A service without one of these has no batches, in the public service's form, which is OpenAI's. */
export const batchEndpoints = ['GET /batches', 'POST /batches', 'POST /files'] as const;

/** The error for an endpoint that the service is known not to have, such as `POST /batches`. */
export function missingEndpoint(endpoint: string): ApiError {
  return new ApiError({
    kind: 'notOffered',
    message: `The service does not support ${endpoint}.`,
    endpoint,
    sent: false,
  });
}

/** Also works across bundles, where `instanceof` may not. */
export function isApiError(error: unknown): error is ApiError {
  return error instanceof Error && error.name === 'ApiError' && 'kind' in error;
}

/** Whether the failed call must be counted as if it had succeeded. */
export function mayBeBilled(error: unknown): boolean {
  return isApiError(error) && error.details.maybeBilled === true;
}
