import { estimateTokens } from '../../../core/tokens/estimate';
import type { RerankField, RerankModel, RerankView, RerankNotice } from '../../../protocol/rerank';
import type { RerankMessages } from '../rerankMessages';
import { comparisonSummary, rankingSummary } from './rankingView';
import type { RerankModels, PageServices, SourceState, RunningWork } from './rerankPage';
import { planSending, askFromRequests, isLongFor, mostDocuments } from './documents';
import type { SplitSource, SendingPlan, SourceDocuments, RerankSource } from './documents';
import { hasSameParameters, notTakenBy, readForm } from './readForm';
import type { SavedRanking, RerankRecord } from './rerankStore';

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
