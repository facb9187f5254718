import { l10n } from 'vscode';
import type { BatchPreviewStrings } from '../../../protocol/batchPreviewStrings';

/** The preview's strings in the editor's display language. `{0}` remains for the page to fill in. */
export function previewStrings(): BatchPreviewStrings {
  return { ...tableStrings(), ...noticeStrings(), ...detailStrings() };
}

function tableStrings() {
  return {
    table: l10n.t('Lines of the file'),
    columnLine: l10n.t('Line'),
    columnId: l10n.t('custom_id'),
    columnModel: l10n.t('Model'),
    columnMessages: l10n.t('Messages'),
    columnTokens: l10n.t('Tokens'),
    columnText: l10n.t('Last user message'),
    columnAnswer: l10n.t('Answer'),
    columnSize: l10n.t('Size'),
    columnProblems: l10n.t('Problems'),
    search: l10n.t('Search ids and texts'),
    onlyProblems: l10n.t('Only with problems'),
    jump: l10n.t('Line number'),
    jumpMissing: l10n.t('Line {0} is not among the lines shown'),
    reading: l10n.t('Reading the file'),
    cancel: l10n.t('Cancel'),
    stopSearch: l10n.t('Stop the search'),
    noMatch: l10n.t('No line holds this text.'),
    noProblems: l10n.t('No line has a problem.'),
  };
}

function noticeStrings() {
  return {
    changedTitle: l10n.t('The file changed on disk'),
    changedDetail: l10n.t('What is shown may be out of date.'),
    goneTitle: l10n.t('The file is not there any more'),
    goneDetail: l10n.t('It was moved or deleted. What is shown is as it was before.'),
    unsavedTitle: l10n.t('The file has changes that are not saved'),
    unsavedDetail: l10n.t('The preview shows the file as it is on disk.'),
    readAgain: l10n.t('Read again'),
    readAll: l10n.t('Read the whole file'),
    partialTitle: l10n.t('The reading was stopped'),
  };
}

function detailStrings() {
  return {
    details: l10n.t('Selected line'),
    detailsOf: l10n.t('Line {0}'),
    goTo: l10n.t('Go to Line'),
    close: l10n.t('Close'),
    parameters: l10n.t('Parameters'),
    problems: l10n.t('Problems of the line'),
    noRole: l10n.t('no role'),
    error: l10n.t('Error'),
    warning: l10n.t('Warning'),
    hint: l10n.t('Hint'),
  };
}
