/** How many requests may be under way at once: fewer after the service reports too many, then slowly more again. */
export interface Concurrency {
  readonly allowed: number;
  /** The service requires fewer requests. Several such responses at once count as one. */
  lower(): void;
  /** A request was answered. */
  answered(): void;
}

/** Requests that were under way together are rejected together. */
const sameMs = 1000;
/** The number of answers, for each request allowed at once, before one more is allowed. */
const answersPerRaise = 2;

/** `most` is called each time because it may change. `clock` returns milliseconds. */
export function createConcurrency(most: () => number, clock: () => number): Concurrency {
  let wanted = most();
  let lowered = Number.NEGATIVE_INFINITY;
  let streak = 0;
  const allowed = () => Math.max(1, Math.min(wanted, most()));
  return {
    get allowed() {
      return allowed();
    },
    lower() {
      streak = 0;
      if (clock() - lowered < sameMs) return;
      lowered = clock();
      wanted = Math.max(1, Math.floor(allowed() / 2));
    },
    answered() {
      streak++;
      if (streak < allowed() * answersPerRaise) return;
      streak = 0;
      wanted = Math.min(most(), allowed() + 1);
    },
  };
}
