import type * as z from 'zod/mini';
import { ApiError } from '../errors';
import { errorInAnswer, isHtml, readErrorBody, toAnswerError } from '../parseError';

/** Maximum size of one response. No model writes that much: one that does is looping. */
export const mostTextBytes = 8 * 1024 * 1024;

/** Reads a whole body. Throws the error `toError` creates from its beginning if it exceeds the limit. */
export async function readWhole(
  body: AsyncIterable<Uint8Array>,
  maxBytes: number,
  { onBytes, toError }: { onBytes(this: void, count: number): void; toError(this: void, beginning: Uint8Array): Error },
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    onBytes(chunk.byteLength);
    if (bytes > maxBytes) throw toError(Buffer.concat(chunks));
    chunks.push(chunk);
  }
  const [only] = chunks;
  return chunks.length === 1 && only ? only : Buffer.concat(chunks, bytes);
}

/**
 * Returns the value of a successful response. Ignores its content type: a wrong one does no harm, and a web page is recognizable.
 * Throws the error that the response contains, or `badResponse`.
 */
export function readAnswer<T>(text: string, schema: z.ZodMiniType<T>): T {
  const json = text.trim() === '' ? undefined : parseAnswer(text);
  const facts = errorInAnswer(json);
  if (facts) throw toAnswerError(facts);
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  throw text.trim() === '' ? empty() : unreadable(`The answer does not fit: ${misfit(parsed.error)}`);
}

/** Returns the error for a body of an unexpected kind: an error, a web page, or something unknown. */
export function rejectionOf(text: string, expected: string): ApiError {
  if (text.trim() === '') return empty();
  const facts = isHtml(text) ? undefined : errorInAnswer(tryParse(text));
  if (facts) return toAnswerError(facts);
  const { page, message } = readErrorBody(text);
  if (page !== undefined) return webPage(page);
  return unreadable(`The answer is no ${expected}: ${message ?? ''}`);
}

/** Returns the error for a response that this client cut off while the service was still sending. */
export function tooMuch(bytes: number): ApiError {
  const message = `The answer was stopped at ${Math.round(bytes / 1024 / 1024)} MB.`;
  return new ApiError({ kind: 'truncated', message, sent: true, hint: 'tooMuch' });
}

export function unreadable(message: string, hint?: 'empty' | 'webPage'): ApiError {
  return new ApiError({ kind: 'badResponse', message, sent: true, ...(hint && { hint }) });
}

const empty = (): ApiError => unreadable('The answer is empty.', 'empty');

const webPage = (title: string): ApiError =>
  unreadable(title === '' ? 'The answer is a web page.' : `The answer is a web page: ${title}`, 'webPage');

function parseAnswer(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const json = noNumber.test(text) ? tryParse(withoutNoNumbers(text)) : undefined;
    if (json !== undefined) return json;
    // The parser's own message quotes the text, which is in the log anyway.
    if (isHtml(text)) throw webPage(readErrorBody(text).page ?? '');
    throw unreadable('The answer is not JSON.');
  }
}

/** What Python writes for numbers that JSON has no form for. */
const noNumber = /\b(NaN|Infinity)\b/;

/** Writes `null` for them, but for those in texts: one score that is none must not cost the others. */
function withoutNoNumbers(text: string): string {
  return text.replaceAll(/"[^"\\]*(?:\\.[^"\\]*)*"|-?\b(?:NaN|Infinity)\b/g, (found) =>
    found.startsWith('"') ? found : 'null',
  );
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function misfit(error: z.core.$ZodError): string {
  const [issue] = error.issues;
  if (!issue) return 'its shape is another.';
  const place = issue.path.length > 0 ? issue.path.map(String).join('.') : 'the whole';
  return `${place} (${issue.code}).`;
}
