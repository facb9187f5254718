import type { Disposable } from './disposables';

/** Work that is delayed until nothing more happens to its key. */
export interface Debounce extends Disposable {
  /** Does `work` after the delay, replacing work that waits for the same key. */
  start(key: string, work: () => void): void;
  cancel(key: string): void;
}

export function createDebounce(ms: number): Debounce {
  const waiting = new Map<string, NodeJS.Timeout>();
  const cancel = (key: string) => {
    clearTimeout(waiting.get(key));
    waiting.delete(key);
  };
  return {
    start(key, work) {
      cancel(key);
      const timer = setTimeout(() => {
        waiting.delete(key);
        work();
      }, ms);
      waiting.set(key, timer);
    },
    cancel,
    dispose: () => {
      for (const key of waiting.keys()) cancel(key);
    },
  };
}
