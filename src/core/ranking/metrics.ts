/**
 * How much a relevance counts: as it is, as Järvelin and Kekäläinen do, or two to its power less one, which favours the
 * most relevant more (Burges et al., 2005). Where a document is relevant or not, both are the same.
 */
export type Gain = 'linear' | 'exponential';

export interface NdcgOptions {
  /** Looks at so many of the first ranks; all by default. */
  readonly k?: number;
  /** `linear` by default. */
  readonly gain?: Gain;
  /** The relevances of all documents judged for the query, ranked or not; by default those that were ranked. */
  readonly judged?: readonly number[];
}

/**
 * Normalised discounted cumulative gain: each gain divided by log2(rank + 1), the sum divided by that of the best order there is.
 * 0 to 1. `relevances` are in the order of the ranking, 0 where a document is not relevant or not judged. `undefined` where nothing
 * relevant is judged: then every order is as good.
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

/** Not normalised: the sum of the gains, each divided by log2(rank + 1). */
export function discountedGain(relevances: readonly number[], k: number, gain: Gain): number {
  return relevances
    .slice(0, k)
    .reduce((sum, relevance, at) => sum + (gain === 'linear' ? relevance : 2 ** relevance - 1) / Math.log2(at + 2), 0);
}

/** One by the rank of the first relevant document; 0 where none is. */
export function reciprocalRank(isRelevant: readonly boolean[]): number {
  const at = isRelevant.indexOf(true);
  return at < 0 ? 0 : 1 / (at + 1);
}

/** The mean over queries of which anything relevant is judged; `undefined` without any. */
export function meanReciprocalRank(rankings: readonly (readonly boolean[])[]): number | undefined {
  if (rankings.length === 0) return undefined;
  return rankings.reduce((sum, ranking) => sum + reciprocalRank(ranking), 0) / rankings.length;
}
