import { toNumber } from '../../api/tolerant';
import { listOf, objectOf, parseObject, textOf, toJson } from '../scan/jsonValue';
import type { JsonObject } from '../scan/jsonValue';
import { resultWords } from '../words/resultWords';

/** The content of a line of a result file, in any of its formats. */
export interface ResultLine {
  readonly customId: string;
  /** The HTTP status, if the service reports it. */
  readonly status: number | undefined;
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

/** The code that means success in services that wrap their responses in an envelope. */
const envelopeOk = 20_000;

/**
 * Reads a line of results: `response` with status and body, with a body only, or as the body itself; a body beside it; an error of
 * the batch, of the response, or hidden in a body. Returns the reason if the line is not a result. `known` is the id of a line that
 * has none.
 */
export function readResult(line: JsonObject, known?: string): ResultLine | 'noId' | 'notResult' {
  const id = line['custom_id'];
  const told = typeof id === 'number' ? String(id) : textOf(id);
  const customId = told === undefined || told === '' ? known : told;
  if (customId === undefined) return 'noId';
  if (!isResult(line)) return 'notResult';
  const response = objectOf(line['response']);
  const answered = bodyOf(line, response);
  const status = toNumber(response?.['status_code']) ?? toNumber(line['status_code']);
  const failure = failureOf(line, answered, status);
  // What was received of an answer that broke off.
  const body = failure ? (objectOf(line['partial']) ?? answered) : answered;
  const usage = objectOf(body?.['usage']) ?? objectOf(response?.['usage']) ?? objectOf(line['usage']);
  return {
    customId,
    status,
    failure,
    body,
    model: textOf(body?.['model']),
    finish: textOf(objectOf(listOf(body?.['choices'])[0])?.['finish_reason']) ?? textOf(body?.['stop_reason']),
    usage: usageOf(usage),
  };
}

/** Whether a line with an id is a result rather than a request. */
export function isResult(line: JsonObject): boolean {
  if ('method' in line || 'url' in line) return false;
  if ('response' in line || 'error' in line) return true;
  const body = objectOf(line['body']);
  return (
    body !== undefined && !('messages' in body) && ['choices', 'usage', 'error', 'code'].some((key) => key in body)
  );
}

function bodyOf(line: JsonObject, response: JsonObject | undefined): JsonObject | undefined {
  for (const body of [response?.['body'], line['body'], line['response']]) {
    const read = typeof body === 'string' ? parseObject(body) : objectOf(body);
    if (read && (body !== line['response'] || 'choices' in read)) return contentOf(read);
  }
  return undefined;
}

/** Returns what is inside an envelope `{code, message, data}`; any other body as it is. */
function contentOf(body: JsonObject): JsonObject {
  const data = objectOf(body['data']);
  return data && 'choices' in data && !('choices' in body) ? data : body;
}

function failureOf(line: JsonObject, body: JsonObject | undefined, status: number | undefined): Failure | undefined {
  const response = objectOf(line['response']);
  const told = [line['error'], response?.['error'], body?.['error']]
    .map(readError)
    .find((error) => error !== undefined);
  const isRefused = status !== undefined && status >= 400;
  if (told) return worded(told, status);
  if (body && !('choices' in body)) {
    const { code, message } = body;
    const isError = (code !== undefined && code !== null && toNumber(code) !== envelopeOk) || isRefused;
    const said = textOf(message);
    // Some rejections are only a code.
    const isCode = typeof code === 'number' && code >= 400;
    if (isError && (said !== undefined || isCode)) return worded({ code: codeOf(code), message: said ?? '' }, status);
  }
  if (isRefused) return worded({ code: '', message: looseText(line, response) ?? '' }, status);
  return body ? undefined : worded({ code: '', message: looseText(line, response) ?? resultWords.empty() }, status);
}

/** Returns a response that is not JSON: what a server in between sends, such as an HTML page. */
function looseText(line: JsonObject, response: JsonObject | undefined): string | undefined {
  const texts = [response?.['body'], line['response'], line['body']].map(textOf);
  return texts.find((text) => text !== undefined && text.trim() !== '');
}

function readError(error: unknown): Failure | undefined {
  if (typeof error === 'string') return error.trim() === '' ? undefined : { code: '', message: error };
  const object = objectOf(error);
  if (!object) return undefined;
  // vLLM puts the whole body of a refusal here.
  if (objectOf(object['error'])) return readError(object['error']);
  const code = codeOf(object['code'] ?? object['type']);
  const message = textOf(object['message']) ?? '';
  if (code !== '' || message !== '') return { code, message };
  return Object.values(object).some((value) => value !== null && value !== '')
    ? { code: '', message: toJson(object) }
    : undefined;
}

function codeOf(code: unknown): string {
  return typeof code === 'string' || typeof code === 'number' ? String(code) : '';
}

/** Uses the status as the code of an error that has none, and adds a message to an error without one. */
function worded({ code, message }: Failure, status: number | undefined): Failure {
  const named = code === '' && status !== undefined && status >= 400 ? String(status) : code;
  return { code: named, message: message.trim() === '' ? resultWords.noMessage(status) : message };
}

function usageOf(usage: JsonObject | undefined): ResultUsage {
  if (!usage) return { input: undefined, output: undefined, total: undefined, reasoning: undefined };
  const total = toNumber(usage['total_tokens']);
  const input = toNumber(usage['prompt_tokens']) ?? toNumber(usage['input_tokens']);
  const counted = toNumber(usage['completion_tokens']) ?? toNumber(usage['output_tokens']);
  const output = counted ?? (total !== undefined && input !== undefined ? Math.max(0, total - input) : undefined);
  const details = objectOf(usage['completion_tokens_details']) ?? objectOf(usage['output_tokens_details']);
  return {
    input,
    output,
    total: total ?? (input === undefined && output === undefined ? undefined : (input ?? 0) + (output ?? 0)),
    reasoning: toNumber(details?.['reasoning_tokens']) ?? toNumber(usage['reasoning_tokens']),
  };
}
