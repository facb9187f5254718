import type { Judgements } from './judgements';
import { ndcg, reciprocalRank } from './metrics';

/** How good a ranking is by what a person judged. */
export interface RankingQuality {
  /** Ranked or not, of the documents handed in. */
  readonly judged: number;
  readonly relevant: number;
  /** Of the first `k` ranks, binary relevance; absent where nothing relevant is judged. */
  readonly ndcg?: number;
  /** One by the rank of the first relevant document, 0 where none was ranked; absent likewise. */
  readonly reciprocalRank?: number;
}

/** `order`: indexes of `documents`, best first. What is not judged counts as not relevant. */
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
