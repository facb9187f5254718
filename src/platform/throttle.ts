import type { Disposable } from './disposables';

/** Work that is done once for all that happens close together. */
export interface Throttle extends Disposable {
  /** Something happened: it is done a while from now. */
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
