import { rankInSlices, usualLimits, type RankedList } from '../../../core/ranking/rankInSlices';
import type { Usage } from '../../../core/usage/usage';
import { PublicApiError, toPublicApiError } from '../apiError';
import type { Reranking, RerankRequest } from '../logic/inferenceDesk';
import type { CallAccount } from './account';

/** Rejects if any part failed; the error contains the part that was charged. */
export async function rerank(
  { query, documents, topN, instruction }: RerankRequest,
  { client, model, usage }: CallAccount,
  signal: AbortSignal,
): Promise<Reranking> {
  const request = {
    model,
    query,
    documents,
    ...(topN !== undefined && { top_n: Math.min(topN, documents.length) }),
    ...(instruction !== undefined && { instruction }),
  };
  const list = await rankInSlices(
    (slice, ending) => client.rerank.create(slice, ending),
    request,
    { limits: usualLimits },
    signal,
  );
  const ranking = toReranking(model, list, usage());
  if (list.failure) throw brokenOff(list.failure.error, ranking);
  return ranking;
}

function toReranking(model: string, { scores, unscored }: RankedList, usage: Usage): Reranking {
  return { model, results: scores.map(({ index, score }) => ({ index, score })), unscored, usage };
}

function brokenOff(error: unknown, partial: Reranking): PublicApiError {
  const { code, message, parameter, retryAfterMs, maybeBilled } = toPublicApiError(error);
  return new PublicApiError(code, message, {
    partial,
    ...(parameter !== undefined && { parameter }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    ...(maybeBilled && { maybeBilled }),
  });
}
