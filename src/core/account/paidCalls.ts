/** Counts calls that may cost money besides those whose cost is measured. */
export interface PaidCalls {
  /** Total so far. */
  begun: number;
  /** Currently in progress. */
  open: number;
  /** When the last one ended, in Unix milliseconds. */
  endedAt: number;
}

/** Counts a call as begun. Returns a function to call when it has ended. */
export function countCall(calls: PaidCalls): () => void {
  calls.begun++;
  calls.open++;
  return () => {
    calls.open--;
    calls.endedAt = Date.now();
  };
}
