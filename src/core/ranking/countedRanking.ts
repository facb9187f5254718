import type { Usage } from '../usage/usage';
import type { CreateRanking } from './rankInSlices';
import { rankingUsage } from './rankingUsage';

/** Counts what is used, and holds it to the budget of the day. */
export interface RankingSpending {
  add(usage: Usage, model: string): void;
  /** Throws when nothing more may be used. */
  check(): Promise<void>;
}

/** The same, with what each answer took counted, and nothing sent once the budget of the day is used up. */
export function countedRanking(
  create: CreateRanking,
  spending: RankingSpending | undefined,
  onUsage?: (usage: Usage) => void,
): CreateRanking {
  return async (request, signal) => {
    await spending?.check();
    signal?.throwIfAborted();
    const answer = await create(request, signal);
    const usage = rankingUsage(request, answer);
    spending?.add(usage, request.model);
    onUsage?.(usage);
    return answer;
  };
}
