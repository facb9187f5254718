/** Why an address cannot be used. */
export type BaseUrlProblem = 'empty' | 'notAnAddress' | 'scheme' | 'plainHttp' | 'credentials' | 'query';

export type NormalisedBaseUrl =
  | {
      readonly ok: true;
      /** No slash at the end. */
      readonly baseUrl: string;
      /** Scheme, host and port. */
      readonly origin: string;
      /** No part of the path looks like a version (`v1`), which nearly every such service has. */
      readonly missingVersion: boolean;
    }
  | { readonly ok: false; readonly problem: BaseUrlProblem };

/** People paste the address of an endpoint; the base URL is the part before it. */
const endpointPaths = [
  '/chat/completions',
  '/completions',
  '/messages',
  '/models',
  '/rerank',
  '/embeddings',
  '/images/generations',
  '/user/info',
  '/files',
  '/batches',
];

/**
 * Normalises an address that a person typed or a setting contains: https (http only on this machine), no credentials, query or
 * fragment, no slash or endpoint at the end. Without a scheme, https is assumed, and http on this machine.
 */
export function normaliseBaseUrl(text: string): NormalisedBaseUrl {
  const typed = text.trim();
  if (typed === '') return { ok: false, problem: 'empty' };
  if (/[\s\p{Cc}]/u.test(typed)) return { ok: false, problem: 'notAnAddress' };
  const url = parse(typed);
  if (!url || url.hostname === '') return { ok: false, problem: 'notAnAddress' };
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return { ok: false, problem: 'scheme' };
  if (url.username !== '' || url.password !== '') return { ok: false, problem: 'credentials' };
  if (url.search !== '' || url.hash !== '') return { ok: false, problem: 'query' };
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) return { ok: false, problem: 'plainHttp' };

  const path = withoutEndpoint(url.pathname.replace(/\/+$/, ''));
  return {
    ok: true,
    baseUrl: url.origin + path,
    origin: url.origin,
    missingVersion: !path.split('/').some((segment) => /^v\d/i.test(segment)),
  };
}

/** Whether a host, in the form of `URL.hostname`, is this machine. */
export function isLoopback(hostname: string): boolean {
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(hostname)
  );
}

function parse(typed: string): URL | undefined {
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(typed)) return URL.parse(typed) ?? undefined;
  // `localhost:8080` would parse as the scheme `localhost:`.
  const guess = URL.parse(`https://${typed}`);
  if (!guess) return undefined;
  return isLoopback(guess.hostname) ? (URL.parse(`http://${typed}`) ?? undefined) : guess;
}

function withoutEndpoint(path: string): string {
  const found = endpointPaths.find((endpoint) => path.endsWith(endpoint));
  return found ? path.slice(0, -found.length).replace(/\/+$/, '') : path;
}
