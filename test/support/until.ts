import { setTimeout as wait } from 'node:timers/promises';

/** Longer than anything takes where the machine is slow; for what measures no time. */
export const usualLimitMs = 60_000;

/** Resolves with the first value that is not undefined; rejects when none came in time. For what tells no event. */
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
