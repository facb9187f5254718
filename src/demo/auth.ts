import { timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

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
