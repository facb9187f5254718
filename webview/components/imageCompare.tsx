import './imageCompare.css';
import * as l10n from '@vscode/l10n';
import { useState } from 'preact/hooks';
import { Icon } from './icon';
import { IconButton } from './iconButton';
import type { Size, Placement } from './imageZoom';
import { PlacedImage, useImageSize, type ImageFile } from './placedImage';
import { ImageDialog } from './imageDialog';
import { ImageViewport } from './imageViewport';
import { onDrag, useImageStage, type ImageStage } from './imageStage';
import { ZoomBar } from './zoomBar';
import { labelled } from '../../src/protocol/sentences';

export interface ComparedImage extends ImageFile {
  readonly name: string;
  /** Shown below the image. */
  readonly facts: string;
}

export interface ImageCompareProps {
  readonly first: ComparedImage;
  readonly second: ComparedImage;
  readonly onClose: () => void;
  readonly returnFocus?: () => HTMLElement | null | undefined;
}

/** Two images at the same size, either on top of each other with a slider between them or side by side. */
export function ImageCompare({ first, second, onClose, returnFocus }: ImageCompareProps) {
  const [isSwapped, setSwapped] = useState(false);
  const [isBeside, setBeside] = useState(false);
  const sizes = { [first.src]: useImageSize(first), [second.src]: useImageSize(second) };
  const [left, right] = isSwapped ? [second, first] : [first, second];
  const leftSize = sizes[left.src]?.size;
  const rightSize = sizes[right.src]?.size;
  const frame = leftSize && rightSize ? largerOf(leftSize, rightSize) : (leftSize ?? rightSize);
  const stage = useImageStage('', frame);
  const layer = (picture: ComparedImage) => {
    const size = sizes[picture.src]?.size;
    const { scale, ...at } = stage.placement;
    return (
      <PlacedImage
        picture={picture}
        placement={{ ...at, scale: size && frame ? scale * scaleWithin(size, frame) : scale }}
        size={size}

        onSize={(read) => sizes[picture.src]?.onSize(read)}
      />
    );
  };
  const swap = () => setSwapped(!isSwapped);
  const parts: StageProps = { stage, left, right, frame, layer };
  return (
    <ImageDialog
      label={l10n.t('Compare')}
      tools={
        <>
          <IconButton icon="arrow-swap" label={l10n.t('Swap')} onClick={swap} />
          <IconButton
            icon={isBeside ? 'split-vertical' : 'split-horizontal'}
            label={isBeside ? l10n.t('Compare with Slider') : l10n.t('Side by Side')}
            onClick={() => setBeside(!isBeside)}
          />
          <ZoomBar stage={stage} />
        </>
      }
      foot={<CompareFacts left={left} right={right} note={noteOf(leftSize, rightSize)} />}
      onClose={onClose}
      returnFocus={returnFocus}
      onKey={stage.onKey}
    >
      {isBeside ? <BesideStage {...parts} /> : <SliderStage {...parts} />}
    </ImageDialog>
  );
}

interface StageProps {
  readonly stage: ImageStage;
  readonly left: ComparedImage;
  readonly right: ComparedImage;
  readonly frame: Size | undefined;
  readonly layer: (picture: ComparedImage) => preact.ComponentChildren;
}

function SliderStage({ stage, left, right, frame, layer }: StageProps) {
  const [part, setPart] = useState(0.5);
  const track = sliderTrack(stage.placement, frame ?? { width: 1, height: 1 }, stage.roomSize);
  const at = sliderPlace(part, track);
  const percent = String(Math.round(part * 100));
  const moveTo = ({ clientX }: PointerEvent) => {
    const from = stage.room.current?.getBoundingClientRect().left ?? 0;
    setPart(sliderPart(clientX - from, track));
  };
  const slide = (event: PointerEvent) => {
    if (event.button !== 0) return;
    moveTo(event);
    onDrag(event, (_by, moved) => moveTo(moved));
  };
  return (
    <div class="picture-stage">
      <ImageViewport stage={stage} label={l10n.t('Image')} onPress={slide}>
        <div class="compare-layer">{layer(left)}</div>
        <div class="compare-layer" style={{ clipPath: `inset(0 0 0 ${at}px)` }}>
          {layer(right)}
        </div>
      </ImageViewport>
      <div
        class="compare-slider"
        role="slider"
        tabIndex={0}
        aria-label={l10n.t('Divider')}
        aria-valuemax={100}
        aria-valuenow={Math.round(part * 100)}
        aria-valuetext={l10n.t('{0}% of {1}, then {2}', percent, left.name, right.name)}
        style={{ left: `${at}px` }}
        onPointerDown={slide}
        onKeyDown={(event) => {
          const next = sliderMoved(part, event.key);
          if (next === undefined) return;
          event.preventDefault();
          setPart(next);
        }}
      >
        <Icon name="gripper" class="compare-grip" />
      </div>
    </div>
  );
}

function BesideStage({ stage, left, right, layer }: StageProps) {
  return (
    <div class="picture-stage compare-beside">
      {[left, right].map((picture, index) => (
        <ImageViewport
          key={index}
          stage={stage}
          label={labelled(l10n.t('Image'), picture.name)}
          isMeasured={index === 0}
        >
          {layer(picture)}
        </ImageViewport>
      ))}
    </div>
  );
}

interface CompareFactsProps {
  readonly left: ComparedImage;
  readonly right: ComparedImage;
  readonly note: string | undefined;
}

function CompareFacts({ left, right, note }: CompareFactsProps) {
  return (
    <>
      {[left, right].map(({ name, facts }, index) => (
        <p key={index} class={`compare-facts compare-facts-${index === 0 ? 'left' : 'right'}`}>
          <strong>{name}</strong>
          <span>{facts}</span>
        </p>
      ))}
      {note !== undefined && <p class="compare-note">{note}</p>}
    </>
  );
}

function noteOf(left: Size | undefined, right: Size | undefined): string | undefined {
  if (!left || !right || (left.width === right.width && left.height === right.height)) return undefined;
  const worded = ({ width, height }: Size) => `${width} × ${height}`;
  return l10n.t('Scaled to match. Original sizes: {0} and {1}.', worded(left), worded(right));
}

/** The slider's range, in pixels from the left edge of the viewport. */
interface SliderTrack {
  readonly from: number;
  readonly to: number;
}

/** Returns the range of the slider: the visible part of the images. */
export function sliderTrack({ scale, x }: Placement, frame: Size, room: Size): SliderTrack {
  const middle = room.width / 2 + x;
  const half = (frame.width * scale) / 2;
  return { from: Math.max(0, middle - half), to: Math.min(room.width, middle + half) };
}

export function sliderPlace(part: number, { from, to }: SliderTrack): number {
  return from + (to - from) * part;
}

export function sliderPart(place: number, { from, to }: SliderTrack): number {
  return to <= from ? 0.5 : Math.min(1, Math.max(0, (place - from) / (to - from)));
}

const sliderSteps: Readonly<Record<string, number>> = {
  ArrowLeft: -0.01,
  ArrowDown: -0.01,
  ArrowRight: 0.01,
  ArrowUp: 0.01,
  PageDown: -0.1,
  PageUp: 0.1,
  Home: -1,
  End: 1,
};

/** Returns where a key moves the slider, from 0 to 1 in hundredths; `undefined` for any other key. */
export function sliderMoved(part: number, key: string): number | undefined {
  const step = sliderSteps[key];
  return step === undefined ? undefined : Math.min(1, Math.max(0, Math.round((part + step) * 100) / 100));
}

/** Returns the larger of two images; both are drawn at its size. */
export function largerOf(first: Size, second: Size): Size {
  return second.width * second.height > first.width * first.height ? second : first;
}

/** Returns the scale at which an image is as large as the frame allows. */
export function scaleWithin(picture: Size, frame: Size): number {
  return Math.min(frame.width / picture.width, frame.height / picture.height);
}
