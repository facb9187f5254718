import { basename, dirname } from 'node:path';
import { AgentProblem } from '../../core/agentTools/agentTool';
import { createDayTokens, inEach } from '../../core/usage/dayTokens';
import type { DayTokens } from '../../core/usage/dayTokens';
import { tokensOf } from '../../core/usage/usage';
import type { Usage } from '../../core/usage/usage';
import { createUsageLedger } from '../../core/usage/usageLedger';
import type { McpEnvironment } from './environment';

/**
 * Counts tokens in two daily ledgers, both shared with other processes, and enforces the limit of each: one for all usage, one for what
 * tools use. Throws `AgentProblem` beyond either.
 */
export function createDaySpending({
  usage,
  dailyTokens,
  toolUsage,
  toolTokens,
  onTrouble,
}: Pick<McpEnvironment, 'usage' | 'dailyTokens' | 'toolUsage' | 'toolTokens'> & {
  readonly onTrouble: (error: unknown) => void;
}): DayTokens {
  const tokensIn = (folder: string, hard: number, words: RefusalWords) =>
    createDayTokens({
      ledger: createUsageLedger(dirname(folder), onTrouble),
      account: basename(folder),
      budget: () => ({ soft: 0, hard }),
      refuse: (used, most, expected) => refusal(words, { used, most, expected }),
    });
  const all = tokensIn(usage, dailyTokens, {
    usedUp: 'The token budget of today is used up',
    tooLittle: 'Too little is left of the token budget of today',
  });
  const own = tokensIn(toolUsage, toolTokens, {
    usedUp: 'The tools used up their tokens of today',
    tooLittle: 'Too little is left of the tokens that tools may use today',
  });
  return inEach([all, own]);
}

interface RefusalWords {
  readonly usedUp: string;
  readonly tooLittle: string;
}

function refusal(
  { usedUp, tooLittle }: RefusalWords,
  { used, most, expected }: { readonly used: Usage; readonly most: number; readonly expected: number | undefined },
): AgentProblem {
  const figures = `${tokensOf(used)} of ${most}`;
  const why =
    expected === undefined ? `${usedUp} (${figures})` : `${tooLittle} (${figures}): this takes about ${expected}`;
  return new AgentProblem(
    `${why}, so nothing was sent. They start anew at midnight. Tell the person; do not try again.`,
  );
}
