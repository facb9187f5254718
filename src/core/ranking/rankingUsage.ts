import type { Ranking, RerankRequest } from '../api/rerank/rerank.schema';
import { estimateTokens } from '../tokens/estimate';
import { inputCount, outputCount } from '../usage/usage';
import type { Usage } from '../usage/usage';

/** Returns a ranking's token usage as counted by the service, otherwise estimated the way services count: the query once per document. */
export function rankingUsage({ query, documents }: RerankRequest, { tokens }: Pick<Ranking, 'tokens'>): Usage {
  const inputTokens = inputCount(tokens.input_tokens);
  const outputTokens = outputCount(tokens.output_tokens) ?? 0;
  if (inputTokens !== undefined) return { inputTokens, outputTokens };
  const own = estimateTokens(query);
  const estimate = documents.reduce((sum, document) => sum + own + estimateTokens(document), 0);
  return { inputTokens: estimate, outputTokens, isEstimate: true };
}
