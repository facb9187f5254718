import { type ReadonlySignal, signal } from '@preact/signals';

/** Keeps a growing log scrolled to its end, until the user scrolls away. */
export interface ScrollPosition {
  readonly atEnd: ReadonlySignal<boolean>;
  toEnd(): void;
  /** Stops following the end, because something else is being viewed. */
  letGo(): void;
  /** -1 if at the end. */
  position(): number;
  restore(position: number): void;
  dispose(): void;
}

/** How close to the end counts as being there. */
const nearPx = 32;

export function createScrollPosition(scroller: HTMLElement, content: HTMLElement, onMoved: () => void): ScrollPosition {
  const atEnd = signal(true);
  let last = { top: 0, height: 0 };

  const remember = () => {
    last = { top: scroller.scrollTop, height: scroller.scrollHeight };
  };
  const isNearEnd = () => scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight <= nearPx;
  const toEnd = () => {
    atEnd.value = true;
    scroller.scrollTop = scroller.scrollHeight;
    remember();
  };
  /** Only scrolling up means that the user wants to leave. The browser scrolls up a little when content shrinks and grows again. */
  const isWish = () => {
    const up = last.top - scroller.scrollTop;
    return up > 0 && (scroller.scrollHeight === last.height || up > scroller.clientHeight);
  };
  const onScroll = () => {
    if (isNearEnd()) atEnd.value = true;
    else if (isWish()) atEnd.value = false;
    remember();
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
    letGo: () => (atEnd.value = false),
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
