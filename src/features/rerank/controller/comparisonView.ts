import { judgeRanking } from '../../../core/ranking/judgeRanking';
import type { ComparisonRow, RerankComparison } from '../../../protocol/rerank';
import type { RerankMessages } from '../page/rerankMessages';
import type { RerankWorkspace } from './rerankWorkspace';
import type { SourceDocuments } from './documents';
import { rankedOf } from './rankedDocuments';
import { answeredBy, chargedFor, judgementOf, shownDocument, shownIds, tokensText } from './rankingView';
import type { SavedColumn, SavedComparison } from './rerankRecord';

export function comparisonSummary(
  comparison: SavedComparison,
  documents: SourceDocuments,
  workspace: RerankWorkspace,
): RerankComparison {
  const { judgements, words } = workspace;
  const { query, k, columns } = comparison;
  const texts = documents.list.map(({ text }) => text);
  const qualityOf = ({ ranking }: SavedColumn) => {
    const order = ranking ? rankedOf(ranking).scores.map(({ index }) => index) : [];
    return judgeRanking({ query, documents: texts, order }, judgements.held, k);
  };
  const isJudged = judgements.held.count > 0;
  const qualities = columns.map((column) => (isJudged && !isUnranked(column) ? qualityOf(column) : undefined));
  return {
    query,
    k,
    judged: qualities.find((quality) => quality !== undefined)?.judged ?? 0,
    columns: columns.map((column, at) => {
      const { ndcg, reciprocalRank } = (column.ranking && qualities[at]) ?? {};
      return {
        model: column.model,
        ...(ndcg !== undefined && { ndcg: words.measure(ndcg) }),
        ...(reciprocalRank !== undefined && { mrr: words.measure(reciprocalRank) }),
        facts: columnFacts(column, workspace),
        ...(column.trouble && { trouble: column.trouble }),
      };
    }),
    count: comparedDocuments(comparison).length,
  };
}

function isUnranked({ ranking }: SavedColumn): boolean {
  return ranking !== undefined && rankedOf(ranking).unranked !== undefined;
}

function columnFacts({ ranking }: SavedColumn, workspace: RerankWorkspace): string {
  if (!ranking) return '';
  const { words } = workspace;
  const cost = chargedFor(ranking, workspace);
  const tokens = tokensText(ranking, words);
  const others = answeredBy(ranking);
  return [
    tokens === words.notCounted ? tokens : words.columnTokens(tokens),
    ...(cost ? [words.cost(cost.text)] : []),
    words.seconds(ranking.durationMs),
    ...(others.length > 0 ? [words.answeredBy(shownIds(others, words))] : []),
    ...(rankedOf(ranking).unranked ? [words.unrankedColumn()] : []),
    ...(ranking.failure ? [words.unfinishedColumn(ranking.failure.title)] : []),
  ].join(' · ');
}

export function comparisonRows(
  comparison: SavedComparison,
  documents: SourceDocuments,
  { from, count }: { readonly from: number; readonly count: number },
  { judgements, words }: RerankWorkspace,
): readonly ComparisonRow[] {
  return comparedDocuments(comparison)
    .slice(from, from + count)
    .map((index) => {
      const document = documents.list[index]!;
      return {
        index,
        ...shownDocument(document, words),
        ranks: comparison.columns.map((column) => rankIn(column, index, words)),
        judgement: judgementOf(document, comparison.query, judgements),
      };
    });
}

function rankIn({ ranking }: SavedColumn, index: number, words: RerankMessages): ComparisonRow['ranks'][number] {
  const ranked = ranking && rankedOf(ranking);
  const rank = ranked?.ranks.get(index);
  if (!ranked || rank === undefined || ranked.unranked) return null;
  return { rank, score: words.score(ranked.scores[rank - 1]!.score) };
}

const compared = new WeakMap<SavedComparison, readonly number[]>();

/** Returns all documents that any model scored, by their average rank among the models that ranked. */
function comparedDocuments(comparison: SavedComparison): readonly number[] {
  const known = compared.get(comparison) ?? byMeanRank(comparison);
  compared.set(comparison, known);
  return known;
}

function byMeanRank({ columns }: SavedComparison): readonly number[] {
  const scored = columns.flatMap(({ ranking }) => (ranking ? [rankedOf(ranking)] : []));
  const rankings = scored.filter(({ unranked }) => unranked === undefined);
  const all = new Set(scored.flatMap(({ scores }) => scores.map(({ index }) => index)));
  // A model that did not rank a document counts as ranking it last.
  const sums = new Map(
    [...all].map((index) => [
      index,
      rankings.reduce((sum, { ranks, scores }) => sum + (ranks.get(index) ?? scores.length + 1), 0),
    ]),
  );
  return [...all].toSorted((one, other) => sums.get(one)! - sums.get(other)! || one - other);
}
