import type { CatalogueModel } from '../../../core/catalogue/model';
import type { CreateRanking } from '../../../core/ranking/rankInSlices';
import type { Judgements } from '../../../core/ranking/judgements';
import type { CostText, WireError } from '../../../protocol/wire';
import type { ChargedRequests } from '../../../services/usage/prices';
import type { RerankMessages } from '../page/rerankMessages';
import type { SendingPlan } from './documents';

export interface RerankModels {
  /** Reranking models as the service lists them; pinned ones first. */
  readonly list: readonly CatalogueModel[];
  /** The model of the last ranking, else the service's first. */
  readonly preferred: string;
  readonly isLoading: boolean;
  readonly error?: unknown;
}

/** Queries of this workspace, newest first. */
export interface QueryHistory {
  readonly list: readonly string[];
  add(query: string): Promise<void>;
  forget(query: string): Promise<void>;
}

/** Relevance judgements of this workspace. */
export interface JudgementStore {
  readonly held: Judgements;
  judge(query: string, document: string, relevant: boolean | null): Promise<void>;
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

/** What the pages of a workspace share: what they say, what they remember, and the service that ranks. */
export interface RerankWorkspace {
  readonly words: RerankMessages;
  readonly queries: QueryHistory;
  readonly judgements: JudgementStore;
  models(): RerankModels;
  /** Remembers the model as the last one used. */
  useModel(model: string): Promise<void>;
  /** Opens the service for one run: counts usage and stops at the daily budget. Call `close` when the run is done. */
  openService(): { readonly create: CreateRanking; readonly close: () => void };
  /** What a plan takes with each of some models together: tokens as they count them, and the price once prices are known. */
  expect(
    models: readonly string[],
    plan: SendingPlan,
  ): { readonly tokens: number; readonly price?: CostText | undefined };
  /** What answered requests to a model cost; `undefined` if unknown. */
  charged(requests: ChargedRequests): CostText | undefined;
  /** Asks for confirmation before much is sent to models. */
  confirm(plan: SendingPlan, models: readonly string[]): Promise<boolean>;
  describe(error: unknown): WireError;
  /** Unix milliseconds. */
  now(): number;
  onTrouble(error: unknown): void;
}

/** The tab that shows a controller. */
export interface RerankView {
  sourceState(): SourceState;
  /** Called when something changed that the page did not request. */
  onChange(): void;
}
