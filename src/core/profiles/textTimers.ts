import { isSelfHosted } from './baseUrl';

/** Effectively no limit. */
const dayMs = 24 * 60 * 60 * 1000;

/**
 * Returns how long to wait for a text response, in milliseconds. `seconds` is the limit for its first byte, and 0 disables it. A server on
 * this machine or in a private network has no limit, because a long prompt can take more than five minutes without a fast graphics card.
 */
export function textTimers(
  baseUrl: string,
  seconds: number,
): { readonly firstByteMs: number; readonly totalMs?: number } {
  const isUnlimited = seconds === 0 || isSelfHosted(baseUrl);
  return isUnlimited ? { firstByteMs: dayMs, totalMs: dayMs } : { firstByteMs: seconds * 1000 };
}
