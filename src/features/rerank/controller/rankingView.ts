import { scoreParts } from '../../../core/ranking/scoreParts';
import type { RankingRow, RankingSummary, RerankNotice } from '../../../protocol/rerank';
import type { RerankMessages } from '../page/rerankMessages';
import type { JudgementStore, RerankWorkspace } from './rerankWorkspace';
import type { SourceDocument, SourceDocuments } from './documents';
import { rankedOf } from './rankedDocuments';
import type { SavedRanking } from './rerankRecord';
import { foreign } from '../../../core/text/foreignText';
import { beginning } from '../../../core/batch/preview/shortText';

/** Characters of a document shown in a row. */
export const shownInRow = 400;

export interface RankingState {
  readonly isStale: boolean;
  readonly isKept: boolean;
  readonly canShowInEditor: boolean;
  readonly isShownInEditor: boolean;
}

export function rankingSummary(
  ranking: SavedRanking,
  state: RankingState,
  workspace: Pick<RerankWorkspace, 'words' | 'charged'>,
): RankingSummary {
  const { words } = workspace;
  const { scores, unranked } = rankedOf(ranking);
  const { isStale, canShowInEditor, isShownInEditor } = state;
  return {
    count: scores.length,
    query: ranking.order.query,
    model: ranking.order.model,
    facts: rankingFacts(ranking, workspace),
    notices: rankingNotices(ranking, state, words),
    ...(unranked && { unranked: words.unranked(unranked, ranking.order.model).title }),
    isStale,
    canShowInEditor,
    isShownInEditor,
  };
}

function rankingFacts(
  ranking: SavedRanking,
  workspace: Pick<RerankWorkspace, 'words' | 'charged'>,
): RankingSummary['facts'] {
  const { words } = workspace;
  const cost = chargedFor(ranking, workspace);
  const { ids, calls, slices } = rankedOf(ranking);
  const { rankingFact } = words;
  const listed = (values: readonly string[], one: string, several = one) =>
    values.length === 0 ? [] : [{ name: values.length === 1 ? one : several, value: shownIds(values, words) }];
  const requestIds = slices.flatMap(({ requestId }) => requestId ?? []);
  const traceIds = slices.flatMap(({ traceId }) => traceId ?? []);
  return [
    ...listed(answeredBy(ranking), rankingFact.answeredBy),
    { name: rankingFact.tokens, value: tokensText(ranking, words) },
    ...(cost ? [{ name: rankingFact.cost, value: cost.text }] : []),
    { name: rankingFact.time, value: words.seconds(ranking.durationMs) },
    { name: rankingFact.requests, value: words.number(calls) },
    ...listed(ids, rankingFact.id, rankingFact.ids),
    ...listed(requestIds, rankingFact.requestId, rankingFact.requestIds),
    ...listed(traceIds, rankingFact.traceId, rankingFact.traceIds),
    { name: rankingFact.at, value: words.time(ranking.at) },
  ];
}

export function tokensText(ranking: SavedRanking, words: RerankMessages): string {
  const { tokens } = rankedOf(ranking);
  return tokens.input + tokens.output === 0 ? words.notCounted : words.tokens(tokens.input, tokens.output);
}

/** Returns what a ranking cost by known prices, as far as its tokens were counted. */
export function chargedFor(
  ranking: SavedRanking,
  workspace: Pick<RerankWorkspace, 'charged'>,
): ReturnType<RerankWorkspace['charged']> {
  const { tokens, calls } = rankedOf(ranking);
  if (tokens.input + tokens.output === 0) return undefined;
  const { model } = ranking.order;
  return workspace.charged({ model, requests: calls, inputTokens: tokens.input, outputTokens: tokens.output });
}

/** Returns the models that answered instead of the requested one. */
export function answeredBy({ slices }: SavedRanking): readonly string[] {
  return [...new Set(slices.flatMap((one) => one.answeredBy ?? []))];
}

/** Nobody compares more by eye; the exchange log has all of them. */
const mostIds = 5;

/** What a service says may be anything. */
export function shownIds(ids: readonly string[], words: RerankMessages): string {
  const shown = ids.slice(0, mostIds).map((id) => foreign(id, 200));
  return [...shown, ...(ids.length > mostIds ? [words.furtherIds(ids.length - mostIds)] : [])].join(', ');
}

function rankingNotices(
  ranking: SavedRanking,
  { isKept }: RankingState,
  words: RerankMessages,
): readonly RerankNotice[] {
  const { unasked, unscored, troubles, calls, unranked } = rankedOf(ranking);
  const isCutByTop = ranking.order.top_n !== undefined && troubles.length === 0;
  return [
    ...(ranking.failure ? [words.unfinished(ranking.failure, unasked)] : []),
    ...(unranked ? [words.unranked(unranked, ranking.order.model)] : []),
    ...(isKept ? [] : [words.notKept()]),
    ...(unranked !== 'noScores' && (troubles.length > 0 || (unscored > 0 && !isCutByTop))
      ? [words.unscored(unscored, troubles)]
      : []),
    ...(unranked !== 'noScores' && unscored > 0 && isCutByTop ? [words.beyondTop(unscored)] : []),
    ...(calls > 1 ? [words.severalRequests(calls)] : []),
  ];
}

export function rankingRows(
  ranking: SavedRanking,
  documents: SourceDocuments,
  { from, count }: { readonly from: number; readonly count: number },
  { judgements, words }: RerankWorkspace,
): readonly RankingRow[] {
  const { scores, ranks } = rankedOf(ranking);
  const parts = partsOf(ranking);
  return scores.slice(from, from + count).map(({ index, score }, at) => {
    const document = documents.list[index]!;
    return {
      index,
      rank: ranks.get(index)!,
      score: words.score(score),
      part: parts[from + at]!,
      ...shownDocument(document, words),
      was: index + 1,
      judgement: judgementOf(document, ranking.order.query, judgements),
    };
  });
}

const bars = new WeakMap<SavedRanking, readonly number[]>();

function partsOf(ranking: SavedRanking): readonly number[] {
  const parts = bars.get(ranking) ?? scoreParts(rankedOf(ranking).scores.map(({ score }) => score));
  bars.set(ranking, parts);
  return parts;
}

/** Returns what every list shows of a document. */
export function shownDocument({ text, name, at }: SourceDocument, words: RerankMessages) {
  return { text: beginning(text, shownInRow), place: words.place(name, at?.line), canOpen: at !== undefined };
}

export function judgementOf(
  { text }: SourceDocument,
  query: string,
  { held }: JudgementStore,
): RankingRow['judgement'] {
  const relevant = held.count === 0 ? undefined : held.get(query, text);
  if (relevant === undefined) return 'none';
  return relevant ? 'relevant' : 'notRelevant';
}
