import type { IncomingHttpHeaders } from 'node:http';
import type { ClientOptions } from '../clientOptions';
import { ApiError } from '../errors';
import { presentWords } from '../present';
import type { AnswerIds, CallWatch, HttpRequest, HttpResponse } from './transport';

/** Returns the headers that carry a key in a service's way. An empty key is not sent. */
export function keyHeaders(key: string, header: ClientOptions['keyHeader'] = 'bearer'): Record<string, string> {
  if (header === 'x-api-key') {
    // The only version so far: https://docs.claude.com/en/api/versioning
    return { ...(key !== '' && { 'x-api-key': key }), 'anthropic-version': '2023-06-01' };
  }
  return key === '' ? {} : { authorization: `Bearer ${key}` };
}

/**
 * Returns the request's headers with its exact length, and requesting no compression. Throws `invalidParameter` for a value that
 * cannot be sent: checked here because stacks quote a bad value, and so the key, in their own errors.
 */
export function headersToSend({ headers, body }: HttpRequest): Record<string, string> {
  for (const [name, value] of Object.entries(headers)) {
    // RFC 9110's field-value: tab, visible ASCII, obs-text.
    if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) {
      const message = `The header ${name} contains invalid characters.`;
      throw new ApiError({ kind: 'invalidParameter', message, parameter: name, sent: false });
    }
  }
  const length = typeof body === 'object' ? { 'content-length': String(body.contentLength) } : {};
  return { 'accept-encoding': 'identity', ...headers, ...length };
}

/** Returns the service's ids of a response, without what `redact` removes from them. */
export function idsIn(headers: HttpResponse['headers'], redact = (text: string) => text): AnswerIds {
  const [traceId, requestId] = [headers['x-siliconcloud-trace-id'] ?? headers['x-trace-id'], headers['x-request-id']];
  return { ...(traceId && { traceId: redact(traceId) }), ...(requestId && { requestId: redact(requestId) }) };
}

/** Returns what watches a call, and the ids of its response, which are known once it has begun. */
export function watchIds(): { readonly watch: CallWatch; readonly ids: AnswerIds } {
  const ids: AnswerIds = {};
  const watch: CallWatch = {
    onAnswer: ({ requestId, traceId }) => void Object.assign(ids, presentWords({ requestId, traceId })),
  };
  return { watch, ids };
}

export function flatHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : String(value)]),
  );
}
