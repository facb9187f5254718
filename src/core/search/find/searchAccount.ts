import { chooseModel, knownJobs } from '../../catalogue/jobs';
import type { ChoosableModels } from '../../catalogue/jobs';
import type { Embeddings, EmbeddingRequest } from '../../api/embeddings/embeddings.schema';
import type { CreateRanking } from '../../ranking/rankInSlices';

/** The account and models with which a question is answered. */
export interface SearchAccount {
  /** Origin of the service: its vectors are comparable only with each other. */
  readonly origin: string;
  readonly client: {
    readonly rerank: { readonly create: CreateRanking };
    readonly embeddings: { create(request: EmbeddingRequest, signal?: AbortSignal): Promise<Embeddings> };
  };
  /** Unset if the account has none. */
  readonly reranker: string | undefined;
  readonly embedder: string | undefined;
}

/**
 * Returns the embedding model only if it is known as one or selected by the user. An unclassified model could have any purpose, and would
 * receive an entire workspace.
 */
export function embedderOf(state: ChoosableModels): string | undefined {
  const chosen = chooseModel('embedding', state);
  const isKnown = state.models.some((model) => model.id === chosen && knownJobs(model)?.includes('embedding'));
  return isKnown || state.defaults.embedding === chosen ? chosen : undefined;
}
