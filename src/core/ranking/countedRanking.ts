import { mayBeBilled } from '../api/errors';
import type { Usage } from '../usage/usage';
import type { HeldTokens } from '../usage/usageLedger';
import type { CreateRanking } from './rankInSlices';
import { rankingUsage } from './rankingUsage';

/** Counts what is used, and holds it to the budget of the day. */
export interface RankingSpending {
  add(usage: Usage, model: string): void;
  /** Throws when nothing more may be used; else about `expected` tokens count as used until they are let go. */
  check(expected?: number): Promise<HeldTokens>;
}

/** The same, with what each answer took counted, about also where none came but one may be billed, and nothing sent once the budget of the day is used up. */
export function countedRanking(
  create: CreateRanking,
  spending: RankingSpending | undefined,
  onUsage?: (usage: Usage) => void,
): CreateRanking {
  return async (request, signal) => {
    const estimate = rankingUsage(request, { tokens: {} });
    const count = (usage: Usage) => {
      spending?.add(usage, request.model);
      onUsage?.(usage);
    };
    const held = await spending?.check(estimate.inputTokens);
    try {
      signal?.throwIfAborted();
      const answer = await create(request, signal);
      count(rankingUsage(request, answer));
      return answer;
    } catch (error) {
      if (mayBeBilled(error)) count(estimate);
      throw error;
    } finally {
      held?.release();
    }
  };
}

/** Counts in both, and throws where either does. */
export function inBoth(one: RankingSpending, other: RankingSpending): RankingSpending {
  return {
    add(usage, model) {
      one.add(usage, model);
      other.add(usage, model);
    },
    async check(expected) {
      const first = await one.check(expected);
      try {
        const second = await other.check(expected);
        return {
          release() {
            first.release();
            second.release();
          },
        };
      } catch (error) {
        first.release();
        throw error;
      }
    },
  };
}
