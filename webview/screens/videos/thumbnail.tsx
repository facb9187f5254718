import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';

/** The first frame of a video, loaded once it scrolls into view. */
export function Thumbnail({ uri }: { readonly uri: string | undefined }) {
  const room = useRef<HTMLSpanElement>(null);
  const isSeen = useSignal(false);
  useEffect(() => {
    const watcher = new IntersectionObserver(([entry]) => {
      if (!entry?.isIntersecting) return;
      isSeen.value = true;
      watcher.disconnect();
    });
    if (room.current) watcher.observe(room.current);
    return () => watcher.disconnect();
  }, []);
  if (uri === undefined) return null;
  return (
    <span class="video-thumbnail" ref={room} aria-hidden="true">
      {isSeen.value && <video src={`${uri}#t=0.1`} preload="metadata" muted tabIndex={-1} />}
    </span>
  );
}
