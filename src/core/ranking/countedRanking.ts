import { mayBeBilled } from '../api/errors';
import { type Usage, inputCount, outputCount } from '../usage/usage';
import type { HeldTokens } from '../usage/usageLedger';
import type { CreateRanking } from './rankInSlices';
import type { Ranking, RerankRequest } from '../api/rerank/rerank.schema';
import { estimateTokens } from '../tokens/estimate';

/** Counts the tokens used and enforces the daily budget. */
export interface RankingSpending {
  add(usage: Usage, model: string): void;
  /** Throws if the budget is used up; otherwise reserves about `expected` tokens until they are released. */
  check(expected?: number): Promise<HeldTokens>;
}

/**
 * Wraps `create` to count the usage of each response, estimated for a failed call that may be billed, and to send nothing once the
 * daily budget is used up.
 */
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

/** Counts in both, and throws if either does. */
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

/** Returns a ranking's token usage as counted by the service, otherwise estimated the way services count: the query once per document. */
export function rankingUsage({ query, documents }: RerankRequest, { tokens }: Pick<Ranking, 'tokens'>): Usage {
  const inputTokens = inputCount(tokens.input_tokens);
  const outputTokens = outputCount(tokens.output_tokens) ?? 0;
  if (inputTokens !== undefined) return { inputTokens, outputTokens };
  const own = estimateTokens(query);
  const estimate = documents.reduce((sum, document) => sum + own + estimateTokens(document), 0);
  return { inputTokens: estimate, outputTokens, isEstimate: true };
}
