import type { IncomingHttpHeaders } from 'node:http';
import { ApiError } from '../errors';
import type { HttpRequest } from './transport';

/**
 * Returns the request's headers with its exact length, and requesting no compression. Throws `invalidParameter` for a value that
 * cannot be sent: checked here because stacks quote a bad value, and so the key, in their own errors.
 */
export function headersToSend({ headers, body }: HttpRequest): Record<string, string> {
  for (const [name, value] of Object.entries(headers)) {
    // RFC 9110's field-value: tab, visible ASCII, obs-text.
    if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) {
      const message = `The header ${name} holds characters that cannot be sent.`;
      throw new ApiError({ kind: 'invalidParameter', message, parameter: name, sent: false });
    }
  }
  const length = typeof body === 'object' ? { 'content-length': String(body.contentLength) } : {};
  return { 'accept-encoding': 'identity', ...headers, ...length };
}

export function flatHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : String(value)]),
  );
}
