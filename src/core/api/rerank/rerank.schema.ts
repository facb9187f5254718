// https://docs.siliconflow.com/en/api-reference/rerank/create-rerank
import '../../../schema/jitless';
import * as z from 'zod/mini';
import type { Immutable } from '../../../schema/immutable';

export const rerankRequest = z.strictObject({
  model: z.string(),
  query: z.string(),
  /** Strings only; the reference also shows objects, but the service rejects them. */
  documents: z.array(z.string()),
  top_n: z.nullish(z.number()),
  return_documents: z.nullish(z.boolean()),
  max_chunks_per_doc: z.nullish(z.number()),
  overlap_tokens: z.nullish(z.number()),
  /** Defines what "relevant" means; Qwen3-Reranker models only. */
  instruction: z.nullish(z.string()),
});

/** Absent fields are not sent; `null` is sent as null. */
export type RerankRequest = Immutable<z.infer<typeof rerankRequest>>;

const tokens = z.looseObject({ input_tokens: z.nullish(z.number()), output_tokens: z.nullish(z.number()) });

/** One malformed entry must not lose the others, which are paid for, so index and score are not validated. */
const result = z.looseObject({
  index: z.optional(z.unknown()),
  relevance_score: z.optional(z.unknown()),
  score: z.optional(z.unknown()),
  document: z.nullish(z.union([z.string(), z.looseObject({ text: z.nullish(z.string()) })])),
  text: z.nullish(z.string()),
});

/** Empty, or with at least one entry that refers to a document. */
const results = z
  .array(result)
  .check(z.refine((list) => list.length === 0 || list.some(({ index }) => typeof index === 'number')));

/** The response shapes of this service and of others on the same path: a list under `results` or `data`, or a bare list. */
export const rerankResponse = z.union([
  results,
  z
    .looseObject({
      id: z.nullish(z.string()),
      results: z.nullish(results),
      data: z.nullish(results),
      tokens: z.nullish(tokens),
      meta: z.nullish(z.looseObject({ tokens: z.nullish(tokens), billed_units: z.nullish(tokens) })),
      usage: z.nullish(z.looseObject({ prompt_tokens: z.nullish(z.number()), total_tokens: z.nullish(z.number()) })),
    })
    .check(z.refine(({ results, data }) => Array.isArray(results ?? data))),
]);

export interface Ranking {
  readonly id?: string;
  /** Best first, entries without a score last. Not validated: an entry may lack fields or repeat another's index. */
  readonly results: readonly RankedDocument[];
  readonly tokens: { readonly input_tokens?: number; readonly output_tokens?: number };
}

export interface RankedDocument {
  /** Index into the documents of the request, if valid; absent if the response has no number. */
  readonly index?: number;
  /** Absent if the response has no number; may be infinite. */
  readonly relevance_score?: number;
  /** The text in the response, else the request's own document. */
  readonly text: string;
}
