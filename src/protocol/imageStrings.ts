/** The strings of the image viewer, wherever it is used. The page fills in `{0}`, `{1}` and `{2}`. */
export interface ImageViewerStrings {
  readonly closePicture: string;
  readonly previousPicture: string;
  readonly nextPicture: string;
  readonly zoomIn: string;
  readonly zoomOut: string;
  readonly zoomFit: string;
  readonly zoomActual: string;
  readonly zoomPercent: string;
  readonly pictureBroken: string;
  readonly pictureStage: string;
  readonly tileComing: string;
  readonly compareTitle: string;
  readonly compareSlider: string;
  readonly compareSliderText: string;
  readonly compareSwap: string;
  readonly compareBySlider: string;
  readonly compareSideBySide: string;
  readonly compareSizesDiffer: string;
}
