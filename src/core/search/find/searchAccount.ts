import { chooseModel } from '../../catalogue/jobs';
import type { JobDefaults } from '../../catalogue/jobs';
import type { CatalogueModel } from '../../catalogue/model';
import type { Embeddings, EmbeddingRequest } from '../../api/embeddings/embeddings.schema';
import type { RankingSpending } from '../../ranking/countedRanking';
import type { CreateRanking } from '../../ranking/rankInSlices';

/** By whom and with what a question is answered. */
export interface SearchAccount {
  /** Of the service: vectors that it made are of use only with others of its own. */
  readonly origin: string;
  readonly client: {
    readonly rerank: { readonly create: CreateRanking };
    readonly embeddings: { create(request: EmbeddingRequest, signal?: AbortSignal): Promise<Embeddings> };
  };
  readonly spending: RankingSpending;
  /** Unset where the account has none. */
  readonly reranker: string | undefined;
  readonly embedder: string | undefined;
}

export interface ChoosableModels {
  readonly models: readonly CatalogueModel[];
  readonly pins: readonly string[];
  readonly defaults: JobDefaults;
}

/** Only what is named as one: a model of which nothing is known may be for anything, and a whole workspace would go to it. */
export function embedderOf(state: ChoosableModels): string | undefined {
  const chosen = chooseModel('embedding', state);
  const isNamed = state.models.some(({ id, subTypes }) => id === chosen && subTypes.includes('embedding'));
  return isNamed || state.defaults.embedding === chosen ? chosen : undefined;
}
