import { l10n } from 'vscode';
import type { BatchCompareStrings } from '../../../protocol/batchCompareStrings';

/** A comparison's strings in the editor's display language. `{0}` remains for the page to fill in. */
export function compareStrings(): BatchCompareStrings {
  return {
    title: l10n.t('Comparison'),
    table: l10n.t('Answers beside each other'),
    runA: l10n.t('Run A'),
    runB: l10n.t('Run B'),
    columnState: l10n.t('State'),
    columnId: l10n.t('custom_id'),
    columnRequest: l10n.t('Request'),
    tabs: l10n.t('Which pairs'),
    tabAll: l10n.t('All'),
    tabSame: l10n.t('Same'),
    tabDifferent: l10n.t('Different'),
    tabOnlyA: l10n.t('Only A'),
    tabOnlyB: l10n.t('Only B'),
    tabNeither: l10n.t('Neither'),
    loose: l10n.t('Ignore case and spaces'),
    exportPairs: l10n.t('Export…'),
    search: l10n.t('Search ids and answers'),
    stopSearch: l10n.t('Stop the search'),
    reading: l10n.t('Reading both runs'),
    cancel: l10n.t('Cancel'),
    readAgain: l10n.t('Read again'),
    noMatch: l10n.t('Nothing here holds this text.'),
    noneHere: l10n.t('There are none.'),
    details: l10n.t('Selected pair'),
    goTo: l10n.t('Go to line {0} of the input'),
    close: l10n.t('Close'),
    request: l10n.t('Request'),
    facts: l10n.t('Facts'),
    differs: l10n.t('Only in this answer'),
  };
}
