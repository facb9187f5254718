import { emptyForm } from '../../src/protocol/rerankForm';
import type { Handlers } from '../../src/protocol/call';
import type {
  ComparisonRow,
  RankingRow,
  RerankComparison,
  RerankDocument,
  RerankForm,
  RerankView,
  RerankScreen,
} from '../../src/protocol/rerank';

type Judgement = RankingRow['judgement'];
/** The calls of a page, in order. */
type Asked = readonly [method: string, about: unknown];

export interface RerankTexts {
  readonly texts: readonly string[];
  /** Returns the score of the document at an index, from 0 to 1. */
  readonly score: (index: number, model: string) => number;
  readonly place?: (index: number) => string;
  readonly page?: Partial<RerankView>;
  readonly handlers?: Partial<Handlers<RerankScreen>>;
}

export interface RerankHost {
  readonly handlers: Handlers<RerankScreen>;
  readonly asked: readonly Asked[];
  /** How the page is now. */
  readonly page: () => RerankView;
}

const splitNames = { lines: 'Lines', paragraphs: 'Paragraphs', sections: 'Markdown sections' } as const;

export const rerankModels = [
  { id: 'BAAI/bge-reranker-v2-m3', notTaken: { instruction: 'This model takes no instruction.' } },
  {
    id: 'Qwen/Qwen3-Reranker-8B',
    notTaken: {
      max_chunks_per_doc: 'This model does not cut documents into chunks.',
      overlap_tokens: 'This model does not cut documents into chunks.',
    },
  },
  { id: 'netease-youdao/bce-reranker-base_v1', notTaken: { instruction: 'This model takes no instruction.' } },
] as const;

/** The host's end of a rerank page, over the test's texts, with the host's English texts. */
export function createRerankHost(options: RerankTexts): RerankHost {
  const { texts, score, place = (index: number) => `notes.md:${index + 1}` } = options;
  const asked: Asked[] = [];
  const excluded = new Set<number>();
  const judged = new Map<number, Judgement>();
  let orders: readonly { readonly model: string; readonly order: readonly number[] }[] = [];
  let page: RerankView = {
    pageId: 'page 1',
    kind: 'selection',
    source: 'notes.md, lines 1 to 48',
    by: 'paragraphs',
    splits: Object.entries(splitNames).map(([by, name]) => ({ by: by as 'lines', name, count: texts.length })),
    count: texts.length,
    excluded: 0,
    facts: '12,400 characters, about 3,100 tokens, 1 request',
    notices: [],
    models: rerankModels,
    form: { ...emptyForm, model: rerankModels[0].id },
    history: ['how are timeouts told apart', 'retries of paid calls', 'broken streams'],
    canReorder: true,
    ...options.page,
  };

  const change = (part: Partial<RerankView>) => (page = { ...page, ...part });
  const note = (method: string) => async (about: unknown) => {
    asked.push([method, about]);
    return {};
  };
  const judgementOf = (index: number) => judged.get(index) ?? 'none';
  const rank = (model: string) =>
    texts
      .map((_, index) => index)
      .filter((index) => !excluded.has(index))
      .toSorted((a, b) => score(b, model) - score(a, model));
  const shown = (text: string) => text.slice(0, 200).replaceAll(/\s+/g, ' ');
  const ranked = (form: RerankForm) => {
    const order = rank(form.model);
    orders = [{ model: form.model, order: form.top_n === '' ? order : order.slice(0, Number(form.top_n)) }];
    return change({ form, history: [...new Set([form.query, ...page.history])], ranking: summaryOf(form) });
  };
  const summaryOf = (form: RerankForm): NonNullable<RerankView['ranking']> => ({
    count: orders[0]?.order.length ?? 0,
    query: form.query,
    model: form.model,
    facts: [
      { name: 'Tokens in', value: '3,092' },
      { name: 'Requests', value: '1' },
      { name: 'Time', value: '0.8 s' },
    ],
    notices: [],
    isStale: false,
    isShownInEditor: false,
    canShowInEditor: true,
  });
  const compared = (form: RerankForm, models: readonly string[], k: number): RerankComparison => ({
    query: form.query,
    k,
    judged: judged.size,
    columns: models.map((model, at) => ({
      model,
      facts: '3,092 tokens in, 0.8 s',
      ...(judged.size > 0 && { ndcg: (0.982 - at / 10).toFixed(3), mrr: (1 / (at + 1)).toFixed(3) }),
    })),
    count: texts.length,
  });

  const handlers: Handlers<RerankScreen> = {
    'rerank/ready': async () => page,
    'rerank/chooseSource': async (about) => {
      asked.push(['chooseSource', about]);
      return change({ kind: about.kind, source: page.source === '' ? 'Clipboard' : page.source });
    },
    'rerank/split': async (about) => {
      asked.push(['split', about]);
      const columns = page.columns?.map((one) => ({ ...one, isSent: about.columns?.includes(one.name) ?? one.isSent }));
      return change({ by: about.by, ...(columns && { columns }) });
    },
    'rerank/exclude': async ({ index, isExcluded }) => {
      if (isExcluded) excluded.add(index);
      else excluded.delete(index);
      return change({ excluded: excluded.size });
    },
    'rerank/excludeAll': async ({ isExcluded }) => {
      excluded.clear();
      if (isExcluded) texts.forEach((_, index) => excluded.add(index));
      return change({ excluded: excluded.size });
    },
    'rerank/form': async (about) => {
      asked.push(['form', about.form]);
      change({ form: about.form });
      const isWhole = /^[1-9]\d*$/.test(about.form.top_n);
      return { issues: about.form.top_n === '' || isWhole ? {} : { top_n: 'A whole number from 1.' } };
    },
    'rerank/documents': async ({ from, count }) => ({
      rows: texts.slice(from, from + count).map((text, offset): RerankDocument => {
        const index = from + offset;
        const problem = text.length > 4000 ? { problem: 'Longer than the model reads: its end may be cut.' } : {};
        const isExcluded = excluded.has(index);
        return { index, text: shown(text), place: place(index), canOpen: true, isExcluded, ...problem };
      }),
    }),
    'rerank/run': async ({ form }, { emit }) => {
      asked.push(['run', form]);
      emit({ done: 1, total: 1, text: '1 of 1 requests' });
      return ranked(form);
    },
    'rerank/follow': async () => page,
    'rerank/rows': async ({ from, count }) => ({
      rows: (orders[0]?.order ?? []).slice(from, from + count).map((index, offset): RankingRow => {
        const part = score(index, orders[0]?.model ?? '');
        const text = shown(texts[index] ?? '');
        const about = { text, place: place(index), was: index + 1, canOpen: true, judgement: judgementOf(index) };
        return { index, rank: from + offset + 1, score: part.toFixed(3), part, ...about };
      }),
    }),
    'rerank/compare': async ({ form, models, k }, { emit }) => {
      asked.push(['compare', { models, k }]);
      emit({ done: 1, total: models.length, text: `1 of ${models.length} requests` });
      orders = models.map((model) => ({ model, order: rank(model) }));
      return change({ form, comparison: compared(form, models, k) });
    },
    'rerank/price': async ({ models }) => ({
      price: { text: `Price: about $0.0${models.length}`, hint: 'Calculated with the prices in your settings.' },
    }),
    'rerank/comparisonRows': async ({ from, count }) => ({
      rows: rank(orders[0]?.model ?? '')
        .slice(from, from + count)
        .map((index): ComparisonRow => {
          const ranks = orders.map(({ model, order }) => {
            const at = order.indexOf(index);
            return at === -1 ? null : { rank: at + 1, score: score(index, model).toFixed(3) };
          });
          const text = shown(texts[index] ?? '');
          return { index, text, place: place(index), canOpen: true, ranks, judgement: judgementOf(index) };
        }),
    }),
    'rerank/judge': async (about) => {
      asked.push(['judge', about]);
      if (about.judgement === 'none') judged.delete(about.index);
      else judged.set(about.index, about.judgement);
      const { comparison } = page;
      if (!comparison) return change({});
      const models = comparison.columns.map(({ model }) => model);
      return change({ comparison: compared({ ...page.form, query: comparison.query }, models, comparison.k) });
    },
    'rerank/whole': async ({ index }) => ({ text: texts[index] ?? '', isCut: (texts[index] ?? '').length > 20_000 }),
    'rerank/goTo': note('goTo'),
    'rerank/reorder': note('reorder'),
    'rerank/copy': async (about) => {
      asked.push(['copy', about]);
      return { message: 'Copied.' };
    },
    'rerank/showScores': async (about) => {
      asked.push(['showScores', about]);
      return change(page.ranking ? { ranking: { ...page.ranking, isShownInEditor: about.isShown } } : {});
    },
    'rerank/forgetQuery': async ({ query }) => change({ history: page.history.filter((one) => one !== query) }),
    'rerank/act': note('act'),
  };
  return { asked, page: () => page, handlers: { ...handlers, ...options.handlers } };
}
