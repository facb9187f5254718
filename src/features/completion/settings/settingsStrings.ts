import { l10n } from 'vscode';
import type { CompletionStrings } from '../../../protocol/completionStrings';

export function settingsStrings(): CompletionStrings {
  return { ...pageStrings(), ...fieldStrings(), ...presetStrings() };
}

function pageStrings() {
  return {
    heading: l10n.t('Completion parameters'),
    about: l10n.t('Sent with every completion of a text. What is not set is left to the service.'),
    loading: l10n.t('Loading…'),
    model: l10n.t('Model'),
    automatic: l10n.t('automatic'),
    automaticIs: l10n.t('automatic: {0}'),
    showModels: l10n.t('Show models'),
    noModels: l10n.t('No model of the list fits. Any id can be typed.'),
    tabs: l10n.t('Two ways to write the parameters'),
    form: l10n.t('Form'),
    json: l10n.t('JSON'),
    countSet: l10n.t('{0} set'),
    countIssues: l10n.t('{0} wrong'),
    jsonLabel: l10n.t('Parameters as JSON'),
    jsonHint: l10n.t('The same values as in the form. What is wrong or unknown is kept here and not sent.'),
    brokenTitle: l10n.t('The JSON is broken'),
    brokenDetail: l10n.t('{0}: {1} Until it is mended, the values from before it broke are sent.'),
    goToFault: l10n.t('Go to the fault'),
    dropText: l10n.t('Discard this JSON'),
    preview: l10n.t('What is sent'),
    previewHint: l10n.t('The request as it goes out, without the key. A long prompt is shortened here only.'),
    insert: l10n.t('Insert After'),
    replace: l10n.t('Replace'),
    beside: l10n.t('Show Beside'),
    completes: l10n.t('Completes {0}'),
  };
}

function fieldStrings() {
  return {
    lengthHeading: l10n.t('Length and number'),
    choiceHeading: l10n.t('Choice of words'),
    repetitionHeading: l10n.t('Repetition'),
    tokensHeading: l10n.t('Tokens'),
    notSet: l10n.t('not sent'),
    randomSeed: l10n.t('random'),
    rollSeed: l10n.t('Choose a seed by chance'),
    stopSequences: l10n.t('Stop sequences'),
    stopSequencesHint: l10n.t('An answer ends where one occurs. Write a line break as \\n, a tab as \\t.'),
    stopSequenceNumber: l10n.t('Stop sequence {0}'),
    addStopSequence: l10n.t('Add a stop sequence'),
    removeStopSequence: l10n.t('Remove stop sequence {0}'),
    biases: l10n.t('Bias of tokens (logit_bias)'),
    biasesHint: l10n.t('−100 bans a token, 100 forces it. Ids are those of the tokenizer of the model.'),
    token: l10n.t('Token id'),
    bias: l10n.t('Bias'),
    tokenNumber: l10n.t('Token id of bias {0}'),
    biasNumber: l10n.t('Bias {0}'),
    addBias: l10n.t('Add a bias'),
    removeBias: l10n.t('Remove bias {0}'),
    slider: l10n.t('{0}, slider'),
    probabilities: l10n.t('Ask for the probabilities of tokens'),
    probabilitiesHint: l10n.t(
      'Needed for the view of tokens. The number says how many alternatives each token comes with.',
    ),
    suffixName: l10n.t('Text after the cursor (suffix)'),
    sendParameterAgain: l10n.t('Send it again'),
  };
}

function presetStrings() {
  return {
    presets: l10n.t('Presets'),
    choosePreset: l10n.t('Apply a preset…'),
    savePreset: l10n.t('Save as preset'),
    renamePreset: l10n.t('Rename this preset'),
    deletePreset: l10n.t('Delete this preset'),
    presetName: l10n.t('Name of the preset'),
    keepPresetName: l10n.t('Keep this name'),
    cancel: l10n.t('Cancel'),
    presetApplied: l10n.t('Preset applied.'),
    presetDeleted: l10n.t('Preset {0} deleted.'),
  };
}
