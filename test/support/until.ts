import { setTimeout as wait } from 'node:timers/promises';

/** Longer than anything takes on a slow machine, for code that doesn't measure time. */
export const usualLimitMs = 60_000;

/** Resolves to the first value that isn't undefined, and rejects after the limit. For state without an event. */
export async function until<T>(
  look: () => T | undefined | Promise<T | undefined>,
  what: string,
  limitMs = usualLimitMs,
): Promise<T> {
  const end = Date.now() + limitMs;
  for (let found = await look(); ; found = await look()) {
    if (found !== undefined) return found;
    if (Date.now() > end) throw new Error(`${what} did not come within ${limitMs / 1000} s`);
    await wait(50);
  }
}
