/** Follows a long operation and can cancel it: the operation rejects once `signal` aborts, unless it says otherwise. */
export interface ProgressMonitor<Progress extends readonly unknown[] = [bytes: number]> {
  readonly signal: AbortSignal;
  readonly onProgress: (...progress: Progress) => void;
}
