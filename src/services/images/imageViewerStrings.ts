import { l10n } from 'vscode';
import type { ImageViewerStrings } from '../../protocol/imageStrings';

/** Returns the strings of the page components that show images. `{0}` remains for the page to fill in. */
export function imageViewerStrings(): ImageViewerStrings {
  return {
    closePicture: l10n.t('Close (Escape)'),
    previousPicture: l10n.t('Previous (Left Arrow)'),
    nextPicture: l10n.t('Next (Right Arrow)'),
    zoomIn: l10n.t('Zoom in (+)'),
    zoomOut: l10n.t('Zoom out (-)'),
    zoomFit: l10n.t('Fit (0)'),
    zoomActual: l10n.t('Actual size (1)'),
    zoomPercent: l10n.t('{0} %'),
    pictureBroken: l10n.t('Cannot be shown'),
    pictureStage: l10n.t('Picture'),
    tileComing: l10n.t('Loading'),
    compareTitle: l10n.t('Compare'),
    compareSlider: l10n.t('Divider'),
    compareSliderText: l10n.t('{0} % of {1}, then {2}'),
    compareSwap: l10n.t('Swap'),
    compareBySlider: l10n.t('Compare with a slider'),
    compareSideBySide: l10n.t('Side by side'),
    compareSizesDiffer: l10n.t('Sizes differ: {0} and {1}. Both are drawn equally large.'),
  };
}
