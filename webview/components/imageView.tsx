import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import { IconButton } from './iconButton';
import { PlacedImage, useImageSize } from './placedImage';
import type { ImageFile } from './placedImage';
import { ImageDialog } from './imageDialog';
import { ImageViewport } from './imageViewport';
import { useImageStage } from './imageStage';
import { ZoomBar } from './zoomBar';

export interface ImageViewProps {
  readonly picture: ImageFile;
  readonly name: string;
  /** Localized position among the other images. */
  readonly place?: string;
  /** Shown below the image. */
  readonly facts: ComponentChildren;
  /** Buttons. A menu opened from one of them must be appended to the nearest `dialog`. */
  readonly actions?: ComponentChildren;
  /** Absent if there is no previous image. */
  readonly onPrevious?: (() => void) | undefined;
  readonly onNext?: (() => void) | undefined;
  readonly onClose: () => void;
  /** Returns the element to focus on closing; by default the one that was focused before. */
  readonly returnFocus?: () => HTMLElement | null | undefined;
}

/** A single image, as large as the page. */
export function ImageView(props: ImageViewProps) {
  const { picture, name, place, facts, actions, onPrevious, onNext, onClose, returnFocus } = props;
  const { size, onSize } = useImageSize(picture);
  const stage = useImageStage(picture.src, size);
  const keys: Readonly<Record<string, (() => void) | undefined>> = {
    ArrowLeft: onPrevious,
    ArrowRight: onNext,
    PageUp: onPrevious,
    PageDown: onNext,
  };
  const onKey = (key: string) => {
    if (stage.onKey(key)) return true;
    keys[key]?.();
    return keys[key] !== undefined;
  };
  return (
    <ImageDialog
      label={name}
      place={place}
      tools={
        <>
          {actions}
          <ZoomBar stage={stage} />
        </>
      }
      foot={facts}
      onClose={onClose}
      returnFocus={returnFocus}
      onKey={onKey}
    >
      <div class="picture-stage">
        <ImageViewport stage={stage} label={l10n.t('Image')}>
          <PlacedImage
            picture={picture}
            placement={stage.placement}
            size={size}

            onSize={onSize}
          />
        </ImageViewport>
        <StepButton side="previous" label={l10n.t('Previous (Left Arrow)')} run={onPrevious} />
        <StepButton side="next" label={l10n.t('Next (Right Arrow)')} run={onNext} />
      </div>
    </ImageDialog>
  );
}

interface StepButtonProps {
  readonly side: 'previous' | 'next';
  readonly label: string;
  readonly run: (() => void) | undefined;
}

function StepButton({ side, label, run }: StepButtonProps) {
  if (!run) return null;
  return (
    <span class={`picture-step picture-${side}`}>
      <IconButton icon={side === 'previous' ? 'chevron-left' : 'chevron-right'} label={label} onClick={run} />
    </span>
  );
}
