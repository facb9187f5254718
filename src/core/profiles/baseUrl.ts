import { BlockList, isIP } from 'node:net';

/** Why an address cannot be used. `privateHttp`: only once a user has agreed to it. */
export type BaseUrlProblem =
  | 'empty'
  | 'key'
  | 'notAnAddress'
  | 'scheme'
  | 'plainHttp'
  | 'privateHttp'
  | 'credentials'
  | 'query';

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

/**
 * A key without anything around it, which would be a valid host name: `sk-…`; another prefix, as services give their keys one (gsk_…, hf_…,
 * nvapi-…); letters and digits without any separator; a JSON Web Token; an id and a secret.
 */
export const keyForm =
  /^(https?:\/\/)?(sk-[\w-]{8,}|[a-z]{1,8}\d?[-_](?=\w*\d)[\w-]{20,}|(?=\D*\d)\w{20,}|eyJ[\w-]+\.[\w-]+\.[\w-]*|[\da-f]{32}\.\w{8,})$/i;

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
 * Normalizes an address that a user typed or a setting contains: https (http on this machine and, with `allowHttp`, in a private network),
 * no credentials, query or fragment, no slash or endpoint at the end. Without a scheme, https is assumed, and http on this machine and in a
 * private network.
 */
export function normaliseBaseUrl(text: string, { allowHttp = false }: { allowHttp?: boolean } = {}): NormalisedBaseUrl {
  const typed = text.trim();
  if (typed === '') return { ok: false, problem: 'empty' };
  if (keyForm.test(typed)) return { ok: false, problem: 'key' };
  if (/[\s\p{Cc}]/u.test(typed)) return { ok: false, problem: 'notAnAddress' };
  const url = parse(typed);
  if (!url || url.hostname === '') return { ok: false, problem: 'notAnAddress' };
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return { ok: false, problem: 'scheme' };
  if (url.username !== '' || url.password !== '') return { ok: false, problem: 'credentials' };
  if (url.search !== '' || url.hash !== '') return { ok: false, problem: 'query' };
  const http = url.protocol === 'http:' ? httpProblem(url.hostname, allowHttp) : undefined;
  if (http) return { ok: false, problem: http };

  const path = withoutEndpoint(url.pathname.replace(/(?<!\/)\/+$/, ''));
  return {
    ok: true,
    baseUrl: url.origin + path,
    origin: url.origin,
    missingVersion: !path.split('/').some((segment) => /^v\d/i.test(segment)),
  };
}

/** Whether requests to a URL are unencrypted: http to another machine. */
export function isUnencrypted(baseUrl: string): boolean {
  const url = URL.parse(baseUrl);
  return url?.protocol === 'http:' && !isLoopback(url.hostname);
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

/** RFC 1918, shared (as in Tailscale), unique local and link-local. Not 169.254/16, where clouds host their metadata services. */
const privateNetworks = new BlockList();
privateNetworks.addSubnet('10.0.0.0', 8);
privateNetworks.addSubnet('100.64.0.0', 10);
privateNetworks.addSubnet('172.16.0.0', 12);
privateNetworks.addSubnet('192.168.0.0', 16);
privateNetworks.addSubnet('fc00::', 7, 'ipv6');
privateNetworks.addSubnet('fe80::', 10, 'ipv6');

/** Whether a server is on this machine or in a private network, where its user runs it. */
export function isSelfHosted(baseUrl: string): boolean {
  const hostname = URL.parse(baseUrl)?.hostname ?? '';
  return isLoopback(hostname) || isPrivate(hostname);
}

/** Whether a host, in the form of `URL.hostname`, is in a private network: by its IP address, or by a name that no public DNS resolves. */
function isPrivate(hostname: string): boolean {
  const bare = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  const version = isIP(bare);
  if (version !== 0) return privateNetworks.check(bare, version === 6 ? 'ipv6' : 'ipv4');
  return !bare.includes('.') || /\.(?:local|lan|internal|home\.arpa)$/.test(bare);
}

function httpProblem(hostname: string, allowHttp: boolean): 'plainHttp' | 'privateHttp' | undefined {
  if (isLoopback(hostname)) return undefined;
  if (!isPrivate(hostname)) return 'plainHttp';
  return allowHttp ? undefined : 'privateHttp';
}

function parse(typed: string): URL | undefined {
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(typed)) return URL.parse(typed) ?? undefined;
  // `localhost:8080` would parse as the scheme `localhost:`.
  const guess = URL.parse(`https://${typed}`);
  if (!guess) return undefined;
  const isNear = isLoopback(guess.hostname) || isPrivate(guess.hostname);
  return isNear ? (URL.parse(`http://${typed}`) ?? undefined) : guess;
}

function withoutEndpoint(path: string): string {
  const found = endpointPaths.find((endpoint) => path.endsWith(endpoint));
  return found ? path.slice(0, -found.length).replace(/(?<!\/)\/+$/, '') : path;
}
