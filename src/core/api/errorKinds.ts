import { isApiError } from './errors';
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
  /** Like `says`, for messages that tell this kind whatever the status, which servers choose differently. */
  readonly saysAnyway?: RegExp;
  /** What reveals a cause within this kind: the message, or the status. The first that matches counts. */
  readonly hints?: readonly (readonly [hint: ErrorHint, sign: RegExp | readonly number[]])[];
  /** Set if the connection failed, not the service: another way of connecting may succeed. */
  readonly connection?: true;
  /** Set if it may pass within seconds: calls that only read are repeated, others if the service certainly did not begin. */
  readonly retry?: 'rateLimit' | 'overloaded' | 'network' | 'server';
  /** Whether work may have been done, and billed: `ifSent` unless nothing was sent. Unset: only if a response had begun. */
  readonly billed?: 'never' | 'ifSent' | 'always';
  /** Whether an upload that failed so may still have reached the service, even where nothing is billed. */
  readonly mayHaveArrived?: true;
  /**
   * Whether it says something about what the model, or the server that runs it, can do; not about the account, the connection, the moment,
   * this machine, or the text of one request.
   */
  readonly tellsOfModel: boolean;
  /** What a local batch run does: the line `fails`, the line is sent again (`waits`), or the run `ends`. */
  readonly batchRun: 'fails' | 'waits' | 'ends';
  /** The code for other extensions. Kinds with the same code leave a person or a caller the same options. */
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

/** How servers say that the text of a request may not be sent to a model. */
const moderationWords = new RegExp(
  [
    String.raw`requires moderation on|(input|prompt|content|request) (was |is |has been )?(flagged|blocked by)|\bflagged (as|for|by)\b`,
    String.raw`content[ _-](policy|filter|management policy)|safety (system|polic)|usage polic(y|ies)|sensitive (content|words?)`,
    'inappropriate content|prohibited content|moderation (blocked|failed)',
  ].join('|'),
  'i',
);

/** How servers say that they are not offered where the connection comes from. */
const regionWords =
  /country, region,? or territory|(not|n't) (available|supported|offered|allowed) (in|from|for) (your|this|the user's) (current )?(country|region|location)|\buser location is not supported/i;

/** How servers say that a chat template rejects a conversation. */
const templateWords = new RegExp(
  [
    String.raw`\bjinja\b|raise_exception|\bchat template\b|roles must alternate|alternat\w+ (between )?["']?user["']?( and |/)["']?assistant`,
    String.raw`\b(system|tool|developer|function) (role|messages?|prompt)s? (is |are )?(not|un)[ -]?(supported|allowed)|(not|n't) support (the )?["']?(system|tool|developer)["']? (role|messages?|prompt)`,
    String.raw`unexpected role|role ["']?\w+["']? (is )?not (supported|allowed)|(last|first) message must (be|have)`,
  ].join('|'),
  'i',
);

/** How servers say that a model accepts no images. */
const noImagesWords =
  /image input is not supported|\bmmproj\b|\b(does not|doesn't) support (image|vision|multi-?modal)|no endpoints found that support image|is not a (vision|multi-?modal) model/i;

const verificationWords = /must be verified|verify (your |the )?(identity|organi[sz]ation|account)|real[- ]name|实名/i;

/** How services say that the account has too little credit. Google says the first of limits per minute and day too. */
const quotaWords = /exceeded your current quota(?!.*(retry in|per ?(minute|day)|free_tier))/is;

/** How servers say that a text exceeds the model's context. */
const tooLongWords = new RegExp(
  [
    'max_seq_len|max_prompt_tokens|model token limit',
    // OpenAI, vLLM, SGLang, Together, Mistral, xAI
    'maximum context length|context length exceeded|maximum prompt length|maximum model length',
    "exceeds the context window|longer than the model's context length|model's context length is only",
    // llama.cpp, Ollama, LM Studio
    'exceeds? (the )?(available )?context size|context size (has been )?exceeded|exceed(s|ed)? (the )?(max(imum)? )?context (length|window|limit)',
    'loaded with context length of|greater than the context length|reached context length',
    // Anthropic, Bedrock, Google, text-generation-inference
    'prompt (is )?too long|(input|prompt) is too long for|exceeds the maximum number of tokens',
    '`inputs` (tokens|must have less than)',
  ].join('|'),
  'i',
);

/** How servers say that they have no such model. */
const unknownModelWords = new RegExp(
  [
    String.raw`\bmodel\b.{0,200}\b((does )?not exist|not found|no longer available|has been (deprecated|decommissioned|retired)|end of life)\b`,
    // Anthropic says no more than its name; Google names it as a path.
    String.raw`^model: \S+$|^models/\S+ is not found`,
    // Mistral and Infinity; OpenRouter; Together; Moonshot; llama-swap
    String.raw`\binvalid model\b|\bunknown model\b|is not a valid model|\bno endpoints found for\b|unable to access model|not found the model`,
    String.raw`real modelID`,
  ].join('|'),
  'is',
);

/** How gateways say, with status 500, that the provider behind them has no such endpoint. Portkey names its functions. */
const noFunctionWords =
  /^(messages|complete|completions?|chat ?completions?|chatComplete|rerank|embed(dings)?|imageGenerate|createSpeech|createTranscription|(create|list|retrieve|cancel)Batch(es)?|(upload|list|get|delete|retrieve)Files?(Content)?) (is|are) not supported by (?!.*\bmodel\b)/i;

/** How servers say that they have no such path. Whatever else has these words is about a path too. */
const noRouteWords = new RegExp(
  [
    // Go; Express; OpenAI and its gateways; Groq; LM Studio, with status 200
    String.raw`^"?404 page not found"?$|^cannot (get|post|delete) /|^invalid (url|method for url) \(|^unknown request url|^unexpected endpoint or method`,
    // Kong; Cloudflare, with status 400; KoboldCpp; Fastify; AWS, with status 403
    String.raw`\bno route (matched|for that uri)|this endpoint does not exist|^route \S+ not found$|^missing authentication token$`,
  ].join('|'),
  'i',
);

const table = {
  /** No key, a malformed key, or one this service does not know (another region's, a revoked one). */
  auth: {
    codes: ['invalid_api_key', 'InvalidApiKey', 'invalid_key'],
    types: ['authentication_error', 'AuthenticationError'],
    statuses: [401],
    says: /\bapi[ -]key (is )?(invalid|not valid|expired)\b|\b(invalid|incorrect) (x-)?api[ -]key\b|no auth credentials found/i,
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
    types: ['permission_error', 'PermissionDeniedError'],
    statuses: [403],
    hints: [['verification', verificationWords]],
    billed: 'never',
    tellsOfModel: false,
    batchRun: 'fails',
    publicCode: 'refused',
  },
  /** Rejected before sending: a parameter is outside the specification's bounds. Nothing was billed. */
  invalidParameter: { tellsOfModel: false, batchRun: 'fails', publicCode: 'invalidInput' },
  /** The prompt (with `max_tokens`) does not fit the model's context. The public service sends code 20015 with at least five wordings. */
  tooLong: {
    codes: ['context_length_exceeded', 'model_context_window_exceeded'],
    types: ['exceed_context_size_error', 'context_exceeded'],
    says: tooLongWords,
    unlessStatus: [429],
    // More than a whole minute's limit, which OpenAI and Groq send with 429 and 413; llama.cpp for rerank and embeddings.
    saysAnyway: /\brequest too large for\b|\btokens\) is too large to process\b/i,
    tellsOfModel: true,
    batchRun: 'fails',
    publicCode: 'refused',
  },
  /** The request has more bytes than the service, or a proxy in front of it, accepts. */
  requestTooLarge: {
    types: ['request_too_large'],
    statuses: [413],
    says: /\b(request entity|payload|request body|body) (is )?too large\b/i,
    billed: 'never',
    tellsOfModel: false,
    batchRun: 'fails',
    publicCode: 'refused',
  },
  /** The service rejected a parameter or the shape of the request. */
  badRequest: {
    codes: ['InvalidParameter', 'invalid_parameter', 'invalid_value'],
    types: ['invalid_request_error', 'BadRequestError'],
    saysAnyway: new RegExp(`${templateWords.source}|${noImagesWords.source}`, 'i'),
    hints: [
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
    codes: ['30001', 'insufficient_quota', 'insufficient_balance', 'billing_hard_limit_reached', 'billing_not_active'],
    types: ['billing_error', 'insufficient_quota', 'budget_exceeded'],
    statuses: [402],
    says: /\bbalance is insufficient|insufficient[ _](account |user )?(balance|credits?|funds|quota)|\bcan only afford\b|\bcredit balance is too low|\bout of credits?\b|余额不足/i,
    saysAnyway: quotaWords,
    billed: 'never',
    tellsOfModel: false,
    batchRun: 'ends',
    publicCode: 'balance',
  },
  unknownModel: {
    codes: ['20012', 'model_not_found', 'model_not_available', 'model_decommissioned', 'DeploymentNotFound'],
    types: ['invalid_model'],
    says: unknownModelWords,
    unlessStatus: [401],
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
   * The service does not have this endpoint. A 404 that does not say so in words is of kind `notFound` here; the transport, which knows the
   * path, tells a missing endpoint from a missing id.
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
    codes: ['rate_limit_exceeded'],
    types: ['rate_limit_error', 'RateLimitError'],
    statuses: [429],
    retry: 'rateLimit',
    tellsOfModel: false,
    batchRun: 'waits',
    publicCode: 'rateLimited',
  },
  /** 529 is the Anthropic API's equivalent of 503. */
  overloaded: {
    codes: ['50505', '50508', '50603'],
    types: ['overloaded_error', 'ServiceUnavailableError'],
    statuses: [503, 529],
    hints: [['loading', /\b(loading|still load\w*) (the )?model\b|\bmodel is (still |currently )?loading\b/i]],
    retry: 'overloaded',
    mayHaveArrived: true,
    tellsOfModel: false,
    batchRun: 'waits',
    publicCode: 'unavailable',
  },
  /** The service failed, or a gateway in front of it did. From 520 on the statuses are Cloudflare's. */
  server: {
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

/** Whether an error says something about what the model, or the server that runs it, can do. */
export function tellsOfModel(error: unknown): boolean {
  return isApiError(error) && errorKinds[error.kind].tellsOfModel && !causesElsewhere.has(error.details.hint);
}

/** Whether a failed upload may still have reached the service, so that only the service's own list can show it. */
export function mayHaveArrived(error: unknown): boolean {
  if (isApiError(error)) return errorKinds[error.kind].mayHaveArrived === true && error.details.sent !== false;
  return error instanceof Error && error.name === 'AbortError';
}
