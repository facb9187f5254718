import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Icon } from './icon';
import type { IconName } from './iconNames';

/** The content of a tile. All texts are localized. */
export interface Tile {
  /** Stable as long as it is the same item. */
  readonly id: string;
  /** Accessible name of the tile. */
  readonly label: string;
  /** Shown below the tile; text that does not fit is cut off. */
  readonly caption?: string;
  /** The image, or the video whose first frame is shown. */
  readonly shows?: {
    readonly kind: 'picture' | 'video';
    readonly src: string;
    readonly width?: number | undefined;
    readonly height?: number | undefined;
  };
  /** An icon in the corner that shows the kind of anything other than an image. */
  readonly badge?: IconName;
  /** Shown in place of an image, e.g. a state. Hide from screen readers whatever `label` already says. */
  readonly content?: ComponentChildren;
}

/** The image of a tile, at its aspect ratio from the start, so that nothing moves when it loads. */
export function TileImage({ tile: { shows, content, badge } }: { readonly tile: Tile }) {
  const [brokenSrc, setBroken] = useState<string>();
  if (!shows) return <div class="tile-content">{content}</div>;
  if (brokenSrc === shows.src)
    return (
      <div class="tile-content tile-broken">
        <Icon name="warning" />
        <span>{l10n.t("Can't be displayed")}</span>
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
