import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { VideosSession } from './session';

interface VideoEvent {
  readonly currentTarget: HTMLVideoElement;
}

/** State of a video's playback as its element reports it; applies the chosen playback rate. */
export function usePlayback({ rate }: Pick<VideosSession, 'rate'>, onCannot: () => void) {
  const element = useRef<HTMLVideoElement>(null);
  /** In seconds. */
  const place = useSignal({ at: 0, of: 0 });
  const pixels = useSignal<readonly [width: string, height: string] | undefined>(undefined);
  const chosen = rate.value;
  useEffect(() => {
    if (element.current) element.current.playbackRate = chosen;
  }, [chosen]);
  const look = ({ currentTarget: { currentTime, duration } }: VideoEvent) => {
    place.value = { at: currentTime, of: Number.isFinite(duration) ? duration : 0 };
  };
  const begin = (event: VideoEvent) => {
    const video = event.currentTarget;
    video.playbackRate = rate.peek();
    look(event);
    // Without the video's codec, some players play only the sound.
    if (video.videoWidth === 0) onCannot();
    else pixels.value = [String(video.videoWidth), String(video.videoHeight)];
  };
  return { element, place, pixels, begin, look };
}
