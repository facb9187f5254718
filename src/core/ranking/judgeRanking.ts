import type { Judgements } from './judgements';

/** The quality of a ranking according to a person's judgements. */
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
  const gain = ndcg(ranked, { k, judged: relevances });
  return {
    judged,
    relevant,
    ...(gain !== undefined && { ndcg: gain, reciprocalRank: reciprocalRank(ranked.map((one) => one === 1)) }),
  };
}

/**
 * How a relevance counts: linear (Järvelin and Kekäläinen), or 2 to the power of it minus 1, which favours the most relevant more
 * (Burges et al., 2005). With binary relevance both are the same.
 */
type Gain = 'linear' | 'exponential';

interface NdcgOptions {
  /** Considers this many of the first ranks; all by default. */
  readonly k?: number;
  /** `linear` by default. */
  readonly gain?: Gain;
  /** The relevances of all documents judged for the query, ranked or not; by default those of the ranked ones. */
  readonly judged?: readonly number[];
}

/**
 * Returns the normalised discounted cumulative gain, 0 to 1: each gain is divided by log2(rank + 1), and the sum by that of the
 * best possible order. `relevances` are in ranking order, 0 for a document that is not relevant or not judged. `undefined` if
 * nothing relevant is judged, because then every order is equally good.
 */
export function ndcg(
  relevances: readonly number[],
  { k = Number.POSITIVE_INFINITY, gain = 'linear', judged = relevances }: NdcgOptions = {},
): number | undefined {
  const ideal = discountedGain(
    judged.toSorted((one, other) => other - one),
    k,
    gain,
  );
  return ideal > 0 ? discountedGain(relevances, k, gain) / ideal : undefined;
}

/** Returns the discounted gain without normalisation: the sum of the gains, each divided by log2(rank + 1). */
export function discountedGain(relevances: readonly number[], k: number, gain: Gain): number {
  return relevances
    .slice(0, k)
    .reduce((sum, relevance, at) => sum + (gain === 'linear' ? relevance : 2 ** relevance - 1) / Math.log2(at + 2), 0);
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
