import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Icon } from './icon';
import type { IconName } from './iconNames';

/** What a tile shows. All words are worded. */
export interface Tile {
  /** The same as long as it is the same thing. */
  readonly id: string;
  /** Names the tile. */
  readonly label: string;
  /** Beneath it; what does not fit is left out. */
  readonly caption?: string;
  /** Said of a picture, or of a video, whose first frame is shown. */
  readonly shows?: {
    readonly kind: 'picture' | 'video';
    readonly src: string;
    readonly width?: number | undefined;
    readonly height?: number | undefined;
  };
  /** An icon in the corner: what it is, where it is no picture. */
  readonly badge?: IconName;
  /** In place of a picture, e.g. a state; what of it is in `label` is hidden from screen readers. */
  readonly content?: ComponentChildren;
}

interface TilePictureProps {
  readonly tile: Tile;
  /** Said where the file is gone or is none. */
  readonly broken: string;
}

/** The picture of a tile, in its own ratio from the beginning, so that nothing moves when it comes. */
export function TileImage({ tile: { shows, content, badge }, broken }: TilePictureProps) {
  const [brokenSrc, setBroken] = useState<string>();
  if (!shows) return <div class="tile-content">{content}</div>;
  if (brokenSrc === shows.src)
    return (
      <div class="tile-content tile-broken">
        <Icon name="warning" />
        <span>{broken}</span>
      </div>
    );
  const { src, width, height } = shows;
  const fail = () => setBroken(src);
  const known = width && height ? { width, height } : {};
  return (
    <>
      {shows.kind === 'picture' ? (
        <img
          class="tile-picture"
          src={src}
          alt=""
          loading="lazy"
          decoding="async"
          draggable={false}
          onError={fail}
          {...known}
        />
      ) : (
        <video
          class="tile-picture"
          src={src}
          preload="metadata"
          muted
          tabIndex={-1}
          aria-hidden="true"
          onError={fail}
          {...known}
        />
      )}
      {badge && (
        <span class="tile-badge">
          <Icon name={badge} />
        </span>
      )}
    </>
  );
}
