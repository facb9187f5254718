import * as vscode from 'vscode';
import type { RankingSpending } from '../../core/ranking/countedRanking';
import { createDayTokens } from '../../core/usage/dayTokens';
import type { UsageLedger } from '../../core/usage/usageLedger';
import type { Settings } from '../../platform/settings';
import { budgetUsedUp } from './tokenBudget';
import { showMessage } from '../../platform/notify';

/**
 * Counts the usage of one profile and enforces its daily budget: once that is exceeded, a check throws a localized error. Warns once when
 * the lower warning level is passed.
 */
export type Spending = RankingSpending;

export function createSpending(
  profileId: string,
  ledger: UsageLedger,
  { settings, log }: { readonly settings: Settings; readonly log: vscode.LogOutputChannel },
): Spending {
  return createDayTokens({
    ledger,
    account: profileId,
    budget: () => settings.get('chat.dailyTokenBudget'),
    refuse: budgetUsedUp,
    onWarn() {
      log.warn('The warning level of the token budget of today is passed.');
      void showMessage(
        'warning',
        vscode.l10n.t('The warning level of today’s token budget is passed. Work goes on until the budget is used up.'),
      );
    },
  });
}

/** Returns one `Spending` per profile, created on first request, so that each warns only once. */
export function createSpendings(
  ledger: UsageLedger,
  parts: Parameters<typeof createSpending>[2],
): (profileId: string) => Spending {
  const spendings = new Map<string, Spending>();
  return (profileId) => {
    const spending = spendings.get(profileId) ?? createSpending(profileId, ledger, parts);
    spendings.set(profileId, spending);
    return spending;
  };
}
