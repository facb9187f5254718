import { checkRequest, warningsOf } from '../bounds';
import { present } from '../present';
import type { Transport } from '../transport/transport';
import { embeddingBounds } from './embeddings.bounds';
import { embeddingRequest, embeddingResponse } from './embeddings.schema';
import type { EmbeddingRequest, Embeddings } from './embeddings.schema';
import type { ParameterWarning } from '../parameters';

export interface EmbeddingsNoun {
  create(request: EmbeddingRequest, signal?: AbortSignal): Promise<Embeddings>;
  warnings(request: EmbeddingRequest): readonly ParameterWarning[];
}

export function createEmbeddings(transport: Transport): EmbeddingsNoun {
  return {
    async create(request, signal) {
      checkRequest(request, embeddingRequest, embeddingBounds);
      // The service stores nothing and charges little, so embeddings are retried by the rules of rerank.
      const call = { method: 'POST', path: '/embeddings', work: 'rerank', model: request.model, signal } as const;
      const { model, data, usage } = await transport.json({ ...call, body: request, response: embeddingResponse });
      const vectors = data
        .map(({ index, embedding }, position) => ({ index: index ?? position, vector: toVector(embedding) }))
        .sort((left, right) => left.index - right.index)
        .map(({ vector }) => vector);
      const { prompt_tokens, completion_tokens, total_tokens } = usage ?? {};
      return { ...present({ model }), vectors, usage: present({ prompt_tokens, completion_tokens, total_tokens }) };
    },
    warnings: (request) => warningsOf(request, embeddingBounds),
  };
}

function toVector(embedding: readonly number[] | string): readonly number[] {
  if (typeof embedding !== 'string') return embedding;
  const bytes = Buffer.from(embedding, 'base64');
  return Array.from({ length: Math.floor(bytes.length / 4) }, (_, index) => bytes.readFloatLE(index * 4));
}
