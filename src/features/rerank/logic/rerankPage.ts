import type { CatalogueModel } from '../../../core/catalogue/model';
import type { CreateRanking } from '../../../core/ranking/rankInSlices';
import type { CostText, WireError } from '../../../protocol/wire';
import type { ChargedRequests } from '../../../services/usage/prices';
import type { RerankMessages } from './rerankMessages';
import { splitSource } from './documents';
import type { SendingPlan, RerankSource, SplitSource, SourceDocument } from './documents';
import type { RerankForm, RerankView, RerankProgress, SplitBy } from '../../../protocol/rerank';
import type {
  JudgementStore,
  QueryHistory,
  SavedPage,
  SavedComparison,
  SavedRanking,
  PageChoices,
  PageResults,
  RecordMemory,
  RerankRecord,
} from './rerankStore';
import { isStale, pageView, planOf } from './pageView';
import { readForm } from './readForm';
import type { FieldIssue } from './readForm';

export interface RerankModels {
  /** Reranking models as the service lists them; pinned ones first. */
  readonly list: readonly CatalogueModel[];
  /** The model of the last ranking, else the service's first. */
  readonly preferred: string;
  readonly isLoading: boolean;
  readonly error?: unknown;
}

/** State of the source text in its editor. */
export interface SourceState {
  /** Localized: what changed, and what to do. */
  readonly changed?: string;
  readonly canReadAgain: boolean;
  /** Whether the text is writable, as far as is known. */
  readonly canWrite: boolean;
  readonly isShowingScores: boolean;
}

/** Shared by the pages of a workspace: their messages, their stored data, and the ranking service. */
export interface PageServices {
  readonly words: RerankMessages;
  readonly queries: QueryHistory;
  readonly judgements: JudgementStore;
  models(): RerankModels;
  /** Remembers the model as the last one used. */
  useModel(model: string): Promise<void>;
  /** Opens the service for one run: counts usage and stops at the daily budget. Call `close` when the run is done. */
  openService(): { readonly create: CreateRanking; readonly close: () => void };
  /** Returns the usage of a plan with each of some models together: tokens as they count them, and the price once prices are known. */
  expect(
    models: readonly string[],
    plan: SendingPlan,
  ): { readonly tokens: number; readonly price?: CostText | undefined };
  /** Returns the cost of answered requests to a model, or `undefined` if unknown. */
  charged(requests: ChargedRequests): CostText | undefined;
  /** Asks for confirmation before much is sent to models. */
  confirm(plan: SendingPlan, models: readonly string[]): Promise<boolean>;
  describe(error: unknown): WireError;
  /** Unix milliseconds. */
  now(): number;
  onError(error: unknown): void;
}

/** The tab that shows a page. */
interface PageTab {
  sourceState(): SourceState;
  /** Called when something changed that the page did not request. */
  onChange(): void;
}

/** The result of a run. */
export interface NewResult {
  readonly ranking?: SavedRanking;
  readonly comparison?: SavedComparison;
}

type What = 'ranking' | 'comparison';
type Work = (onProgress: (progress: RerankProgress) => void, signal: AbortSignal) => Promise<void>;

/** The state of one page: its source, the split, the form, and the results. */
export class RerankPage {
  private state: RerankRecord;
  private split: SplitSource | undefined;
  private running: RunningWork<What> | undefined;
  private isSaved = true;

  private readonly memory: RecordMemory;

  constructor(
    { record, memory }: SavedPage,
    readonly workspace: PageServices,
    private readonly tab: PageTab,
  ) {
    this.state = record;
    this.memory = memory;
    this.splitAnew();
  }

  get record(): RerankRecord {
    return this.state;
  }

  /** Throws `UserError` if no source is chosen yet. */
  get source(): SplitSource {
    if (!this.split) throw this.workspace.words.noSource();
    return this.split;
  }

  /** Throws `UserError` if nothing is ranked yet. */
  get ranking(): SavedRanking {
    const ranking = this.split && this.state.rankings[this.state.by];
    if (!ranking) throw this.workspace.words.noRanking();
    return ranking;
  }

  get comparison(): SavedComparison | undefined {
    return this.split && this.state.comparisons[this.state.by];
  }

  get isRunning(): boolean {
    return this.running !== undefined;
  }

  view(): RerankView {
    const { state: record, split: source, running, isSaved } = this;
    return pageView({ record, source, running, isSaved, sourceState: this.tab.sourceState() }, this.workspace);
  }

  /** Returns the price of ranking the documents with all of these models, or `undefined` as long as there is none to show. */
  priceOf(models: readonly string[]): CostText | undefined {
    const { split, state, workspace } = this;
    const plan = planOf(state, split);
    const price = plan && models.length > 0 ? workspace.expect(models, plan).price : undefined;
    return price && workspace.words.price(price);
  }

  /** Throws `UserError` for an index from another split. */
  document(index: number): SourceDocument {
    const document = this.split?.documents.list[index];
    if (!document) throw this.workspace.words.notThere();
    return document;
  }

  /** Replaces the source by its current state if its documents are unchanged; otherwise returns `false`. */
  takeAgain(source: RerankSource): boolean {
    const now = splitSource(source, this.state);
    const before = this.source.documents.list;
    const isSame =
      now.documents.list.length === before.length &&
      now.documents.list.every(({ text }, at) => text === before[at]?.text);
    if (!isSame) return false;
    this.state = { ...this.state, source };
    this.split = now;
    void this.memory.keepSource(source);
    return true;
  }

  /** `columns`: those of a table to send. */
  splitBy(by: SplitBy, columns = this.state.columns): void {
    this.keepChoices({ by, columns });
  }

  exclude(indexes: readonly number[], isExcluded: boolean): void {
    const { by, excluded } = this.state;
    const now = new Set(excluded[by]);
    for (const index of indexes) {
      if (isExcluded) now.add(index);
      else now.delete(index);
    }
    this.keepChoices({ excluded: { ...excluded, [by]: [...now].toSorted((one, other) => one - other) } });
  }

  /** Saves the edited form, and returns the fields that are not sent. */
  type(form: RerankForm): readonly FieldIssue[] {
    const isOtherModel = form.model !== this.state.form.model;
    const wasStale = this.isStale;
    this.keepChoices({ form });
    if (isOtherModel || wasStale !== this.isStale) this.tab.onChange();
    return readForm(form).issues;
  }

  /** Starts paid work that continues without the page, and follows it. Throws `UserError` while other work is running. */
  async start(
    what: What,
    work: Work,
    { signal, emit }: { readonly signal: AbortSignal; readonly emit: (progress: RerankProgress) => void },
  ): Promise<void> {
    if (this.running) throw this.workspace.words.busy();
    const first = { done: 0, total: this.source.sent.length, text: '' };
    const running = new RunningWork<What>(what, first, async (onProgress, ending) => {
      try {
        await work(onProgress, ending);
      } catch (error) {
        ending.throwIfAborted();
        throw error;
      }
    });
    this.running = running;
    const end = () => {
      this.running = undefined;
      this.tab.onChange();
    };
    void running.done.then(end, end);
    await this.follow({ signal, emit });
  }

  /** Reports the progress of the running work. An aborted signal stops the work, so do not pass that of a page that is only hidden. */
  async follow({
    signal,
    emit,
  }: {
    readonly signal: AbortSignal;
    readonly emit: (progress: RerankProgress) => void;
  }): Promise<void> {
    const { running } = this;
    if (!running) return;
    const stop = () => running.stop();
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop);
    try {
      await running.follow(emit);
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }

  stop(): void {
    this.running?.stop();
  }

  /** Saves a result, or notes that this failed, before it is shown. `by`: the split of its documents. */
  async keepResult(by: SplitBy, { ranking, comparison }: NewResult): Promise<void> {
    const { rankings, comparisons } = this.state;
    const results: PageResults = {
      rankings: ranking ? { ...rankings, [by]: ranking } : rankings,
      comparisons: comparison ? { ...comparisons, [by]: comparison } : comparisons,
    };
    this.state = { ...this.state, ...results };
    try {
      await this.memory.keepResults(results);
      this.isSaved = true;
    } catch (error) {
      this.isSaved = false;
      this.workspace.onError(error);
    }
  }

  private get isStale(): boolean {
    const ranking = this.state.rankings[this.state.by];
    return ranking !== undefined && this.split !== undefined && isStale(ranking, this.state, this.split);
  }

  private keepChoices(change: Partial<PageChoices>): void {
    this.state = { ...this.state, ...change };
    if (change.by !== undefined || change.excluded || change.columns !== undefined) this.splitAnew();
    const { by, columns, excluded, form } = this.state;
    void this.memory.keepChoices({ by, columns, excluded, form });
  }

  private splitAnew(): void {
    const { source } = this.state;
    this.split = source && splitSource(source, this.state, this.split);
  }
}

type OnProgress = (progress: RerankProgress) => void;

/** Paid work that continues whether or not anyone follows it. */
export class RunningWork<What extends string> {
  private readonly followers = new Set<OnProgress>();
  private readonly ending = new AbortController();
  private last: RerankProgress;
  readonly done: Promise<void>;

  /** Starts the work at once. */
  constructor(
    readonly what: What,
    first: RerankProgress,
    work: (onProgress: OnProgress, signal: AbortSignal) => Promise<void>,
  ) {
    this.last = first;
    this.done = work((progress) => this.tell(progress), this.ending.signal);
    // Followers receive the error. Without any, it must not count as unhandled.
    this.done.catch(() => undefined);
  }

  get progress(): RerankProgress {
    return this.last;
  }

  /** Aborts the requests. */
  stop(): void {
    this.ending.abort();
  }

  /** Reports progress until the end; rejects if the work does. */
  async follow(onProgress: OnProgress): Promise<void> {
    this.followers.add(onProgress);
    onProgress(this.last);
    try {
      await this.done;
    } finally {
      this.followers.delete(onProgress);
    }
  }

  private tell(progress: RerankProgress): void {
    this.last = progress;
    for (const follower of this.followers) follower(progress);
  }
}
