/** The words around pictures that are looked at. `{0}`, `{1}` mark what is filled in. */
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
  /** In place of a picture whose file is gone or is none. */
  readonly pictureBroken: string;
  /** Names the place where the picture lies. */
  readonly pictureStage: string;
}

export interface ImageCompareStrings extends ImageViewStrings {
  readonly compareTitle: string;
  /** Names the slider. */
  readonly compareSlider: string;
  /** What the slider says: `{0}` a number, `{1}` and `{2}` the pictures' names. */
  readonly compareSliderText: string;
  readonly compareSwap: string;
  readonly compareBySlider: string;
  readonly compareSideBySide: string;
  /** `{0}` and `{1}`: sizes. */
  readonly compareSizesDiffer: string;
}
