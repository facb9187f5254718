import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';

/** Resolves after `ms` milliseconds (for zero in a later turn, without delay); rejects if the signal aborts. */
export async function wait(ms: number, signal: AbortSignal): Promise<void> {
  await (ms > 0 ? sleep(ms, undefined, { signal }) : nextTurn(undefined, { signal }));
}

/** Never resolves; rejects if the signal aborts. */
export function forever(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const stop = () => reject(new DOMException('The connection closed.', 'AbortError'));
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
}
