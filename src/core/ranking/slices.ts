import type { RerankRequest } from '../api/rerank/rerank.schema';
import { estimateTokens } from '../tokens/estimate';

/** The limits of one request. */
export interface SliceLimits {
  readonly documents: number;
  /** Estimated over all its documents, counting the query once for each, as the service does. */
  readonly tokens: number;
}

/**
 * For use when nobody waits for the first scores. The service documents no limit. Others on the same path accept a thousand documents, and
 * the lowest published rate limit for reranking is 500,000 tokens per minute.
 */
export const usualLimits: SliceLimits = { documents: 500, tokens: 100_000 };

/**
 * Returns the document indexes of each request, in order and without those in `done`. A document that exceeds the limit is sent alone,
 * because the service decides what a model accepts. Pass `tokensOf` if the estimates are already known.
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
