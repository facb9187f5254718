import type { Placement, Size } from './imageZoom';

/** The slider's range, in pixels from the left edge of the viewport. */
export interface SliderTrack {
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
