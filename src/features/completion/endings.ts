import * as l10n from '@vscode/l10n';
import { isApiError } from '../../core/api/errors';
import { step } from '../../platform/errors/errorActions';
import { describe } from '../../platform/errors/reportError';
import { UserError } from '../../platform/errors/userError';
import { setStatusBarMessage, showMessage } from '../../platform/notify';
import type { CompletionAnswer } from './asking';
import { factsLine, factsOf } from './factsWords';

/** Returns the error to show if there was no answer at all, with a message specific to completions. */
export function failureWords(error: unknown): unknown {
  if (!isApiError(error) || error.kind !== 'tooLong') return error;
  const { exchangeId } = error.details;
  return new UserError(
    l10n.t('Text too long for this model'),
    l10n.t('Select less text, lower max_tokens, or choose another model.'),
    exchangeId === undefined ? [] : [step('showExchange', exchangeId)],
  );
}

/** Returns the error for an answer that was interrupted. `savedText` says where the received part is. */
export function brokenOff(error: unknown, savedText: string): UserError {
  const { title, detail, actions } = describe(failureWords(error));
  return new UserError(l10n.t('The completion is incomplete'), `${savedText} ${title}. ${detail}`, actions);
}

/** Reports an answer that couldn't be written to its location. */
export function tellLostPlace(): void {
  void showMessage(
    'warning',
    l10n.t('Completed to the side because the text has changed, or its editor is closed or read-only.'),
  );
}

/** Reports that there is no text: the run was stopped before any arrived, or the response is empty. */
export function tellNothingCame(completion: CompletionAnswer | undefined): void {
  if (!completion || completion.end === 'stopped') {
    tellShortly(l10n.t('Stopped before any text was received.'));
    return;
  }
  const finish = completion.answer.choices[0]?.finish_reason;
  const facts = factsLine(factsOf(completion, { finish, isPromptCut: false }));
  void showMessage('information', l10n.t('The model returned no text. {0}', facts));
}

/** Shows a message in the status bar for 8 seconds. */
export function tellShortly(words: string): void {
  setStatusBarMessage(words, 8000);
}
