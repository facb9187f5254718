import { emptyForm } from '../../src/protocol/rerankForm';
import type { RerankRequest, Ranking } from '../../src/core/api/rerank/rerank.schema';
import { readJudgements } from '../../src/core/ranking/judgements';
import { RerankPage } from '../../src/features/rerank/logic/rerankPage';
import type { PageServices, SourceState } from '../../src/features/rerank/logic/rerankPage';
import { proposedSplit } from '../../src/features/rerank/logic/documents';
import type { RerankSource } from '../../src/features/rerank/logic/documents';
import { createQueryHistory } from '../../src/features/rerank/logic/rerankStore';
import type { PageChoices, PageResults, RecordMemory } from '../../src/features/rerank/logic/rerankStore';
import { rerankMessages } from '../../src/features/rerank/logic/rerankMessages';
import type { RerankForm } from '../../src/protocol/rerank';

export interface RerankRig {
  readonly page: RerankPage;
  readonly requests: readonly RerankRequest[];
  readonly saved: { readonly choices: PageChoices[]; readonly results: PageResults[] };
  /** Returns how often the page was notified. */
  readonly reported: () => number;
}

export interface RigOptions {
  readonly text: string;
  readonly form?: Partial<RerankForm>;
  readonly state?: Partial<SourceState>;
  readonly answer?: (request: RerankRequest, signal?: AbortSignal) => Promise<Ranking>;
  readonly keepResults?: () => Promise<void>;
  readonly confirm?: PageServices['confirm'];
  readonly prices?: Pick<PageServices, 'expect' | 'charged'>;
}

/** Ranks longer documents higher. */
export const byLength = async ({ documents }: RerankRequest): Promise<Ranking> => ({
  id: 'answer',
  results: documents.map((text, index) => ({ index, relevance_score: text.length / 100, text })),
  tokens: { input_tokens: 10, output_tokens: 0 },
});

export function createRerankRig(options: RigOptions): RerankRig {
  const { text, answer = byLength, state, confirm = async () => true } = options;
  const source: RerankSource = {
    kind: 'selection',
    title: 'notes.md:1',
    texts: [{ text, name: 'notes.md', at: { uri: 'file:///notes.md', line: 4, character: 2 } }],
    remarks: [],
  };
  const requests: RerankRequest[] = [];
  const saved: RerankRig['saved'] = { choices: [], results: [] };
  const shelf = new Map<string, unknown>();
  const judgements = readJudgements('').judgements;
  let reported = 0;
  const form = { ...emptyForm, query: 'long', model: 'm', ...options.form };
  const record = { id: 'page', source, by: proposedSplit(source), excluded: {}, form, rankings: {}, comparisons: {} };
  const memory: RecordMemory = {
    id: 'page',
    keepChoices: async (choices) => void saved.choices.push(choices),
    keepSource: async () => undefined,
    keepResults: async (results) => {
      await options.keepResults?.();
      saved.results.push(results);
    },
  };
  const workspace: PageServices = {
    words: rerankMessages('en'),
    queries: createQueryHistory({
      get: <T>(key: string, other: T) => (shelf.get(key) ?? other) as T,
      update: async (key, value) => void shelf.set(key, value),
    }),
    judgements: {
      held: judgements,
      judge: async (query, document, relevant) => judgements.set({ query, document, relevant, at: 0 }),
    },
    models: () => ({ list: [], preferred: '', isLoading: false }),
    useModel: async () => undefined,
    openService: () => ({
      create: (request, signal) => {
        requests.push(request);
        return answer(request, signal);
      },
      close: () => undefined,
    }),
    expect: (models, { tokens }) => ({ tokens: tokens * models.length }),
    charged: () => undefined,
    ...options.prices,
    confirm,
    describe: (error) => ({ kind: 'x', title: String(error), detail: '', actions: [] }),
    now: () => 1000,
    onError: () => undefined,
  };
  const page = new RerankPage({ record, memory }, workspace, {
    sourceState: () => ({ canReadAgain: false, canWrite: true, isShowingScores: false, ...state }),
    onChange: () => void (reported += 1),
  });
  return { page, requests, saved, reported: () => reported };
}
