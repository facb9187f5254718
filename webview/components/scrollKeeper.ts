import { type ReadonlySignal, signal } from '@preact/signals';

/** Keeps a growing log at its end as long as the person is there, and lets go the moment they scroll away. */
export interface ScrollKeeper {
  readonly atEnd: ReadonlySignal<boolean>;
  toEnd(): void;
  /** -1: at the end. */
  position(): number;
  restore(position: number): void;
  dispose(): void;
}

/** So near the end counts as there. */
const nearPx = 32;

export function createScrollKeeper(scroller: HTMLElement, content: HTMLElement, onMoved: () => void): ScrollKeeper {
  const atEnd = signal(true);
  let expectedTop = -1;

  const isNearEnd = () => scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight <= nearPx;
  const toEnd = () => {
    atEnd.value = true;
    scroller.scrollTop = scroller.scrollHeight;
    expectedTop = scroller.scrollTop;
  };
  const onScroll = () => {
    // Our own scrolling, and the browser's when the content shrinks, are no wish of the person's.
    if (Math.abs(scroller.scrollTop - expectedTop) > 1) atEnd.value = isNearEnd();
    expectedTop = -1;
    onMoved();
  };
  const onWheel = (event: WheelEvent) => {
    if (event.deltaY < 0 && scroller.scrollHeight > scroller.clientHeight) atEnd.value = false;
  };
  const sizes = new ResizeObserver(() => {
    if (atEnd.peek()) toEnd();
    else atEnd.value = isNearEnd();
  });

  scroller.addEventListener('scroll', onScroll, { passive: true });
  scroller.addEventListener('wheel', onWheel, { passive: true });
  sizes.observe(content);
  sizes.observe(scroller);
  return {
    atEnd,
    toEnd,
    position: () => (atEnd.peek() ? -1 : scroller.scrollTop),
    restore(position) {
      if (position < 0) return toEnd();
      scroller.scrollTop = position;
      atEnd.value = isNearEnd();
    },
    dispose() {
      sizes.disconnect();
      scroller.removeEventListener('scroll', onScroll);
      scroller.removeEventListener('wheel', onWheel);
    },
  };
}
