// https://docs.siliconflow.com/en/api-reference/embeddings/create-embeddings
import '../../../schema/jitless';
import * as z from 'zod/mini';
import type { Immutable } from '../../../schema/immutable';

export const embeddingRequest = z.strictObject({
  model: z.string(),
  input: z.union([z.string(), z.array(z.string())]),
  encoding_format: z.nullish(z.enum(['float', 'base64'])),
  /** Qwen3-Embedding models only; any other responds with 400. */
  dimensions: z.nullish(z.number()),
});

/** Absent fields are not sent; `null` is sent as null. */
export type EmbeddingRequest = Immutable<z.infer<typeof embeddingRequest>>;

/** `object` is always `list`, and always `embedding` in an item, so neither is read. */
export const embeddingResponse = z.looseObject({
  model: z.nullish(z.string()),
  data: z.array(
    z.looseObject({
      index: z.nullish(z.number()),
      /** Numbers, or base64 of little-endian 32-bit floats. */
      embedding: z.union([z.array(z.number()), z.string()]),
    }),
  ),
  usage: z.nullish(
    z.looseObject({
      prompt_tokens: z.nullish(z.number()),
      completion_tokens: z.nullish(z.number()),
      total_tokens: z.nullish(z.number()),
    }),
  ),
});

export interface Embeddings {
  readonly model?: string;
  /** In the order of the inputs. */
  readonly vectors: readonly (readonly number[])[];
  readonly usage: {
    readonly prompt_tokens?: number;
    readonly completion_tokens?: number;
    readonly total_tokens?: number;
  };
}
