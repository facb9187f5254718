import type { CallContext, Handlers, ParamsOf } from '../../../protocol/call';
import type {
  RerankField,
  RerankView,
  RerankProgress,
  RerankScreen,
  RerankSourceKind,
  RerankForm,
  SplitBy,
} from '../../../protocol/rerank';
import { rankingText } from '../../../core/ranking/rankingText';
import { rankedOf } from './rankedDocuments';
import { comparisonRows, isSameColumns, rankingRows, readingOf, shownDocument } from './pageView';
import type { RerankPage, NewResult } from './rerankPage';
import { isLongFor, askFromRequests, documentsOf, mostDocuments, planSending, type SourceDocuments } from './documents';
import { estimateTokens } from '../../../core/tokens/estimate';
import { beginning } from '../../../core/batch/preview/shortText';
import type { WireError } from '../../../protocol/wire';
import { readForm, hasSameParameters } from './readForm';
import type { SavedComparison, SavedRanking, RankParameters, SavedColumn } from './rerankStore';
import { rankInSlices, usualLimits, type CreateRanking, type RankedSlice } from '../../../core/ranking/rankInSlices';

/** Most characters of a document that are shown. */
const mostShown = 200_000;

/** What a tab does for its page in the editor. */
export interface TabActions {
  /** Updates the page to what its source and the stored judgments are now. */
  refresh(): Promise<void>;
  /** Asks as needed; the page then shows the chosen source. */
  chooseSource(kind: RerankSourceKind, signal: AbortSignal): Promise<void>;
  goTo(page: RerankPage, index: number): Promise<void>;
  reorder(page: RerankPage, keep: number | undefined): Promise<void>;
  showScores(page: RerankPage, isShown: boolean): Promise<void>;
  /** Replaces the scores that are shown next to the text, if they are, by those of a new ranking. Never rejects. */
  renewScores(page: RerankPage): Promise<void>;
  copy(text: string): PromiseLike<void>;
  /** Runs the action of a notice or an error. */
  act(action: string): Promise<void>;
}

type Progress = CallContext<RerankProgress>;

/** `page` returns the one shown now. `following` wraps a call, so that its signal aborts only when the work should stop. */
export function rerankHandlers(
  page: () => RerankPage,
  actions: TabActions,
  following: (context: Progress) => Progress = (context) => context,
): Handlers<RerankScreen> {
  const view = async (work: void | Promise<unknown>): Promise<RerankView> => {
    await work;
    return page().view();
  };
  const done = async (work: PromiseLike<unknown>) => {
    await work;
    return {};
  };
  return {
    'rerank/ready': () => view(actions.refresh()),
    'rerank/chooseSource': ({ kind }, { signal }) => view(actions.chooseSource(kind, signal)),
    'rerank/split': async ({ by, columns }) => view(page().splitBy(by, columns)),
    'rerank/exclude': async ({ index, isExcluded }) => view(page().exclude([index], isExcluded)),
    'rerank/excludeAll': async ({ isExcluded }) =>
      view(page().exclude([...page().source.documents.list.keys()], isExcluded)),
    async 'rerank/form'({ form }) {
      const { words } = page().workspace;
      const issues = page()
        .type(form)
        .map((issue): [RerankField, string] => [issue.field, words.issue(issue)]);
      return { issues: Object.fromEntries(issues) };
    },
    'rerank/documents': async (range) => ({ rows: documentRows(page(), range) }),
    'rerank/run': (params, context) => view(run(page(), params, following(context), actions)),
    'rerank/follow': (_nothing, context) => view(page().follow(following(context))),
    'rerank/rows': async (range) => ({
      rows: rankingRows(page().ranking, page().source.documents, range, page().workspace),
    }),
    'rerank/compare': (params, context) => view(runComparison(page(), params, following(context))),
    async 'rerank/price'({ models }) {
      const price = page().priceOf(models);
      return price ? { price } : {};
    },
    async 'rerank/comparisonRows'(range) {
      const { comparison, source, workspace } = page();
      return { rows: comparison ? comparisonRows(comparison, source.documents, range, workspace) : [] };
    },
    'rerank/judge': (params) => view(judge(page(), params)),
    async 'rerank/whole'({ index }) {
      const { text } = page().document(index);
      return { text: beginning(text, mostShown), isCut: text.length > mostShown };
    },
    'rerank/goTo': ({ index }) => done(actions.goTo(page(), index)),
    'rerank/reorder': ({ keep }) => done(actions.reorder(page(), keep)),
    async 'rerank/copy'(params) {
      const { text, count } = copied(page(), params);
      await actions.copy(text);
      return { message: page().workspace.words.copied(count) };
    },
    'rerank/showScores': ({ isShown }) => view(actions.showScores(page(), isShown)),
    'rerank/forgetQuery': ({ query }) => view(page().workspace.queries.forget(query)),
    'rerank/act': ({ action }) => done(actions.act(action)),
  };
}

function documentRows(page: RerankPage, { from, count }: ParamsOf<RerankScreen, 'rerank/documents'>) {
  const { documents, sent } = page.source;
  const { workspace } = page;
  const { form } = page.record;
  const { context, cutsIntoChunks } = readingOf(form.model, workspace.models());
  const queryTokens = estimateTokens(form.query.trim());
  const included = new Set(sent);
  return documents.list.slice(from, from + count).map((document, at) => {
    const index = from + at;
    const tokens = documents.tokensOf(index);
    const isLong = !cutsIntoChunks && isLongFor(tokens, queryTokens, context);
    return {
      index,
      ...shownDocument(document, workspace.words),
      isExcluded: !included.has(index),
      ...(isLong && { problem: workspace.words.longDocument(tokens) }),
      ...(document.text === '' && { problem: workspace.words.blankRow() }),
    };
  });
}

async function judge(
  page: RerankPage,
  { index, judgement, of = 'ranking' }: ParamsOf<RerankScreen, 'rerank/judge'>,
): Promise<void> {
  const query = of === 'comparison' ? page.comparison?.query : page.ranking.parameters.query;
  if (query === undefined) throw page.workspace.words.noRanking();
  const relevant = judgement === 'none' ? null : judgement === 'relevant';
  await page.workspace.judgements.judge(query, page.document(index).text, relevant);
}

function copied(page: RerankPage, { as, top }: ParamsOf<RerankScreen, 'rerank/copy'>) {
  const { ranking, source, workspace } = page;
  const scores = rankedOf(ranking).scores.slice(0, top);
  const documents = scores.map(({ index, score }, at) => {
    const { text, name, at: place } = source.documents.list[index]!;
    return { rank: at + 1, score, text, place: workspace.words.place(name, place?.line), index };
  });
  const { query, model } = ranking.parameters;
  return { text: rankingText({ query, model, documents }, as), count: documents.length };
}

interface RunObserver {
  readonly signal: AbortSignal;
  readonly emit: (progress: RerankProgress) => void;
}

async function run(
  page: RerankPage,
  { form, goOn = false }: ParamsOf<RerankScreen, 'rerank/run'>,
  observer: RunObserver,
  actions: TabActions,
): Promise<void> {
  await (goOn ? goOnRanking(page, observer) : runRanking(page, form, observer));
  const { rankings, by } = page.record;
  // Otherwise the scores of the previous ranking would stay next to the text.
  if (rankings[by]) await actions.renewScores(page);
}

/** Ranks the documents that are not excluded, with the parameters of the form. Throws `UserError` before anything is sent. */
async function runRanking(page: RerankPage, form: RerankForm, observer: RunObserver): Promise<void> {
  page.type(form);
  const parameters = checkedParameters(page, form);
  const sent = checkedSent(page);
  if (await mayBeSent(page, sent, parameters.query, [parameters.model]))
    await rank(page, { parameters, sent }, observer);
}

/** Requests what the last ranking lacks, with its parameters. */
async function goOnRanking(page: RerankPage, observer: RunObserver): Promise<void> {
  const already = page.ranking;
  await rank(page, { parameters: already.parameters, sent: already.sent, already }, observer);
}

interface RankingRequest {
  readonly parameters: RankParameters;
  readonly sent: readonly number[];
  readonly already?: SavedRanking;
}

async function rank(page: RerankPage, request: RankingRequest, observer: RunObserver): Promise<void> {
  const { workspace, source, record } = page;
  const { words } = workspace;
  const { by } = record;
  const { already } = request;
  // Missing parts of a ranking are sent with the same columns as the rest.
  const documents = already ? documentsOf(source.source, by, already.columns) : source.documents;
  const keeper = createResultSaver(page, by);
  await remember(page, request.parameters);
  await page.start(
    'ranking',
    async (onProgress, signal) => {
      const service = workspace.openService();
      try {
        const ranking = await performRanking(
          {
            ...request,
            create: service.create,
            documents,
            describe: describing(page, signal),
            now: () => workspace.now(),
            onProgress: (done, total) => onProgress({ done, total, text: words.progress(done, total) }),
            onAnswer: (came) => keeper.soon({ ranking: asStopped(came, page) }),
          },
          signal,
        );
        await keeper.last({ ranking });
      } finally {
        service.close();
      }
    },
    observer,
  );
}

/** Ranks the same documents with several models, each with the parameters it supports. */
async function runComparison(
  page: RerankPage,
  { form, models, k }: { readonly form: RerankForm; readonly models: readonly string[]; readonly k: number },
  observer: RunObserver,
): Promise<void> {
  const { workspace, source, record } = page;
  const { words } = workspace;
  page.type(form);
  const chosen = [...new Set(models)];
  if (chosen.length < 2) throw words.twoModels();
  const parameters = checkedParameters(page, { ...form, model: chosen[0]! });
  const sent = checkedSent(page);
  if (!(await mayBeSent(page, sent, parameters.query, chosen))) return;
  const keeper = createResultSaver(page, record.by);
  const columns = page.comparison?.columns ?? [];
  const known = [record.rankings[record.by], ...columns.map(({ ranking }) => ranking)].filter(
    (ranking) => ranking !== undefined,
  );
  await remember(page, { query: parameters.query });
  await page.start(
    'comparison',
    async (onProgress, signal) => {
      const service = workspace.openService();
      try {
        const comparison = await performComparison(
          {
            create: service.create,
            documents: source.documents,
            form,
            models: chosen,
            k,
            sent,
            known,
            describe: describing(page, signal),
            now: () => workspace.now(),
            onProgress: (done, total, model) =>
              onProgress({ done, total, text: words.comparing(model, done % sent.length, sent.length) }),
            onAnswer: (came: SavedComparison) => hasRanking(came) && keeper.soon({ comparison: came }),
          },
          signal,
        );
        // If it was stopped before any response, keep the previous comparison.
        await keeper.last(hasRanking(comparison) || !signal.aborted ? { comparison } : {});
      } finally {
        service.close();
      }
    },
    observer,
  );
}

const hasRanking = ({ columns }: SavedComparison): boolean => columns.some(({ ranking }) => ranking);

async function remember({ workspace }: RerankPage, { query, model }: { query: string; model?: string }): Promise<void> {
  await Promise.all([workspace.queries.add(query), model === undefined ? undefined : workspace.useModel(model)]);
}

/** Marks a partial ranking as stopped, so that the rest can be requested later even if the window closes now. */
function asStopped(ranking: SavedRanking, { workspace }: RerankPage): SavedRanking {
  const scored = ranking.slices.reduce((sum, { indexes }) => sum + indexes.length, 0);
  return scored < ranking.sent.length ? { ...ranking, failure: workspace.words.stopped() } : ranking;
}

function describing({ workspace }: RerankPage, signal: AbortSignal): (error: unknown) => WireError {
  return (error) => (signal.aborted ? workspace.words.stopped() : workspace.describe(error));
}

function checkedParameters({ workspace: { words } }: RerankPage, form: RerankForm): RankParameters {
  const { parameters, issues } = readForm(form);
  const [wrong] = issues;
  if (parameters.query === '') throw words.noQuery();
  if (parameters.model === '') throw words.noModel();
  if (wrong) throw words.wrongField(words.issue(wrong));
  return parameters;
}

function checkedSent({ source: { sent }, workspace: { words } }: RerankPage): readonly number[] {
  if (sent.length === 0) throw words.nothingToSend();
  if (sent.length > mostDocuments) throw words.tooMany(sent.length);
  return sent;
}

/** Asks for confirmation if there are many requests. */
async function mayBeSent(
  { source, workspace }: RerankPage,
  sent: readonly number[],
  query: string,
  models: readonly string[],
): Promise<boolean> {
  const plan = planSending(source.documents, sent, query);
  if (plan.requests * models.length < askFromRequests) return true;
  return workspace.confirm(plan, models);
}

/** Saves the results of a run while it is in progress. */
interface ResultSaver {
  /** Queues a save; of several queued during a write, only the last is written. */
  soon(result: NewResult): void;
  /** Saves the final result: resolves once it is written, or writing has failed. */
  last(result: NewResult): Promise<void>;
}

function createResultSaver(page: RerankPage, by: SplitBy): ResultSaver {
  let next: NewResult | undefined;
  let writing: Promise<void> | undefined;
  const writeAll = async (): Promise<void> => {
    for (let result = next; result; result = next) {
      next = undefined;
      await page.keepResult(by, result);
    }
    writing = undefined;
  };
  return {
    soon(result) {
      next = result;
      writing ??= writeAll();
    },
    async last(result) {
      next = undefined;
      await writing;
      await page.keepResult(by, result);
    },
  };
}

interface RankingWork {
  readonly create: CreateRanking;
  readonly documents: SourceDocuments;
  readonly parameters: RankParameters;
  /** Indexes into the documents. */
  readonly sent: readonly number[];
  /** A partial ranking of the same parameters and documents, to be completed. */
  readonly already?: SavedRanking | undefined;
  readonly describe: (error: unknown) => WireError;
  /** Unix milliseconds. */
  readonly now: () => number;
  /** In documents. */
  readonly onProgress: (done: number, total: number) => void;
  /** Called after each response, to save it, because it is paid for. */
  readonly onAnswer: (ranking: SavedRanking) => void;
}

/** Resolves to the ranking, possibly partial with the reason in `failure`; rejects if there was no response at all. */
async function performRanking(work: RankingWork, signal: AbortSignal): Promise<SavedRanking> {
  const { create, documents, parameters, sent, already, describe, now, onProgress, onAnswer } = work;
  const startedAt = now();
  const soFar = (slices: readonly RankedSlice[]): SavedRanking => ({
    parameters,
    sent,
    ...(documents.columns && { columns: documents.columns.sent }),
    slices,
    at: startedAt,
    durationMs: (already?.durationMs ?? 0) + now() - startedAt,
  });
  const request = { ...parameters, documents: sent.map((index) => documents.list[index]!.text) };
  const { slices, failure } = await rankInSlices(
    create,
    request,
    {
      limits: usualLimits,
      ...(already && { already: already.slices }),
      onProgress: (done, total, came) => {
        onAnswer(soFar(came));
        onProgress(done, total);
      },
    },
    signal,
  );
  return { ...soFar(slices), ...(failure && { failure: describe(failure.error) }) };
}

interface ComparisonWork {
  readonly create: CreateRanking;
  readonly documents: SourceDocuments;
  readonly form: RerankForm;
  readonly models: readonly string[];
  readonly k: number;
  readonly sent: readonly number[];
  /** Complete rankings that are reused instead of paying for them again. */
  readonly known: readonly SavedRanking[];
  readonly describe: (error: unknown) => WireError;
  readonly now: () => number;
  readonly onProgress: (done: number, total: number, model: string) => void;
  /** Called after each response, to save it. */
  readonly onAnswer: (comparison: SavedComparison) => void;
}

/** Ranks with one model after the other, so that they do not affect each other's times. A model that fails gets its error. */
async function performComparison(work: ComparisonWork, signal: AbortSignal): Promise<SavedComparison> {
  const { form, models, k, sent, known, documents, describe, onProgress, onAnswer } = work;
  const columns: SavedColumn[] = [];
  const soFar = (...more: readonly SavedColumn[]): SavedComparison => ({
    query: form.query.trim(),
    k,
    columns: [...columns, ...more],
  });
  for (const [at, model] of models.entries()) {
    const { parameters } = readForm({ ...form, model });
    const before = at * sent.length;
    const total = models.length * sent.length;
    onProgress(before, total, model);
    const same = known.find(
      (ranking) =>
        isWhole(ranking) &&
        hasSameParameters(ranking.parameters, parameters) &&
        isSameList(ranking, sent) &&
        isSameColumns(ranking.columns, documents.columns?.sent),
    );
    try {
      const ranking =
        same ??
        (await performRanking(
          {
            ...work,
            parameters,
            onProgress: (done) => onProgress(before + done, total, model),
            onAnswer: (came) => onAnswer(soFar({ model, ranking: came })),
          },
          signal,
        ));
      columns.push({ model, ranking });
    } catch (error) {
      columns.push({ model, error: describe(error) });
    }
    onAnswer(soFar());
    if (signal.aborted) break;
  }
  return soFar();
}

function isWhole({ failure }: SavedRanking): boolean {
  return failure === undefined;
}

function isSameList({ sent }: SavedRanking, other: readonly number[]): boolean {
  return sent.length === other.length && sent.every((index, at) => index === other[at]);
}
