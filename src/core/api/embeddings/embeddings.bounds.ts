import type { Bounds } from '../bounds';
import type { EmbeddingRequest } from './embeddings.schema';

export const embeddingBounds: Bounds<EmbeddingRequest> = {
  model: { minLength: 1 },
  input: { minLength: 1, minItems: 1, advised: { maxItems: 2048 } },
  dimensions: { integer: true, min: 1, advised: { models: /qwen3-embedding|text-embedding-3/i } },
};
