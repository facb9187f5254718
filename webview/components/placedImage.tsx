import { useState } from 'preact/hooks';
import { Icon } from './icon';
import type { Placement, Size } from './imageZoom';

export interface ImageFile {
  /** Loadable by the page. */
  readonly src: string;
  /** What is seen, for those who do not see it. */
  readonly alt: string;
  /** In pixels; read from the file where absent. */
  readonly width?: number | undefined;
  readonly height?: number | undefined;
}

interface PlacedImageProps {
  readonly picture: ImageFile;
  readonly placement: Placement;
  /** Undefined while it is not known. */
  readonly size: Size | undefined;
  /** Worded. */
  readonly broken: string;
  readonly onSize: (size: Size) => void;
}

/** From this scale on its pixels are to be seen as such. */
const pixelScale = 3;

/** A picture where it lies in its room, on squares that show through where it is transparent. */
export function PlacedImage({ picture: { src, alt }, placement, size, broken, onSize }: PlacedImageProps) {
  const [brokenSrc, setBroken] = useState<string>();
  if (brokenSrc === src)
    return (
      <p class="picture-broken">
        <Icon name="warning" /> {broken}
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

/** What a picture's file says of its size, else what is told of it. */
export function useImageSize({ src, width, height }: ImageFile) {
  const [read, setRead] = useState<{ readonly src: string; readonly size: Size }>();
  const told = width && height ? { width, height } : undefined;
  return { size: read?.src === src ? read.size : told, onSize: (size: Size) => setRead({ src, size }) };
}
