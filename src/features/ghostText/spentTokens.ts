import { join } from 'node:path';
import { l10n } from 'vscode';
import type { ExtensionContext, LogOutputChannel } from 'vscode';
import { createDayTokens } from '../../core/usage/dayTokens';
import type { Usage } from '../../core/usage/usage';
import { step } from '../../platform/errors/errorActions';
import type { Settings } from '../../platform/settings';
import { createSpendings } from '../../services/usage/spending';
import { numberWords, openUsageLedger, usedWords } from '../../services/usage/tokenBudget';
import { createUsageLedger } from '../../core/usage/usageLedger';
import { UserError } from '../../platform/errors/userError';

/** Counts the tokens of ghost text, both in the profile's total and separately. */
export interface SpentTokens {
  add(profileId: string, model: string, usage: Usage): void;
  /** Throws `UserError` if either of today's two budgets is used up. */
  check(profileId: string): Promise<void>;
  /** Usage of ghost text alone, today, in all windows. */
  today(profileId: string): Promise<Usage>;
}

interface SpentOptions {
  readonly context: ExtensionContext;
  readonly settings: Settings;
  readonly log: LogOutputChannel;
}

export function createSpentTokens({ context, settings, log }: SpentOptions): SpentTokens {
  const folder = join(context.globalStorageUri.fsPath, 'ghostText', 'usage');
  const ledger = createUsageLedger(folder, (error) => log.warn(`Ghost text was not counted: ${String(error)}`));
  const spendingOf = createSpendings(openUsageLedger(context, log), { settings, log });
  const own = (account: string) =>
    createDayTokens({
      ledger,
      account,
      budget: () => ({ soft: 0, hard: settings.get('ghostText.dailyTokenBudget') }),
      refuse: ghostBudgetUsedUp,
    });
  return {
    add(profileId, model, usage) {
      spendingOf(profileId).add(usage, model);
      own(profileId).add(usage, model);
    },
    async check(profileId) {
      await spendingOf(profileId).check();
      await own(profileId).check();
    },
    today: (profileId) => ledger.total(profileId, Date.now()),
  };
}

function ghostBudgetUsedUp(used: Usage, budget: number): UserError {
  return new UserError(
    l10n.t('Ghost text used up its tokens of today'),
    l10n.t(
      'It used {0} of {1}, so nothing is sent. It starts anew at midnight, or change its budget.',
      usedWords(used),
      numberWords(budget),
    ),
    [step('ghostBudgetSetting')],
  );
}
