import type { CallContext, Handlers, ParamsOf } from '../../protocol/call';
import type { RerankField, RerankPage, RerankProgress, RerankScreen, RerankSourceKind } from '../../protocol/rerank';
import { rankingText } from '../../core/ranking/rankingText';
import { comparisonRows } from './controller/comparisonView';
import { goOnRanking, runComparison, runRanking } from './controller/rerankRuns';
import { rankedOf } from './controller/rankedDocuments';
import { rankingRows, shownDocument } from './controller/rankingView';
import { readingOf } from './controller/pageView';
import type { RerankController } from './controller/rerankController';
import { isLongFor } from './controller/documents';
import { estimateTokens } from '../../core/tokens/estimate';
import { beginning } from '../../core/batch/preview/shortText';

/** Most characters of a document that are shown. */
const mostShown = 200_000;

/** What the page can do in the editor. */
export interface RerankActions {
  /** Asks as needed; the page then shows the chosen source. */
  chooseSource(kind: RerankSourceKind, signal: AbortSignal): Promise<void>;
  goTo(controller: RerankController, index: number): Promise<void>;
  reorder(controller: RerankController, keep: number | undefined): Promise<void>;
  showScores(controller: RerankController, isShown: boolean): Promise<void>;
  copy(text: string): PromiseLike<void>;
  /** Runs the action of a notice or an error. */
  act(controller: RerankController, action: string): Promise<void>;
}

type Progress = CallContext<RerankProgress>;

/** `controller` returns the one shown now. `following` wraps a call, so that its signal aborts only when the work should stop. */
export function rerankHandlers(
  controller: () => RerankController,
  actions: RerankActions,
  following: (context: Progress) => Progress = (context) => context,
): Handlers<RerankScreen> {
  const page = async (work: void | Promise<unknown>): Promise<RerankPage> => {
    await work;
    return controller().page();
  };
  const done = async (work: PromiseLike<unknown>) => {
    await work;
    return {};
  };
  return {
    'rerank/ready': async () => page(),
    'rerank/chooseSource': ({ kind }, { signal }) => page(actions.chooseSource(kind, signal)),
    'rerank/split': async ({ by }) => page(controller().splitBy(by)),
    'rerank/exclude': async ({ index, isExcluded }) => page(controller().exclude([index], isExcluded)),
    'rerank/excludeAll': async ({ isExcluded }) =>
      page(controller().exclude([...controller().source.documents.list.keys()], isExcluded)),
    async 'rerank/form'({ form }) {
      const { words } = controller().workspace;
      const issues = controller()
        .type(form)
        .map((issue): [RerankField, string] => [issue.field, words.issue(issue)]);
      return { issues: Object.fromEntries(issues) };
    },
    'rerank/documents': async (range) => ({ rows: documentRows(controller(), range) }),
    'rerank/run': ({ form, goOn = false }, context) =>
      page(goOn ? goOnRanking(controller(), following(context)) : runRanking(controller(), form, following(context))),
    'rerank/follow': (_nothing, context) => page(controller().follow(following(context))),
    'rerank/rows': async (range) => ({
      rows: rankingRows(controller().ranking, controller().source.documents, range, controller().workspace),
    }),
    'rerank/compare': (params, context) => page(runComparison(controller(), params, following(context))),
    async 'rerank/comparisonRows'(range) {
      const { comparison, source, workspace } = controller();
      return { rows: comparison ? comparisonRows(comparison, source.documents, range, workspace) : [] };
    },
    'rerank/judge': (params) => page(judge(controller(), params)),
    async 'rerank/whole'({ index }) {
      const { text } = controller().document(index);
      return { text: beginning(text, mostShown), isCut: text.length > mostShown };
    },
    'rerank/goTo': ({ index }) => done(actions.goTo(controller(), index)),
    'rerank/reorder': ({ keep }) => done(actions.reorder(controller(), keep)),
    async 'rerank/copy'(params) {
      const { text, count } = copied(controller(), params);
      await actions.copy(text);
      return { said: controller().workspace.words.copied(count) };
    },
    'rerank/showScores': ({ isShown }) => page(actions.showScores(controller(), isShown)),
    'rerank/forgetQuery': ({ query }) => page(controller().workspace.queries.forget(query)),
    'rerank/act': ({ action }) => done(actions.act(controller(), action)),
  };
}

function documentRows(controller: RerankController, { from, count }: ParamsOf<RerankScreen, 'rerank/documents'>) {
  const { documents, sent } = controller.source;
  const { workspace } = controller;
  const { form } = controller.record;
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
      ...(isLong && { trouble: workspace.words.longDocument(tokens) }),
    };
  });
}

async function judge(
  controller: RerankController,
  { index, judgement, of = 'ranking' }: ParamsOf<RerankScreen, 'rerank/judge'>,
): Promise<void> {
  const query = of === 'comparison' ? controller.comparison?.query : controller.ranking.order.query;
  if (query === undefined) throw controller.workspace.words.noRanking();
  const relevant = judgement === 'none' ? null : judgement === 'relevant';
  await controller.workspace.judgements.judge(query, controller.document(index).text, relevant);
}

function copied(controller: RerankController, { as, top }: ParamsOf<RerankScreen, 'rerank/copy'>) {
  const { ranking, source, workspace } = controller;
  const scores = rankedOf(ranking).scores.slice(0, top);
  const documents = scores.map(({ index, score }, at) => {
    const { text, name, at: place } = source.documents.list[index]!;
    return { rank: at + 1, score, text, place: workspace.words.place(name, place?.line), index };
  });
  const { query, model } = ranking.order;
  return { text: rankingText({ query, model, documents }, as), count: documents.length };
}
