import { l10n } from 'vscode';
import { imageViewerStrings } from '../../services/images/imageViewerStrings';
import type { GalleryStrings } from '../../protocol/galleryStrings';

/** The page's strings in the display language of VS Code. `{0}` is left as is: the page fills it in. */
export function galleryStrings(): GalleryStrings {
  return { ...imageViewerStrings(), ...barStrings(), ...gridStrings(), ...detailsStrings(), ...actionStrings() };
}

function barStrings() {
  return {
    title: l10n.t('Gallery'),
    newImage: l10n.t('Make an Image'),
    search: l10n.t('Search'),
    searchHint: l10n.t('Words of the prompt, model, seed, size or file name. Also model:, seed:, size:, kind:'),
    kinds: l10n.t('Kind'),
    kindAll: l10n.t('All kinds'),
    kindImages: l10n.t('Images'),
    kindVideos: l10n.t('Videos'),
    kindSpeech: l10n.t('Speech'),
    sort: l10n.t('Order'),
    sortNewest: l10n.t('Newest first'),
    sortOldest: l10n.t('Oldest first'),
    sortModel: l10n.t('By model'),
    compare: l10n.t('Compare'),
    selectedOne: l10n.t('1 selected. Select another one to compare.'),
    selectedTwo: l10n.t('2 selected'),
    clearSelection: l10n.t('Clear selection'),
    onlyImages: l10n.t('Only images can be compared.'),
  };
}

function gridStrings() {
  return {
    grid: l10n.t('What was made'),
    reading: l10n.t('Reading the recipes'),
    readAgain: l10n.t('Read again'),
    emptyTitle: l10n.t('Nothing was made yet'),
    emptyDetail: l10n.t('Images, videos and speech you make appear here, each with how it was made.'),
    nothingFound: l10n.t('Nothing fits “{0}”.'),
    nothingFoundOfKind: l10n.t('There is none of this kind.'),
    showAll: l10n.t('Show all'),
    selectForComparing: l10n.t('Select for comparing (Space)'),
    takeFromComparing: l10n.t('Take from comparing (Space)'),
    viewLarge: l10n.t('View large (Enter)'),
    place: l10n.t('{0} of {1}'),
  };
}

function detailsStrings() {
  return {
    details: l10n.t('How it was made'),
    closeDetails: l10n.t('Close (Escape)'),
    moreActions: l10n.t('More actions'),
    facts: l10n.t('Facts'),
    parameters: l10n.t('Parameters as sent'),
    inputs: l10n.t('Sent along'),
    inputGone: l10n.t('Not kept here any more'),
    earlier: l10n.t('The same also came of'),
    copyFact: l10n.t('Copy {0}'),
    goneTitle: l10n.t('The file is not there any more'),
    goneDetail: l10n.t('It was moved or deleted. Its recipe is still known.'),
    cannotPlayTitle: l10n.t('This editor cannot play it'),
    cannotPlayDetail: l10n.t('It may lack the codec. Other programs may have it.'),
    imageOf: l10n.t('Image'),
    videoOf: l10n.t('Video'),
    speechOf: l10n.t('Speech'),
  };
}

function actionStrings() {
  return {
    regenerate: l10n.t('Regenerate'),
    vary: l10n.t('Vary…'),
    insert: l10n.t('Insert at Cursor…'),
    saveAs: l10n.t('Save As…'),
    copyPath: l10n.t('Copy Path'),
    open: l10n.t('Open'),
    openOutside: l10n.t('Open in Another Program'),
    reveal: l10n.t('Show in Folder'),
    showRecipe: l10n.t('Show Recipe'),
    remove: l10n.t('Move to Trash…'),
  };
}
