import { basename, dirname } from 'node:path';
import { AgentProblem } from '../../core/agentTools/agentTool';
import { inBoth } from '../../core/ranking/countedRanking';
import type { RankingSpending } from '../../core/ranking/countedRanking';
import { createDayTokens } from '../../core/usage/dayTokens';
import type { Usage } from '../../core/usage/usage';
import { createUsageLedger } from '../../core/usage/usageLedger';
import type { McpEnvironment } from './environment';

export interface DaySpending extends RankingSpending {
  /** Resolves when all that was added is on disk. */
  settled(): Promise<void>;
}

/**
 * Counts tokens in two ledgers of the day, each with whoever else counts there, and holds them to the limit of each: to that of all
 * that is used, and to that of what tools use. Beyond one it throws `AgentProblem`.
 */
export function createDaySpending({
  usage,
  dailyTokens,
  toolUsage,
  toolTokens,
  onTrouble,
}: Pick<McpEnvironment, 'usage' | 'dailyTokens' | 'toolUsage' | 'toolTokens'> & {
  readonly onTrouble: (error: unknown) => void;
}): DaySpending {
  const tokensIn = (folder: string, limit: number, what: string) =>
    createDayTokens({
      ledger: createUsageLedger(dirname(folder), onTrouble),
      account: basename(folder),
      limit: () => limit,
      refuse: (used, most) => usedUp(what, used, most),
    });
  const all = tokensIn(usage, dailyTokens, 'The token budget of today is used up');
  const own = tokensIn(toolUsage, toolTokens, 'The tools used up their tokens of today');
  return {
    ...inBoth(all, own),
    async settled() {
      await Promise.all([all.settled(), own.settled()]);
    },
  };
}

function usedUp(what: string, { inputTokens, outputTokens }: Usage, limit: number): AgentProblem {
  const used = inputTokens + outputTokens;
  return new AgentProblem(
    `${what} (${used} of ${limit}), so nothing was sent. They start anew at midnight. Tell the person; do not try again.`,
  );
}
