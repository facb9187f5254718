import { isLoopback } from '../profiles/baseUrl';

/** Whether a job of one URL can be requested at another: the same origin, or both on this machine, where ports change. */
export function isSameService(one: string, other: string): boolean {
  if (!URL.canParse(one) || !URL.canParse(other)) return false;
  const [a, b] = [new URL(one), new URL(other)];
  return a.origin === b.origin || (isLoopback(a.hostname) && isLoopback(b.hostname));
}
