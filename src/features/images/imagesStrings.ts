import { l10n } from 'vscode';
import type { ImageFormStrings, ImagesStrings, ImageTileStrings } from '../../protocol/imagesStrings';

/** The page's strings in the display language of VS Code. `{0}` is left as is: the page fills it in. */
export function imagesStrings(): ImagesStrings {
  return {
    ...formStrings(),
    ...tileStrings(),
    title: l10n.t('Images'),
    results: l10n.t('Pictures'),
    loading: l10n.t('Loading'),
    nothing: l10n.t('No pictures yet'),
    nothingDetail: l10n.t(
      'Describe one and generate it. Every picture is saved at once, with the recipe it was made by beside it.',
    ),
    gallery: l10n.t('Show all in the gallery'),
    older: l10n.t('Show earlier ones'),
    forgetRun: l10n.t('Take off this page (files stay)'),
    stop: l10n.t('Stop'),
    goOn: l10n.t('Continue'),
    pictureCame: l10n.t('A picture is here: {0}'),
    place: l10n.t('{0} of {1}'),
  };
}

function formStrings(): ImageFormStrings {
  return {
    form: l10n.t('What to make'),
    prompt: l10n.t('Prompt'),
    promptPlaceholder: l10n.t('What is in the picture, its style, light and colours'),
    model: l10n.t('Model'),
    modelPlaceholder: l10n.t('Choose or type a model'),
    showModels: l10n.t('Show models'),
    modelsLoading: l10n.t('Loading models'),
    noModels: l10n.t('No model fits. Any id can be typed.'),
    size: l10n.t('Size'),
    sizeTyped: l10n.t('Another size'),
    sizePlaceholder: l10n.t('Other: 640x960'),
    sizeUsual: l10n.t('None chosen: the model’s usual size'),
    sizesBelow: l10n.t('Those ticked below are made'),
    ratio: l10n.t('Aspect ratio'),
    ratioHint: l10n.t('Width to height, such as 16:9'),
    seed: l10n.t('Seed'),
    seedRandom: l10n.t('Random'),
    throwSeed: l10n.t('Throw a seed'),
    emptySeed: l10n.t('Random again'),
    format: l10n.t('File format'),
    formatUsual: l10n.t('The model’s usual one'),
    several: l10n.t('Several…'),
    eachLine: l10n.t('Each line of the prompt by itself'),
    alternatives: l10n.t('Alternatives in braces: a {red|green|blue} door'),
    seeds: l10n.t('Seeds'),
    seedsOne: l10n.t('One, as above'),
    seedsSequence: l10n.t('Counted up from the one above'),
    seedsRandom: l10n.t('Random ones'),
    seedCount: l10n.t('How many'),
    sizes: l10n.t('Sizes, each of these'),
    ...moreStrings(),
    leaveOut: l10n.t('Leave it out and try again'),
    generate: l10n.t('Generate'),
    generateHint: l10n.t('Generate (Ctrl+Enter)'),
    ordering: l10n.t('Ordering'),
  };
}

function moreStrings() {
  return {
    more: l10n.t('More'),
    moreSet: l10n.t('More ({0} set)'),
    notSet: l10n.t('Not set'),
    on: l10n.t('On'),
    off: l10n.t('Off'),
    negative_prompt: l10n.t('What should not be in it'),
    batch_size: l10n.t('Pictures at once'),
    batch_size_hint: l10n.t('Of one request'),
    num_inference_steps: l10n.t('Steps'),
    num_inference_steps_hint: l10n.t('More take longer'),
    guidance_scale: l10n.t('Guidance'),
    guidance_scale_hint: l10n.t('How closely it follows the prompt'),
    cfg: l10n.t('CFG'),
    cfg_hint: l10n.t('Qwen-Image: 4 for text'),
    safety_tolerance: l10n.t('Safety tolerance'),
    safety_tolerance_hint: l10n.t('0 is the strictest'),
    prompt_upsampling: l10n.t('Prompt made longer by the service'),
    image: l10n.t('Picture to begin with'),
    image2: l10n.t('Second picture'),
    image3: l10n.t('Third picture'),
    input_image: l10n.t('Picture to change'),
    inputEmpty: l10n.t('Choose, drop or paste a picture'),
    inputOther: l10n.t('Another…'),
    removeInput: l10n.t('Remove: {0}'),
    inputAlt: l10n.t('The picture that is sent along'),
    inputAway: l10n.t('A picture that is not kept here'),
  };
}

function tileStrings(): ImageTileStrings {
  return {
    seedFact: l10n.t('Seed {0}'),
    openLarge: l10n.t('Look at it large: {0}'),
    compareWithThis: l10n.t('Compare with this one: {0}'),
    moreActions: l10n.t('More actions'),
    copy: l10n.t('Copy picture'),
    copied: l10n.t('The picture was copied'),
    pathCopied: l10n.t('The editor lets no page copy pictures: its path was copied'),
    copyPath: l10n.t('Copy path'),
    insert: l10n.t('Insert at the cursor'),
    saveAs: l10n.t('Save as…'),
    open: l10n.t('Open in the image viewer'),
    reveal: l10n.t('Show in the file manager'),
    compare: l10n.t('Compare with another…'),
    compareStop: l10n.t('Do not compare'),
    compareWithFirst: l10n.t('Compare with the marked one'),
    chooseSecond: l10n.t('Choose the second picture'),
    useSeed: l10n.t('Use this seed again'),
    seedUsed: l10n.t('The seed is {0} now'),
    vary: l10n.t('Vary'),
    regenerate: l10n.t('Generate again'),
    showRecipe: l10n.t('Show recipe'),
    remove: l10n.t('Delete…'),
  };
}
