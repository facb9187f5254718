import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { fill } from '../../components/fill';
import { clockText } from './form';
import type { Videos } from './videosContext';

/** The elapsed time of a job, counted from the host's value with the page's own clock, which may differ from the host's. */
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
