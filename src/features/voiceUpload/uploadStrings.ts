import { l10n } from 'vscode';
import type { VoiceUploadStrings } from '../../protocol/voiceUploadStrings';

/** The page's strings in the display language of VS Code. `{0}` is left as is: the page fills it in. */
export function uploadStrings(): VoiceUploadStrings {
  return { ...headStrings(), ...soundStrings(), ...fieldStrings(), ...noteStrings(), ...sendStrings() };
}

function headStrings() {
  return {
    heading: l10n.t('Upload {0}'),
    about: l10n.t('About this recording'),
    reading: l10n.t('Reading the file'),
    chooseOther: l10n.t('Choose another file'),
    readAgain: l10n.t('Read again'),
    dropHere: l10n.t('Drop a recording to use it as the sample'),
    checks: l10n.t('Check'),
    noFindings: l10n.t('As the service advises.'),
    error: l10n.t('Error'),
    warning: l10n.t('Warning'),
    hint: l10n.t('Hint'),
  };
}

function soundStrings() {
  return {
    listen: l10n.t('Recording'),
    drawing: l10n.t('Drawing the waveform'),
    position: l10n.t('Position in the recording'),
    positionText: l10n.t('{0} of {1} seconds'),
    cannotDraw: l10n.t('The editor cannot decode this file, so there is no waveform. It can be uploaded all the same.'),
    cannotPlay: l10n.t('The editor cannot play this file.'),
    pcmRate: l10n.t('Sample rate'),
    pcmRateUnknown: l10n.t('Not known'),
    pcmRateHint: l10n.t('Only for listening and checking: it is not sent.'),
    hertz: l10n.t('{0} Hz'),
  };
}

function fieldStrings() {
  return {
    voice: l10n.t('Voice'),
    text: l10n.t('Spoken text'),
    textHint: l10n.t('What is said in the recording, word for word.'),
    textPlaceholder: l10n.t('Write down every word that is said'),
    propose: l10n.t('Propose from the recording'),
    proposing: l10n.t('Listening to the recording'),
    stopProposing: l10n.t('Stop'),
    proposeWith: l10n.t('Model that listens'),
    proposed: l10n.t('This is what the model heard. Correct it where it misheard.'),
    undo: l10n.t('Undo'),
    textLong: l10n.t('This is more than any sample says.'),
    name: l10n.t('Name'),
    nameHint: l10n.t('Becomes part of the URI of the voice. At most 64 characters, without a colon.'),
    nameColon: l10n.t('A name may hold no colon: it separates the parts of the URI.'),
    nameLong: l10n.t('A name has at most 64 characters.'),
    model: l10n.t('Model'),
    modelHint: l10n.t('The voice can be used with this model only. Any id is sent as it is typed.'),
    modelPlaceholder: l10n.t('Id of a speech model'),
    showModels: l10n.t('Show models'),
    noModels: l10n.t('No model of the list fits. The id is sent as it is typed.'),
    way: l10n.t('Send as'),
    wayFile: l10n.t('File'),
    wayFileHint: l10n.t('Streamed from disk, as the reference describes.'),
    wayBase64: l10n.t('Text in JSON (base64)'),
    wayBase64Hint: l10n.t('A third larger. For services and proxies that take no forms.'),
  };
}

function noteStrings() {
  return {
    notes: l10n.t('Consent and source'),
    notesHint: l10n.t('Kept on this machine beside the voice. Never sent.'),
    noteField: l10n.t('Whose voice is it, and may you use it?'),
    notePlaceholder: l10n.t('E.g. my own voice, or who agreed, when and to what'),
    isAllowed: l10n.t('I may use this voice'),
  };
}

function sendStrings() {
  return {
    upload: l10n.t('Upload'),
    cancel: l10n.t('Cancel'),
    needsSignIn: l10n.t('Sign in first.'),
    needsSample: l10n.t('Choose a recording first.'),
    needsMending: l10n.t('The recording cannot be sent as it is.'),
    needsText: l10n.t('Write down what is said first.'),
    needsName: l10n.t('Give the voice a name first.'),
    needsModel: l10n.t('Choose a model first.'),
    needsFields: l10n.t('Mend the fields that are marked.'),
    willSend: l10n.t('Sent to {0}'),
    uri: l10n.t('URI of the voice'),
  };
}
