import { isLoopback } from '../profiles/baseUrl';
import { publicHostOf } from '../profiles/publicHosts';
import type { PublicHost } from '../profiles/publicHosts';

/** The class of an address's host; only the public service's hosts are identified by name. */
export type HostClass = PublicHost | 'thisMachine' | 'privateNetwork' | 'other' | 'unreadable';

export function hostClassOf(baseUrl: string): HostClass {
  const hostname = URL.parse(baseUrl)?.hostname;
  if (hostname === undefined || hostname === '') return 'unreadable';
  if (isLoopback(hostname)) return 'thisMachine';
  return publicHostOf(baseUrl) ?? (isPrivate(hostname) ? 'privateNetwork' : 'other');
}

/** Ranges of RFC 1918 and 4193, and names that no public DNS resolves. */
function isPrivate(hostname: string): boolean {
  return (
    /^(10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.)/.test(hostname) ||
    /^\[f[cd]/i.test(hostname) ||
    /\.(local|internal|lan|home\.arpa|test)$/.test(hostname) ||
    !/[.:]/.test(hostname)
  );
}
