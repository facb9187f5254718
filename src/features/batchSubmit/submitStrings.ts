import { l10n } from 'vscode';
import type { BatchSubmitStrings } from '../../protocol/batchSubmitStrings';

/** The page's strings in the editor's display language. `{0}` remains for the page to fill in. */
export function submitStrings(): BatchSubmitStrings {
  return { ...checkStrings(), ...optionStrings(), ...metadataStrings(), ...sendStrings() };
}

function checkStrings() {
  return {
    about: l10n.t('About this batch'),
    checkHeading: l10n.t('Check'),
    checking: l10n.t('Checking the file'),
    stopCheck: l10n.t('Stop'),
    stopped: l10n.t('The check was stopped. A file is checked before it is submitted.'),
    checkAgain: l10n.t('Check again'),
    notChecked: l10n.t('The file is at the service already. It is not checked again before the batch is created.'),
    allProblems: l10n.t('Show all problems'),
    moreKinds: l10n.t('{0} more kinds of problems are in the report.'),
    error: l10n.t('Error'),
    warning: l10n.t('Warning'),
    information: l10n.t('Information'),
    hint: l10n.t('Hint'),
    refusedTitle: l10n.t('The service will refuse this file'),
    refusedDetail: l10n.t('Fix the errors and save the file. It is checked again then.'),
    refusedModelDetail: l10n.t('Choose one model for all requests below, or fix the errors and save the file.'),
    takeErrors: l10n.t('Submit it with these errors'),
    takeErrorsHint: l10n.t('The requests at fault will fail; the others are answered.'),
    changedTitle: l10n.t('The file changed after it was checked'),
    changedDetail: l10n.t('What is below is of the file as it was. Check it again.'),
    goneTitle: l10n.t('The file is not there any more'),
    goneDetail: l10n.t('It was moved or deleted. Put it back, then check it again.'),
    unsavedTitle: l10n.t('The file has edits that are not saved'),
    unsavedDetail: l10n.t('What is on disk is what is submitted.'),
    save: l10n.t('Save'),
  };
}

function optionStrings() {
  return {
    optionsHeading: l10n.t('Options'),
    uploadsHeading: l10n.t('This content is at the service already'),
    useUpload: l10n.t('Use the uploaded file'),
    uploadAnew: l10n.t('Upload it again'),
    name: l10n.t('Name'),
    nameHint: l10n.t('As it is called in the list of batches.'),
    description: l10n.t('Description'),
    hours: l10n.t('Time allowed'),
    hoursUnit: l10n.t('hours'),
    hoursHint: l10n.t('What is not done by then ends as expired. 24 to 336 hours.'),
    hoursLong: l10n.t(
      'More than 24 hours is in the guide of the service, but not in its specification: it may be refused.',
    ),
    hoursFault: l10n.t('Give a whole number of hours from 24 to 336.'),
    model: l10n.t('Model for all requests'),
    modelPlaceholder: l10n.t('As each line says'),
    modelHint: l10n.t('Takes the place of the model of every line. Any id is sent as it is typed.'),
    modelWarning: l10n.t('The specification allows only two models here, without naming them: others may be refused.'),
    modelMixed: l10n.t('The lines ask {0} different models. A batch takes one: choose it here.'),
    showModels: l10n.t('Show models'),
    noModels: l10n.t('No model of the list fits. The id is sent as it is typed.'),
  };
}

function metadataStrings() {
  return {
    metadata: l10n.t('Metadata'),
    metadataHint: l10n.t('Pairs that come back with the batch.'),
    key: l10n.t('Key'),
    value: l10n.t('Value'),
    keyOf: l10n.t('Key of pair {0}'),
    valueOf: l10n.t('Value of pair {0}'),
    addPair: l10n.t('Add pair'),
    removePair: l10n.t('Remove pair {0}'),
    pairsUsed: l10n.t('{0} of {1} pairs'),
    counter: l10n.t('{0} / {1}'),
    keyMissing: l10n.t('A value needs a key.'),
    keyLong: l10n.t('A key has at most 64 characters.'),
    keyTwice: l10n.t('Another pair has this key.'),
    keyTaken: l10n.t('This key has its own field, or is used by this extension.'),
    valueLong: l10n.t('A value has at most 512 characters.'),
  };
}

function sendStrings() {
  return {
    submit: l10n.t('Submit'),
    cancel: l10n.t('Cancel'),
    needsSignIn: l10n.t('Sign in first.'),
    needsCheck: l10n.t('The file has to be checked first.'),
    needsFile: l10n.t('The file has to be there.'),
    needsSave: l10n.t('Save the file first.'),
    needsMending: l10n.t('The service will refuse this file.'),
    needsErrors: l10n.t('Fix the errors, or choose to submit with them.'),
    needsFields: l10n.t('Mend the fields that are marked.'),
    willUpload: l10n.t('The file is uploaded, then the batch is created.'),
    willReuse: l10n.t('The batch is created from the uploaded file.'),
  };
}
