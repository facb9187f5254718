import type { Disposable } from './disposables';

/** Work that is done once for all events within an interval. */
export interface Throttle extends Disposable {
  /** Schedules the work after the interval, unless it is already scheduled. */
  readonly soon: () => void;
}

export function throttle(ms: number, work: () => void): Throttle {
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  return {
    soon: () => {
      if (isOver) return;
      timer ??= setTimeout(() => {
        timer = undefined;
        work();
      }, ms);
    },
    dispose() {
      isOver = true;
      clearTimeout(timer);
    },
  };
}
