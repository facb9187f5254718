import * as vscode from 'vscode';
import type { RankingSpending } from '../../core/ranking/countedRanking';
import { createDayTokens } from '../../core/usage/dayTokens';
import type { UsageLedger } from '../../core/usage/usageLedger';
import type { Settings } from '../../platform/settings';
import { budgetUsedUp } from './tokenBudget';
import { showMessage } from '../../platform/notify';

/** Counts what is used with one profile, and holds it to the budget of the day: beyond it a check throws with words; once, it warns of the level before that. */
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

/** Of each profile one, made when it is first asked for: each warns once. */
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
