import { l10n } from 'vscode';
import type { VideosStrings } from '../../protocol/videosStrings';

/** The page's strings in the display language of VS Code. `{0}` is left as is: the page fills it in. */
export function videosStrings(): VideosStrings {
  return { ...formStrings(), ...pictureStrings(), ...jobStrings(), ...playerStrings() };
}

function formStrings() {
  return {
    title: l10n.t('Videos'),
    form: l10n.t('New video'),
    prompt: l10n.t('Prompt'),
    promptPlaceholder: l10n.t('What is to be seen, and how it moves'),
    negativePrompt: l10n.t('Negative prompt'),
    negativePlaceholder: l10n.t('What is not to be seen'),
    model: l10n.t('Model'),
    modelPlaceholder: l10n.t('Choose or type a model'),
    showModels: l10n.t('Show the models'),
    modelsLoading: l10n.t('Models are being read.'),
    noModels: l10n.t('No model of the list fits. What is typed is sent as it is.'),
    modelFromText: l10n.t('From text'),
    modelFromPicture: l10n.t('From a picture'),
    size: l10n.t('Size'),
    wide: l10n.t('Wide'),
    tall: l10n.t('Tall'),
    square: l10n.t('Square'),
    seed: l10n.t('Seed'),
    seedPlaceholder: l10n.t('Random'),
    seedHint: l10n.t('The same seed with the same words gives the same video, or one much like it.'),
    dice: l10n.t('Throw dice for a seed'),
    clearSeed: l10n.t('Leave the seed to the service'),
    submit: l10n.t('Make video'),
    submitHint: l10n.t('Make the video (Ctrl+Enter)'),
    submitHintMac: l10n.t('Make the video (Cmd+Enter)'),
    submitting: l10n.t('Sending the order'),
    stop: l10n.t('Stop'),
    needsPrompt: l10n.t('Type a prompt.'),
    needsMending: l10n.t('Mend what is marked first.'),
    needsModel: l10n.t('Choose a model.'),
    needsSignIn: l10n.t('Sign in to make videos.'),
    signIn: l10n.t('Sign in'),
    stopped: l10n.t('Stopped.'),
  };
}

function pictureStrings() {
  return {
    picture: l10n.t('First picture'),
    choosePicture: l10n.t('Choose a picture…'),
    dropPicture: l10n.t('Drop or paste one here. From the Explorer, hold Shift.'),
    dropHere: l10n.t('Drop to begin the video with this picture'),
    pictureNeeded: l10n.t('The video begins with it. This model needs one.'),
    pictureRefused: l10n.t('This model makes videos from text alone.'),
    pictureUnknown: l10n.t('Only for models that make a video of a picture.'),
    pictureGone: l10n.t('The picture is not kept here any more.'),
    removePicture: l10n.t('Remove the picture'),
    readingPicture: l10n.t('Reading the picture'),
    useModel: l10n.t('Use {0}'),
  };
}

function jobStrings() {
  return {
    jobs: l10n.t('Orders'),
    noJobs: l10n.t('No video was ordered yet'),
    noJobsDetail: l10n.t(
      'An order takes some minutes. It is followed on this machine, also when this page or the window is closed, and the video is saved as soon as it is there.',
    ),
    moreJobs: l10n.t('Show {0} more'),
    elapsed: l10n.t('Going on for {0}'),
    ofProfile: l10n.t('Profile {0}'),
    useSeed: l10n.t('Use seed {0}'),
    useSeedDone: l10n.t('The seed is in the form.'),
    actions: l10n.t('What can be done'),
    more: l10n.t('More actions'),
    fromPicture: l10n.t('The picture it begins with'),
    without: l10n.t('Without'),
  };
}

function playerStrings() {
  return {
    player: l10n.t('Video: {0}'),
    loop: l10n.t('Loop'),
    rate: l10n.t('Speed'),
    stepBack: l10n.t('One frame back'),
    stepForward: l10n.t('One frame on'),
    saveFrame: l10n.t('Save this frame as a picture'),
    frameTrouble: l10n.t('This frame cannot be read.'),
    place: l10n.t('{0} of {1}'),
    pixels: l10n.t('{0} × {1}'),
    cannotPlay: l10n.t('The video cannot be played here'),
    cannotPlayDetail: l10n.t(
      'The editor may lack what its format needs, or the file is damaged. It is saved all the same.',
    ),
    fileGone: l10n.t('The file is not where it was saved'),
    fileGoneDetail: l10n.t('It was moved or deleted. Regenerate it to have it again; that is paid again.'),
    insert: l10n.t('Insert at cursor'),
    saveAs: l10n.t('Save as…'),
    regenerate: l10n.t('Regenerate'),
    regenerateHint: l10n.t('Send the same order again, which is paid again'),
    vary: l10n.t('Vary…'),
    varyHint: l10n.t('Fill the form with this order, without its seed'),
    openOutside: l10n.t('Open in another program'),
    reveal: l10n.t('Show in folder'),
    copyPath: l10n.t('Copy path'),
    showRecipe: l10n.t('Show recipe'),
    remove: l10n.t('Move to trash…'),
  };
}
