// https://docs.siliconflow.com/en/api-reference/embeddings/create-embeddings
import '../../../schema/jitless';
import * as z from 'zod/mini';
import type { Immutable } from '../../../schema/immutable';
import { listIn } from '../envelope';
import { isObject } from '../isObject';
import { lenient, lenientNumber, lenientText, toNumber } from '../tolerant';

export const embeddingRequest = z.strictObject({
  model: z.string(),
  input: z.union([z.string(), z.array(z.string())]),
  encoding_format: z.nullish(z.enum(['float', 'base64'])),
  /** Qwen3-Embedding models only; any other responds with 400. */
  dimensions: z.nullish(z.number()),
});

/** Absent fields are not sent; `null` is sent as null. */
export type EmbeddingRequest = Immutable<z.infer<typeof embeddingRequest>>;

/** Numbers, or base64 of little-endian 32-bit floats. llama.cpp nests them once more on the path without a version. */
const vector = z.union([z.array(z.number()), z.string(), z.tuple([z.array(z.number())])]);

/** Where entries have their vector, and objects in place of a vector the numbers. */
const vectorNames = ['embedding', 'values', 'vector', 'embeddings', 'dense', 'float'];

function vectorIn(value: unknown, depth = 0): unknown {
  if (!isObject(value)) return value;
  const found = vectorNames.map((name) => value[name]).find((one) => one !== undefined && one !== null);
  if (isObject(found)) return depth < 3 ? vectorIn(found, depth + 1) : undefined;
  // Some servers write numbers as text.
  return Array.isArray(found) && typeof found[0] === 'string' ? found.map(toNumber) : found;
}

/** TEI's and Ollama's own endpoints have a bare vector for each text, Google's an object with `values`. DashScope counts by `text_index`. */
const entry = z.pipe(
  z.transform((value: unknown) => {
    if (Array.isArray(value)) return { embedding: value as unknown };
    if (!isObject(value)) return value;
    const { index = value['text_index'] } = value;
    return { ...value, index, embedding: vectorIn(value) };
  }),
  z.looseObject({ index: lenientNumber, embedding: lenient(vector) }),
);

/**
 * `object` is always `list`, and always `embedding` in an item, so neither is read. An invalid entry stays in the list, because the
 * position of the others identifies their input.
 */
export const embeddingResponse = z.pipe(
  z.transform(withOneType),
  listIn(
    ['embeddings', 'results', 'predictions', 'vectors'],
    z.looseObject({
      model: lenientText,
      list: z.array(lenient(entry)),
      usage: lenient(
        z.looseObject({
          prompt_tokens: lenientNumber,
          completion_tokens: lenientNumber,
          total_tokens: lenientNumber,
        }),
      ),
    }),
  ),
);

/** Cohere has a list of vectors for each type of number. */
function withOneType(json: unknown): unknown {
  if (!isObject(json) || !isObject(json['embeddings'])) return json;
  const { float, ...others } = json['embeddings'];
  const list = [float, ...Object.values(others)].find((one) => Array.isArray(one));
  return list === undefined ? json : { ...json, embeddings: list };
}

export interface Embeddings {
  readonly model?: string;
  /** In the order of the inputs. Empty for an input without a vector. */
  readonly vectors: readonly (readonly number[])[];
  readonly usage: {
    readonly prompt_tokens?: number;
    readonly completion_tokens?: number;
    readonly total_tokens?: number;
    /** What the request cost in the account's currency, if the service reports it. */
    readonly cost?: number;
  };
}
