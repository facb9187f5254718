import { errorInAnswer, errorOfChoice, fineCodes } from '../../api/parseError';
import { factsOf, readErrorBody } from '../../api/errorBody';
import { toNumber } from '../../api/tolerant';
import { objectOf, parseObject, textOf, toJson } from '../scan/jsonValue';
import type { JsonObject } from '../scan/jsonValue';
import { resultWords } from '../words/resultWords';
import { readStream, requestNames } from './parseResult';
import { resultId } from './resultId';
import { choicesIn, isChat, isText, readChoices, readVectors } from './resultChoices';
import type { Choice } from './resultChoices';

/** What became of a request that has a result. */
export type ResultOutcome =
  /** Complete, with text, tool calls or other output. */
  | 'answered'
  /** Ended by a length limit, or interrupted. */
  | 'truncated'
  /** Withheld by a content filter, or without text and tool calls. */
  | 'empty'
  /** The model declined to answer. */
  | 'refused'
  | 'failed'
  /** Not run before the batch expired. */
  | 'expired'
  /** Not run before the batch was canceled. */
  | 'canceled';

/** The content of a line of a result file, in any of its formats. */
export interface ResultLine {
  /** Empty if the line has none. */
  readonly customId: string;
  /** The HTTP status, if the service reports it. */
  readonly status: number | undefined;
  readonly outcome: ResultOutcome;
  /** Set if a content filter withheld the answer. */
  readonly isFiltered: boolean;
  /** Set if the outcome is `failed`, `expired` or `canceled`. */
  readonly failure: Failure | undefined;
  /** The response body, even if the answer broke off; `undefined` if there is none. */
  readonly body: JsonObject | undefined;
  readonly model: string | undefined;
  /** Why the first answer ended, in the service's own word. */
  readonly finish: string | undefined;
  readonly usage: ResultUsage;
}

export interface Failure {
  /** Empty if the service reports none. */
  readonly code: string;
  readonly message: string;
}

export interface ResultUsage {
  readonly input: number | undefined;
  readonly output: number | undefined;
  readonly total: number | undefined;
  readonly reasoning: number | undefined;
}

/**
 * Reads a result in the format of any service: OpenAI's and those like it (`response` with status and body, with a body only, or as
 * the body itself), Anthropic's and xAI's (`result`), Gemini's and Bedrock's, and a bare body. An error can be the line's, the
 * response's, or hidden in a body. Returns `undefined` if the line is not a result.
 */
export function readResult(line: JsonObject): ResultLine | undefined {
  return readUsual(line) ?? readUsualError(line) ?? readAny(line);
}

/** Reads a complete chat answer in OpenAI's format, as nearly all results are; `undefined` for any other. */
function readUsual({ custom_id: customId, response, error }: JsonObject): ResultLine | undefined {
  if (typeof customId !== 'string' || customId === '' || error) return undefined;
  const { body: content, status_code: status, error: inResponse } = objectOf(response) ?? {};
  const body = objectOf(content);
  const choices = body?.['choices'];
  const usage = objectOf(body?.['usage']);
  if (!body || !usage || inResponse || body['error'] || !Array.isArray(choices) || choices.length !== 1)
    return undefined;
  const choice = objectOf(choices[0]);
  const { content: text, refusal } = objectOf(choice?.['message']) ?? {};
  if (choice?.['finish_reason'] !== 'stop' || choice['error'] || typeof text !== 'string' || refusal) return undefined;
  if (isBlank(text) || (status !== undefined && status !== 200)) return undefined;
  return {
    customId,
    status,
    outcome: 'answered',
    isFiltered: false,
    failure: undefined,
    body,
    model: textOf(body['model']),
    finish: 'stop',
    usage: usageOf(usage),
  };
}

/** Reads an error in OpenAI's format that has nothing beside it; `undefined` for any other. */
function readUsualError(line: JsonObject): ResultLine | undefined {
  const { custom_id: customId, response, error, id: _id, ...others } = line;
  if (typeof customId !== 'string' || customId === '' || response !== null) return undefined;
  const { code, message } = objectOf(error) ?? {};
  if (typeof code !== 'string' || typeof message !== 'string' || isBlank(message)) return undefined;
  if (objectOf(objectOf(error)?.['error']) || Object.keys(others).length > 0) return undefined;
  const failure = { code, message };
  const usage = usageOf(undefined);
  const unknown = { status: undefined, body: undefined, model: undefined, finish: undefined };
  return { customId, outcome: outcomeOfFailure(failure), isFiltered: false, failure, usage, ...unknown };
}

function readAny(line: JsonObject): ResultLine | undefined {
  const customId = resultId(line);
  const response = objectOf(line['response']);
  const found = bodyOf(line, response);
  if (!isResultWith(line, { customId, body: found })) return undefined;
  const status = toNumber(response?.['status_code']) ?? toNumber(line['status_code']);
  const failure = failureOf(line, found, status);
  // What was received of an answer that broke off.
  const body = failure ? (objectOf(line['partial']) ?? found) : found;
  const usage = objectOf(body?.['usage']) ?? objectOf(response?.['usage']) ?? objectOf(line['usage']);
  const end = endOf(body);
  return {
    customId,
    status,
    outcome: failure ? outcomeOfFailure(failure) : end.outcome,
    isFiltered: !failure && end.isFiltered,
    failure,
    body,
    model: textOf(body?.['model']) ?? textOf(body?.['modelVersion']),
    finish: end.finish,
    usage: usageOf(usage ?? usageNames.map((name) => objectOf(body?.[name])).find(Boolean) ?? body),
  };
}

const usageNames = ['usageMetadata', 'usage_metadata', 'meta'];

/** Whether a line is a result rather than a request. */
export function isResult(line: JsonObject): boolean {
  return isResultWith(line, { customId: resultId(line), body: bodyOf(line, objectOf(line['response'])) });
}

/** Members of a line in which services put the outcome. */
const outcomeNames = [
  'response',
  'result',
  'batch_result',
  'modelOutput',
  'prediction',
  'raw_response',
  'response_body',
];
/** Members of a line in which services put an error. */
const errorNames = ['error', 'errors', 'error_message', 'errorMessage', 'errorStatus'];

function isResultWith(
  line: JsonObject,
  { customId, body }: { readonly customId: string; readonly body: JsonObject | undefined },
): boolean {
  const hasOutcome = outcomeNames.some((name) => objectOf(line[name]) ?? textOf(line[name]));
  if (('method' in line || 'url' in line) && !hasOutcome && !line['error']) return false;
  if (statusError(line) !== undefined) return true;
  if (customId === '' && !('custom_id' in line)) return body !== undefined && (hasOutcome || isAnswer(body));
  if (hasOutcome || 'response' in line || errorNames.some((name) => name in line)) return true;
  if (failedStatus(line) !== undefined) return true;
  if (body === undefined || 'messages' in body) return false;
  return isAnswer(body) || body === line || ['usage', 'error', 'code'].some((key) => key in body);
}

/** Returns the error that Gemini and Vertex AI have as the status of a line, an object or a sentence. */
function statusError({ status, response, request, key }: JsonObject): unknown {
  const isWithout = response === undefined || Object.keys(objectOf(response) ?? {}).length === 0;
  if (!isWithout || (request === undefined && key === undefined)) return undefined;
  const { message } = objectOf(status) ?? {};
  return typeof message === 'string' ? status : textOf(status) || undefined;
}

/**
 * Returns the status of a line or a body if it says that the request failed or was not run, in a word or as an HTTP status: as a code, which
 * is empty for words that say no more than that.
 */
function failedStatus(json: JsonObject): string | undefined {
  for (const stated of [json['status'], json['state']]) {
    const number = toNumber(stated);
    if (number !== undefined && number >= 400 && number < 600) return String(number);
    const word = (textOf(stated) ?? '').trim().replace(statusPrefix, '');
    if (failedWords.test(word)) return '';
    if (notRunWords.some((words) => words.test(word))) return word;
  }
  return undefined;
}

/** Whether a body is an answer by its format. */
function isAnswer(body: JsonObject): boolean {
  return isChat(body) || readVectors(body) !== undefined;
}

function bodyOf(line: JsonObject, response: JsonObject | undefined): JsonObject | undefined {
  const inner = read(response?.['body']) ?? saidIn(response?.['body'], toNumber(response?.['status_code']));
  if (inner) return withinWrappers(inner) ?? contentOf(inner);
  for (const name of outcomeNames) {
    const body = withinWrappers(read(line[name]));
    if (body) return body;
  }
  if (response && !['body', 'status_code', 'error'].some((name) => name in response)) return contentOf(response);
  const { body } = line;
  const own = read(body);
  if (own && !requestNames.some((name) => name in own)) return contentOf(own);
  const isWithRequest = requestNames.some((name) => name in line);
  if (!isWithRequest && isAnswer(line)) return line;
  // Programs keep the text alone with the ID of its request, and the request with both.
  if (resultId(line) === '') return undefined;
  if (!isWithRequest && isText(line)) return line;
  const text = outcomeNames.map((name) => textOf(line[name])).find((one) => one !== undefined && one.trim() !== '');
  return text === undefined ? undefined : { ...line, text };
}

function read(value: unknown): JsonObject | undefined {
  const streamed = readStream(value);
  if (streamed) return streamed;
  if (Array.isArray(value)) return readList(value);
  return typeof value === 'string' ? parseObject(value) : objectOf(value);
}

/** Reads a response of Text Generation Inference or Text Embeddings Inference, which is a list. */
function readList(list: readonly unknown[]): JsonObject | undefined {
  if (list.length > 0 && list.every((one) => Array.isArray(one))) return { embeddings: list };
  const [first, ...more] = list.map(objectOf);
  return first && more.length === 0 ? first : first && { results: list };
}

/** Returns a response that is nothing but text, as a transcription can be, if the service reports success. */
function saidIn(value: unknown, status: number | undefined): JsonObject | undefined {
  const isText = typeof value === 'string' && status !== undefined && status >= 200 && status < 300;
  return isText && readErrorBody(value).page === undefined ? { text: value } : undefined;
}

/** Members of a line that contain the response: Anthropic's `message`, and xAI's further ones. */
const wrapperNames = ['message', 'response', 'body', 'chat_get_completion', 'data'];
const deepestWrapper = 4;

/** Returns the response within an object, or `undefined` if it has none. */
function withinWrappers(value: JsonObject | undefined, depth = 0): JsonObject | undefined {
  if (!value || depth > deepestWrapper) return undefined;
  if (isAnswer(value)) return value;
  for (const name of wrapperNames) {
    const found = withinWrappers(objectOf(value[name]), depth + 1);
    if (found) return found;
  }
  return isText(value) ? value : undefined;
}

/** Returns the content of an envelope `{code, message, data}`; any other body as it is, except an empty one. */
function contentOf(body: JsonObject): JsonObject | undefined {
  const data = objectOf(body['data']);
  if (data && 'choices' in data && !('choices' in body)) return data;
  return Object.keys(body).length === 0 ? undefined : body;
}

function failureOf(line: JsonObject, body: JsonObject | undefined, status: number | undefined): Failure | undefined {
  const response = objectOf(line['response']);
  const outcomes = outcomeNames.map((name) => read(line[name]));
  const result = objectOf(line['result']) ?? objectOf(line['batch_result']) ?? objectOf(line['response_body']);
  const isRefused = status !== undefined && status >= 400;
  const inChoice = body && errorOfChoice(choicesIn(body['choices']));
  const ofLine = errorNames.map((name) => line[name]);
  // MiniMax says it next to choices that are null.
  const inBase = body?.['base_resp'] === undefined ? undefined : errorInAnswer(body);
  const reported = [...ofLine, ...outcomes.map((outcome) => outcome?.['error']), body?.['error'], inChoice, inBase]
    .map(readError)
    .find((error) => error !== undefined);
  // Some services report success as an error with the code 0.
  const isSuccess = body !== undefined && !isRefused && fineCodes.has(toNumber(reported?.code));
  if (reported && !isSuccess) return worded(reported, status);
  const stated = failedStatus(line) ?? (body && failedStatus(body));
  const ending = textOf(result?.['type']) ?? stated ?? '';
  if (!body && (expiredCodes.test(ending) || canceledCodes.test(ending)))
    return { code: ending, message: resultWords.notRun() };
  if (body && !isAnswer(body)) {
    // Baidu calls them otherwise.
    const { code = body['error_code'] || undefined, message = body['msg'] ?? body['error_msg'] } = body;
    const isError = (code !== undefined && code !== null && !fineCodes.has(toNumber(code))) || isRefused;
    const said = textOf(message);
    // Some rejections are only a code.
    const isCode = typeof code === 'number' && code >= 400;
    if (isError && (said !== undefined || isCode)) return worded({ code: codeOf(code), message: said ?? '' }, status);
  }
  const ofStatus = body ? undefined : readError(statusError(line));
  if (ofStatus) return worded(ofStatus, status);
  // A response of the Responses API need not say why it failed.
  if (body && Array.isArray(body['output']) && body['status'] === 'failed')
    return worded({ code: '', message: '' }, undefined);
  const isFailed = stated !== undefined && !(body && hasAnswer(body));
  if (isRefused || isFailed || (body && isRejection(body))) {
    const place = body ?? outcomes.find(Boolean) ?? line;
    const { code, type, message = objectOf(place['output'])?.['message'] } = factsOf(place) ?? {};
    const said = textOf(message) || looseText(line, response) || (body && readChoices(body)[0]?.text) || '';
    const kind = type !== undefined && errorType.test(type) ? type : stated;
    return worded({ code: codeOf(isRefused ? code : (code ?? kind)), message: said }, status);
  }
  return body ? undefined : worded({ code: '', message: looseText(line, response) ?? resultWords.empty() }, status);
}

/** Whether a body is an answer that has anything in it, or that a filter withheld. */
function hasAnswer(body: JsonObject): boolean {
  if (!isAnswer(body)) return false;
  const { outcome, isFiltered } = endOf(body);
  const isSilent =
    outcome === 'truncated' && readChoices(body).every(({ text, calls }) => isBlank(text) && calls.length === 0);
  return isFiltered || (outcome !== 'empty' && !isSilent);
}

const errorType = /error|exception/i;
/** The members of a rejection that has no object of an error: FastAPI's, and those of problem details. */
const rejectionNames = wordsIn('detail message msg type title code param status instance object success request_id');

/** Whether a body that came with no status can only be a rejection. */
function isRejection(body: JsonObject): boolean {
  const { detail, message, msg = message, success, status } = body;
  if (isAnswer(body)) return false;
  // In an envelope, a result in words is a word for its outcome.
  if (success === false && (!isText(body) || typeof body['result'] === 'string')) return true;
  if (isText(body)) return false;
  if (!Object.keys(body).every((name) => rejectionNames.has(name))) return false;
  const isSuccess = success === true || toNumber(status) === 200 || doneWords.test(textOf(status) ?? '');
  return Boolean(detail) || (!isSuccess && (textOf(msg) ?? '').trim() !== '');
}

/** Returns a response that is not JSON: what a server in between sends, such as an HTML page. */
function looseText(line: JsonObject, response: JsonObject | undefined): string | undefined {
  const texts = [response?.['body'], line['response'], line['body']].map(textOf);
  const text = texts.find((one) => one !== undefined && one.trim() !== '');
  // Of a page, its title says most.
  return text === undefined ? undefined : readErrorBody(text).page || text;
}

function readError(error: unknown): Failure | undefined {
  if (typeof error === 'string') return readErrorText(error);
  if (Array.isArray(error)) return readError(error[0]);
  const object = objectOf(error);
  if (!object) return undefined;
  // vLLM and Anthropic put the whole body of a rejection here.
  if (objectOf(object['error'])) return readError(object['error']);
  const code = codeOf(object['code'] ?? object['errorCode'] ?? object['type']);
  const said = [object['message'], object['errorMessage'], object['error'], object['detail'], object['msg']].map(
    textOf,
  );
  const message = said.find((text) => text !== undefined && text !== '') ?? '';
  if (code !== '' || message !== '') return { code, message };
  return Object.values(object).some((value) => value !== null && value !== '')
    ? { code: '', message: toJson(object) }
    : undefined;
}

/** Reads an error that is a sentence, or JSON written as text. */
function readErrorText(text: string): Failure | undefined {
  if (/^\s*(null|none)?\s*$/i.test(text)) return undefined;
  const { message, code, type } = /\{\s*"/.test(text) ? readErrorBody(text) : { message: undefined };
  return { code: codeOf(code ?? type), message: message ?? text };
}

function codeOf(code: unknown): string {
  return typeof code === 'string' || typeof code === 'number' ? String(code) : '';
}

/** Uses the status as the code of an error that has none, and adds a message to an error without one. */
function worded({ code, message }: Failure, status: number | undefined): Failure {
  const named = code === '' && status !== undefined && status >= 400 ? String(status) : code;
  return { code: named, message: message.trim() === '' ? resultWords.noMessage(status) : message };
}

const canceledCodes = /^((batch|request)_?)?cancell?ed$/i;
const expiredCodes = /^((batch|request)_?)?expired$/i;
const notRunWords = [canceledCodes, expiredCodes];
const failedWords = /^(?:fail|failed|failure|error|errored|rejected|timeout|timed[ _-]?out)$/i;
const doneWords = /^(?:ok|success|succeeded|done|completed)$/i;
const statusPrefix = /^(?:(?:batch|request|job|task)_)?(?:(?:state|status)_)?/i;

function outcomeOfFailure({ code }: Failure): ResultOutcome {
  if (expiredCodes.test(code)) return 'expired';
  return canceledCodes.test(code) ? 'canceled' : 'failed';
}

interface End {
  readonly outcome: ResultOutcome;
  readonly isFiltered: boolean;
  readonly finish: string | undefined;
}

const answered = { outcome: 'answered', isFiltered: false, finish: undefined } as const;

/** How services say that an answer reached a limit or was interrupted, without separators and in lower case. */
const truncatedEnds = wordsIn(
  'length limit maxtokens maxoutputtokens maxlength modellength modelcontextwindowexceeded tokenlimit incomplete abort aborted',
  'cancelled canceled error errorlimit networkerror timeout insufficientsystemresource inprogress queued pauseturn',
  'maxlen maxcontext timelimit notfinished usercancel',
);
/** How services say that a filter withheld an answer. Zhipu says `sensitive`, and Gemini has several words. */
const filteredEnds = wordsIn(
  'contentfilter contentfiltered contentpolicy safety sensitive recitation blocklist spii prohibitedcontent',
  'imagesafety imageprohibitedcontent imagerecitation modelarmor guardrailintervened errortoxic',
);

function wordsIn(...lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => line.split(' ')));
}

/** Some templates omit it. */
const thoughtStart = /^\s*(?:<(?:think|thinking|thought|reasoning)>|\[THINK\])/;
const thoughtEnd = /<\/(?:think|thinking|thought|reasoning)>|\[\/THINK\]/;

/** Whether a text has no answer: nothing that can be seen, or no more than a thought between tags. */
function isBlank(text: string): boolean {
  if (!/[^\s\p{Cf}]/u.test(text)) return true;
  if (/[>\]]\s*$/.test(text.slice(-100)) && thoughtEnd.test(text.trimEnd().slice(-12))) return true;
  return thoughtStart.test(text) && !thoughtEnd.test(text);
}

/** Judges an answer by why it ended and what it contains. The worst of several answers counts. */
function endOf(body: JsonObject | undefined): End {
  if (!body) return answered;
  const choices = readChoices(body);
  const finish = choices[0]?.finish;
  if (choices.length === 0) return { ...answered, ...endWithoutChoices(body), finish };
  const outcomes = choices.map(outcomeOfChoice);
  const outcome = (['truncated', 'empty', 'refused'] as const).find((one) => outcomes.includes(one)) ?? 'answered';
  return { outcome, isFiltered: outcome === 'empty' && choices.some(isFilteredChoice), finish };
}

function endWithoutChoices(body: JsonObject): Partial<End> {
  const isBlocked = objectOf(body['promptFeedback'])?.['blockReason'] !== undefined;
  const vectors = readVectors(body);
  const isEmpty = isChat(body) || vectors?.length === 0 || vectors?.some(({ size }) => size === 0) === true;
  return isEmpty ? { outcome: 'empty', isFiltered: isBlocked } : {};
}

/** Returns the word without separators and what xAI has before it. */
const endWord = ({ finish = '' }: Choice): string =>
  finish.toLowerCase().replaceAll(/^(?:finish_)?reason_|[\s_-]/g, '');

function isFilteredChoice(choice: Choice): boolean {
  return filteredEnds.has(endWord(choice));
}

function outcomeOfChoice(choice: Choice): ResultOutcome {
  const { text, refusal, calls } = choice;
  if (truncatedEnds.has(endWord(choice))) return 'truncated';
  if (isFilteredChoice(choice)) return 'empty';
  if (refusal.trim() !== '' || endWord(choice) === 'refusal') return 'refused';
  return isBlank(text) && calls.length === 0 ? 'empty' : 'answered';
}

/** What the numbers of tokens are called at Anthropic, Gemini, and Amazon, and by the models there, Ollama, and llama.cpp. */
const inputNames = [
  ...wordsIn(
    'prompt_tokens input_tokens promptTokenCount prompt_token_count inputTokens inputTextTokenCount',
    'prompt_eval_count tokens_evaluated',
  ),
];
const outputNames = [
  ...wordsIn(
    'completion_tokens output_tokens candidatesTokenCount candidates_token_count outputTokens',
    'generation_token_count eval_count tokens_predicted',
  ),
];
const totalNames = ['total_tokens', 'totalTokenCount', 'total_token_count'];
const reasoningNames = ['reasoning_tokens', 'thoughtsTokenCount'];

function firstNumber(object: JsonObject, names: readonly string[]): number | undefined {
  for (const name of names) {
    const count = toNumber(object[name]);
    if (count !== undefined) return count;
  }
  return undefined;
}

function usageOf(raw: JsonObject | undefined): ResultUsage {
  if (!raw) return { input: undefined, output: undefined, total: undefined, reasoning: undefined };
  // Cohere has them one level deeper.
  const usage = objectOf(raw['tokens']) ?? raw;
  const total = firstNumber(usage, totalNames);
  const input = firstNumber(usage, inputNames);
  const counted = firstNumber(usage, outputNames);
  const output = counted ?? (total !== undefined && input !== undefined ? Math.max(0, total - input) : undefined);
  const details = objectOf(usage['completion_tokens_details']) ?? objectOf(usage['output_tokens_details']);
  return {
    input,
    output,
    total: total ?? (input === undefined && output === undefined ? undefined : (input ?? 0) + (output ?? 0)),
    reasoning: toNumber(details?.['reasoning_tokens']) ?? firstNumber(usage, reasoningNames),
  };
}

/** Returns the service's own words if what it sent in place of results is an error or a page, else `undefined`. */
export function errorInsteadOfResults(text: string): string | undefined {
  const json = parseObject(text);
  if (json) return errorInAnswer(json)?.message ?? (isRejection(json) ? factsOf(json)?.message : undefined);
  const { message, page } = readErrorBody(text);
  return page === undefined
    ? /^(?:[\w\p{L}]|<\?xml|<Error>)/u.test(text.trim())
      ? message
      : undefined
    : page || undefined;
}
