import { isApiError } from './errors';

/** What is known about a kind of error, and what follows from it. */
interface ErrorKindFacts {
  /** The service's codes, `error.type` values and HTTP statuses of this kind; a code is more specific than a status. */
  readonly codes?: readonly string[];
  readonly types?: readonly string[];
  readonly statuses?: readonly number[];
  /** Matches the message of a refusal whose code and status do not tell this kind from others. The first kind that matches counts. */
  readonly says?: RegExp;
  /** The status that weighs more than `says`. */
  readonly unlessStatus?: number;
  /** Set if the connection failed, not the service: another way of connecting may succeed. */
  readonly connection?: true;
  /** Set if it may pass within seconds: calls that only read are repeated, others if the service certainly did not begin. */
  readonly retry?: 'rateLimit' | 'overloaded' | 'network' | 'server';
  /** Set if work that was begun may have been done, and billed: `ifSent` unless nothing was sent. */
  readonly billed?: 'ifSent' | 'always';
  /** Whether an upload that failed so may still have reached the service, even where nothing is billed. */
  readonly mayHaveArrived?: true;
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
    types: ['authentication_error'],
    statuses: [401],
    batchRun: 'ends',
    publicCode: 'signedOut',
  },
  /** The account may not do this; usually its identity is not verified. */
  permission: {
    types: ['permission_error'],
    statuses: [403],
    batchRun: 'fails',
    publicCode: 'refused',
  },
  /** Rejected before sending: a parameter is outside the specification's bounds. Nothing was billed. */
  invalidParameter: { batchRun: 'fails', publicCode: 'invalidInput' },
  /** The service rejected a parameter or the shape of the request. */
  badRequest: { types: ['invalid_request_error'], batchRun: 'fails', publicCode: 'refused' },
  /** The prompt (with `max_tokens`) does not fit the model's context. The public service sends code 20015 with at least five wordings. */
  tooLong: {
    codes: ['context_length_exceeded', 'model_context_window_exceeded'],
    types: ['request_too_large', 'exceed_context_size_error', 'context_exceeded'],
    says: tooLongWords,
    unlessStatus: 429,
    batchRun: 'fails',
    publicCode: 'refused',
  },
  /** The account has too little money left for this. It has come with 403 and 402. */
  balance: {
    codes: ['30001'],
    types: ['billing_error'],
    statuses: [402],
    says: /balance is insufficient|insufficient balance/i,
    batchRun: 'ends',
    publicCode: 'balance',
  },
  unknownModel: {
    codes: ['20012', 'model_not_found', 'model_not_available', 'model_decommissioned', 'DeploymentNotFound'],
    types: ['invalid_model'],
    says: unknownModelWords,
    unlessStatus: 401,
    batchRun: 'fails',
    publicCode: 'unknownModel',
  },
  /** An id does not exist. */
  notFound: {
    types: ['not_found_error'],
    statuses: [404],
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
    unlessStatus: 401,
    batchRun: 'ends',
    publicCode: 'notOffered',
  },
  rateLimit: {
    types: ['rate_limit_error'],
    statuses: [429],
    retry: 'rateLimit',
    batchRun: 'waits',
    publicCode: 'rateLimited',
  },
  /** 529 is the Anthropic API's equivalent of 503. */
  overloaded: {
    codes: ['50505', '50508', '50603'],
    types: ['overloaded_error'],
    statuses: [503, 529],
    retry: 'overloaded',
    mayHaveArrived: true,
    batchRun: 'waits',
    publicCode: 'unavailable',
  },
  server: {
    retry: 'server',
    billed: 'always',
    mayHaveArrived: true,
    batchRun: 'fails',
    publicCode: 'unavailable',
  },
  /** Host name not found, or connection refused or reset. */
  network: {
    connection: true,
    retry: 'network',
    billed: 'ifSent',
    mayHaveArrived: true,
    batchRun: 'waits',
    publicCode: 'network',
  },
  proxy: { statuses: [407], connection: true, mayHaveArrived: true, batchRun: 'ends', publicCode: 'network' },
  certificate: { connection: true, batchRun: 'ends', publicCode: 'network' },
  timeout: {
    statuses: [408],
    connection: true,
    retry: 'network',
    billed: 'ifSent',
    mayHaveArrived: true,
    batchRun: 'waits',
    publicCode: 'network',
  },
  aborted: { billed: 'ifSent', mayHaveArrived: true, batchRun: 'ends', publicCode: 'network' },
  /** A stream or download stopped before its end mark, or a response was cut off for its length; what arrived before was delivered. */
  truncated: {
    retry: 'network',
    billed: 'ifSent',
    mayHaveArrived: true,
    batchRun: 'fails',
    publicCode: 'badAnswer',
  },
  /** The response is not what the API promises: HTML, a wrong content type, or an unexpected shape. */
  badResponse: {
    billed: 'ifSent',
    mayHaveArrived: true,
    batchRun: 'ends',
    publicCode: 'badAnswer',
  },
  /** A result address was rejected: plain http, or a local address named by a remote service. */
  unsafeUrl: { batchRun: 'fails', publicCode: 'badAnswer' },
  /** A file to download has more bytes than the caller accepts. */
  tooLarge: { batchRun: 'fails', publicCode: 'badAnswer' },
  /** A file on this machine could not be read or written, or changed while it was being sent. */
  file: { batchRun: 'fails', publicCode: 'failed' },
} as const satisfies Readonly<Record<string, ErrorKindFacts>>;

/**
 * The kinds of error callers need to distinguish: one for each different next step of the user. Branch on this, never on `message`.
 * The texts for people are in `platform/errors/apiErrorMessages.ts`, those for models in `core/agentTools/errorMessages.ts`.
 */
export type ApiErrorKind = keyof typeof table;

export const errorKinds: Readonly<Record<ApiErrorKind, ErrorKindFacts>> = table;

/** Whether a failed upload may still have reached the service, so that only the service's own list can show it. */
export function mayHaveArrived(error: unknown): boolean {
  if (isApiError(error)) return errorKinds[error.kind].mayHaveArrived === true && error.details.sent !== false;
  return error instanceof Error && error.name === 'AbortError';
}
