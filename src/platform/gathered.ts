import type { Disposable } from './disposables';

/** Work that is done once for all that happens close together. */
export interface Gathered extends Disposable {
  /** Something happened: it is done a while from now. */
  readonly soon: () => void;
}

export function gathered(ms: number, work: () => void): Gathered {
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
