import { timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

export type Authorization = 'known' | 'unknown' | 'malformed';

const same = (a: string, b: string): boolean => {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
};

/** Judges the key of a request. `malformed` also stands for a missing one. */
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
 * Why a request is not for this service, as a status: a name that is not its own (a web page can make a name of its site lead
 * to this machine), a page of another origin, or a target that is no path. `undefined`: it is for it.
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
