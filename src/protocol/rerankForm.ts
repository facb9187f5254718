import type { RerankForm } from './rerank';

/** The service's limit. */
export const mostOverlapTokens = 80;

/** The action of a notice that the page runs itself, by `rerank/run` with `goOn`: what was ranked before the error is retained. */
export const goOnRanking = 'goOn';

/** A form with nothing set. */
export const emptyForm: RerankForm = {
  query: '',
  model: '',
  top_n: '',
  return_documents: false,
  max_chunks_per_doc: '',
  overlap_tokens: '',
  instruction: '',
};
