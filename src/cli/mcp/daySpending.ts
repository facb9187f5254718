import { basename, dirname } from 'node:path';
import { AgentProblem } from '../../core/agentTools/agentTool';
import type { RankingSpending } from '../../core/ranking/countedRanking';
import { budgetState } from '../../core/usage/usage';
import { createUsageLedger } from '../../core/usage/usageLedger';
import type { McpEnvironment } from './environment';

export interface DaySpending extends RankingSpending {
  /** Throws `AgentProblem` once the tokens of the day are used up. */
  check(): Promise<void>;
  /** Resolves when all that was added is on disk. */
  settled(): Promise<void>;
}

/** Counts tokens in the ledger of the day, with whoever else counts there, and holds them to the limit of the day. */
export function createDaySpending({
  usage: folder,
  dailyTokens,
  onTrouble,
}: Pick<McpEnvironment, 'usage' | 'dailyTokens'> & { readonly onTrouble: (error: unknown) => void }): DaySpending {
  const ledger = createUsageLedger(dirname(folder), onTrouble);
  const account = basename(folder);
  let last: Promise<void> = Promise.resolve();
  return {
    add(usage, model) {
      last = ledger.add(account, { at: Date.now(), model, ...usage });
    },
    async check() {
      if (dailyTokens === 0) return;
      const today = await ledger.total(account, Date.now());
      if (budgetState(today, { soft: 0, hard: dailyTokens }) !== 'hard') return;
      const used = today.inputTokens + today.outputTokens;
      throw new AgentProblem(
        `The token budget of today is used up (${used} of ${dailyTokens}), so nothing was sent. It starts anew at midnight. Tell the person; do not try again.`,
      );
    },
    settled: () => last,
  };
}
