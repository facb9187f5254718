import { setTimeout as wait } from 'node:timers/promises';

/** Resolves with the first value that is not undefined; rejects when none came in time. For what tells no event. */
export async function until<T>(look: () => T | undefined, what: string, limitMs = 10_000): Promise<T> {
  const end = Date.now() + limitMs;
  for (let found = look(); ; found = look()) {
    if (found !== undefined) return found;
    if (Date.now() > end) throw new Error(`${what} did not come within ${limitMs / 1000} s`);
    await wait(50);
  }
}
