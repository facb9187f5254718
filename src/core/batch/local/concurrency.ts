/** How many requests may be under way at once: fewer after the service said it is too much, slowly more again. */
export interface Concurrency {
  readonly allowed: number;
  /** The service asked for less. Several that ask at once count once. */
  lower(): void;
  /** A request was answered. */
  answered(): void;
}

/** Those that were under way together are told off together. */
const sameMs = 1000;
/** So many answers for each that may be under way, before one more may. */
const answersPerRaise = 2;

/** `most` is asked each time: it may change meanwhile. `clock` in milliseconds. */
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
