import { l10n } from 'vscode';
import type { VoiceStrings } from '../../../protocol/voiceStrings';

export function voiceStrings(): VoiceStrings {
  return { ...pageWords(), ...tryWords(), ...takeWords(), ...compareWords(), ...transcribeWords() };
}

const pageWords = () => ({
  style: l10n.t('Voice style'),
  builtIn: l10n.t('Built-in voice'),
  loading: l10n.t('Reading the voice style…'),
  otherVoice: l10n.t('Other voice…'),
  deleteVoice: l10n.t('Delete…'),
  about: l10n.t('About this voice'),
  model: l10n.t('Model'),
  spokenText: l10n.t('Spoken text'),
  notSaid: l10n.t('The service does not say.'),
  uri: l10n.t('URI'),
  copyUri: l10n.t('Copy the URI'),
  insertUri: l10n.t('Insert the URI at the cursor'),
  sample: l10n.t('Sample'),
  sampleGone: l10n.t('The recording is no longer at {0}.'),
  playSample: l10n.t('Play the sample'),
  noteHeading: l10n.t('Consent and source'),
  noteAbout: l10n.t('Kept on this machine only, never sent.'),
  noteLabel: l10n.t('Whose voice it is, and where the recording is from'),
  notePlaceholder: l10n.t('For example: Anna Berg, recorded in May, agreed by mail'),
  noteAllowed: l10n.t('I may use this voice'),
  noteWritten: l10n.t('Written {0}'),
});

const tryWords = () => ({
  tryHeading: l10n.t('Try this voice'),
  text: l10n.t('Text to speak'),
  textPlaceholder: l10n.t('What should the voice say?'),
  showModels: l10n.t('Show the models'),
  modelPlaceholder: l10n.t('Choose a model'),
  noModels: l10n.t('No model fits'),
  showRates: l10n.t('Show the rates of this format'),
  noRates: l10n.t('No rate of this format fits'),
  notSet: l10n.t('not sent'),
  stream: l10n.t('Send the sound while it is made (stream)'),
  speak: l10n.t('Speak'),
  stop: l10n.t('Stop'),
  speakHint: l10n.t('Speak (Ctrl+Enter)'),
});

const takeWords = () => ({
  takesHeading: l10n.t('Takes'),
  takesEmpty: l10n.t('What this voice says is kept here, with how it was made.'),
  showAllTakes: l10n.t('Show all {0} takes'),
  newTake: l10n.t('New'),
  playTake: l10n.t('Play {0}'),
  cannotPlay: l10n.t('This file cannot be played here.'),
  openOutside: l10n.t('Open in another program'),
  takeAgain: l10n.t('Make again'),
  takeUse: l10n.t('Use its text and settings'),
  takeTranscribe: l10n.t('Transcribe'),
  takeInsert: l10n.t('Insert at the cursor…'),
  takeSaveAs: l10n.t('Save as…'),
  takeReveal: l10n.t('Show in its folder'),
  takeRecipe: l10n.t('Show how it was made'),
  takeRemove: l10n.t('Delete…'),
  takeMore: l10n.t('More about {0}'),
});

const compareWords = () => ({
  compare: l10n.t('Compare'),
  compareTake: l10n.t('Compare {0}'),
  compareOne: l10n.t('Choose a second take to hear both one after the other.'),
  compareBoth: l10n.t('Play both'),
  compareStop: l10n.t('Stop playing'),
  compareSame: l10n.t('Both were made with the same text and settings.'),
  compareEnd: l10n.t('Stop comparing'),
  comparePlaying: l10n.t('Playing {0} of 2'),
  first: l10n.t('First'),
  second: l10n.t('Second'),
});

const transcribeWords = () => ({
  transcribeHeading: l10n.t('Transcribe'),
  transcribeAbout: l10n.t('Writes down what is said in a recording or a take, up to an hour and 50 MB.'),
  transcriptionModel: l10n.t('Model for transcription'),
  transcribeFile: l10n.t('Choose a recording…'),
  transcript: l10n.t('What is said in {0}'),
  transcriptEmpty: l10n.t('No words were heard.'),
  copy: l10n.t('Copy'),
  insert: l10n.t('Insert at the cursor'),
  open: l10n.t('Open as a document'),
  dismiss: l10n.t('Put away'),
});
