import type { CatalogueModel } from '../../../core/catalogue/model';
import type { CreateRanking } from '../../../core/ranking/rankInSlices';
import type { Judgements } from '../../../core/ranking/judgements';
import type { WireError } from '../../../protocol/wire';
import type { RerankMessages } from '../page/rerankMessages';
import type { RecordMemory } from './rerankRecord';
import type { SendingPlan } from './sending';

export interface RerankModels {
  /** Those that rank, as the service lists them; pins first. */
  readonly list: readonly CatalogueModel[];
  /** That of the last ranking, else the service's first. */
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

/** What was judged in this workspace. */
export interface JudgementStore {
  readonly held: Judgements;
  judge(query: string, document: string, relevant: boolean | null): Promise<void>;
}

/** What holds of the text in its editor. */
export interface SourceState {
  /** Worded: what has changed, and what to do. */
  readonly changed?: string;
  readonly canReadAgain: boolean;
  /** Whether the text can be written to, as far as is known. */
  readonly canWrite: boolean;
  readonly isShowingScores: boolean;
}

export interface RerankControllerOptions {
  readonly words: RerankMessages;
  readonly memory: RecordMemory;
  readonly queries: QueryHistory;
  readonly judgements: JudgementStore;
  readonly models: () => RerankModels;
  /** The model is remembered as the last. */
  readonly useModel: (model: string) => Promise<void>;
  readonly sourceState: () => SourceState;
  /** What asks the service, counts what is used and ends at the budget of the day. Told when all is done. */
  readonly openService: () => { readonly create: CreateRanking; readonly close: () => void };
  /** Asks before much is sent. */
  readonly confirm: (plan: SendingPlan) => Promise<boolean>;
  readonly describe: (error: unknown) => WireError;
  /** Unix milliseconds. */
  readonly now: () => number;
  /** Something changed that the page did not ask for. */
  readonly onChange: () => void;
  readonly onTrouble: (error: unknown) => void;
}
