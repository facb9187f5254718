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
  JudgedDocument,
} from '../../../src/protocol/rerank';
import { HostError, type CallOptions } from '../../../src/protocol/caller';
import type { CostText } from '../../../src/protocol/wire';
import { createRowPages } from '../../components/rowPages';
import type { Host } from '../../host';
import { PageSession } from '../pageSession';
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
  /** The columns that were selected last, until the host has answered. */
  private selectedColumns: readonly string[] | undefined;

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
    if (isOtherPage) this.selectedColumns = undefined;
    const isOtherText = before?.source !== page.source || before.by !== page.by || before.count !== page.count;
    batch(() => {
      this.page.value = this.withSelectedColumns(page);
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
    this.selectedColumns = columns;
    const page = this.page.peek();
    if (page) this.page.value = this.withSelectedColumns(page);
    await this.update('rerank/split', { by, ...(columns && { columns: [...columns] }) });
    if (this.selectedColumns === columns) this.selectedColumns = undefined;
  }

  /** The next column may be selected before the host has answered about the last one. */
  private withSelectedColumns(page: RerankView): RerankView {
    const { selectedColumns: selected } = this;
    if (!page.columns || !selected) return page;
    return { ...page, columns: page.columns.map((one) => ({ ...one, isSent: selected.includes(one.name) })) };
  }

  async exclude(index: number, isExcluded: boolean): Promise<void> {
    await this.update('rerank/exclude', { index, isExcluded });
  }

  async excludeAll(isExcluded: boolean): Promise<void> {
    await this.update('rerank/excludeAll', { isExcluded });
  }

  /** Judges a document for the query of the current tab. Repeating its judgment clears it. */
  async judge({ index, judgement }: JudgedDocument, rating: 'relevant' | 'notRelevant'): Promise<void> {
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

interface Running extends RerankProgress {
  readonly what: 'ranking' | 'comparison';
}

type RunWork = (options: CallOptions<RerankProgress>) => Promise<RerankView>;

/** Announcing progress more often would drown out everything else. */
const sayEveryMs = 5000;

interface ShownDocument {
  /** Index of the document. */
  readonly index: number;
  readonly text: string;
  readonly isCut: boolean;
}

interface RowListCalls<Row> {
  rows(from: number, count: number): Promise<readonly Row[]>;
  whole(index: number): Promise<Omit<ShownDocument, 'index'>>;
  /** Called when another row is selected, to save it across a reload. */
  save(): void;
  fail(error: unknown): void;
}

/** The rows of one table, the active one, and the whole document of the open one. */
export class RowList<Row extends { readonly index: number }> {
  /** Index of the active row. */
  readonly active = signal<number | undefined>(undefined);
  /** An index to scroll into view; a new object for each request. */
  readonly reveal = signal<{ readonly index: number }>({ index: 0 });
  readonly isOpen = signal(false);
  readonly whole = signal<ShownDocument | undefined>(undefined);
  readonly pages = createRowPages<Row>(
    (from, count) => this.calls.rows(from, count),
    (error) => this.calls.fail(error),
  );

  constructor(private readonly calls: RowListCalls<Row>) {}

  /** Index of the row whose document is shown. */
  get selected(): number | null {
    return this.isOpen.peek() ? (this.active.peek() ?? null) : null;
  }

  /** The active row, once it is loaded. A component that reads it renders again when it changes. */
  get row(): Row | undefined {
    const at = this.active.value;
    return at === undefined ? undefined : this.pages.drawn(at, at + 1)[0]?.row;
  }

  /** Activates a row and shows its document. `drawn` is the row the user saw there. */
  async select(at: number, drawn?: Row): Promise<void> {
    batch(() => {
      this.active.value = at;
      this.reveal.value = { index: at };
      this.isOpen.value = true;
    });
    this.calls.save();
    const row = drawn ?? (await this.pages.fetch(at));
    if (row && this.active.peek() === at) await this.fetchWhole(row.index);
  }

  /** Closes the document. */
  close(): void {
    batch(() => {
      this.isOpen.value = false;
      this.whole.value = undefined;
    });
    this.calls.save();
  }

  /** Reloads the rows, because some of them may have changed. */
  refresh(): void {
    this.pages.forget();
    const whole = this.whole.peek();
    if (whole) void this.fetchWhole(whole.index);
  }

  /** Resets the state, because other rows replace these. */
  reset(): void {
    batch(() => {
      this.pages.forget();
      this.active.value = undefined;
      this.isOpen.value = false;
      this.whole.value = undefined;
      this.reveal.value = { index: 0 };
    });
  }

  /** Scrolls the active row into view after the table was mounted. */
  revealActive(): void {
    const at = this.active.peek();
    if (at !== undefined) this.reveal.value = { index: at };
  }

  private async fetchWhole(index: number): Promise<void> {
    try {
      const whole = await this.calls.whole(index);
      if (this.isOpen.peek()) this.whole.value = { index, ...whole };
    } catch (error) {
      this.calls.fail(error);
    }
  }
}

export type Obstacle = 'loading' | 'notOffered' | 'needsDocuments' | 'needsQuery' | 'needsModel';

/** Returns what prevents the documents from being ranked. `page`: `undefined` until the host sends it. */
export function obstacleOf(form: RerankForm, page: RerankView | undefined): Obstacle | undefined {
  if (!page) return 'loading';
  const { count, excluded, modelsError } = page;
  if (modelsError?.kind === 'notOffered') return 'notOffered';
  if (count - excluded <= 0) return 'needsDocuments';
  if (form.query.trim() === '') return 'needsQuery';
  return form.model.trim() === '' ? 'needsModel' : undefined;
}

export function obstacleText(obstacle: Obstacle): string {
  // The notice says it.
  if (obstacle === 'notOffered') return '';
  if (obstacle === 'loading') return l10n.t('Loading…');
  if (obstacle === 'needsDocuments') return l10n.t('No documents to send.');
  return obstacle === 'needsQuery' ? l10n.t('Enter a query.') : l10n.t('Select a model.');
}

/** Whether the ranking is for another query, model or text than the page shows. */
export function isStale(form: RerankForm, { ranking }: RerankView): boolean {
  if (!ranking) return false;
  return ranking.isStale || ranking.query.trim() !== form.query.trim() || ranking.model !== form.model.trim();
}

/** Returns why the chosen model does not support parameters, by field. */
export function notTakenBy(form: RerankForm, { models }: RerankView): { readonly [Field in RerankField]?: string } {
  return models.find(({ id }) => id === form.model.trim())?.notTaken ?? {};
}

const fields: readonly RerankField[] = ['top_n', 'max_chunks_per_doc', 'overlap_tokens', 'instruction'];

/** Returns how many options are set and supported by the model. */
export function optionsSet(form: RerankForm, page: RerankView): number {
  const notTaken = notTakenBy(form, page);
  const set = fields.filter((name) => form[name].trim() !== '' && notTaken[name] === undefined);
  return set.length + (form.return_documents ? 1 : 0);
}

/** Parses a whole number from 1 to `most`; returns `undefined` for anything else. */
export function toCount(text: string, most: number): number | undefined {
  const count = /^\s*[0-9]{1,9}\s*$/.test(text) ? Number(text) : 0;
  return count >= 1 && count <= most ? count : undefined;
}
