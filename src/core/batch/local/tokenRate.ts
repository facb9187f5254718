/** The number of tokens used within the last minute. */
export interface TokenRate {
  add(tokens: number): void;
  perMinute(): number;
}

const minuteMs = 60_000;
/** The least time to extrapolate from: a shorter one says nothing about a minute. */
const leastMs = 5000;

/** `clock` returns milliseconds. During the first minute, the rate is extrapolated to a whole one. */
export function createTokenRate(clock: () => number): TokenRate {
  const startedAt = clock();
  let entries: { readonly at: number; readonly tokens: number }[] = [];
  return {
    add: (tokens) => void entries.push({ at: clock(), tokens }),
    perMinute() {
      const now = clock();
      entries = entries.filter(({ at }) => now - at < minuteMs);
      const sum = entries.reduce((all, { tokens }) => all + tokens, 0);
      const past = Math.min(minuteMs, Math.max(leastMs, now - startedAt));
      return Math.round((sum * minuteMs) / past);
    },
  };
}
