import type { Ranking, RerankRequest } from '../api/rerank/rerank.schema';
import { estimateTokens } from '../tokens/estimate';
import { inputCount, outputCount } from '../usage/usage';
import type { Usage } from '../usage/usage';

/** What a ranking took, as the service counted it; else about as much as services count: the query once for each document. */
export function rankingUsage({ query, documents }: RerankRequest, { tokens }: Pick<Ranking, 'tokens'>): Usage {
  const inputTokens = inputCount(tokens.input_tokens);
  const outputTokens = outputCount(tokens.output_tokens) ?? 0;
  if (inputTokens !== undefined) return { inputTokens, outputTokens };
  const own = estimateTokens(query);
  const estimate = documents.reduce((sum, document) => sum + own + estimateTokens(document), 0);
  return { inputTokens: estimate, outputTokens, isEstimate: true };
}
