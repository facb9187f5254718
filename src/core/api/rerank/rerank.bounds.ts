import type { Bounds } from '../bounds';
import type { RerankRequest } from './rerank.schema';

/** The models that split long documents, also with the `Pro/` prefix. */
const splitting = /(^|\/)(bge-reranker-v2-m3|bce-reranker-base_v1)$/i;

export const rerankBounds: Bounds<RerankRequest> = {
  model: { minLength: 1 },
  query: { minLength: 1 },
  documents: { minItems: 1 },
  top_n: { integer: true, min: 1 },
  max_chunks_per_doc: { integer: true, min: 1, advised: { models: splitting } },
  overlap_tokens: { integer: true, min: 0, advised: { models: splitting } },
  instruction: { minLength: 1, advised: { models: /qwen3-reranker/i } },
};
