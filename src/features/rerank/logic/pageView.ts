import { beginning } from '../../../core/batch/preview/shortText';
import { judgeRanking } from '../../../core/ranking/judgeRanking';
import { scoreParts } from '../../../core/ranking/scoreText';
import { foreign } from '../../../core/text/foreignText';
import { estimateTokens } from '../../../core/tokens/estimate';
import type {
  ComparisonRow,
  RankingRow,
  RankingSummary,
  RerankComparison,
  RerankField,
  RerankModel,
  RerankNotice,
  RerankView,
} from '../../../protocol/rerank';
import type { RerankMessages } from './rerankMessages';
import { askFromRequests, isLongFor, mostDocuments, planSending } from './documents';
import type { RerankSource, SendingPlan, SourceDocument, SourceDocuments, SplitSource } from './documents';
import { rankedOf } from './rankedDocuments';
import { hasSameParameters, notTakenBy, readForm } from './readForm';
import type { PageServices, RerankModels, RunningWork, SourceState } from './rerankPage';
import type { JudgementStore, RerankRecord, SavedColumn, SavedComparison, SavedRanking } from './rerankStore';

interface PageState {
  readonly record: RerankRecord;
  readonly source?: SplitSource | undefined;
  readonly running?: RunningWork<'ranking' | 'comparison'> | undefined;
  /** Whether the results are saved on disk. */
  readonly isSaved: boolean;
  readonly sourceState: SourceState;
}

/** Returns everything the page shows except its rows. */
export function pageView(state: PageState, workspace: PageServices): RerankView {
  const { record, source, running, isSaved, sourceState } = state;
  const ranking = record.rankings[record.by];
  const comparison = record.comparisons[record.by];
  const plan = planOf(record, source);
  return {
    pageId: record.id,
    ...sourceView(state, plan, workspace),
    ...modelsView(record.form.model, plan, workspace),
    form: record.form,
    history: workspace.queries.list,
    ...(source &&
      ranking && {
        ranking: rankingSummary(
          ranking,
          {
            isStale: isStale(ranking, record, source) || sourceState.changed !== undefined,
            isSaved,
            canShowInEditor: source.isOneText && sourceState.changed === undefined,
            isShownInEditor: sourceState.isShowingScores,
          },
          workspace,
        ),
      }),
    ...(source && comparison && { comparison: comparisonSummary(comparison, source.documents, workspace) }),
    ...(running && { running: { what: running.what, ...running.progress } }),
  };
}

/** Returns what ranking sends now, or `undefined` if there is nothing to send. */
export function planOf(record: RerankRecord, source: SplitSource | undefined): SendingPlan | undefined {
  if (!source || source.sent.length === 0) return undefined;
  return planSending(source.documents, source.sent, record.form.query.trim());
}

function sourceView(state: PageState, plan: SendingPlan | undefined, workspace: PageServices) {
  const { record, source, sourceState } = state;
  const { words } = workspace;
  if (!source) {
    const nothing = { by: record.by, splits: [], count: 0, excluded: 0, facts: '', notices: [], canReorder: false };
    return { kind: 'selection' as const, source: '', ...nothing };
  }
  const { documents, sent } = source;
  const query = record.form.query.trim();
  const model = record.form.model.trim();
  const expected = plan && workspace.expect([model], plan);
  const notices = sourceNotices(
    {
      source: source.source,
      documents,
      sent,
      plan,
      queryTokens: estimateTokens(query),
      ...readingOf(record.form.model, workspace.models()),
    },
    words,
  );
  const { changed, canReadAgain, canWrite } = sourceState;
  return {
    kind: source.source.kind,
    source: source.source.title,
    by: record.by,
    splits: source.splits.map(({ by, count }) => ({ by, count, name: words.splitName(by) })),
    ...(documents.columns && {
      columns: documents.columns.all.map((name) => ({ name, isSent: documents.columns?.sent.includes(name) === true })),
    }),
    count: documents.list.length,
    excluded: documents.list.length - sent.length,
    facts: plan ? words.plan({ ...plan, ...(expected && { tokens: expected.tokens }) }) : '',
    ...(expected?.price && model !== '' && { price: words.price(expected.price) }),
    notices: [...(changed === undefined ? [] : [words.changed(changed, canReadAgain)]), ...notices],
    canReorder: source.isOneText && documents.list.length > 1 && canWrite,
  };
}

/** Returns how much of a document a model reads. */
export function readingOf(
  model: string,
  { list }: RerankModels,
): { readonly context: number | undefined; readonly cutsIntoChunks: boolean } {
  const known = list.find(({ id }) => id === model.trim());
  return {
    context: known?.contextLength,
    cutsIntoChunks: model.trim() !== '' && !notTakenBy(model.trim()).includes('max_chunks_per_doc'),
  };
}

function modelsView(model: string, plan: SendingPlan | undefined, workspace: PageServices) {
  const { list, isLoading, error } = workspace.models();
  const ids = list.map(({ id }) => id);
  // An unlisted model is offered as typed; its name determines which parameters it supports.
  const all = model.trim() === '' || ids.includes(model.trim()) ? ids : [...ids, model.trim()];
  return {
    models: all.map((id) => {
      const price = plan && workspace.expect([id], plan).price;
      return { id, notTaken: notTakenWords(id, workspace.words), ...(price && { price }) };
    }),
    ...(isLoading && { modelsAreLoading: true }),
    ...(list.length === 0 && !isLoading && error !== undefined && { modelsError: workspace.describe(error) }),
  };
}

function notTakenWords(model: string, words: RerankMessages): RerankModel['notTaken'] {
  const entries = notTakenBy(model).map((field): [RerankField, string] => [field, words.notTaken(field)]);
  return Object.fromEntries(entries) as RerankModel['notTaken'];
}

/** Whether ranking now would send different documents or parameters. */
export function isStale(
  { parameters, sent, columns }: SavedRanking,
  { form }: RerankRecord,
  source: SplitSource,
): boolean {
  const isOther =
    sent.length !== source.sent.length ||
    sent.some((index, at) => index !== source.sent[at]) ||
    !isSameColumns(columns, source.documents.columns?.sent);
  return isOther || !hasSameParameters(parameters, readForm(form).parameters);
}

export function isSameColumns(one: readonly string[] | undefined, other: readonly string[] | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

interface SourceFacts {
  readonly source: RerankSource;
  readonly documents: SourceDocuments;
  readonly sent: readonly number[];
  readonly plan: SendingPlan | undefined;
  /** Estimated, of the query. */
  readonly queryTokens: number;
  /** In tokens, if known for the model; a model that cuts documents into chunks reads any length. */
  readonly context: number | undefined;
  readonly cutsIntoChunks: boolean;
}

/** Returns what is noteworthy about documents before they are sent, most serious first. */
function sourceNotices(facts: SourceFacts, words: RerankMessages): readonly RerankNotice[] {
  const { source, documents, sent, plan } = facts;
  const remarks = source.remarks.map((remark) => words.remark(remark));
  if (documents.list.length === 0) return [words.noDocuments(documents.splits[0]?.problem), ...remarks];
  if (sent.length > mostDocuments) return [words.tooManyDocuments(sent.length), ...remarks];
  const long = longOf(facts);
  return [
    ...(documents.list.length === 1 ? [words.oneDocument()] : []),
    ...(long > 0 ? [words.longDocuments(long, facts.context)] : []),
    ...(plan && plan.requests >= askFromRequests ? [words.manyRequests(plan)] : []),
    ...remarks,
  ];
}

function longOf({ documents, sent, queryTokens, context, cutsIntoChunks }: SourceFacts): number {
  if (cutsIntoChunks) return 0;
  return sent.filter((index) => isLongFor(documents.tokensOf(index), queryTokens, context)).length;
}

/** Characters of a document shown in a row. */
const shownInRow = 400;

interface RankingState {
  readonly isStale: boolean;
  readonly isSaved: boolean;
  readonly canShowInEditor: boolean;
  readonly isShownInEditor: boolean;
}

function rankingSummary(ranking: SavedRanking, state: RankingState, workspace: PageServices): RankingSummary {
  const { words } = workspace;
  const { scores, unranked } = rankedOf(ranking);
  const { isStale, canShowInEditor, isShownInEditor } = state;
  return {
    count: scores.length,
    query: ranking.parameters.query,
    model: ranking.parameters.model,
    facts: rankingFacts(ranking, workspace),
    notices: rankingNotices(ranking, state, words),
    ...(unranked && { unranked: words.unranked(unranked, ranking.parameters.model).title }),
    isStale,
    canShowInEditor,
    isShownInEditor,
  };
}

function rankingFacts(ranking: SavedRanking, workspace: PageServices): RankingSummary['facts'] {
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

function tokensText(ranking: SavedRanking, words: RerankMessages): string {
  const { tokens } = rankedOf(ranking);
  return tokens.input + tokens.output === 0 ? words.notCounted : words.tokens(tokens.input, tokens.output);
}

/** Returns what a ranking cost by known prices, as far as its tokens were counted. */
function chargedFor(ranking: SavedRanking, workspace: PageServices): ReturnType<PageServices['charged']> {
  const { tokens, calls } = rankedOf(ranking);
  if (tokens.input + tokens.output === 0) return undefined;
  const { model } = ranking.parameters;
  return workspace.charged({ model, requests: calls, inputTokens: tokens.input, outputTokens: tokens.output });
}

/** Returns the models that answered instead of the requested one. */
function answeredBy({ slices }: SavedRanking): readonly string[] {
  return [...new Set(slices.flatMap((one) => one.answeredBy ?? []))];
}

/** Nobody compares more by eye, and the exchange log has all of them. */
const mostIds = 5;

/** The service's text can contain anything. */
function shownIds(ids: readonly string[], words: RerankMessages): string {
  const shown = ids.slice(0, mostIds).map((id) => foreign(id, 200));
  return [...shown, ...(ids.length > mostIds ? [words.furtherIds(ids.length - mostIds)] : [])].join(', ');
}

function rankingNotices(
  ranking: SavedRanking,
  { isSaved }: RankingState,
  words: RerankMessages,
): readonly RerankNotice[] {
  const { scores, unasked, problems, calls, unranked } = rankedOf(ranking);
  const unscored = ranking.sent.length - unasked - scores.length;
  const isCutByTop = ranking.parameters.top_n !== undefined && problems.length === 0;
  return [
    ...(ranking.failure ? [words.unfinished(ranking.failure, unasked)] : []),
    ...(unranked ? [words.unranked(unranked, ranking.parameters.model)] : []),
    ...(isSaved ? [] : [words.notSaved()]),
    ...(unranked !== 'noScores' && (problems.length > 0 || (unscored > 0 && !isCutByTop))
      ? [words.unscored(unscored, problems)]
      : []),
    ...(unranked !== 'noScores' && unscored > 0 && isCutByTop ? [words.beyondTop(unscored)] : []),
    ...(calls > 1 ? [words.severalRequests(calls)] : []),
  ];
}

export function rankingRows(
  ranking: SavedRanking,
  documents: SourceDocuments,
  { from, count }: { readonly from: number; readonly count: number },
  { judgements, words }: PageServices,
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
      judgement: judgementOf(document, ranking.parameters.query, judgements),
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

function judgementOf({ text }: SourceDocument, query: string, { held }: JudgementStore): RankingRow['judgement'] {
  const relevant = held.count === 0 ? undefined : held.get(query, text);
  if (relevant === undefined) return 'none';
  return relevant ? 'relevant' : 'notRelevant';
}

function comparisonSummary(
  comparison: SavedComparison,
  documents: SourceDocuments,
  workspace: PageServices,
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
        ...(column.error && { error: column.error }),
      };
    }),
    count: comparedDocuments(comparison).length,
  };
}

function isUnranked({ ranking }: SavedColumn): boolean {
  return ranking !== undefined && rankedOf(ranking).unranked !== undefined;
}

function columnFacts({ ranking }: SavedColumn, workspace: PageServices): string {
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
  { judgements, words }: PageServices,
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
