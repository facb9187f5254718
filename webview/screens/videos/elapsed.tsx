import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { fill } from '../../components/fill';
import { clockText } from './form';
import type { Videos } from './videosContext';

/** How long something has been going on. The host told it; from then on this machine's own clock counts, which may show another time. */
export function Elapsed({ ms, videos: { session, strings } }: { readonly ms: number; readonly videos: Videos }) {
  const now = useSignal(performance.now());
  useEffect(() => {
    const timer = setInterval(() => (now.value = performance.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  const text = clockText(ms + Math.max(0, now.value - session.toldAt.value));
  return (
    <span class="video-elapsed" role="timer" aria-label={fill(strings.elapsed, text)}>
      {text}
    </span>
  );
}
