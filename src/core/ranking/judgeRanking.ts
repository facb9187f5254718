import type { Judgements } from './judgements';

/** The quality of a ranking according to the user's judgments. */
export interface RankingQuality {
  /** The number of documents that are judged, ranked or not. */
  readonly judged: number;
  readonly relevant: number;
  /** Over the first `k` ranks, with binary relevance; absent if no document is judged relevant. */
  readonly ndcg?: number;
  /** 1 divided by the rank of the first relevant document, 0 if none was ranked; absent in the same case. */
  readonly reciprocalRank?: number;
}

/** `order`: indexes into `documents`, best first. Unjudged documents count as not relevant. */
export function judgeRanking(
  {
    query,
    documents,
    order,
  }: { readonly query: string; readonly documents: readonly string[]; readonly order: readonly number[] },
  judgements: Judgements,
  k: number,
): RankingQuality {
  const said = documents.map((document) => judgements.get(query, document));
  const judged = said.filter((one) => one !== undefined).length;
  const relevances = said.map((one) => (one === true ? 1 : 0));
  const relevant = relevances.filter((one) => one === 1).length;
  const ranked = order.map((index) => relevances[index] ?? 0);
  const gain = ndcg(ranked, relevances, k);
  return {
    judged,
    relevant,
    ...(gain !== undefined && { ndcg: gain, reciprocalRank: reciprocalRank(ranked.map((one) => one === 1)) }),
  };
}

/**
 * Returns the normalized discounted cumulative gain of the first `k` ranks, 0 to 1: each gain is divided by log2(rank + 1), and the sum by
 * that of the best possible order. `relevances` are in ranking order, 0 for a document that isn't relevant or not rated. `judged` are those
 * of all documents rated for the query, ranked or not. Returns `undefined` without relevant ratings, because then every order is equally
 * good.
 */
export function ndcg(
  relevances: readonly number[],
  judged: readonly number[] = relevances,
  k = Number.POSITIVE_INFINITY,
): number | undefined {
  const ideal = discountedGain(
    judged.toSorted((one, other) => other - one),
    k,
  );
  return ideal > 0 ? discountedGain(relevances, k) / ideal : undefined;
}

/** Returns the discounted gain without normalisation: the sum of the gains, each divided by log2(rank + 1). */
export function discountedGain(relevances: readonly number[], k: number): number {
  return relevances.slice(0, k).reduce((sum, relevance, at) => sum + relevance / Math.log2(at + 2), 0);
}

/** Returns 1 divided by the rank of the first relevant document; 0 if there is none. */
export function reciprocalRank(isRelevant: readonly boolean[]): number {
  const at = isRelevant.indexOf(true);
  return at < 0 ? 0 : 1 / (at + 1);
}

/** Returns the mean over queries that have a document judged relevant; `undefined` if there are none. */
export function meanReciprocalRank(rankings: readonly (readonly boolean[])[]): number | undefined {
  if (rankings.length === 0) return undefined;
  return rankings.reduce((sum, ranking) => sum + reciprocalRank(ranking), 0) / rankings.length;
}
