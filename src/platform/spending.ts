import * as vscode from 'vscode';
import { addUsage, budgetState, noUsage } from '../core/usage/usage';
import type { Usage } from '../core/usage/usage';
import type { Settings } from './settings';
import { budgetUsedUp } from './tokenBudget';
import type { UsageLedger } from '../core/usage/usageLedger';
import { showMessage } from './notify';

/** What others used meanwhile is looked at so often. */
const lookMs = 20_000;

/** Counts what is used with one profile, and holds it to the budget of the day. */
export interface Spending {
  add(usage: Usage, model: string): void;
  /** Throws, with words, when nothing more may be used today. Once, it warns of the level before that. */
  check(): Promise<void>;
}

export function createSpending(
  profileId: string,
  ledger: UsageLedger,
  { settings, log }: { readonly settings: Settings; readonly log: vscode.LogOutputChannel },
): Spending {
  let today = noUsage;
  let lookedAt = Number.NEGATIVE_INFINITY;
  let isWarned = false;
  return {
    add(usage, model) {
      today = addUsage(today, usage);
      void ledger.add(profileId, { at: Date.now(), model, ...usage });
    },
    async check() {
      const budget = settings.get('chat.dailyTokenBudget');
      if (budget.soft === 0 && budget.hard === 0) return;
      if (Date.now() - lookedAt > lookMs) {
        lookedAt = Date.now();
        today = await ledger.total(profileId, lookedAt);
      }
      const state = budgetState(today, budget);
      if (state === 'hard') throw budgetUsedUp(today, budget.hard);
      if (state === 'within' || isWarned) return;
      isWarned = true;
      log.warn('The warning level of the token budget of today is passed.');
      void showMessage(
        'warning',
        vscode.l10n.t('The warning level of today’s token budget is passed. Work goes on until the budget is used up.'),
      );
    },
  };
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
