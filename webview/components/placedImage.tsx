import * as l10n from '@vscode/l10n';
import { useState } from 'preact/hooks';
import { Icon } from './icon';
import type { Placement, Size } from './imageZoom';

export interface ImageFile {
  /** URL that the page can load. */
  readonly src: string;
  /** Alternative text for screen readers. */
  readonly alt: string;
  /** In pixels; read from the file if absent. */
  readonly width?: number | undefined;
  readonly height?: number | undefined;
}

interface PlacedImageProps {
  readonly picture: ImageFile;
  readonly placement: Placement;
  /** `undefined` while unknown. */
  readonly size: Size | undefined;
  readonly onSize: (size: Size) => void;
}

/** From this scale on, individual pixels are shown without smoothing. */
const pixelScale = 3;

/** An image at its position in the viewport, over a checkerboard that shows where the image is transparent. */
export function PlacedImage({ picture: { src, alt }, placement, size, onSize }: PlacedImageProps) {
  const [brokenSrc, setBroken] = useState<string>();
  if (brokenSrc === src)
    return (
      <p class="picture-broken">
        <Icon name="warning" /> {l10n.t("Can't be displayed")}
      </p>
    );
  const { scale, x, y } = placement;
  return (
    <div
      class="laid-picture"
      data-pixels={scale >= pixelScale}
      hidden={!size}
      style={{
        width: `${(size?.width ?? 1) * scale}px`,
        height: `${(size?.height ?? 1) * scale}px`,
        transform: `translate(-50%, -50%) translate(${x}px, ${y}px)`,
      }}
    >
      <img
        src={src}
        alt={alt}
        draggable={false}
        onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
          onSize({ width: naturalWidth, height: naturalHeight })
        }
        onError={() => setBroken(src)}
      />
    </div>
  );
}

/** Returns the image's size according to the file, or the provided one until the file is loaded. */
export function useImageSize({ src, width, height }: ImageFile) {
  const [read, setRead] = useState<{ readonly src: string; readonly size: Size }>();
  const stated = width && height ? { width, height } : undefined;
  return { size: read?.src === src ? read.size : stated, onSize: (size: Size) => setRead({ src, size }) };
}
