/** Localized strings of the image viewer. `{0}`, `{1}` are placeholders. */
export interface ImageViewStrings {
  readonly closePicture: string;
  readonly previousPicture: string;
  readonly nextPicture: string;
  readonly zoomIn: string;
  readonly zoomOut: string;
  readonly zoomFit: string;
  readonly zoomActual: string;
  /** `{0}`: a number. */
  readonly zoomPercent: string;
  /** Shown in place of an image whose file is missing or not an image. */
  readonly pictureBroken: string;
  /** Accessible name of the image viewport. */
  readonly pictureStage: string;
}

export interface ImageCompareStrings extends ImageViewStrings {
  readonly compareTitle: string;
  /** Accessible name of the slider. */
  readonly compareSlider: string;
  /** Value text of the slider: `{0}` is a number, `{1}` and `{2}` are the images' names. */
  readonly compareSliderText: string;
  readonly compareSwap: string;
  readonly compareBySlider: string;
  readonly compareSideBySide: string;
  /** `{0}` and `{1}`: sizes. */
  readonly compareSizesDiffer: string;
}
