import { join } from 'node:path';
import { l10n } from 'vscode';
import { createDayTokens } from '../../../core/usage/dayTokens';
import type { DayTokens } from '../../../core/usage/dayTokens';
import type { Usage } from '../../../core/usage/usage';
import { createUsageLedger } from '../../../core/usage/usageLedger';
import { step } from '../../../platform/errors/errorActions';
import { UserError } from '../../../platform/errors/userError';
import type { Services } from '../../../services/services';
import { numberWords, usedWords } from '../../../services/usage/tokenBudget';

/** Counts what tools alone used today for each profile, in all windows and through the MCP server, and holds them to their budget. */
export function createToolTokens({ context, log, settings }: Services): (profileId: string) => DayTokens {
  const folder = join(context.globalStorageUri.fsPath, 'agentTools', 'usage');
  const ledger = createUsageLedger(folder, (error) => log.warn(`What tools used was not counted: ${String(error)}`));
  const known = new Map<string, DayTokens>();
  return (account) => {
    const budget = () => ({ soft: 0, hard: settings.get('agentTools.dailyTokenBudget') });
    const tokens = known.get(account) ?? createDayTokens({ ledger, account, budget, refuse: toolBudgetUsedUp });
    known.set(account, tokens);
    return tokens;
  };
}

function toolBudgetUsedUp(used: Usage, budget: number, expected?: number): UserError {
  if (expected !== undefined) {
    return new UserError(
      l10n.t('Too little is left of the tokens that tools may use today'),
      l10n.t(
        'This takes about {0} tokens. They used {1} of {2}, so nothing was sent. It starts anew at midnight, or change their budget.',
        numberWords(expected),
        usedWords(used),
        numberWords(budget),
      ),
      [step('toolBudgetSetting')],
    );
  }
  return new UserError(
    l10n.t('The tools used up their tokens of today'),
    l10n.t(
      'They used {0} of {1}, so nothing was sent. It starts anew at midnight, or change their budget.',
      usedWords(used),
      numberWords(budget),
    ),
    [step('toolBudgetSetting')],
  );
}
