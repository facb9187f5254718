import type { Judgements } from './judgements';
import { ndcg, reciprocalRank } from './metrics';

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
