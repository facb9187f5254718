import { pageNumber } from '../../components/pageLanguage';
import * as l10n from '@vscode/l10n';
import { batch, computed, signal } from '@preact/signals';
import { modelOfStep } from '../../../src/protocol/modelStep';
import { emptyForm, goOnRanking } from '../../../src/protocol/rerankForm';
import type {
  ComparisonRow,
  CopyForm,
  RankingRow,
  RerankDocument,
  RerankField,
  RerankForm,
  RerankView,
  RerankScreen,
  RerankSourceKind,
  RerankTable,
  SplitBy,
  RerankProgress,
} from '../../../src/protocol/rerank';
import { HostError, type CallOptions } from '../../../src/protocol/caller';
import type { CostText } from '../../../src/protocol/wire';
import type { Host } from '../../host';
import { PageSession } from '../pageSession';
import { isStale, obstacleOf } from './form';
import { RowList } from './rowList';
import { TypedForm } from '../typedForm';

type Calls = RerankScreen['calls'];
type FormIssues = { readonly [Field in RerankField | 'query' | 'model']?: string };
/** The calls that respond with the page's new state. */
type PageCall = { [M in keyof Calls]: Calls[M]['result'] extends RerankView ? M : never }[keyof Calls];

/** The page's state for its documents and their ranking, and its calls to the host. */
export class RerankSession extends PageSession<RerankScreen> {
  readonly page = signal<RerankView | undefined>(undefined);
  readonly tab = signal<RerankTable>('documents');
  /** Set while the source is being read; aborting it stops that. */
  readonly reading = signal<AbortController | undefined>(undefined);
  /** Incremented each time the user must choose a model. */
  readonly focusRequests = signal(0);
  readonly typed;
  /** The run that costs tokens, with its progress. */
  readonly running = signal<Running | undefined>(undefined);
  readonly documents: RowList<RerankDocument>;
  readonly ranking: RowList<RankingRow>;
  readonly comparison: RowList<ComparisonRow>;
  readonly obstacle = computed(() => obstacleOf(this.typed.form.value, this.page.value));
  readonly isStale = computed(() => this.page.value !== undefined && isStale(this.typed.form.value, this.page.value));

  private stopping: AbortController | undefined;

  constructor(host: Host<RerankScreen>, say: (text: string) => void) {
    super(host, say);
    const calls = {
      whole: (index: number) => host.call('rerank/whole', { index }),
      save: () => this.save(),
      fail: (error: unknown) => this.fail(error),
    };
    const rows =
      <M extends 'rerank/documents' | 'rerank/rows' | 'rerank/comparisonRows'>(method: M) =>
      async (from: number, count: number) =>
        (await host.call(method, { from, count } as never)).rows as never;
    this.typed = new TypedForm<RerankForm, FormIssues>(
      host.load()?.form ?? emptyForm,
      {},
      {
        ask: async (form) => (await host.call('rerank/form', { form })).issues,
        save: () => this.save(),
        fail: (error) => this.fail(error),
      },
    );
    this.documents = new RowList<RerankDocument>({ rows: rows('rerank/documents'), ...calls });
    this.ranking = new RowList<RankingRow>({ rows: rows('rerank/rows'), ...calls });
    this.comparison = new RowList<ComparisonRow>({ rows: rows('rerank/comparisonRows'), ...calls });
  }

  /** The table of the current tab. */
  get list(): RowList<RerankDocument> | RowList<RankingRow> | RowList<ComparisonRow> {
    return this[this.tab.value];
  }

  async start(): Promise<void> {
    const saved = this.host.load();
    try {
      const page = await this.host.call('rerank/ready', {});
      const isSame = saved !== undefined && saved.pageId === page.pageId;
      batch(() => {
        this.page.value = page;
        this.tab.value = isSame ? saved.tab : page.ranking ? 'ranking' : 'documents';
        this.typed.take(page.form, isSame ? saved.form : page.form);
      });
      this.followOn(page);
      this.typed.begin();
      if (isSame && saved.selected !== null) await this.list.select(saved.selected);
    } catch (error) {
      this.fail(error);
    }
  }

  /** Shows the host's new state. What was typed stays, unless it was for another page. */
  show(page: RerankView): void {
    this.take(page);
    this.followOn(page);
  }

  private take(page: RerankView): void {
    const before = this.page.peek();
    const isOtherPage = before?.pageId !== page.pageId;
    const isOtherText = before?.source !== page.source || before.by !== page.by || before.count !== page.count;
    batch(() => {
      this.page.value = page;
      for (const list of [this.documents, this.ranking, this.comparison]) {
        if (isOtherPage || isOtherText) list.reset();
        else list.refresh();
      }
      if (!isOtherPage) return this.typed.takeOver(page.form);
      const { query } = this.typed.form.peek();
      // A query typed before the source was selected is kept.
      const isQueryTyped = page.form.query === '' && query !== '';
      this.typed.take(page.form, isQueryTyped ? { ...page.form, query } : page.form);
      this.tab.value = page.ranking ? 'ranking' : 'documents';
    });
    this.save();
  }

  choose(tab: RerankTable): void {
    batch(() => {
      this.tab.value = tab;
      this.done.value = '';
    });
    this.save();
  }

  async chooseSource(kind: RerankSourceKind): Promise<void> {
    this.reading.peek()?.abort();
    const mine = (this.reading.value = new AbortController());
    await this.update('rerank/chooseSource', { kind }, mine.signal);
    if (this.reading.peek() === mine) this.reading.value = undefined;
  }

  /** `columns`: those of a table to send. */
  async split(by: SplitBy, columns?: readonly string[]): Promise<void> {
    const page = this.page.peek();
    // The next column may be chosen before the host has answered.
    if (page?.columns && columns)
      this.page.value = {
        ...page,
        columns: page.columns.map((one) => ({ ...one, isSent: columns.includes(one.name) })),
      };
    await this.update('rerank/split', { by, ...(columns && { columns: [...columns] }) });
  }

  async exclude(index: number, isExcluded: boolean): Promise<void> {
    await this.update('rerank/exclude', { index, isExcluded });
  }

  async excludeAll(isExcluded: boolean): Promise<void> {
    await this.update('rerank/excludeAll', { isExcluded });
  }

  /** Judges a document for the query of the current tab. Repeating its judgment clears it. */
  async judge({ index, judgement }: Judged, rating: 'relevant' | 'notRelevant'): Promise<void> {
    const of = this.tab.peek() === 'comparison' ? 'comparison' : 'ranking';
    await this.update('rerank/judge', { index, judgement: judgement === rating ? 'none' : rating, of });
  }

  async showScores(isShown: boolean): Promise<void> {
    await this.update('rerank/showScores', { isShown });
  }

  async forgetQuery(query: string): Promise<void> {
    await this.update('rerank/forgetQuery', { query });
  }

  /** `goOn`: continues with the documents that are not ranked yet. */
  async run(goOn = false): Promise<void> {
    if (this.obstacle.peek() !== undefined) return;
    const form = this.typed.form.peek();
    await this.follow(
      'ranking',
      (options) => this.host.call('rerank/run', { form, ...(goOn && { goOn }) }, options),
      () => this.run(goOn),
    );
  }

  async compare(models: readonly string[], k: number): Promise<void> {
    const form = this.typed.form.peek();
    await this.follow(
      'comparison',
      (options) => this.host.call('rerank/compare', { form, models, k }, options),
      () => this.compare(models, k),
    );
  }

  /** Resolves to the price of ranking the documents with all of these models, or `undefined` if there is none to show. */
  async priceOf(models: readonly string[]): Promise<CostText | undefined> {
    try {
      return (await this.host.call('rerank/price', { models: [...models] })).price;
    } catch (error) {
      // The price is missing then. Other effects of the error are shown where they occur.
      if (error instanceof HostError) return undefined;
      throw error;
    }
  }

  /** Stops the run. What was ranked until now is kept. */
  stop(): void {
    if (!this.stopping || this.stopping.signal.aborted) return;
    this.stopping.abort();
    this.say(l10n.t('Stopped.'));
  }

  /** Does work that costs tokens, of which there is one at a time, and shows its result. */
  private async follow(what: Running['what'], work: RunWork, repeat: () => unknown): Promise<void> {
    if (this.running.peek()) return;
    const before = this.page.peek();
    const page = await this.attempt(() => this.runWork(what, work), repeat);
    if (!page) return;
    // The user may have declined the host's confirmation prompt.
    const isNew = JSON.stringify(page[what]) !== JSON.stringify(before?.[what]);
    batch(() => {
      this.take(page);
      if (!isNew || !page[what]) return;
      this[what].reset();
      this.choose(what);
    });
    if (isNew) await this.sayResult(what, page);
  }

  private async runWork(what: Running['what'], work: RunWork): Promise<RerankView> {
    const { signal: stopped } = (this.stopping = new AbortController());
    this.running.value = { what, done: 0, total: 0, text: l10n.t('Starting…') };
    this.say(l10n.t('Starting…'));
    let said = performance.now();
    const onChunk = (progress: RerankProgress) => {
      this.running.value = { what, ...progress };
      if (performance.now() - said < sayEveryMs) return;
      said = performance.now();
      this.say(progress.text);
    };
    try {
      return await work({ signal: stopped, onChunk });
    } finally {
      this.running.value = undefined;
    }
  }

  private async sayResult(what: 'ranking' | 'comparison', { ranking, comparison }: RerankView): Promise<void> {
    if (what === 'comparison') {
      if (comparison) this.say(l10n.t('Compared models: {0}', pageNumber(comparison.columns.length)));
    } else if (ranking?.unranked !== undefined) {
      this.say(ranking.unranked);
    } else if (ranking) {
      const best = await this.ranking.pages.fetch(0);
      this.say(l10n.t('Ranked documents: {0}. Best: {1}', pageNumber(ranking.count), best?.text ?? ''));
    }
  }

  async copy(as: CopyForm, top: number | undefined): Promise<void> {
    await this.attempt(async () => {
      this.finish((await this.host.call('rerank/copy', { as, ...(top !== undefined && { top }) })).message);
    });
  }

  /** Runs an action of a notice or error. `again` repeats what failed; without it, the host handles a retry. */
  act(action: string, again?: () => void): void {
    const model = modelOfStep(action);
    if (action === goOnRanking) void this.run(true);
    else if (action === 'retry' && again) again();
    else if (action === 'chooseModel') this.focusRequests.value++;
    else if (model !== undefined) this.typed.edit({ model });
    else void this.ask('rerank/act', { action });
  }

  /** Runs an action of the last error; a retry repeats what failed last. */
  actOnError(action: string): void {
    if (action !== 'retry' || !this.retry()) this.act(action);
  }

  /** Follows a run that continued while the page was hidden. */
  private followOn({ running }: RerankView): void {
    if (!running || this.running.peek()) return;
    void this.follow(
      running.what,
      (options) => this.host.call('rerank/follow', {}, options),
      () => this.ask('rerank/act', { action: 'retry' }),
    );
  }

  private async update<M extends PageCall>(method: M, params: Calls[M]['params'], signal?: AbortSignal): Promise<void> {
    await this.attempt(async () => {
      const page = await this.host.call(method, params as never, signal ? { signal } : {});
      this.show(page as RerankView);
    });
  }

  /** Saves where the user is across a reload of the page. */
  save(): void {
    const pageId = this.page.peek()?.pageId;
    if (pageId === undefined) return;
    const tab = this.tab.peek();
    this.host.save({ pageId, form: this.typed.form.peek(), tab, selected: this[tab].selected });
  }
}

type Judged = Pick<RankingRow, 'index' | 'judgement'>;

interface Running extends RerankProgress {
  readonly what: 'ranking' | 'comparison';
}

type RunWork = (options: CallOptions<RerankProgress>) => Promise<RerankView>;

/** Announcing progress more often would drown out everything else. */
const sayEveryMs = 5000;
