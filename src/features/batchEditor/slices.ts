import type { Work } from '../../core/batch/fixes/lineChange';

/** Nobody notices the editor's host being busy for so long. */
const sliceMs = 8;
/** Looking at the clock is dearer than most pieces of work. */
const piecesAtOnce = 32;

/** Does all of the work without holding up others; `undefined` where nobody waits for it any more. */
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
