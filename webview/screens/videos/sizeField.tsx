import { videoSizes } from '../../../src/protocol/videos';
import type { VideoSize } from '../../../src/protocol/videos';
import type { Videos } from './videosContext';

/** The available sizes, as shapes. The arrow keys move between them. */
export function SizeField({ videos: { session, strings } }: { readonly videos: Videos }) {
  const chosen = session.typed.form.value.size;
  const names: Readonly<Record<VideoSize, string>> = {
    '1280x720': strings.wide,
    '720x1280': strings.tall,
    '960x960': strings.square,
  };
  return (
    <fieldset class="video-field video-sizes">
      <legend>{strings.size}</legend>
      <div class="video-size-list">
        {videoSizes.map((size) => (
          <label class="video-size" key={size} title={names[size]}>
            <input
              type="radio"
              name="size"
              class="spoken"
              value={size}
              checked={size === chosen}
              onChange={() => session.typed.edit({ size })}
            />
            <span class="video-shape-room" aria-hidden="true">
              <span class={`video-shape video-shape-${size}`} />
            </span>
            <span class="spoken">{names[size]} </span>
            <span class="video-size-name">{size.replace('x', ' × ')}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
