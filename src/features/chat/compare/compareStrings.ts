import { l10n } from 'vscode';
import type { CompareStrings } from '../../../protocol/chatCompare';

/** The strings for comparing, in the editor's display language. */
export function compareStrings(): CompareStrings {
  return {
    compare: l10n.t('Compare models'),
    compareHint: l10n.t(
      'The next question goes to all chosen models at once. Each answer uses tokens of its own. No tools are offered.',
    ),
    compareChoose: l10n.t('Choose 2 to 4 models'),
    compareStart: l10n.t('Compare {0} models'),
    compareMost: l10n.t('4 models at most'),
    compareOne: l10n.t('Ask one model'),
    closeCompare: l10n.t('Close (Escape)'),
    comparedModels: l10n.t('{0} models'),
    compareLine: l10n.t('Goes to {0} models, each using tokens: {1}'),
    sendTo: l10n.t('Send to {0}'),
    sendToHint: l10n.t('Send to {0} models (Enter); Shift+Enter starts a new line'),
    comparedAnswers: l10n.t('Answers of {0} models'),
    fastestFirst: l10n.t('Fastest first token: {0} ({1})'),
    mostPerSecond: l10n.t('Most tokens per second: {0} ({1})'),
    leftOut: l10n.t('Sent without {0}, which this model does not take.'),
    continueWith: l10n.t('Continue with this'),
    continueWithHint: l10n.t('Continue with the answer of {0}; answers that still come are stopped'),
    stopOne: l10n.t('Stop the answer of {0}'),
    copyOf: l10n.t('Copy the answer of {0}'),
    againOf: l10n.t('Ask {0} again'),
    pickHint: l10n.t('Your next question follows one of these answers: choose “Continue with this”.'),
    picked: l10n.t('picked'),
    columnWaiting: l10n.t('waiting'),
    columnFailed: l10n.t('no answer'),
    columnCutOff: l10n.t('cut off'),
    columnDone: l10n.t('answered'),
    showComparison: l10n.t('Show all {0} answers side by side'),
    spokenComparing: l10n.t('{0} models are answering.'),
    spokenColumn: l10n.t('{0}: {1}'),
    spokenPicked: l10n.t('The conversation goes on with {0}.'),
  };
}
