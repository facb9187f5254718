import { useState } from 'preact/hooks';
import type { GalleryDetails } from '../../../src/protocol/gallery';
import { Note } from '../../components/note';
import type { Gallery } from './galleryContext';

interface PlayerProps {
  readonly gallery: Gallery;
  readonly details: GalleryDetails;
}

/** A video or speech clip, if the editor can play it. */
export function Player({ gallery: { session, strings }, details: { id, kind, src, label } }: PlayerProps) {
  const [failedSrc, setFailed] = useState<string>();
  const fail = () => setFailed(src);
  if (failedSrc === src)
    return (
      <Note
        tone="warning"
        title={strings.cannotPlayTitle}
        detail={strings.cannotPlayDetail}
        actions={[{ id: 'openOutside', label: strings.openOutside }]}
        onAct={() => session.act(id, 'openOutside')}
      />
    );
  if (kind === 'speech')
    return (
      <audio key={src} class="gallery-player" src={src} controls preload="metadata" aria-label={label} onError={fail} />
    );
  return (
    <video
      key={src}
      class="gallery-player"
      src={src}
      controls
      loop
      preload="metadata"
      aria-label={label}
      onError={fail}
      // Without the video's codec, only the sound may play.
      onLoadedMetadata={({ currentTarget }) => currentTarget.videoWidth === 0 && fail()}
    />
  );
}
