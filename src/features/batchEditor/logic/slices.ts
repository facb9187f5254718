import type { Work } from '../../../core/batch/fixes/lineChange';

/** The extension host can be busy for this long without anybody noticing. */
const sliceMs = 8;
/** Reading the clock costs more than most steps of work. */
const piecesAtOnce = 32;

/** Runs the work to its end in slices that do not block the extension host. Returns `undefined` if canceled. */
export async function inSlices<T>(
  work: Work<T>,
  token?: { readonly isCancellationRequested: boolean },
): Promise<T | undefined> {
  let end = performance.now() + sliceMs;
  for (let pieces = 1; ; pieces++) {
    const { done, value } = work.next();
    if (done) return value;
    if (pieces % piecesAtOnce !== 0 || performance.now() < end) continue;
    await new Promise<void>((resolve) => void setImmediate(resolve));
    if (token?.isCancellationRequested) return undefined;
    end = performance.now() + sliceMs;
  }
}
