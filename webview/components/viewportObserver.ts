/** Knows which parts of a long scroller are in sight or soon will be. */
export interface ViewportObserver {
  /** Tells whenever the element, which stands in the scroller, comes near or is far again. Returns how to end that. */
  watch(element: Element, onChange: (isNear: boolean) => void): () => void;
  dispose(): void;
}

/**
 * In heights of the scroller above and below it. More than the one and a half within which the browser lays out what has
 * `content-visibility: auto`: what changes farther away has no effect on the heights it remembers.
 */
const margin = '200%';
/** What comes near is told bit by bit, the nearest first, so that no frame has to draw a whole screenful. */
const toldPerFrame = 3;

export function createViewportObserver(scrollerSelector: string): ViewportObserver {
  const watched = new Map<Element, (isNear: boolean) => void>();
  /** What came near and was not told yet, with its distance from the middle of the scroller. */
  const coming = new Map<Element, number>();
  let observer: IntersectionObserver | undefined;
  let frame = 0;

  const tellNearest = () => {
    const nearest = [...coming].toSorted(([, a], [, b]) => a - b).slice(0, toldPerFrame);
    for (const [element] of nearest) {
      coming.delete(element);
      watched.get(element)?.(true);
    }
    frame = coming.size > 0 ? requestAnimationFrame(tellNearest) : 0;
  };
  const onEntries = (entries: readonly IntersectionObserverEntry[]) => {
    for (const entry of entries) {
      const { target, isIntersecting } = entry;
      if (isIntersecting) coming.set(target, distanceOf(entry));
      else {
        coming.delete(target);
        watched.get(target)?.(false);
      }
    }
    if (coming.size > 0) frame ||= requestAnimationFrame(tellNearest);
  };

  return {
    watch(element, onChange) {
      observer ??= new IntersectionObserver(onEntries, {
        root: element.closest(scrollerSelector),
        rootMargin: `${margin} 0px`,
      });
      watched.set(element, onChange);
      observer.observe(element);
      return () => {
        watched.delete(element);
        coming.delete(element);
        observer?.unobserve(element);
      };
    },
    dispose() {
      observer?.disconnect();
      cancelAnimationFrame(frame);
    },
  };
}

function distanceOf({ boundingClientRect: { top, bottom }, rootBounds }: IntersectionObserverEntry): number {
  const middle = rootBounds ? (rootBounds.top + rootBounds.bottom) / 2 : 0;
  return Math.max(0, top - middle, middle - bottom);
}
