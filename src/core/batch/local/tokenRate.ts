/** How many tokens were used within the last minute. */
export interface TokenRate {
  add(tokens: number): void;
  perMinute(): number;
}

const minuteMs = 60_000;
/** Less than that says nothing of a minute. */
const leastMs = 5000;

/** `clock` in milliseconds. In the first minute it tells what a whole one would come to. */
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
