import { isApiError } from './errors';
import {
  badCallWords,
  badInputWords,
  creditWords,
  moderationWords,
  noFunctionWords,
  noImagesWords,
  noMemoryWords,
  noRouteWords,
  notAllowedWords,
  noToolParserWords,
  noToolsWords,
  overloadedWords,
  noChannelWords,
  notLoadedWords,
  otherClientsWords,
  otherEndpointWords,
  planLimitTypes,
  planLimitWords,
  quotaWords,
  regionWords,
  spendingLimitWords,
  templateWords,
  tooLongWords,
  toolSchemaWords,
  unknownModelWords,
  verificationWords,
} from './errorWords';
import type { ErrorHint } from './errors';

/** What is known about a kind of error, and what follows from it. */
interface ErrorKindFacts {
  /** The service's codes, `error.type` values and HTTP statuses of this kind; a code is more specific than a status. */
  readonly codes?: readonly string[];
  readonly types?: readonly string[];
  readonly statuses?: readonly number[];
  /** Matches the message of a rejection whose code and status do not tell this kind from others. The first kind that matches counts. */
  readonly says?: RegExp;
  /** The statuses that weigh more than `says`. */
  readonly unlessStatus?: readonly number[];
  /** Like `says`, for messages of this kind regardless of the status, which varies between servers. */
  readonly saysAnyway?: RegExp;
  /** What reveals a cause within this kind: the message, or the status. The first that matches counts. */
  readonly hints?: readonly (readonly [hint: ErrorHint, sign: RegExp | readonly number[]])[];
  /** Set if the connection failed, not the service: another way of connecting may succeed. */
  readonly connection?: true;
  /** Set if it may pass within seconds: calls that only read are repeated, others if the service certainly did not begin. */
  readonly retry?: 'rateLimit' | 'overloaded' | 'network' | 'server';
  /** Whether work may have been done and charged: `ifSent` unless nothing was sent. Unset: only if a response had begun. */
  readonly billed?: 'never' | 'ifSent' | 'always';
  /** Whether an upload that failed this way might still have reached the service, even if nothing is charged. */
  readonly mayHaveArrived?: true;
  /**
   * Whether it shows what the model, or the server that runs it, can do, as opposed to the account, the connection, the moment, this
   * machine, or the text of one request.
   */
  readonly tellsOfModel: boolean;
  /** The effect in a local batch run: the line `fails`, the line is sent again (`waits`), or the run `ends`. */
  readonly batchRun: 'fails' | 'waits' | 'ends';
  /** The code for other extensions. Kinds with the same code leave a user or a caller the same options. */
  readonly publicCode:
    | 'signedOut'
    | 'refused'
    | 'balance'
    | 'invalidInput'
    | 'unknownModel'
    | 'notOffered'
    | 'rateLimited'
    | 'unavailable'
    | 'network'
    | 'badAnswer'
    | 'failed';
}

function anyOf(...words: readonly RegExp[]): RegExp {
  return new RegExp(words.map(({ source }) => source).join('|'), 'i');
}

const table = {
  /** No key, a malformed key, or one this service does not know (another region's, a revoked one). */
  auth: {
    codes: ['invalid_api_key', 'InvalidApiKey', 'invalid_key', 'AuthFailure'],
    types: ['authentication_error', 'AuthenticationError'],
    statuses: [401],
    says: /\bapi[ -]key (is )?(invalid|not valid|expired)\b|\b(invalid|incorrect) (x-)?api[ -]key\b|no auth credentials found|missing authentication header|invalid authorization header|api key was reported as leaked|security token included in the request is (expired|invalid)|request signature we calculated does not match|invalid proxy server token|authentication error - expired key|^not authenticated$|^(error: )?(invalid access token\b|(the |your )?access token (is )?(invalid|expired)\b)/i,
    // A gateway's own key for the service behind it.
    unlessStatus: [500],
    hints: [
      ['malformedKey', /^invalid token/i],
      ['unknownKey', /^api key is invalid/i],
    ],
    billed: 'never',
    tellsOfModel: false,
    batchRun: 'ends',
    publicCode: 'signedOut',
  },
  /** The service is not offered in the country or region of this connection. */
  region: {
    codes: ['unsupported_country_region_territory'],
    statuses: [451],
    says: regionWords,
    billed: 'never',
    tellsOfModel: false,
    batchRun: 'ends',
    publicCode: 'refused',
  },
  /** The text of the request may not be sent to the model. */
  moderation: {
    codes: ['content_policy_violation', 'content_filter', 'moderation_blocked', 'data_inspection_failed'],
    types: ['content_filter'],
    says: moderationWords,
    unlessStatus: [401, 402, 429],
    tellsOfModel: false,
    batchRun: 'fails',
    publicCode: 'refused',
  },
  /** The account may not do this. */
  permission: {
    codes: ['PermissionDenied'],
    types: ['permission_error', 'PermissionDeniedError', 'accessDeniedException'],
    statuses: [403],
    says: notAllowedWords,
    saysAnyway: otherClientsWords,
    hints: [
      ['verification', verificationWords],
      // Cloudflare's firewall, in plain text.
      ['webPage', /^error code: 1\d{3}$/i],
    ],
    billed: 'never',
    tellsOfModel: false,
    batchRun: 'fails',
    publicCode: 'refused',
  },
  /** Rejected before sending: a parameter is outside the specification's bounds. Nothing was billed. */
  invalidParameter: { tellsOfModel: false, batchRun: 'fails', publicCode: 'invalidInput' },
  /** The prompt (with `max_tokens`) does not fit the model's context. The public service sends code 20015 with at least five wordings. */
  tooLong: {
    codes: ['context_length_exceeded', 'model_context_window_exceeded', 'model_max_prompt_tokens_exceeded'],
    types: ['exceed_context_size_error', 'context_exceeded'],
    says: tooLongWords,
    unlessStatus: [429],
    // More than the limit of an entire minute, which OpenAI and Groq send with 429 and 413; llama.cpp for rerank and embeddings.
    saysAnyway: /\brequest too large for\b|\btokens\) is too large to process\b|\bmax size: \d+ tokens/i,
    tellsOfModel: true,
    batchRun: 'fails',
    publicCode: 'refused',
  },
  /** The request has more bytes than the service, or a proxy in front of it, accepts. */
  requestTooLarge: {
    types: ['request_too_large'],
    statuses: [413],
    says: /\b(request entity|payload|request body|body) (is )?too large\b|image exceeds .{1,20} maximum/i,
    billed: 'never',
    tellsOfModel: false,
    batchRun: 'fails',
    publicCode: 'refused',
  },
  /** The service rejected a parameter or the shape of the request. */
  badRequest: {
    types: ['invalid_request_error', 'BadRequestError', 'validationException'],
    codes: ['InvalidParameter', 'invalid_parameter', 'invalid_value', 'tool_use_failed'],
    saysAnyway: anyOf(
      templateWords,
      noImagesWords,
      noToolsWords,
      noToolParserWords,
      badCallWords,
      badInputWords,
      noMemoryWords,
      otherEndpointWords,
      toolSchemaWords,
    ),
    hints: [
      ['noToolParser', noToolParserWords],
      ['noTools', noToolsWords],
      ['badCall', badCallWords],
      ['noMemory', noMemoryWords],
      ['otherEndpoint', otherEndpointWords],
      ['toolSchema', toolSchemaWords],
      ['noImages', noImagesWords],
      ['template', templateWords],
      ['verification', verificationWords],
    ],
    billed: 'never',
    tellsOfModel: true,
    batchRun: 'fails',
    publicCode: 'refused',
  },
  /** The account has too little credit for this. It has come with 403, 402 and 429. */
  balance: {
    codes: [
      '30001',
      'insufficient_quota',
      'insufficient_balance',
      'insufficient_user_quota',
      'pre_consume_token_quota_failed',
      'billing_hard_limit_reached',
      'billing_not_active',
      'Arrearage',
      'SetLimitExceeded',
    ],
    types: ['billing_error', 'insufficient_quota', 'budget_exceeded'],
    statuses: [402],
    says: anyOf(creditWords, spendingLimitWords),
    hints: [['spendingLimit', spendingLimitWords]],
    saysAnyway: quotaWords,
    billed: 'never',
    tellsOfModel: false,
    batchRun: 'ends',
    publicCode: 'balance',
  },
  unknownModel: {
    codes: [
      '20012',
      'model_not_found',
      'model_not_available',
      'model_not_supported',
      'model_decommissioned',
      'DeploymentNotFound',
      'ENDPOINT_NOT_FOUND',
    ],
    types: ['invalid_model'],
    says: unknownModelWords,
    unlessStatus: [401],
    // With 503.
    saysAnyway: anyOf(noChannelWords, notLoadedWords),
    hints: [['notLoaded', notLoadedWords]],
    billed: 'never',
    tellsOfModel: false,
    batchRun: 'fails',
    publicCode: 'unknownModel',
  },
  /** An id does not exist. */
  notFound: {
    types: ['not_found_error', 'NotFoundError'],
    statuses: [404],
    tellsOfModel: true,
    batchRun: 'fails',
    publicCode: 'refused',
  },
  /**
   * The service doesn't have this endpoint. A 404 without a clear message is of kind `notFound` here. The transport, which knows the path,
   * distinguishes a missing endpoint from a missing ID.
   */
  notOffered: {
    codes: ['unknown_url', 'method_not_supported', 'api_not_implemented'],
    types: ['not_supported_error'],
    statuses: [405, 410, 501],
    says: noRouteWords,
    unlessStatus: [401],
    saysAnyway: noFunctionWords,
    billed: 'never',
    tellsOfModel: true,
    batchRun: 'ends',
    publicCode: 'notOffered',
  },
  rateLimit: {
    codes: [
      'rate_limit_exceeded',
      'RequestLimitExceeded',
      'FailedOperation.EngineServerLimitExceeded',
      ...planLimitTypes,
    ],
    types: ['rate_limit_error', 'RateLimitError', 'throttlingException', ...planLimitTypes],
    statuses: [429],
    // A plan's usage has come with 402 and 403.
    says: anyOf(planLimitWords, /^too many requests, please wait/i),
    retry: 'rateLimit',
    tellsOfModel: false,
    batchRun: 'waits',
    publicCode: 'rateLimited',
  },
  /** 529 is the Anthropic API's equivalent of 503. */
  overloaded: {
    codes: ['50505', '50508', '50603'],
    types: ['overloaded_error', 'ServiceUnavailableError', 'serviceUnavailableException'],
    statuses: [503, 529],
    says: overloadedWords,
    hints: [
      [
        'loading',
        /\b(loading|still load\w*) (the )?model\b|model is not ready for inference|\bmodel( \S+)? is (still |currently )?loading\b/i,
      ],
    ],
    retry: 'overloaded',
    mayHaveArrived: true,
    tellsOfModel: false,
    batchRun: 'waits',
    publicCode: 'unavailable',
  },
  /** The service failed, or a gateway in front of it did. From 520 on the statuses are Cloudflare's. */
  server: {
    // LM Studio, with 400; text-generation-inference, with 424.
    says: /\bmodel has crashed\b|request failed during generation/i,
    // The service behind a gateway failed, or the gateway gave the request up.
    statuses: [424, 499],
    hints: [
      ['gatewayTimeout', [504, 522, 524]],
      ['gateway', [502, 520, 521, 523, 525, 526, 527, 530]],
    ],
    retry: 'server',
    billed: 'always',
    mayHaveArrived: true,
    tellsOfModel: true,
    batchRun: 'fails',
    publicCode: 'unavailable',
  },
  /** Host name not found, or connection refused or reset. */
  network: {
    connection: true,
    retry: 'network',
    billed: 'ifSent',
    mayHaveArrived: true,
    tellsOfModel: false,
    batchRun: 'waits',
    publicCode: 'network',
  },
  proxy: {
    statuses: [407],
    connection: true,
    mayHaveArrived: true,
    tellsOfModel: false,
    batchRun: 'ends',
    publicCode: 'network',
  },
  certificate: { connection: true, tellsOfModel: false, batchRun: 'ends', publicCode: 'network' },
  timeout: {
    statuses: [408],
    connection: true,
    retry: 'network',
    billed: 'ifSent',
    mayHaveArrived: true,
    tellsOfModel: false,
    batchRun: 'waits',
    publicCode: 'network',
  },
  aborted: { billed: 'ifSent', mayHaveArrived: true, tellsOfModel: false, batchRun: 'ends', publicCode: 'network' },
  /** A stream or download stopped before its end mark, or a response was cut off for its length; what arrived before was delivered. */
  truncated: {
    retry: 'network',
    billed: 'ifSent',
    mayHaveArrived: true,
    tellsOfModel: true,
    batchRun: 'fails',
    publicCode: 'badAnswer',
  },
  /** The response is not what the API promises: HTML, a wrong content type, or an unexpected shape. */
  badResponse: {
    billed: 'ifSent',
    mayHaveArrived: true,
    tellsOfModel: true,
    batchRun: 'ends',
    publicCode: 'badAnswer',
  },
  /** A result address was rejected: plain http, or a local address named by a remote service. */
  unsafeUrl: { tellsOfModel: false, batchRun: 'fails', publicCode: 'badAnswer' },
  /** A file to download has more bytes than the caller accepts. */
  tooLarge: { tellsOfModel: false, batchRun: 'fails', publicCode: 'badAnswer' },
  /** A file on this machine could not be read or written, or changed while it was being sent. */
  file: { tellsOfModel: false, batchRun: 'fails', publicCode: 'failed' },
} as const satisfies Readonly<Record<string, ErrorKindFacts>>;

/**
 * The kinds of error callers need to distinguish: one for each different next step of the user. Branch on this, never on `message`.
 * The texts for people are in `platform/errors/apiErrorMessages.ts`, those for models in `core/agentTools/errorMessages.ts`.
 */
export type ApiErrorKind = keyof typeof table;

export const errorKinds: Readonly<Record<ApiErrorKind, ErrorKindFacts>> = table;

/** Causes that lie between this machine and the server or in the account, within kinds that otherwise tell of the model. */
const causesElsewhere: ReadonlySet<ErrorHint | undefined> = new Set<ErrorHint>([
  'missingVersion',
  'wrongBaseUrl',
  'redirected',
  'webPage',
  'verification',
  'loading',
  'gateway',
  'gatewayTimeout',
]);

/** Whether an error shows what the model, or the server that runs it, can do. */
export function tellsOfModel(error: unknown): boolean {
  return isApiError(error) && errorKinds[error.kind].tellsOfModel && !causesElsewhere.has(error.details.hint);
}

/** Whether a failed upload might still have reached the service, so that only the service's own list can show it. */
export function mayHaveArrived(error: unknown): boolean {
  if (isApiError(error)) return errorKinds[error.kind].mayHaveArrived === true && error.details.sent !== false;
  return error instanceof Error && error.name === 'AbortError';
}
