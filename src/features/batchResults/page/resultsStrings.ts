import { l10n } from 'vscode';
import type { BatchResultsStrings } from '../../../protocol/batchResultsStrings';

/** The results page's strings in the editor's display language. `{0}` remains for the page to fill in. */
export function resultsStrings(): BatchResultsStrings {
  return { ...tableStrings(), ...phaseStrings(), ...detailStrings() };
}

function tableStrings() {
  return {
    table: l10n.t('Results'),
    columnState: l10n.t('State'),
    columnId: l10n.t('custom_id'),
    columnRequest: l10n.t('Request'),
    columnAnswer: l10n.t('Answer'),
    columnTokens: l10n.t('Tokens'),
    tabs: l10n.t('Which results'),
    tabAll: l10n.t('All'),
    tabAnswered: l10n.t('Answered'),
    tabFailed: l10n.t('Failed'),
    tabMissing: l10n.t('Missing'),
    tabExtra: l10n.t('Extra'),
    compareWith: l10n.t('Compare with…'),
    exportResults: l10n.t('Export…'),
    faults: l10n.t('Errors the service reports'),
    faultChanged: l10n.t('Changed since it was sent'),
    search: l10n.t('Search ids and texts'),
    stopSearch: l10n.t('Stop the search'),
    reading: l10n.t('Reading the results'),
    cancel: l10n.t('Cancel'),
    readAgain: l10n.t('Read again'),
    noMatch: l10n.t('Nothing here holds this text.'),
    noneHere: l10n.t('There are none.'),
    errorGroups: l10n.t('Errors by kind'),
    allFailures: l10n.t('Show all failures'),
    firstOfGroup: l10n.t('Go to the first line that failed so'),
    retryGroup: l10n.t('Retry those that failed so'),
  };
}

function phaseStrings() {
  return {
    phases: l10n.t('How far the batch is'),
    phaseDone: l10n.t('passed'),
    phaseCurrent: l10n.t('now'),
    phaseAhead: l10n.t('still to come'),
    phaseEnded: l10n.t('ended here'),
  };
}

function detailStrings() {
  return {
    details: l10n.t('Selected result'),
    detailsOf: l10n.t('Line {0}'),
    goTo: l10n.t('Go to line {0} of the input'),
    copyAnswer: l10n.t('Copy the answer'),
    copied: l10n.t('Copied'),
    close: l10n.t('Close'),
    answered: l10n.t('Answered'),
    failed: l10n.t('Failed'),
    missing: l10n.t('Missing'),
    extra: l10n.t('Extra'),
    request: l10n.t('Request'),
    answer: l10n.t('Answer'),
    attempts: l10n.t('Attempts'),
    facts: l10n.t('Facts'),
    parameters: l10n.t('Parameters'),
    asText: l10n.t('Text'),
    asJson: l10n.t('JSON'),
    answerView: l10n.t('Answer as'),
  };
}
