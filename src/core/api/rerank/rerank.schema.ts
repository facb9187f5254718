// https://docs.siliconflow.com/en/api-reference/rerank/create-rerank
import '../../../schema/jitless';
import * as z from 'zod/mini';
import type { Immutable } from '../../../schema/immutable';
import { listIn } from '../envelope';
import { isObject } from '../isObject';
import { entriesOf, lenient, lenientNumber, lenientText, toNumber } from '../tolerant';
import type { AnswerIds } from '../transport/transport';

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

const tokens = lenient(z.looseObject({ input_tokens: lenientNumber, output_tokens: lenientNumber }));

/**
 * One malformed entry must not lose the others, which are paid for, so index and score are not validated. Older forms of Cohere's API
 * have `document_index`, sentence-transformers `corpus_id`, Cloudflare `id`, Bedrock `relevanceScore`, NVIDIA's servers `logit`.
 */
const result = z.looseObject({
  index: z.optional(z.unknown()),
  document_index: z.optional(z.unknown()),
  corpus_id: z.optional(z.unknown()),
  id: z.optional(z.unknown()),
  relevance_score: z.optional(z.unknown()),
  score: z.optional(z.unknown()),
  relevanceScore: z.optional(z.unknown()),
  logit: z.optional(z.unknown()),
  similarity: z.optional(z.unknown()),
  document: lenient(z.union([z.string(), z.looseObject({ text: lenientText })])),
  text: lenientText,
});

type EntryOnTheWire = z.infer<typeof result>;

/** Returns the index of the document that an entry is about; `undefined` if the entry has none. */
export function indexOf({ index, document_index: inDocuments, corpus_id: inCorpus, id }: EntryOnTheWire) {
  return numberOf(index) ?? numberOf(inDocuments) ?? numberOf(inCorpus) ?? numberOf(id);
}

/** Returns the score of an entry, which may be infinite; `undefined` if it has none. */
export function scoreOf({ relevance_score: score, score: short, relevanceScore: joined, ...others }: EntryOnTheWire) {
  const { logit, similarity } = others;
  return numberOf(score) ?? numberOf(short) ?? numberOf(joined) ?? numberOf(logit) ?? numberOf(similarity);
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : toNumber(value);
}

/** Empty, or with at least one entry that refers to a document. */
const results = entriesOf(result).check(
  z.refine((list) => list.length === 0 || list.some((entry) => indexOf(entry) !== undefined)),
);

/**
 * The response shapes of this service and of others on the same path: a list under `results`, `data`, or another name, a bare list, or
 * nothing but scores in the order of the documents.
 */
export const rerankResponse = z.pipe(
  z.transform(scoresAsResults),
  listIn(
    ['results', 'rankings', 'records', 'rerank', 'response'],
    z.looseObject({
      id: lenientText,
      model: lenientText,
      request_id: lenientText,
      list: results,
      tokens,
      meta: lenient(z.looseObject({ tokens, billed_units: tokens })),
      usage: lenient(z.looseObject({ prompt_tokens: lenientNumber, total_tokens: lenientNumber })),
    }),
  ),
);

/** Writes scores without entries, as DeepInfra and Volcengine return them, as a list of entries. */
function scoresAsResults(json: unknown): unknown {
  if (!isObject(json)) return isScores(json) ? entriesFor(json) : json;
  const holder = [json, json['data'], json['result']].filter(isObject).find((one) => isScores(one['scores']));
  if (!holder) return isObject(json['result']) ? { ...json, ...json['result'] } : json;
  const { scores, indices } = holder;
  return isScores(scores) ? { ...json, data: undefined, results: entriesFor(scores, indices) } : json;
}

function isScores(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'number' || one === null);
}

function entriesFor(scores: readonly unknown[], indices?: unknown) {
  const at = Array.isArray(indices) && indices.length === scores.length ? indices : undefined;
  return scores.map((score, position): object => ({ index: at ? (at[position] as unknown) : position, score }));
}

export interface Ranking extends AnswerIds {
  readonly id?: string;
  /** The model that answered, if the service names it. */
  readonly model?: string;
  /** Best first, entries without a score last. Not validated: an entry may lack fields or repeat another's index. */
  readonly results: readonly RankedDocument[];
  readonly tokens: {
    readonly input_tokens?: number;
    readonly output_tokens?: number;
    /** What the request cost in the currency of the account, if the service says so. */
    readonly cost?: number;
  };
}

export interface RankedDocument {
  /** Index into the documents of the request, if valid; absent if the response has no number. Text that is a number counts as one. */
  readonly index?: number;
  /** Absent if the response has no number; may be infinite. */
  readonly relevance_score?: number;
  /** The text in the response, else the request's own document. */
  readonly text: string;
}
