import { timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

export type Authorization = 'known' | 'unknown' | 'malformed';

const same = (a: string, b: string): boolean => {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
};

/** Checks the key of a request. `malformed` also means that it is missing. */
export function judgeKey(headers: IncomingHttpHeaders, apiKey: string, takesApiKeyHeader: boolean): Authorization {
  const plain = headers['x-api-key'];
  const bearer = /^Bearer ([\x21-\x7e]+)$/.exec(headers.authorization ?? '')?.[1];
  const key =
    bearer ??
    (takesApiKeyHeader && headers.authorization === undefined && typeof plain === 'string' ? plain : undefined);
  if (key === undefined || !key.startsWith('sk-'))
    return key !== undefined && same(key, apiKey) ? 'known' : 'malformed';
  return same(key, apiKey) ? 'known' : 'unknown';
}

/**
 * Returns the status to refuse a request with if it is not meant for this service: a foreign host name (a website can make one of its names
 * resolve to this machine), a page of another origin, or a target that is not a path. `undefined` if it is meant for it.
 */
export function misaddressed(
  { headers, url = '' }: Pick<IncomingMessage, 'headers' | 'url'>,
  serviceOrigin: string,
): 400 | 403 | 421 | undefined {
  const { port } = new URL(serviceOrigin);
  const hosts = ['127.0.0.1', 'localhost', '[::1]'].map((name) => (port === '' ? name : `${name}:${port}`));
  if (!hosts.includes(headers.host?.toLowerCase() ?? '')) return 421;
  const { origin = 'null' } = headers;
  if (origin !== 'null' && !hosts.some((host) => origin === `http://${host}`)) return 403;
  return url.startsWith('/') ? undefined : 400;
}
