/** The last errors of this session, newest first, for a report that the user requests. */
export interface RecentErrors {
  note(error: unknown): void;
  /** At most 20. */
  readonly recent: readonly RecentError[];
}

export interface RecentError {
  /** Unix milliseconds. */
  readonly at: number;
  readonly error: unknown;
}

const maxErrors = 20;

export function createRecentErrors(now: () => number = Date.now): RecentErrors {
  let recent: readonly RecentError[] = [];
  return {
    note(error) {
      // An error that is shown and then logged counts once.
      if (recent.every((known) => known.error !== error))
        recent = [{ at: now(), error }, ...recent].slice(0, maxErrors);
    },
    get recent() {
      return recent;
    },
  };
}
