import type { CallContext, Handlers, ParamsOf } from '../../../protocol/call';
import type { RerankField, RerankView, RerankProgress, RerankScreen, RerankSourceKind } from '../../../protocol/rerank';
import { rankingText } from '../../../core/ranking/rankingText';
import { comparisonRows, rankingRows, shownDocument } from './rankingView';
import { goOnRanking, runComparison, runRanking } from './rerankRun';
import { rankedOf } from './rankedDocuments';
import { readingOf } from './pageView';
import type { RerankPage } from './rerankPage';
import { isLongFor } from './documents';
import { estimateTokens } from '../../../core/tokens/estimate';
import { beginning } from '../../../core/batch/preview/shortText';

/** Most characters of a document that are shown. */
const mostShown = 200_000;

/** What a tab does for its page in the editor. */
export interface TabActions {
  /** Asks as needed; the page then shows the chosen source. */
  chooseSource(kind: RerankSourceKind, signal: AbortSignal): Promise<void>;
  goTo(page: RerankPage, index: number): Promise<void>;
  reorder(page: RerankPage, keep: number | undefined): Promise<void>;
  showScores(page: RerankPage, isShown: boolean): Promise<void>;
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
    'rerank/ready': async () => view(),
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
    'rerank/run': ({ form, goOn = false }, context) =>
      view(goOn ? goOnRanking(page(), following(context)) : runRanking(page(), form, following(context))),
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
      return { said: page().workspace.words.copied(count) };
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
