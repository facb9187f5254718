import { errorKinds } from './errorKinds';
import type { ApiErrorKind } from './errorKinds';
import { clean, factsOf, isBare, readErrorBody } from './errorBody';
import type { ErrorFacts } from './errorBody';
import { ApiError } from './errors';
import type { ApiErrorInit, LimitKind, PlanLimit } from './errors';
import { isObject } from './isObject';
import { inKnownForm } from './otherForms';
import { planLimitTypes, planLimitWords } from './errorWords';
import { idsIn } from './transport/headers';

export interface ErrorAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Unix milliseconds, for a Retry-After that is a date. */
  readonly now: number;
}

/**
 * Returns the error in a JSON value with status 200 or within a stream: an envelope whose code doesn't mean success, an object with an
 * `error` or that calls itself one, or the service's rejection over its rate limits, which has no code. Returns `undefined` for a normal
 * response.
 */
export function errorInAnswer(json: unknown): ErrorFacts | undefined {
  // Google's OpenAI interface wraps an error in a list.
  if (Array.isArray(json)) {
    const [only, ...others]: readonly unknown[] = json;
    return isObject(only) && isObject(only['error']) && others.length === 0 ? errorInAnswer(only) : undefined;
  }
  if (!isObject(json)) return undefined;
  const { error } = json;
  // Some gateways send an error without anything in it beside each answer.
  const isError =
    isObject(error) && Object.values(error).some((value) => value !== null && value !== '' && value !== 0);
  if (isError || (typeof error === 'string' && error !== '')) return factsOf(json);
  const { ErrorMsg: named, Response: inside } = json;
  if (isObject(named) || (isObject(inside) && isObject(inside['Error']))) return factsOf(json);
  const inPart = ofService(json);
  if (inPart) return inPart;
  const inChoice = errorOfChoice(json['choices']);
  if (isObject(inChoice)) return factsOf({ error: inChoice });
  const { code, status, data, response } = json;
  // Envelopes with another name for the message have codes of success that are not known here.
  const message = json['message'] ?? (Number(code) >= 400 && Number(code) < 600 ? json['msg'] : undefined);
  const thrown = json['choices'] === undefined && json['type'] === undefined ? exceptionIn(json) : undefined;
  if (thrown) return thrown;
  if (isObject(response) && isObject(response['error'])) return factsOf(response);
  if (json['success'] === false && (typeof message === 'string' || Array.isArray(json['errors']))) return factsOf(json);
  if (message == null && isBare(json) && codeKinds.has(String(code))) return factsOf(json);
  if (typeof message !== 'string') return undefined;
  if (json['object'] === 'error' || json['type'] === 'error') return factsOf(json);
  if (typeof code === 'string' && isRejection(json, code)) return factsOf(json);
  if (typeof code === 'number')
    return (fineCodes.has(code) && status !== false) || hasAnswer(json) ? undefined : factsOf(json);
  // {"message":"Request was rejected due to rate limiting. Details: TPM limit reached.","data":null}
  const isRefusal = data === null && code == null && Object.keys(json).every((name) => refusalMembers.has(name));
  return isRefusal && !/^\s*(ok|success\w*)?\W*$/i.test(message) ? factsOf(json) : undefined;
}

/** Reads an exception that Bedrock sends as an event of a stream. */
function exceptionIn(json: Readonly<Record<string, unknown>>): ErrorFacts | undefined {
  const [entry, ...others] = Object.entries(json);
  if (!entry || others.length > 0 || !/^[a-z]\w{0,60}Exception$/.test(entry[0]) || !isObject(entry[1]))
    return undefined;
  return { ...factsOf(entry[1]), type: entry[0] };
}

/** Whether an answer is in an envelope, whose code then is one of success that is not known here. */
function hasAnswer(json: unknown): boolean {
  const choices = inKnownForm(json)?.['choices'];
  return Array.isArray(choices) && choices.length > 0;
}

/** Alibaba's native form: a code in words and a message, without an answer. */
function isRejection(json: Readonly<Record<string, unknown>>, code: string): boolean {
  return /^[A-Z]\w*(\.\w+)*$/.test(code) && Object.keys(json).every((name) => rejectionMembers.has(name));
}

const rejectionMembers: ReadonlySet<string> = new Set(['code', 'message', 'request_id', 'requestId']);

/** Reads errors that some services put into an answer with a name of their own: MiniMax, Groq and Baidu. */
function ofService({
  base_resp,
  x_groq,
  error_code,
  error_msg,
}: Readonly<Record<string, unknown>>): ErrorFacts | undefined {
  if (isObject(base_resp) && typeof base_resp['status_code'] === 'number' && base_resp['status_code'] !== 0) {
    const code = base_resp['status_code'];
    return { ...factsOf({ message: base_resp['status_msg'], code }), type: miniMaxTypes[code] };
  }
  if (isObject(x_groq) && typeof x_groq['error'] === 'string') return { message: clean(x_groq['error']) };
  if (typeof error_code === 'number' && error_code !== 0 && typeof error_msg === 'string')
    return { message: clean(error_msg), code: error_code };
  return undefined;
}

// https://platform.minimax.io/docs/api-reference/errorcode
const miniMaxTypes: Readonly<Record<number, string>> = {
  1002: 'rate_limit_error',
  1004: 'authentication_error',
  1008: 'billing_error',
  1026: 'content_filter',
  1027: 'content_filter',
  1039: 'rate_limit_error',
  1041: 'rate_limit_error',
  2013: 'invalid_request_error',
  2049: 'authentication_error',
  2056: 'rate_limit_error',
};

/** Returns the error that OpenRouter puts into a choice when the model's provider fails amid an answer. */
export function errorOfChoice(choices: unknown): unknown {
  const first: unknown = Array.isArray(choices) ? choices[0] : undefined;
  return typeof first === 'object' && first !== null && 'error' in first ? first.error : undefined;
}

/** The codes of success: the vendor's, and those that others send beside each answer. */
export const fineCodes: ReadonlySet<unknown> = new Set([20000, 0, 200]);

/** All properties of a rejection without a code. */
const refusalMembers: ReadonlySet<string> = new Set(['code', 'message', 'data', 'status']);

/** Returns the error for a response with a status of 300 or above. The caller, who knows the path, decides what a 404 is about. */
export function toApiError({ status, headers, body, now }: ErrorAnswer): ApiError {
  const facts = readErrorBody(body);
  return new ApiError({
    ...describe(facts, status),
    // The tunnel answers because the server behind it is not there.
    ...(headers['ngrok-error-code'] === undefined ? {} : { kind: 'network', sent: false }),
    ...(facts.requestId !== undefined && { requestId: facts.requestId }),
    ...idsIn(headers),
    retryAfterMs: readRetryAfter(headers, now),
    ...(status < 400 ? { hint: 'redirected' } : {}),
  });
}

/** Returns the error for facts found in a 200 response or in a stream. */
export function toAnswerError(facts: ErrorFacts): ApiError {
  return new ApiError({ ...describe(facts, 200), requestId: facts.requestId });
}

/** Returns milliseconds from `now`. Reads `retry-after` (seconds or a date, by the standard) and the custom `retry-after-ms`. */
export function readRetryAfter(headers: Readonly<Record<string, string>>, now: number): number | undefined {
  const ms = Number.parseFloat(headers['retry-after-ms'] ?? '');
  if (Number.isFinite(ms)) return Math.max(0, ms);
  const value = headers['retry-after']?.trim();
  if (!value) return undefined;
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/**
 * Returns the kind of a 404 for a path without an ID: the path is missing, unless the service names something else. `model` is the
 * requested model.
 */
export function kindOfMissing({ message, details }: ApiError, model: string | undefined): ApiErrorKind {
  if (!details.fromService || isNothingFound.test(message)) return 'notOffered';
  const isOfPath = isAboutPath.test(message) && details.parameter === undefined;
  if (model === undefined) {
    const isOfThing = details.parameter !== undefined || isThingMissing.test(message);
    return isOfThing && !isOfPath ? 'notFound' : 'notOffered';
  }
  // The endpoint is there: with OpenAI, a model of another endpoint is a 404 too, and with OpenRouter what no provider can do.
  if (!isOfPath) {
    return /\bis not available\b/i.test(message) ? 'unknownModel' : 'badRequest';
  }
  return /\bmodel\b/i.test(message) ? 'badRequest' : 'notOffered';
}

/**
 * Whether a rejection as not implemented is about the requested model instead of the service. llama.cpp says it about "this server", but
 * with several models, as behind llama-swap and in Ollama, that is the server of one model, and the response doesn't show the difference.
 */
export function isLackOfModel({ message, details: { status } }: ApiError, model: string | undefined): boolean {
  if (model === undefined || (status !== 501 && status !== 400)) return false;
  const isNamed = message.split(/[^\w./:@-]+|[.:](?=\s|$)/).includes(model);
  return isNamed || /\bmodels?\b|^this server does not support .+ start it with/i.test(message);
}

/** Says no more than the status does, such as "Not Found", "File Not Found" or "The requested resource was not found". */
const isNothingFound =
  /^\W*(error\W+)?(404\W+)?(the )?((requested|file|resource|page|content) )*((was|is|could) )?not( be)?[ _]?(found|exist)/i;
/** Names something that is missing. Whatever is not a path is an item. */
const isThingMissing =
  /\bno such\b|^no \w+ found\b|\b(not|n't) (be |been )?(found|exist)|\bhas (expired|been deleted)\b|\b(unknown|invalid) (\w+[ _])?id\b/i;
const isAboutPath = /\b(endpoint|route|url|uri|path|method)\b/i;

function describe(facts: ErrorFacts, status: number): ApiErrorInit {
  const message = facts.message ?? messageWithout(facts, status);
  const kind = kindOf(facts, status);
  return {
    kind,
    message,
    status,
    fromService: facts.message !== undefined,
    code: facts.code,
    parameter: facts.parameter,
    generated: facts.generated,
    limit: kind === 'rateLimit' ? (limitIn(message) ?? planLimitIn(facts) ?? limitIn(facts.quota ?? '')) : undefined,
    hint: hintOf(kind, message, facts, status),
    ...(kind === 'balance' ? affordableIn(message) : itemsAtOnceIn(message)),
  };
}

function hintOf(kind: ApiErrorKind, message: string, facts: ErrorFacts, status: number): ApiErrorInit['hint'] {
  // A firewall says no with a page.
  if (kind === 'permission' && facts.page !== undefined) return 'webPage';
  return errorKinds[kind].hints?.find(([, sign]) =>
    sign instanceof RegExp ? sign.test(message) : sign.includes(statusIn(facts, status) ?? status),
  )?.[0];
}

/** OpenRouter: "You requested up to 65536 tokens, but can only afford 1234." */
function affordableIn(message: string) {
  const tokens = Number(/\bcan only afford (\d{1,9})\b/i.exec(message)?.[1] ?? 0);
  return tokens > 0 ? { affordableTokens: tokens } : {};
}

/**
 * TEI and SiliconFlow: "batch size 500 > maximum allowed batch size 32". DashScope: "batch size is invalid, it should not be larger than 10".
 * llama.cpp calls the tokens that it reads at a time a batch too, without these words.
 */
function itemsAtOnceIn(message: string) {
  const said = /\bbatch size\b.{0,80}?\b(?:maximum allowed batch size|not be larger than)\s+(\d{1,6})\b/i.exec(message);
  const itemsAtOnce = Number(said?.[1] ?? 0);
  return itemsAtOnce > 0 ? { itemsAtOnce } : {};
}

function messageWithout({ page, code }: ErrorFacts, status: number): string {
  if (page === undefined) {
    return code === undefined
      ? `The response is empty (status ${status}).`
      : `The response has code ${code} and no message.`;
  }
  return page === '' ? `The response is a web page (status ${status}).` : `The response is a web page: ${page}`;
}

const kinds = Object.keys(errorKinds) as ApiErrorKind[];

/** Returns the kinds by each value they list under `field`. */
function kindsBy(field: 'codes' | 'types' | 'statuses'): ReadonlyMap<string | number, ApiErrorKind> {
  return new Map(kinds.flatMap((kind) => (errorKinds[kind][field] ?? []).map((value) => [value, kind] as const)));
}

const codeKinds = kindsBy('codes');
const typeKinds = kindsBy('types');
const statusKinds = kindsBy('statuses');

function kindOf(facts: ErrorFacts, status: number): ApiErrorKind {
  const { type, message = '' } = facts;
  const byType = type === undefined ? undefined : typeKinds.get(type);
  const named = statusIn(facts, status) ?? status;
  const kind =
    kindByWords(message, named) ??
    kindByCode(facts, named) ??
    (facts.isNested ? byType : undefined) ??
    kindByStatus(named, byType) ??
    byType ??
    (/\brate[ -_]?limit|\brequest limit reached\b|\btoo many requests\b/i.test(message) ? 'rateLimit' : 'server');
  // The account of a gateway at the service behind it: not the user's to change.
  return status >= 500 && facts.isNested && ofAccount.has(kind) ? 'server' : kind;
}

const ofAccount: ReadonlySet<ApiErrorKind> = new Set(['auth', 'permission', 'balance', 'region']);

/** Returns the status that the code of an error names, if it came with status 200 or inside another error. */
function statusIn({ code, isNested }: ErrorFacts, status: number): number | undefined {
  const named = Number(code);
  return (status === 200 || isNested) && named >= 400 && named < 600 ? named : undefined;
}

/** Messages are more specific than codes and the status: a balance error has come with 403, 402 and 429. */
function kindByWords(message: string, status: number): ApiErrorKind | undefined {
  // Local servers send rejections with 500.
  const isRejection = status < 300 || (status >= 400 && status <= 500);
  return kinds.find((kind) => {
    const { says, unlessStatus = [], saysAnyway } = errorKinds[kind];
    const isSaid = isRejection && says?.test(message) === true && !unlessStatus.includes(status);
    return isSaid || saysAnyway?.test(message) === true;
  });
}

function kindByCode({ code }: ErrorFacts, status: number): ApiErrorKind | undefined {
  if (status === 200 && String(code) === '20015') return 'badRequest';
  const kind = codeKinds.get(String(code)) ?? codeKinds.get(String(code).split('.', 1)[0]!);
  // 50603 has also come with a 429; then the status decides.
  return status === 429 && kind === 'overloaded' ? undefined : kind;
}

/** A type is more specific than a status that no kind lists. */
function kindByStatus(status: number, byType: ApiErrorKind | undefined): ApiErrorKind | undefined {
  if (status < 300) return undefined;
  if (status < 400) return 'badResponse';
  return statusKinds.get(status) ?? (status < 500 ? (byType ?? 'badRequest') : 'server');
}

const spelledLimits: readonly (readonly [RegExp, LimitKind])[] = [
  [/requests? per min/i, 'RPM'],
  [/requests? per hour/i, 'RPH'],
  [/requests? per day|\bper 86400s\b/i, 'RPD'],
  [/tokens? per min/i, 'TPM'],
  [/tokens? per day/i, 'TPD'],
  [/images? per min/i, 'IPM'],
  [/images? per day/i, 'IPD'],
  // Google, as the name of a quota.
  [/RequestsPerDay/, 'RPD'],
  [/RequestsPerMinute/, 'RPM'],
  [/TokensPerDay|TokenCountPerDay/, 'TPD'],
  [/Token(s|Count)PerMinute/, 'TPM'],
];

/** In this order, because a service can add after how many hours the usage of a week resets. */
const planPeriods: readonly (readonly [RegExp, PlanLimit])[] = [
  [/week(ly)?\W+month(ly)?/i, 'usageOfPlan'],
  [/\bmonth(ly)?\b|本月|每月|月度/i, 'usagePerMonth'],
  [/\bweek(ly)?\b|\b7[- ]day\b|本周|每周/i, 'usagePerWeek'],
  [/\b(daily|today(['’]s)?|per day|\/ ?day)\b|今日|当日|每日|每天/i, 'usagePerDay'],
  [/\bhour(ly)?s?\b|\b\d+ ?h(?:\d|\b)|\bsession usage\b|小时/i, 'usagePerHours'],
];

/** Returns the limit of usage that the words of a service, or its name for the error, tell. */
function planLimitIn({ message = '', type, code }: ErrorFacts): PlanLimit | undefined {
  if (!planLimitWords.test(message) && ![type, code].some((name) => planLimitNames.has(name))) return undefined;
  return planPeriods.find(([words]) => words.test(message))?.[1] ?? 'usageOfPlan';
}

const planLimitNames: ReadonlySet<unknown> = new Set(planLimitTypes);

/** Returns the limit that the message names. */
function limitIn(message: string): LimitKind | undefined {
  return /\b([A-Z]P[SMHD])\b/.exec(message)?.[1] ?? spelledLimits.find(([words]) => words.test(message))?.[1];
}
