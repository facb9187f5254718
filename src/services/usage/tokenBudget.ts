import { join } from 'node:path';
import { env, l10n } from 'vscode';
import type { ExtensionContext, LogOutputChannel } from 'vscode';
import type { Usage } from '../../core/usage/usage';
import { step } from '../../platform/errors/errorActions';
import { createUsageLedger } from '../../core/usage/usageLedger';
import type { UsageLedger } from '../../core/usage/usageLedger';
import { UserError } from '../../platform/errors/userError';
import { numberFormat } from '../../protocol/formats';

/** Opens the ledger of usage per profile, which everything that costs tokens adds to. */
export function openUsageLedger(context: ExtensionContext, log: LogOutputChannel): UsageLedger {
  const folder = join(context.globalStorageUri.fsPath, 'usage');
  return createUsageLedger(folder, (error) => log.warn(`What was used could not be kept: ${String(error)}`));
}

/** Returns the error that nothing more is sent today; with `expected`, that this many more tokens do not fit. Figures are in tokens. */
export function budgetUsedUp(used: Usage, hard: number, expected?: number): UserError {
  if (expected !== undefined) {
    return new UserError(
      l10n.t('Too little is left of the token budget of today'),
      l10n.t(
        'This takes about {0} tokens. With this profile {1} of {2} were used today, so nothing was sent. It starts anew at midnight, or change the budget.',
        numberWords(expected),
        usedWords(used),
        numberWords(hard),
      ),
      [step('budgetSetting')],
    );
  }
  return new UserError(
    l10n.t('The token budget of today is used up'),
    l10n.t(
      'With this profile {0} of {1} tokens were used today, so nothing was sent. It starts anew at midnight, or change the budget.',
      usedWords(used),
      numberWords(hard),
    ),
    [step('budgetSetting')],
  );
}

/** Formats how many tokens were used, marked as approximate if it is an estimate. */
export function usedWords({ inputTokens, outputTokens, isEstimate }: Usage): string {
  const used = numberWords(inputTokens + outputTokens);
  return isEstimate ? l10n.t('about {0}', used) : used;
}

/** Formats a number with the separators of the editor's language. */
export function numberWords(count: number): string {
  return numberFormat(env.language).format(count);
}
