import { join } from 'node:path';
import { l10n } from 'vscode';
import type { ExtensionContext, LogOutputChannel } from 'vscode';
import { addUsage, noUsage } from '../../core/usage/usage';
import type { Usage } from '../../core/usage/usage';
import { step } from '../../platform/errorActions';
import type { Settings } from '../../platform/settings';
import { createSpendings } from '../../platform/spending';
import { numberWords, openUsageLedger, usedWords } from '../../platform/tokenBudget';
import { createUsageLedger } from '../../core/usage/usageLedger';
import { UserError } from '../../platform/userError';

/** What other windows used meanwhile is looked at so often. */
const lookMs = 20_000;

/** Counts what ghost text takes: to the profile as everything does, and by itself. */
export interface SpentTokens {
  add(profileId: string, model: string, usage: Usage): void;
  /** Throws, with words, where one of the two budgets of today is used up. */
  check(profileId: string): Promise<void>;
  /** Of ghost text alone, today, in all windows. */
  today(profileId: string): Promise<Usage>;
}

interface SpentOptions {
  readonly context: ExtensionContext;
  readonly settings: Settings;
  readonly log: LogOutputChannel;
}

export function createSpentTokens({ context, settings, log }: SpentOptions): SpentTokens {
  const folder = join(context.globalStorageUri.fsPath, 'ghostText', 'usage');
  const own = createUsageLedger(folder, (error) => log.warn(`Ghost text was not counted: ${String(error)}`));
  const spendingOf = createSpendings(openUsageLedger(context, log), { settings, log });
  let known = { profileId: '', at: Number.NEGATIVE_INFINITY, usage: noUsage };

  const today = async (profileId: string): Promise<Usage> => {
    const now = Date.now();
    if (known.profileId !== profileId || now - known.at > lookMs) {
      known = { profileId, at: now, usage: await own.total(profileId, now) };
    }
    return known.usage;
  };
  return {
    add(profileId, model, usage) {
      spendingOf(profileId).add(usage, model);
      void own.add(profileId, { at: Date.now(), model, ...usage });
      if (known.profileId === profileId) known = { ...known, usage: addUsage(known.usage, usage) };
    },
    async check(profileId) {
      await spendingOf(profileId).check();
      const budget = settings.get('ghostText.dailyTokenBudget');
      if (budget === 0) return;
      const used = await today(profileId);
      if (used.inputTokens + used.outputTokens >= budget) throw ghostBudgetUsedUp(used, budget);
    },
    today,
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
