import type * as z from 'zod/mini';
import { ApiError } from '../errors';
import { factsOf, isHtml, readErrorBody } from '../errorBody';
import { isObject } from '../isObject';
import { errorInAnswer, toAnswerError } from '../parseError';
import { parseJson } from '../parseJson';
import { createSseReader } from '../sse';

/** Maximum size of one response. No model writes that much: one that does is looping. */
export const mostTextBytes = 8 * 1024 * 1024;

/**
 * Reads an entire body as text. `onCut` gets the beginning of a body that exceeds the limit, without `error`, or that fails. It throws, or
 * returns the text to continue with.
 */
export async function readWhole(
  body: AsyncIterable<Uint8Array>,
  maxBytes: number,
  watch: { onBytes(this: void, count: number): void; onCut(this: void, beginning: string, error?: unknown): string },
): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of body) {
      watch.onBytes(chunk.byteLength);
      chunks.push(chunk.subarray(0, maxBytes - bytes));
      bytes += chunk.byteLength;
      if (bytes > maxBytes) break;
    }
  } catch (error) {
    return watch.onCut(textOf(chunks), error);
  }
  return bytes > maxBytes ? watch.onCut(textOf(chunks)) : textOf(chunks);
}

function textOf(chunks: readonly Uint8Array[]): string {
  const [only] = chunks;
  return new TextDecoder().decode(chunks.length === 1 ? only : Buffer.concat(chunks));
}

/**
 * Returns the value of a successful response; that of server-sent events is an object with their JSON in `events`. Ignores its content type: a wrong one does no harm, and a web page is recognizable.
 * Throws the error that the response contains, or `badResponse`. `isPlain`: whether a text that is not JSON is read as well, as `{text}`.
 * `isReport`: whether an error in the report on a job is part of the response.
 */
export function readAnswer<T>(
  text: string,
  schema: z.ZodMiniType<T>,
  { isPlain = false, isReport = false }: { readonly isPlain?: boolean; readonly isReport?: boolean } = {},
): T {
  const json = text.trim() === '' ? undefined : isPlain ? parsePlain(text) : parseAnswer(text);
  const events = isObject(json) && Array.isArray(json['events']) ? json['events'] : [];
  const isJob = isReport && isJobReport(json);
  const facts = isJob ? undefined : [json, ...events].map(errorInAnswer).find((found) => found !== undefined);
  if (facts) throw toAnswerError(facts);
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  throw text.trim() === ''
    ? empty()
    : (complaintIn(json) ?? unreadable(`Unexpected response: ${misfit(parsed.error)}`));
}

/**
 * Returns the probable error in a response of another form: an object with the service's message, classified by its code or message, or
 * otherwise as an unreadable response.
 */
function complaintIn(json: unknown): ApiError | undefined {
  const facts = isObject(json) ? factsOf(json) : undefined;
  if (facts?.message === undefined) return undefined;
  const error = toAnswerError(facts);
  if (error.kind !== 'server') return error;
  return new ApiError({ ...error.details, kind: 'badResponse', message: error.message, sent: true });
}

/** Whether a value has the id and the state of a job, at its top level or one below it. */
function isJobReport(json: unknown, isInside = false): boolean {
  if (!isObject(json)) return false;
  const isText = (value: unknown) => typeof value === 'string' && value !== '';
  // Google names a job or a file by a path, and Amazon by an ARN.
  const hasPath = isText(json['name']) && String(json['name']).includes('/');
  const hasId = hasPath || ['id', 'batch_id', 'job_id', 'jobArn'].some((name) => isText(json[name]));
  const hasState = stateNames.some((name) => typeof json[name] === 'string') || typeof json['done'] === 'boolean';
  if (hasId && hasState) return true;
  return !isInside && Object.values(json).some((value) => isJobReport(value, true));
}

const stateNames = ['status', 'state', 'processing_status', 'job_state', 'validation_status'];

/** Returns the error for a body of an unexpected kind: an error, a web page, or something unknown. */
export function rejectionOf(text: string, expected: string): ApiError {
  if (text.trim() === '') return empty();
  const facts = isHtml(text) ? undefined : errorInAnswer(parseJson(text));
  if (facts) return toAnswerError(facts);
  const { page, message } = readErrorBody(text);
  if (page !== undefined) return webPage(page);
  return unreadable(`The response is not ${expected}: ${message ?? ''}`);
}

/** Returns the error for a response that this client cut off while the service was still sending. */
export function tooMuch(bytes: number): ApiError {
  const message = `The response exceeds ${Math.round(bytes / 1024 / 1024)} MB.`;
  return new ApiError({ kind: 'truncated', message, sent: true, hint: 'tooMuch' });
}

export function unreadable(message: string, hint?: 'empty' | 'webPage' | 'tooMuch'): ApiError {
  return new ApiError({ kind: 'badResponse', message, sent: true, ...(hint && { hint }) });
}

const empty = (): ApiError => unreadable('The response is empty.', 'empty');

const webPage = (title: string): ApiError =>
  unreadable(title === '' ? 'The response is a web page.' : `The response is a web page: ${title}`, 'webPage');

/** Returns an object or a list as such, and any other text as `{text}`. */
function parsePlain(text: string): unknown {
  const json = parseJson(text);
  if (typeof json === 'object') return json;
  if (isHtml(text) || text.trimStart().startsWith('{')) return parseAnswer(text);
  return { text: (typeof json === 'string' ? json : text).trim() };
}

function parseAnswer(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const json = noNumber.test(text) ? parseJson(withoutNoNumbers(text)) : undefined;
    if (json !== undefined) return json;
    if (/^\uFEFF?\s*(?:data:|event:|:)/.test(text)) return { events: eventsIn(text) };
    // The parser's own message quotes the text, which is in the log anyway.
    if (isHtml(text)) throw webPage(readErrorBody(text).page ?? '');
    throw unreadable('The response is not JSON.');
  }
}

/** Returns the JSON of server-sent events, which some services send although no stream was requested. */
function eventsIn(text: string): readonly unknown[] {
  const events: unknown[] = [];
  const reader = createSseReader(Number.POSITIVE_INFINITY, {
    onData: (data) => {
      const value = parseJson(data);
      if (value !== undefined) events.push(value);
    },
    onStray: () => {},
  });
  reader.push(new TextEncoder().encode(text));
  reader.end();
  return events;
}

/** The notation of Python and C for numbers that JSON can't express. */
const noNumber = /\b(?:nan|inf(?:inity)?)\b/i;

/** Writes `null` for them, except within strings, so that one invalid score doesn't invalidate the others. */
function withoutNoNumbers(text: string): string {
  return text.replaceAll(/"[^"\\]*(?:\\.[^"\\]*)*"|[+-]?\b(?:nan(?:\(\w*\))?|inf(?:inity)?)(?!\w)/gi, (found) =>
    found.startsWith('"') ? found : 'null',
  );
}

function misfit(error: z.core.$ZodError): string {
  const [issue] = error.issues;
  if (!issue) return 'its shape is another.';
  const place = issue.path.length > 0 ? issue.path.map(String).join('.') : 'the root';
  return `${place} (${issue.code}).`;
}
