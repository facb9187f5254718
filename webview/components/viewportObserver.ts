/** Reports which parts of a long scroller are in the viewport or close to it. */
export interface ViewportObserver {
  /** Reports whenever an element in the scroller comes close to the viewport or leaves it. Returns a function that ends this. */
  watch(element: Element, onChange: (isNear: boolean) => void): () => void;
  dispose(): void;
}

/**
 * In heights of the scroller, above and below it. More than the one and a half within which the browser lays out elements with
 * `content-visibility: auto`, so that a change farther away has no effect on the heights it remembers.
 */
const margin = '200%';
/** Elements are reported a few per frame, the nearest first, so that no frame has to draw a whole screen. */
const reportsPerFrame = 3;

export function createViewportObserver(scrollerSelector: string): ViewportObserver {
  const watched = new Map<Element, (isNear: boolean) => void>();
  /** Elements not reported yet, with their distance from the middle of the scroller. */
  const coming = new Map<Element, number>();
  let observer: IntersectionObserver | undefined;
  let frame = 0;

  const tellNearest = () => {
    const nearest = [...coming].toSorted(([, a], [, b]) => a - b).slice(0, reportsPerFrame);
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
