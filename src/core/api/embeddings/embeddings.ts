import type * as z from 'zod/mini';
import { checkRequest, warningsOf, withOwn } from '../bounds';
import type { ClientOptions } from '../clientOptions';
import { present, presentWords } from '../present';
import type { Transport } from '../transport/transport';
import { embeddingBounds } from './embeddings.bounds';
import { embeddingRequest, embeddingResponse } from './embeddings.schema';
import type { EmbeddingRequest, Embeddings } from './embeddings.schema';
import type { ParameterWarning } from '../parameters';
import { reportedCost } from '../reportedCost';

export interface EmbeddingsNoun {
  create(request: EmbeddingRequest, signal?: AbortSignal): Promise<Embeddings>;
  warnings(request: EmbeddingRequest): readonly ParameterWarning[];
}

export function createEmbeddings(transport: Transport, options: ClientOptions): EmbeddingsNoun {
  const bounds = withOwn(embeddingBounds, options.bounds?.embeddings);
  return {
    async create(request, signal) {
      checkRequest(request, embeddingRequest, bounds);
      // The service stores nothing and charges little, so embeddings are retried by the rules of rerank.
      const call = { method: 'POST', path: '/embeddings', work: 'rerank', model: request.model, signal } as const;
      const { model, list, usage } = await transport.json({ ...call, body: request, response: embeddingResponse });
      const vectors = inOrder(list);
      const { prompt_tokens, completion_tokens, total_tokens } = usage ?? {};
      return {
        ...presentWords({ model }),
        vectors,
        usage: present({ prompt_tokens, completion_tokens, total_tokens, cost: reportedCost(usage) }),
      };
    },
    warnings: (request) => warningsOf(request, bounds),
  };
}

/** Returns the vectors by their index, else by their position. */
function inOrder(list: z.infer<typeof embeddingResponse>['list']): readonly (readonly number[])[] {
  const places = list.map((entry, position) => entry?.index ?? position);
  const vectors = new Map(list.map((entry, position) => [places[position]!, toVector(entry?.embedding)]));
  const isWhole = [...vectors.keys()].every((place) => Number.isInteger(place) && place >= 0 && place < list.length);
  // Indexes of something else say nothing.
  if (!isWhole || vectors.size < list.length) return list.map((entry) => toVector(entry?.embedding));
  return list.map((_, place) => vectors.get(place) ?? []);
}

type VectorOnTheWire = NonNullable<z.infer<typeof embeddingResponse>['list'][number]>['embedding'];

function toVector(embedding: VectorOnTheWire): readonly number[] {
  if (embedding === undefined) return [];
  if (typeof embedding !== 'string') return embedding.flat();
  const bytes = Buffer.from(embedding, 'base64');
  return Array.from({ length: Math.floor(bytes.length / 4) }, (_, index) => bytes.readFloatLE(index * 4));
}
