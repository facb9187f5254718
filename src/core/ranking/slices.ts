import type { RerankRequest } from '../api/rerank/rerank.schema';
import { estimateTokens } from '../tokens/estimate';

/** What one request may hold. */
export interface SliceLimits {
  readonly documents: number;
  /** Estimated: of all its documents, with the query once for each, as the service counts. */
  readonly tokens: number;
}

/**
 * Where nobody waits for the first scores. The service names no bound of its own: others on the same path take a thousand documents,
 * and the lowest published limit of tokens per minute for reranking is 500,000.
 */
export const usualLimits: SliceLimits = { documents: 500, tokens: 100_000 };

/**
 * The documents of each request, in their order and without those that are done. One that is too long for the limit goes alone: what
 * a model takes is the service's to say. `tokensOf` is for who knows the estimate of each already.
 */
export function cutSlices(
  { documents, query }: Pick<RerankRequest, 'documents' | 'query'>,
  limits: SliceLimits,
  done: ReadonlySet<number> = new Set(),
  tokensOf: (index: number) => number = (index) => estimateTokens(documents[index]!),
): number[][] {
  const slices: number[][] = [];
  const queryTokens = estimateTokens(query);
  let tokens = 0;
  for (const index of documents.keys()) {
    if (done.has(index)) continue;
    const own = tokensOf(index) + queryTokens;
    const open = slices.at(-1);
    if (open && open.length < limits.documents && tokens + own <= limits.tokens) {
      open.push(index);
      tokens += own;
    } else {
      slices.push([index]);
      tokens = own;
    }
  }
  return slices;
}
