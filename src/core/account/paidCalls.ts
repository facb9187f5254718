/** Calls that may be paid for beside what is measured. */
export interface PaidCalls {
  /** All so far. */
  begun: number;
  /** Under way. */
  open: number;
  /** When the last one ended, in Unix milliseconds. */
  endedAt: number;
}

/** What comes back is to be called when the call ended. */
export function countCall(calls: PaidCalls): () => void {
  calls.begun++;
  calls.open++;
  return () => {
    calls.open--;
    calls.endedAt = Date.now();
  };
}
