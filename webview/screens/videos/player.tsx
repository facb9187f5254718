import { useSignal } from '@preact/signals';
import type { VideoFile, VideoJob } from '../../../src/protocol/videos';
import { fill } from '../../components/fill';
import { Note } from '../../components/note';
import { PlayerBar } from './playerBar';
import { usePlayback } from './playback';
import type { Videos } from './videosContext';
import { titled } from '../../../src/protocol/sentences';

interface PlayerProps {
  readonly uri: string;
  readonly file: VideoFile;
  readonly job: VideoJob;
  readonly videos: Videos;
}

/** Plays a saved video. If the editor cannot, says so and offers another program. */
export function Player(props: PlayerProps & { readonly onOpenOutside: () => void }) {
  const cannot = useSignal(false);
  const { file, videos, onOpenOutside } = props;
  const { strings } = videos;
  if (!cannot.value) return <Playing {...props} onCannot={() => (cannot.value = true)} />;
  return (
    <Note
      tone="warning"
      title={strings.cannotPlay}
      detail={titled(file.name, strings.cannotPlayDetail)}
      actions={[{ id: 'openOutside', label: strings.openOutside }]}
      onAct={onOpenOutside}
    />
  );
}

function Playing({ uri, file, job, videos, onCannot }: PlayerProps & { readonly onCannot: () => void }) {
  const { session, strings } = videos;
  const { element, place, pixels, begin, look } = usePlayback(session, onCannot);
  return (
    <figure class="player">
      <video
        ref={element}
        class="player-video"
        src={uri}
        aria-label={fill(strings.player, job.prompt)}
        controls
        playsInline
        preload="metadata"
        // Without it, frames could not be read.
        crossOrigin="anonymous"
        loop={session.loops.value}
        onLoadedMetadata={begin}
        onTimeUpdate={look}
        onSeeked={look}
        onRateChange={({ currentTarget }) => session.setPlaying({ rate: currentTarget.playbackRate })}
        onError={onCannot}
      />
      <PlayerBar
        videos={videos}
        place={place.value}
        video={() => element.current}
        onFrame={(seconds, png) => void session.saveFrame({ job: job.id, index: file.index, seconds, png })}
      />
      <figcaption class="player-facts videos-muted">
        {(pixels.value ? [fill(strings.pixels, ...pixels.value), ...file.facts, file.name] : [file.name]).map(
          (fact) => (
            <span key={fact} title={fact}>
              {fact}
            </span>
          ),
        )}
      </figcaption>
    </figure>
  );
}
