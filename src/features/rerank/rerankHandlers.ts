import type { CallContext, Handlers } from '../../protocol/call';
import type {
  CopyForm,
  RankingRow,
  RerankField,
  RerankPage,
  RerankProgress,
  RerankScreen,
  RerankSourceKind,
} from '../../protocol/rerank';
import { rankingText } from '../../core/ranking/rankingText';
import { comparisonRows } from './desk/comparisonView';
import { goOnRanking, runComparison, runRanking } from './desk/deskRuns';
import { rankedOf } from './desk/rankedDocuments';
import { rankingRows, shownDocument } from './desk/rankingView';
import { readingOf } from './desk/pageView';
import type { RerankDesk } from './desk/rerankDesk';
import { isLongFor } from './desk/sending';
import { estimateTokens } from '../../core/tokens/estimate';
import { beginning } from '../../core/batch/preview/shortText';

/** More of one document is not shown. */
const mostShown = 200_000;

/** What is done for the page in the editor. */
export interface RerankActions {
  /** Asks what it has to; the page shows what was chosen then. */
  chooseSource(kind: RerankSourceKind, signal: AbortSignal): Promise<void>;
  goTo(desk: RerankDesk, index: number): Promise<void>;
  reorder(desk: RerankDesk, keep: number | undefined): Promise<void>;
  showScores(desk: RerankDesk, isShown: boolean): Promise<void>;
  copy(text: string): PromiseLike<void>;
  /** The step of a notice or an error. */
  act(desk: RerankDesk, action: string): Promise<void>;
}

type Progress = CallContext<RerankProgress>;

/** `desk` is the one that is shown: another source has another. `following` makes a signal that ends work of one of a page. */
export function rerankHandlers(
  desk: () => RerankDesk,
  actions: RerankActions,
  following: (context: Progress) => Progress = (context) => context,
): Handlers<RerankScreen> {
  const page = async (work: void | Promise<unknown>): Promise<RerankPage> => {
    await work;
    return desk().page();
  };
  const done = async (work: PromiseLike<unknown>) => {
    await work;
    return {};
  };
  return {
    'rerank/ready': async () => page(),
    'rerank/chooseSource': ({ kind }, { signal }) => page(actions.chooseSource(kind, signal)),
    'rerank/split': async ({ by }) => page(desk().splitBy(by)),
    'rerank/exclude': async ({ index, isExcluded }) => page(desk().exclude([index], isExcluded)),
    'rerank/excludeAll': async ({ isExcluded }) =>
      page(desk().exclude([...desk().source.documents.list.keys()], isExcluded)),
    async 'rerank/form'({ form }) {
      const { words } = desk().options;
      const issues = desk()
        .type(form)
        .map((issue): [RerankField, string] => [issue.field, words.issue(issue)]);
      return { issues: Object.fromEntries(issues) };
    },
    'rerank/documents': async (range) => ({ rows: documentRows(desk(), range) }),
    'rerank/run': ({ form, goOn = false }, context) =>
      page(goOn ? goOnRanking(desk(), following(context)) : runRanking(desk(), form, following(context))),
    'rerank/follow': (_nothing, context) => page(desk().follow(following(context))),
    'rerank/rows': async (range) => ({
      rows: rankingRows(desk().ranking, desk().source.documents, range, desk().options),
    }),
    'rerank/compare': (params, context) => page(runComparison(desk(), params, following(context))),
    async 'rerank/comparisonRows'(range) {
      const { comparison, source, options } = desk();
      return { rows: comparison ? comparisonRows(comparison, source.documents, range, options) : [] };
    },
    'rerank/judge': (params) => page(judge(desk(), params)),
    async 'rerank/whole'({ index }) {
      const { text } = desk().document(index);
      return { text: beginning(text, mostShown), isCut: text.length > mostShown };
    },
    'rerank/goTo': ({ index }) => done(actions.goTo(desk(), index)),
    'rerank/reorder': ({ keep }) => done(actions.reorder(desk(), keep)),
    async 'rerank/copy'(params) {
      const { text, count } = copied(desk(), params);
      await actions.copy(text);
      return { said: desk().options.words.copied(count) };
    },
    'rerank/showScores': ({ isShown }) => page(actions.showScores(desk(), isShown)),
    'rerank/forgetQuery': ({ query }) => page(desk().options.queries.forget(query)),
    'rerank/act': ({ action }) => done(actions.act(desk(), action)),
  };
}

function documentRows(desk: RerankDesk, { from, count }: { readonly from: number; readonly count: number }) {
  const { documents, sent } = desk.source;
  const { words, models } = desk.options;
  const { form } = desk.record;
  const { context, cutsIntoChunks } = readingOf(form.model, models());
  const queryTokens = estimateTokens(form.query.trim());
  const included = new Set(sent);
  return documents.list.slice(from, from + count).map((document, at) => {
    const index = from + at;
    const tokens = documents.tokensOf(index);
    const isLong = !cutsIntoChunks && isLongFor(tokens, queryTokens, context);
    return {
      index,
      ...shownDocument(document, words),
      isExcluded: !included.has(index),
      ...(isLong && { trouble: words.longDocument(tokens) }),
    };
  });
}

interface JudgeParams {
  readonly index: number;
  readonly judgement: RankingRow['judgement'];
  readonly of?: 'ranking' | 'comparison' | undefined;
}

async function judge(desk: RerankDesk, { index, judgement, of = 'ranking' }: JudgeParams): Promise<void> {
  const query = of === 'comparison' ? desk.comparison?.query : desk.ranking.order.query;
  if (query === undefined) throw desk.options.words.noRanking();
  const relevant = judgement === 'none' ? null : judgement === 'relevant';
  await desk.options.judgements.judge(query, desk.document(index).text, relevant);
}

function copied(desk: RerankDesk, { as, top }: { readonly as: CopyForm; readonly top?: number | undefined }) {
  const { ranking, source, options } = desk;
  const scores = rankedOf(ranking).scores.slice(0, top);
  const documents = scores.map(({ index, score }, at) => {
    const { text, name, at: place } = source.documents.list[index]!;
    return { rank: at + 1, score, text, place: options.words.place(name, place?.line), index };
  });
  const { query, model } = ranking.order;
  return { text: rankingText({ query, model, documents }, as), count: documents.length };
}
